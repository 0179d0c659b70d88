// Fields at the nodes of the grid: cuts through a cell, and E of all of it.
#include "harmonic/field_views.hpp"

#include <algorithm>
#include <cmath>

#include "core/contract.hpp"
#include "harmonic/budget.hpp"

namespace umov::harmonic {

namespace {

/// The two edges of a component that meet in a node.
struct Edge {
  int c, k;
  index_t column;
};

std::array<Edge, 6> edges_at(const CellGrid& g, int i, int j, int k) {
  const auto column = [&](int x, int y) { return index_t((y + g.ny) % g.ny) * g.nx + (x + g.nx) % g.nx; };
  return {{{0, k, column(i, j)},
           {0, k, column(i - 1, j)},
           {1, k, column(i, j)},
           {1, k, column(i, j - 1)},
           {2, k, column(i, j)},
           {2, std::max(0, k - 1), column(i, j)}}};
}

struct NodeValue {
  double intensity = 0, loss = 0;
};

NodeValue at_node(const Problem& p, const Fields& fields, int i, int j, int k) {
  NodeValue out;
  for (const Edge& e : edges_at(p.grid, i, j, k)) {
    const double square = std::norm(fields.component(p.grid, e.c)[e.k * p.grid.columns() + e.column]) / 2;
    out.intensity += square;
    out.loss += permittivity_at(p, e.c, e.k, e.column).imag() * square;
  }
  return out;
}

}  // namespace

Cut take_cut(const Problem& p, const Fields& fields, const IncidentWave& wave, CutPlane plane, int index,
             int begin, int end) {
  UMOV_EXPECT(fields.whole(), "all planes of the fields");
  const auto& g = p.grid;
  const double unit = p.k0 * p.k0 / wave.power;
  Cut out;
  out.rows = plane == CutPlane::xy ? g.ny : end - begin;
  out.columns = plane == CutPlane::yz ? g.ny : g.nx;
  for (int row = 0; row < out.rows; ++row)
    for (int column = 0; column < out.columns; ++column) {
      const NodeValue v = plane == CutPlane::xz   ? at_node(p, fields, column, index, begin + row)
                          : plane == CutPlane::yz ? at_node(p, fields, index, column, begin + row)
                                                  : at_node(p, fields, column, row, index);
      out.intensity.push_back(v.intensity);
      out.absorption.push_back(unit * v.loss);
    }
  return out;
}

void field_at_nodes(const Problem& p, const Fields& fields, int k, std::span<cplx> out) {
  UMOV_EXPECT(fields.whole(), "all planes of the fields");
  const auto& g = p.grid;
  const auto e = [&](int c, int plane, int x, int y) {
    const index_t column = index_t((y + g.ny) % g.ny) * g.nx + (x + g.nx) % g.nx;
    // an axis of one cell has no edges beside the node: derivatives along it are exact
    const double turn =
        (g.nx > 1 ? p.bloch[0] * g.spacing[0] * x : 0) + (g.ny > 1 ? p.bloch[1] * g.spacing[1] * y : 0);
    return fields.component(g, c)[plane * g.columns() + column] * std::polar(1.0, turn);
  };
  for (int j = 0; j < g.ny; ++j)
    for (int i = 0; i < g.nx; ++i) {
      cplx* node = out.data() + 3 * (std::size_t(j) * g.nx + i);
      node[0] = g.nx > 1 ? (e(0, k, i, j) + e(0, k, i - 1, j)) / 2.0 : e(0, k, i, j);
      node[1] = g.ny > 1 ? (e(1, k, i, j) + e(1, k, i, j - 1)) / 2.0 : e(1, k, i, j);
      node[2] = (e(2, k, i, j) + e(2, std::max(0, k - 1), i, j)) / 2.0;
    }
}

void intensity_at_nodes(const Problem& p, const Fields& fields, int k, std::span<double> out) {
  UMOV_EXPECT(fields.whole(), "all planes of the fields");
  for (int j = 0; j < p.grid.ny; ++j)
    for (int i = 0; i < p.grid.nx; ++i)
      out[std::size_t(j) * p.grid.nx + i] = at_node(p, fields, i, j, k).intensity;
}

void absorption_at_nodes(const Problem& p, const Fields& fields, const IncidentWave& wave, int k,
                         std::span<double> out) {
  UMOV_EXPECT(fields.whole(), "all planes of the fields");
  for (int j = 0; j < p.grid.ny; ++j)
    for (int i = 0; i < p.grid.nx; ++i)
      out[std::size_t(j) * p.grid.nx + i] = p.k0 * p.k0 / wave.power * at_node(p, fields, i, j, k).loss;
}

void media_at_nodes(const LayeredCell& cell, int k, std::span<double> out) {
  std::vector<double> depths;
  for (int j = 0; j < cell.grid.ny; ++j)
    for (int i = 0; i < cell.grid.nx; ++i) {
      cell.interfaces_at(2, i, j, depths);
      out[std::size_t(j) * cell.grid.nx + i] = double(
          std::count_if(depths.begin(), depths.end(), [&](double d) { return d <= cell.depth_of(k); }));
    }
}

}  // namespace umov::harmonic
