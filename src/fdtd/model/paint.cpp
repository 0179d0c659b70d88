// Materials on the Yee grid: coefficients, indices, tensor terms and dispersive groups of a problem.
#include <fmt/format.h>

#include <algorithm>

#include "fdtd/cut_turns.hpp"
#include "fdtd/model/absorbers.hpp"
#include "fdtd/model/conformal.hpp"
#include "fdtd/model/cut_media.hpp"
#include "fdtd/model/tensor_terms.hpp"
#include "fdtd/model/update_coefficients.hpp"
#include "fdtd/monitors/kind.hpp"
#include "fdtd/sources/kind.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {
namespace {

using materials::Material;

bool plain(const Material& m, int c) {
  const bool relaxes =
      std::ranges::any_of(m.poles, [](const auto& p) { return p.kind == materials::Pole::Kind::debye; });
  return is_electric(c) && !relaxes && !m.perfect_conductor && m.sigma[axis_of(c)] == 0;
}

bool same_magnetic(const Material& a, const Material& b) {
  return a.mu == b.mu && a.sigma_magnetic == b.sigma_magnetic;
}

/// Whether the permittivity is negative anywhere in the band of the sources: mixed with a dielectric it
/// passes 0 in some cells, which resonate. Smoothed over two cells, the field's jump is shared by more of
/// them (docs/decisions/0021). Not in cases with modes: their solver takes edges one by one
/// (sources/local.cpp).
bool negative_in_band(const Simulation& s, const Material& m) {
  if (!m.dispersive() || m.perfect_conductor) return false;
  constexpr int samples = 16;
  if (std::ranges::any_of(s.sources, [](const auto& x) { return traits_of(x).guided_modes; }) ||
      std::ranges::any_of(s.monitors, [](const auto& x) { return traits_of(x).guided_modes; }))
    return false;
  for (const auto& source : s.sources) {
    const auto& w = source.waveform;
    if (!(w.frequency > 0)) continue;
    const double half = w.kind == Waveform::Kind::gaussian ? std::min(w.width, 0.9) : 0;
    for (int i = 0; i <= samples; ++i)
      for (int a = 0; a < 3; ++a)
        if (m.permittivity(2 * pi * w.frequency * (1 + half * (2.0 * i / samples - 1)), a).real() < 0)
          return true;
  }
  return false;
}

SurveyPlan make_plan(const Simulation& s, const Scene& scene, CoefficientTable& table, Problem& problem) {
  const auto& list = scene.materials();
  SurveyPlan plan{scene, problem.grid, s.averaging, {}, {}, &problem.material, {}, {}};
  for (int a = 0; a < dimensions(problem.grid.mode); ++a) {
    plan.far_node[a] = is_magnetic_wall(s.walls[a][1]);
    plan.no_near_node[a] = is_electric_wall(s.walls[a][0]);
  }
  // Lines of a graded grid are meant to lie on surfaces, where nothing is mixed along the normal.
  for (const Material& m : list) plan.smoothed.push_back(!problem.grid.graded() && negative_in_band(s, m));
  const std::size_t size = Layout(problem.grid).size;
  // The background's Ez (te: Ex) comes first, as coefficients[0].
  for (int c : {Ez, Ex, Ey, Hz, Hx, Hy}) {
    if (!has_component(problem.grid.mode, c)) continue;
    bool varies = false;
    for (const auto& m : list) {
      plan.palette[c].push_back(table.add(material_coefficients(m, c, problem.grid), plain(m, c)));
      varies = varies || (is_electric(c) ? &m != &list[0] : !same_magnetic(m, list[0]));
    }
    problem.uniform[c] = plan.palette[c][0];
    problem.material[c].clear();
    if (varies) problem.material[c].assign(size, plan.palette[c][0]);
  }
  return plan;
}

void write_mixed(const Survey& found, CoefficientTable& table, Problem& problem) {
  std::vector<Effective> values;
  for (const auto& points : found.mixed)
    for (const auto& p : points) values.push_back(p.value);
  std::vector<std::uint16_t> ids;
  table.add_mixed(values, ids);
  std::size_t next = 0;
  for (int c = 0; c < components; ++c)
    for (const auto& p : found.mixed[c]) problem.material[c][p.cell] = ids[next++];
}

void add_dispersive(Survey& found, const Scene& scene, Problem& problem) {
  problem.dispersive.clear();
  for (auto& [key, cells] : found.dispersive) {
    const auto [component, material] = key;
    problem.dispersive.push_back({Component(component), std::move(cells),
                                  pole_terms(scene.materials()[material], component, problem.grid)});
  }
}

/// What it means that a perfect conductor lies within a cell of the surface of a body with memory.
std::string beside_conductors(const std::vector<Vec3>& edges, double dx) {
  const Vec3& at = edges.front();
  return fmt::format(
      "a perfect conductor touches a dispersive or conducting body near ({:.4g}, {:.4g}, {:.4g}): {} edges "
      "of that "
      "body's surface are within a cell of it, and where all share a cell have one of the materials instead "
      "of their mean "
      "(surfaces are up to half a cell off there, {:.2g}; beside a metal, what a body scatters moves by up "
      "to 30 % "
      "with its place in the cell, what it absorbs by up to 75 %); compare a finer resolution, or make both "
      "of one "
      "material",
      at[0], at[1], at[2], edges.size(), 0.5 * dx);
}

/// Where edges that meet in a node differ by a phase that cannot be told.
bool on_bloch_wall(const Simulation& s, const Grid& g, const Int3& node) {
  for (int a = 0; a < 3; ++a)
    if (node[a] == 0 && turns(s.walls[a][0]) && g.cells[a] < least_bloch_cells) return true;
  return false;
}

/// Whether cells of different edges meet in a node: what of different axes act on each other there through a
/// medium with memory would not do so alike in both directions.
bool uneven(const Grid& g, const Int3& node) {
  for (int a = 0; a < dimensions(g.mode); ++a)
    if (!g.even(a, node[a] - 1, node[a] + 1)) return true;
  return false;
}

/// Perfect conductors on a graded grid are made of whole edges.
std::string off_lines(const Problem& p) {
  return fmt::format(
      "a perfect conductor has surfaces between the lines of the graded grid (it is made of whole edges "
      "there: "
      "surfaces are up to half a cell off, {:.2g}); put lines of `grid` on them, or take a uniform grid, "
      "which "
      "knows cut cells",
      0.5 * p.grid.dx);
}

/// The surface of a metal is mixed over one cell there. Measured, absorption of a Drude cylinder near its
/// resonance: of 5 and 10 cells in the radius up to 84 and 9 % off, on uniform grids 5 and 3 %.
constexpr const char* narrow_metal =
    "the surface of a metal lies between the lines of the graded grid (it is averaged over one cell there, "
    "on a "
    "uniform grid over two: near a resonance absorption may be off by several times what is said of uniform "
    "grids, up to 84 % at 5 cells in the radius of a cylinder and 9 % at 10); put lines of `grid` on flat "
    "surfaces, take a uniform grid, or compare with finer cells";

/// Whether all cells have the index; the padding around them does not count.
bool everywhere(const std::vector<std::uint16_t>& ids, std::uint16_t id, const Grid& g) {
  const Layout layout(g);
  for (int k = 0; k < g.cells[2]; ++k)
    for (int j = 0; j < g.cells[1]; ++j) {
      const auto row = ids.begin() + layout.at(0, j, k);
      if (std::any_of(row, row + g.cells[0], [id](std::uint16_t i) { return i != id; })) return false;
    }
  return true;
}

/// Frees what turned out to hold one index only.
void drop_uniform(Problem& problem) {
  for (int c = 0; c < components; ++c) {
    auto& ids = problem.material[c];
    if (ids.empty()) continue;
    const std::uint16_t first = ids[std::size_t(Layout(problem.grid).base)];
    if (!everywhere(ids, first, problem.grid)) continue;
    problem.uniform[c] = first;
    ids = {};
  }
}

}  // namespace

