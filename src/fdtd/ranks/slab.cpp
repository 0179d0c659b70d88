#include "fdtd/ranks/slab.hpp"

#include <algorithm>
#include <cstdlib>

#include "fdtd/planes.hpp"

namespace umov::fdtd::ranks {

namespace {

/// Whether a monitor looks at the ghosts of an axis, which lie one plane beyond a rank's own.
bool looks_at_ghosts(const Problem& p, int axis) {
  const Rows rows(p.grid);
  const auto any = [&](const std::vector<index_t>& cells) {
    return std::ranges::any_of(cells, [&](index_t c) {
      const auto [row, plane] = rows.of(c);
      const int place = axis == rows.axis() ? row : plane;
      return place < 0 || place >= p.grid.cells[axis];
    });
  };
  return std::ranges::any_of(p.recorders, [&](const Recorder& r) { return any(r.cells); }) ||
         std::ranges::any_of(p.fouriers, [&](const FourierAccumulator& a) { return any(a.cells); });
}

}  // namespace

int halo_planes(const Problem& p, int steps, int axis) {
  const bool tensor = !p.tensor[0].empty() || !p.tensor[1].empty() || !p.tensor[2].empty();
  return steps * (tensor ? 2 : 1) + (p.cut_media.empty() && !looks_at_ghosts(p, axis) ? 0 : 1);
}

std::vector<int> Slab::places_of(int global) const {
  std::vector<int> places;
  if (global == -1 && at(-1) == -1) places.push_back(-1);
  for (int l = 0; l < count(); ++l)
    if (plane[std::size_t(l)] == global) places.push_back(l);
  if (global == cells && at(count()) == cells) places.push_back(count());
  return places;
}

int Slab::beside(int local, int by) const {
  const int one = by < 0 ? -1 : 1;
  int to = local;
  for (int left = std::abs(by); left > 0; --left) {
    to += one;
    if (at(to) == ghost && to >= 0 && to < count()) to += 2 * one;
  }
  return std::clamp(to, at_low_wall() ? -1 : 0, at_high_wall() ? count() : count() - 1);
}

Slab whole_slab(const Problem& p, int axis) {
  Slab s;
  s.axis = axis;
  s.cut = false;
  s.cells = s.end = axis < 0 ? 1 : p.grid.cells[axis];
  s.periodic = axis < 0;  // it has no ghosts
  for (int k = 0; k < s.cells; ++k) s.plane.push_back(k);
  return s;
}

Slab make_slab(const Problem& p, int axis, std::span<const index_t> borders, int r, int halo) {
  Slab s;
  s.axis = axis;
  s.cells = p.grid.cells[axis];
  s.periodic = p.walls[axis][0] == Closure::periodic;
  s.begin = int(borders[std::size_t(r)]);
  s.end = int(borders[std::size_t(r) + 1]);
  if (s.empty()) return s;
  int first = s.begin - halo, last = s.end + halo;
  if (!s.periodic) first = std::max(first, 0), last = std::min(last, s.cells);
  for (int u = first; u < last; ++u) {
    const int global = ((u % s.cells) + s.cells) % s.cells;
    if (global == 0 && u != first && p.bloch_phase[axis] != 0) {
      s.seams.push_back({s.count(), p.bloch_phase[axis], axis});
      s.plane.insert(s.plane.end(), 2, Slab::ghost);
    }
    if (u == s.begin) s.own_begin = s.count();
    s.plane.push_back(global);
  }
  return s;
}

}  // namespace umov::fdtd::ranks
