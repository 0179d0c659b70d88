#include "fdtd/ranks/borders.hpp"

#include <algorithm>

#include "core/contract.hpp"
#include "fdtd/ranks/part.hpp"

namespace umov::fdtd::ranks {

namespace {

const PlaneArray* find(const std::vector<PlaneArray>& arrays, int key) {
  const auto at = std::ranges::find(arrays, key, &PlaneArray::key);
  return at == arrays.end() ? nullptr : &*at;
}

/// Calls f(place in the receiver's part, plane of the problem) for the planes that a rank copies from another
/// one, in an order that both know.
template <class F>
void for_copies(const Slab& from, const Slab& to, const F& f) {
  for (int l = -1; l <= to.count(); ++l) {
    const int g = to.at(l);
    if (g == Slab::ghost || !counts(from, g)) continue;
    const bool of_own = counts(to, g) && l == own_place(to, g);
    if (!of_own) f(l, g);
  }
}

/// Calls f(place in the receiver's part, plane of the problem, whether a stretch begins with it): a stretch
/// goes on plane by plane in both parts.
template <class F>
void for_stretches(const Slab& from, const Slab& to, const F& f) {
  int place = Slab::ghost - 1, plane = 0;
  for_copies(from, to, [&](int l, int g) {
    f(l, g, l != place + 1 || g != plane + 1);
    place = l, plane = g;
  });
}

/// Places of a plane of an array, one by one.
void add_places(const std::vector<Run>& runs, ArrayPlaces& to) {
  for (const Run& run : runs)
    for (index_t i = 0; i < run.count; ++i) to.places.push_back(run.first + i);
}

/// Whether a part has this array in this plane: layers end somewhere.
bool has(const std::vector<PlaneArray>& arrays, int key, int plane) {
  const PlaneArray* a = find(arrays, key);
  return a && !a->at(plane).empty();
}

void begin_stretch(const std::vector<PlaneArray>& own, std::vector<ArrayPlaces>& lists) {
  for (std::size_t a = 0; a < own.size(); ++a) lists.push_back({int(a), {}});
}
/// The list of array `a` in the last stretch.
ArrayPlaces& last_list(const std::vector<PlaneArray>& own, std::size_t a, std::vector<ArrayPlaces>& lists) {
  return lists[lists.size() - own.size() + a];
}

}  // namespace

std::vector<BorderMessage> border_messages(const Problem& p, const std::vector<Slab>& slabs, int r,
                                           const std::vector<PlaneArray>& whole,
                                           const std::vector<PlaneArray>& own) {
  const Slab& mine = slabs[std::size_t(r)];
  std::vector<BorderMessage> messages;
  for (int other = 0; other < int(slabs.size()); ++other) {
    const Slab& its = slabs[std::size_t(other)];
    BorderMessage m{other, {}, {}};
    bool any = false;
    // What a part has of fields and layers is known from its frame; what it has of lists is all of a plane's.
    std::vector<PlaneArray> frame;
    for_stretches(mine, its, [&](int l, int g, bool begins) {
      if (begins) begin_stretch(own, m.sent);
      if (frame.empty()) frame = plane_arrays(part_frame(p, its));
      for (std::size_t a = 0; a < own.size(); ++a) {
        if (of_frame(own[a].key) && !has(frame, own[a].key, l)) continue;
        add_places(own[a].at(own_place(mine, g)), last_list(own, a, m.sent));
        any = true;
      }
    });
    for_stretches(its, mine, [&](int l, int g, bool begins) {
      if (begins) begin_stretch(own, m.received);
      for (std::size_t a = 0; a < own.size(); ++a) {
        const PlaneArray* all = find(whole, own[a].key);
        UMOV_ENSURE(all, "an array of a part is one of the problem");
        if (all->at(g).empty() || own[a].at(l).empty()) continue;
        add_places(own[a].at(l), last_list(own, a, m.received));
        any = true;
      }
    });
    if (any) messages.push_back(std::move(m));
  }
  return messages;
}

}  // namespace umov::fdtd::ranks
