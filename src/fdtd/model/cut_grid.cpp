#include "fdtd/model/cut_grid.hpp"

#include <algorithm>

#include "fdtd/sources/local.hpp"

namespace umov::fdtd {
namespace {

/// Least room for waves that poles leave: a step near their own limit leaves little.
constexpr double least_room = 0.05;

/// What is left of 4, the leapfrog's limit of dt^2 w^2, by resonances of strength s and frequency w, whose
/// matrix has no eigenvalue above sum(s / eps) + max(w^2) (make_grid.cpp). As a fraction of 4.
double room_of(const DispersiveGroup& group, double dt) {
  double strengths = 0, fastest = 0;
  for (const PoleTerm& pole : group.poles) {
    if (pole.debye) continue;
    const double loss = 2 / (1 + pole.a);
    strengths += std::fabs(pole.gain * pole.b * loss);
    fastest = std::max(fastest, pole.c * dt * loss);
  }
  return std::max(least_room, 1 - (strengths + fastest) / 4);
}

}  // namespace

CutGrid::CutGrid(const Problem& problem, const ConductorCuts& cuts)
    : problem_(problem), cuts_(cuts), layout_(problem.grid) {}

Int3 CutGrid::place(index_t cell) const {
  const index_t at = cell - layout_.base, k = at / layout_.plane, rest = at - k * layout_.plane;
  return {int(rest % layout_.pitch), int(rest / layout_.pitch), int(k)};
}

std::optional<Int3> CutGrid::wrapped(int component, Int3 at) const {
  const Grid& g = grid();
  for (int a = 0; a < dimensions(g.mode); ++a) {
    const int n = g.cells[a];
    if (problem_.walls[a][0] == Closure::periodic)
      at[a] = (at[a] + n) % n;
    else if (at[a] < 0 || at[a] > n - (g.offset(component, a) == 0 ? 0 : 1))
      return {};
  }
  return at;
}

int CutGrid::faces_around(int edge) const {
  return 2 * (curl_term(grid(), edge, 0).exists + curl_term(grid(), edge, 1).exists);
}

Few<FaceSide> CutGrid::sides(int face, const Int3& at) const {
  Few<FaceSide> all;
  for (int which = 0; which < 2; ++which) {
    const CurlTerm t = curl_term(grid(), face, which);
    for (int step = -1; t.exists && step <= 1; step += 2) {
      Int3 edge = at;
      if (step > 0) ++edge[t.axis];
      if (const auto inside = wrapped(t.of, edge))
        all.push_back({t.of, t.axis, step, step * t.sign, *inside});
    }
  }
  return all;
}

const Coefficients& CutGrid::coefficients(int component, index_t cell) const {
  return coefficients_at(problem_, Component(component), cell);
}

double CutGrid::length(int component, const Int3& at) const {
  for (int a = 0; a < dimensions(grid().mode); ++a) {
    if (grid().offset(component, a) != 0) continue;
    if (at[a] == 0 && problem_.walls[a][0] == Closure::pec) return 0;
    if (at[a] == grid().cells[a] && problem_.walls[a][1] == Closure::pec) return 0;
  }
  return coefficients(component, cell(at)).drive == 0 ? 0 : cuts_.free(component, cell(at));
}

double CutGrid::pole_room(int component, index_t cell) const {
  for (const auto& group : problem_.dispersive)
    if (group.component == component && std::binary_search(group.cells.begin(), group.cells.end(), cell))
      return room_of(group, grid().dt);
  return 1;
}

double CutGrid::stiffness(int component, const Int3& at) const {
  // Edges on electric walls count too, though E is 0 there: a face beside a mirror plane then has the area
  // that it has in the whole domain.
  const Coefficients& k = coefficients(component, cell(at));
  const double l = k.drive == 0 ? 0 : cuts_.free(component, cell(at));
  if (l == 0) return 0;
  // Losses are centred in time: only the lossless part has a limit.
  return grid().dt / grid().dx * l * 2 * k.drive / (1 + k.decay) / pole_room(component, cell(at));
}

double CutGrid::inverse_mu(int component, const Int3& at) const {
  const Coefficients& k = coefficients(component, cell(at));
  return grid().dx / grid().dt * 2 * k.drive / (1 + k.decay);
}

}  // namespace umov::fdtd
