#include "fdtd/model/conductors.hpp"

#include <algorithm>

#include "fdtd/model/interface_walk.hpp"

namespace umov::fdtd {
namespace {

/// What is this near a surface, in cells, is on it, whichever side rounding takes it for: there tangential E
/// vanishes. Larger than the step by which scenes keep points off surfaces.
constexpr double on_surface = 1e-5;

/// The lowest of the places is kept, so that threads agree on it.
void add_thin(ConductorCuts& cuts, index_t count, const Vec3& at) {
  if (cuts.thin == 0 || at < cuts.thin_at) cuts.thin_at = at;
  cuts.thin += count;
}

struct Reach {
  Vec3 lo, hi;
};

class Cutter {
 public:
  Cutter(const Scene& scene, const Grid& grid) : scene_(scene), grid_(grid), layout_(grid) {}

  void visit(const Block& b) {
    walk_interfaces(
        scene_, grid_, b, [](const Block&, int) {}, [this](const Int3& ijk) { cell(ijk); });
  }
  ConductorCuts take() { return std::move(cuts_); }

 private:
  void cell(const Int3& ijk) {
    if (interrupted()) return;
    Vec3 lo = grid_.origin, hi = grid_.origin;
    for (int a = 0; a < dimensions(grid_.mode); ++a) {
      lo[a] = grid_.place(a, ijk[a] - 0.5);
      hi[a] = grid_.place(a, ijk[a] + 1);
    }
    if (share({lo, hi}) == 0) return;
    for (int c = 0; c < components; ++c)
      if (has_component(grid_.mode, c) && in_grid(c, ijk)) (is_electric(c) ? edge(c, ijk) : face(c, ijk));
  }

  bool in_grid(int c, const Int3& ijk) const {
    for (int a = 0; a < dimensions(grid_.mode); ++a)
      if (ijk[a] < 0 || ijk[a] > grid_.cells[a] - (grid_.offset(c, a) == 0 ? 0 : 1)) return false;
    return true;
  }

  /// The place itself (an edge or a face), or what is dual to it.
  Reach around(int c, const Int3& ijk, bool dual) const {
    Reach r{grid_.position(c, ijk), grid_.position(c, ijk)};
    for (int a = 0; a < dimensions(grid_.mode); ++a)
      if ((grid_.offset(c, a) == 0) == dual) {
        const double u = ijk[a] + grid_.offset(c, a);
        r.lo[a] = grid_.place(a, u - 0.5), r.hi[a] = grid_.place(a, u + 0.5);
      }
    return r;
  }

  /// Share of conductors in a box.
  double share(const Reach& r) {
    scene_.shares(r.lo, r.hi, mixture_);
    double sum = 0;
    for (const auto& s : mixture_)
      if (scene_.materials()[s.material].perfect_conductor) sum += s.fraction;
    return sum < negligible_share ? 0 : sum > 1 - negligible_share ? 1 : sum;
  }

  /// Of an edge or a face, of all that are within rounding of it the largest share.
  double share_on(const Reach& r) {
    double most = share(r);
    for (int corner = 0; corner < 1 << dimensions(grid_.mode) && most < 1; ++corner) {
      Reach moved = r;
      bool first = true;  // of the corners that differ along flat axes only
      for (int a = 0; a < dimensions(grid_.mode); ++a) {
        const bool up = (corner >> a) & 1;
        if (r.hi[a] > r.lo[a]) {
          first = first && !up;
          continue;
        }
        const double step = (up ? on_surface : -on_surface) * grid_.dx;
        moved.lo[a] += step, moved.hi[a] += step;
      }
      if (first) most = std::max(most, share(moved));
    }
    return most;
  }

  void edge(int c, const Int3& ijk) {
    const Reach along = around(c, ijk, false), across = around(c, ijk, true);
    double taken = share_on(along);
    if (taken > 0 && taken < 1 && scene_.thin_conductor(along.lo, along.hi)) taken = 0;
    const double beside = share(across);
    if (beside > 0 && beside < 1 && scene_.thin_conductor(across.lo, across.hi)) {
      taken = 1;
      add_thin(cuts_, 1, grid_.position(c, ijk));
    }
    if (taken > 0) cuts_.places[c].push_back({layout_.at(ijk), 1 - taken});
  }

  void face(int c, const Int3& ijk) {
    const Reach here = around(c, ijk, false);
    const double taken = share_on(here);
    if (taken == 0 || (taken < 1 && scene_.thin_conductor(here.lo, here.hi))) return;
    cuts_.places[c].push_back({layout_.at(ijk), 1 - taken});
  }

  const Scene& scene_;
  const Grid& grid_;
  Layout layout_;
  Mixture mixture_;
  ConductorCuts cuts_;
};

void merge(ConductorCuts& all, ConductorCuts&& part) {
  for (int c = 0; c < components; ++c)
    all.places[c].insert(all.places[c].end(), part.places[c].begin(), part.places[c].end());
  if (part.thin > 0) add_thin(all, part.thin, part.thin_at);
}

bool before(const CutPlace& a, const CutPlace& b) { return a.cell < b.cell; }

}  // namespace

bool ConductorCuts::empty() const {
  return std::ranges::all_of(places, [](const auto& list) { return list.empty(); });
}

double ConductorCuts::free(int component, index_t cell) const {
  const auto& list = places[component];
  const auto at = std::lower_bound(list.begin(), list.end(), CutPlace{cell, 0}, before);
  return at == list.end() || at->cell != cell ? 1 : at->free;
}

ConductorCuts find_conductors(const Scene& scene, const Grid& grid, const Told& told) {
  ConductorCuts cuts;
  if (std::ranges::none_of(scene.materials(), [](const auto& m) { return m.perfect_conductor; })) return cuts;
  visit_blocks(
      grid, told, [&] { return Cutter(scene, grid); },
      [&](ConductorCuts&& part) { merge(cuts, std::move(part)); });
  for (auto& list : cuts.places) std::sort(list.begin(), list.end(), before);
  return cuts;
}

}  // namespace umov::fdtd
