// Sizes, indices and limits of a problem, checked once.
#include "fdtd/check_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace umov::fdtd {

namespace {

void require(bool good, const std::string& message) {
  if (!good) throw BadInput(message);
}

void check_grid(const Problem& p) {
  const Grid& g = p.grid;
  for (int a = 0; a < 3; ++a) {
    require(g.cells[a] >= 1, "the grid has an axis without cells");
    require(g.active(a) || g.cells[a] == 1, "the grid has cells along an axis that its mode does not know");
  }
  require(g.dx > 0 && g.dt > 0 && std::isfinite(g.dx) && std::isfinite(g.dt),
          "grid spacing and time step must be positive");
  for (int a = 0; a < 3; ++a) {
    const auto& lines = g.lines[a];
    require(lines.empty() || (g.active(a) && lines.size() == std::size_t(g.cells[a]) + 1),
            "a graded axis has another number of lines than cells and one");
    require(std::ranges::adjacent_find(lines, [](double x, double y) { return !(x < y); }) == lines.end(),
            "the lines of a graded axis do not ascend");
  }
}

void check_walls(const Problem& p) {
  for (int a = 0; a < dimensions(p.grid.mode); ++a) {
    const char axis = "xyz"[a];
    const bool low = p.walls[a][0] == Closure::periodic, high = p.walls[a][1] == Closure::periodic;
    require(low == high, fmt::format("only one wall along {} is periodic; make both so, or none", axis));
    require(p.bloch_phase[a] == 0 || (low && p.complex_fields),
            fmt::format("a Bloch phase along {} needs periodic walls and complex fields", axis));
    int layers = 0;
    for (int side = 0; side < 2; ++side) {
      const PmlSide& wall = p.pml[a][side];
      layers += wall.layers;
      require(wall.layers == 0 || p.walls[a][side] == Closure::pec,
              fmt::format("absorbing layers along {} must be backed by an electric wall", axis));
      for (const auto* t : {&wall.node, &wall.half})
        require(wall.layers >= 0 && t->b.size() >= std::size_t(wall.layers) &&
                    t->c.size() >= std::size_t(wall.layers) &&
                    t->kappa_inverse.size() >= std::size_t(wall.layers),
                "an absorbing layer lacks entries of its profile");
    }
    require(p.part || layers < p.grid.cells[a],
            fmt::format(
                "the absorbing layers along {} ({} cells); leave nothing of the domain ({} cells); use fewer "
                "layers, a larger domain or a finer grid",
                axis, layers, p.grid.cells[a]));
  }
}

void check_media(const Problem& p) {
  const std::size_t size = Layout(p.grid).size;
  require(!p.coefficients.empty(), "the problem has no materials");
  for (const Coefficients& k : p.coefficients)
    require(std::isfinite(k.decay) && std::isfinite(k.drive),
            "a material has coefficients that are not finite");
  for (int c = 0; c < components; ++c) {
    require(p.uniform[c] < p.coefficients.size(), "a field refers to a material that is not there");
    require(p.material[c].empty() || p.material[c].size() == size, "material indices do not cover the grid");
    for (const auto id : p.material[c])
      require(id < p.coefficients.size(), "a cell refers to a material that is not there");
  }
}

/// Whether every cell lies at least a row and a plane inside the arrays, so that its neighbours exist.
void check_cells(const Problem& p, const std::vector<index_t>& cells, int component, const char* what) {
  require(has_component(p.grid.mode, component),
          fmt::format("{} refers to a field this mode does not have", what));
  const Layout l(p.grid);
  const index_t low = l.at(0, 0, 0), high = l.at(p.grid.cells[0], p.grid.active(1) ? p.grid.cells[1] : 0,
                                                 p.grid.active(2) ? p.grid.cells[2] : 0);
  for (const index_t e : cells)
    require(e >= low && e <= high, fmt::format("{} refers to a cell outside the grid", what));
}

/// Lists that are worked on in any order may name a cell once only.
void check_unique(const Problem& p, std::vector<index_t> cells, int component, const char* what) {
  check_cells(p, cells, component, what);
  std::sort(cells.begin(), cells.end());
  require(std::adjacent_find(cells.begin(), cells.end()) == cells.end(),
          fmt::format("{} names a cell twice", what));
}

void check_cut(const Problem& p) {
  const CutMedia& m = p.cut_media;
  const auto count = [](const auto& list) { return index_t(list.size()); };
  for (const auto& h : m.halves) check_cells(p, {h.cell}, h.component, "the surface of a dispersive medium");
  for (index_t n = 0; n < m.node_count(); ++n) {
    const index_t halves = m.nodes[n + 1].first_half - m.nodes[n].first_half;
    require(halves >= 1 && halves <= CutMedia::most_halves, "a node has no half edges, or too many");
    for (index_t s = m.nodes[n].first_site; s < m.nodes[n + 1].first_site; ++s)
      require(m.sites[s].half >= 0 && m.sites[s].half < halves && m.sites[s].medium >= 0 &&
                  m.sites[s].medium < count(m.media),
              "a site refers to a half edge or a medium that is not there");
  }
  require(m.empty() ||
              (m.nodes.back().first_half == count(m.halves) && m.nodes.back().first_site == count(m.sites) &&
               !m.edges.empty() && m.edges.back().first_tap == count(m.taps)),
          "the nodes of a dispersive surface do not cover its half edges");
  for (index_t e = 0; e < m.edge_count(); ++e)
    check_cells(p, {m.edges[e].cell}, m.edges[e].component, "the surface of a dispersive medium");
  for (const auto& t : m.taps)
    require(t.half >= 0 && t.half < count(m.halves), "a tap refers to a half edge that is not there");
}

void check_sources(const Problem& p) {
  for (const SourceGroup& g : p.sources) {
    check_cells(p, g.cells, g.component, "a source");
    require(g.table >= 0 && std::size_t(g.table) < p.tables.size() &&
                (g.table_imag < 0 || (std::size_t(g.table_imag) < p.tables.size() &&
                                      p.tables[g.table_imag].columns == p.tables[g.table].columns)),
            "a source refers to a table that is not there");
    require(g.taps >= 1 && g.columns.size() == g.cells.size() &&
                g.weights.size() == g.cells.size() * g.taps &&
                (g.weights_imag.empty() || g.weights_imag.size() == g.weights.size()),
            "a source has another number of weights than points");
    for (const int c : g.columns)
      require(c >= 0 && c + g.taps <= p.tables[g.table].columns,
              "a source refers to a column that is not there");
  }
}

void check_monitors(const Problem& p) {
  for (const Recorder& r : p.recorders) {
    check_cells(p, r.cells, r.component, "a recorder");
    require(r.interval >= 1 && r.weights.size() == r.cells.size() && !r.first.empty() &&
                r.first.front() == 0 && r.first.back() == index_t(r.cells.size()),
            "a recorder has channels that do not fit its points");
  }
  for (const FourierAccumulator& a : p.fouriers) {
    check_cells(p, a.cells, a.component, "a Fourier monitor");
    require(a.interval >= 1, "a Fourier monitor has no interval");
    require(a.cells.size() < (std::size_t(1) << 31), "a Fourier monitor has too many points; split it");
  }
}

}  // namespace

void check_problem(const Problem& p) {
  check_grid(p);
  check_walls(p);
  check_media(p);
  for (int c = Ex; c <= Ez; ++c) {
    std::vector<index_t> cells;
    for (const TensorTerm& t : p.tensor[c]) cells.push_back(t.cell);
    if (!cells.empty()) check_unique(p, cells, c, "the averaged permittivity");
  }
  for (const DispersiveGroup& g : p.dispersive)
    check_unique(p, g.cells, g.component, "a dispersive material");
  check_cut(p);
  check_sources(p);
  check_monitors(p);
}

}  // namespace umov::fdtd
