#include "fdtd/ranks/borders.hpp"

#include <algorithm>

#include "core/contract.hpp"
#include "fdtd/ranks/part.hpp"

namespace umov::fdtd::ranks {

namespace {

const RowArray* find(const std::vector<RowArray>& arrays, int key) {
  const auto at = std::ranges::find(arrays, key, &RowArray::key);
  return at == arrays.end() ? nullptr : &*at;
}

/// A row of the problem, and where it is copied.
struct Copy {
  int row, plane;              ///< in the problem
  int row_place, plane_place;  ///< in the receiver's part
};

/// Calls f(Copy) for the rows that a rank copies from another one, in an order that both know.
template <class F>
void for_copies(const Block& from, const Block& to, const F& f) {
  for (int k = -1; k <= to.planes.count(); ++k) {
    const int plane = to.planes.at(k);
    if (plane == Slab::ghost || !counts(from.planes, plane)) continue;
    for (int j = -1; j <= to.rows.count(); ++j) {
      const int row = to.rows.at(j);
      if (row == Slab::ghost || !counts(from.rows, row)) continue;
      const bool of_own = counts(to.planes, plane) && k == own_place(to.planes, plane) &&
                          counts(to.rows, row) && j == own_place(to.rows, row);
      if (!of_own) f(Copy{row, plane, j, k});
    }
  }
}

/// Where a row begins in a part of so many rows and planes, ghosts with them, as fields hold them.
index_t begin_of(const Block& b, int row, int plane) { return index_t(b.rows.count() + 2) * plane + row; }

/// Calls f(Copy, whether a stretch begins with it): a stretch goes on row by row in both parts.
template <class F>
void for_stretches(const Block& from, const Block& to, const F& f) {
  index_t here = 0, there = 0;
  bool begins = true;
  const bool rows = to.rows.axis >= 0;
  for_copies(from, to, [&](const Copy& c) {
    const int row = own_place(from.rows, c.row), plane = own_place(from.planes, c.plane);
    const index_t h = rows ? begin_of(from, row, plane) : plane,
                  t = rows ? begin_of(to, c.row_place, c.plane_place) : c.plane_place;
    f(c, begins || h != here + 1 || t != there + 1);
    begins = false;
    here = h, there = t;
  });
}

/// Places of a row of an array, one by one; whether it has any.
bool add_places(const RowArray& array, int row, int plane, ArrayPlaces& to) {
  bool any = false;
  array.each(row, plane, [&](const Run& run) {
    any = true;
    for (index_t i = 0; i < run.count; ++i) to.places.push_back(run.first + i);
  });
  return any;
}

void begin_stretch(const std::vector<RowArray>& own, std::vector<ArrayPlaces>& lists) {
  for (std::size_t a = 0; a < own.size(); ++a) lists.push_back({int(a), {}});
}
/// The list of array `a` in the last stretch.
ArrayPlaces& last_list(const std::vector<RowArray>& own, std::size_t a, std::vector<ArrayPlaces>& lists) {
  return lists[lists.size() - own.size() + a];
}

}  // namespace

std::vector<BorderMessage> border_messages(const Problem& p, const std::vector<Block>& blocks, int r,
                                           const std::vector<RowArray>& whole,
                                           const std::vector<RowArray>& own) {
  const Block& mine = blocks[std::size_t(r)];
  std::vector<const RowArray*> of_problem;
  for (const RowArray& a : own) {
    of_problem.push_back(find(whole, a.key));
    UMOV_ENSURE(of_problem.back(), "an array of a part is one of the problem");
  }
  std::vector<BorderMessage> messages;
  for (int other = 0; other < int(blocks.size()); ++other) {
    const Block& its = blocks[std::size_t(other)];
    BorderMessage m{other, {}, {}};
    bool any = false;
    // What a part has of fields and layers is known from its frame; what it has of lists is all of a row's.
    std::vector<RowArray> frame;
    for_stretches(mine, its, [&](const Copy& c, bool begins) {
      if (begins) begin_stretch(own, m.sent);
      if (frame.empty()) frame = row_arrays(part_frame(p, its));
      for (std::size_t a = 0; a < own.size(); ++a) {
        if (of_frame(own[a].key)) {
          const RowArray* const there = find(frame, own[a].key);
          if (!there || !there->has(c.row_place, c.plane_place)) continue;
        }
        any |= add_places(own[a], own_place(mine.rows, c.row), own_place(mine.planes, c.plane),
                          last_list(own, a, m.sent));
      }
    });
    for_stretches(its, mine, [&](const Copy& c, bool begins) {
      if (begins) begin_stretch(own, m.received);
      for (std::size_t a = 0; a < own.size(); ++a)
        if (of_problem[a]->has(c.row, c.plane))
          any |= add_places(own[a], c.row_place, c.plane_place, last_list(own, a, m.received));
    });
    std::erase_if(m.sent, [](const ArrayPlaces& a) { return a.places.empty(); });
    std::erase_if(m.received, [](const ArrayPlaces& a) { return a.places.empty(); });
    if (any) messages.push_back(std::move(m));
  }
  return messages;
}

}  // namespace umov::fdtd::ranks