void paint(const Simulation& s, const Scene& scene, Problem& problem) { paint(s, scene, problem, {}); }

void paint(const Simulation& s, const Scene& scene, Problem& problem, const Told& told) {
  CoefficientTable table(problem.grid);
  const SurveyPlan plan = make_plan(s, scene, table, problem);
  Survey found;
  const auto& list = scene.materials();
  if (list.size() > 1 || list[0].dispersive()) found = survey(plan, told);
  complete_stars(s, plan, found);
  const ConductorCuts cuts = find_conductors(scene, problem.grid, told);
  const bool conformal = s.averaging && !problem.grid.graded();
  if (conformal && has_fractions(cuts)) table.widen();
  write_mixed(found, table, problem);
  drop_uniform(problem);
  for (auto& terms : problem.tensor) terms.clear();
  if (problem.grid.graded() && std::ranges::any_of(found.nodes, &NodeTensor::has_memory) &&
      std::ranges::any_of(list, [&](const Material& m) { return negative_in_band(s, m); }))
    problem.doubts.push_back(narrow_metal);
  std::erase_if(found.nodes, [&](const NodeTensor& n) {
    return n.has_memory && (on_bloch_wall(s, problem.grid, n.node) || uneven(problem.grid, n.node));
  });
  add_dispersive(found, scene, problem);
  add_conductors(cuts, conformal, table, problem);
  if (s.averaging && !conformal && has_fractions(cuts)) problem.doubts.push_back(off_lines(problem));
  if (!found.shared.empty()) problem.doubts.push_back(beside_conductors(found.shared, problem.grid.dx));
  add_tensor_terms(s, plan, table, found.nodes, problem);
  problem.coefficients = table.list();
  add_cut_media(s, plan, found, problem);
  add_absorbers(s, scene, problem);
}

}  // namespace umov::fdtd
