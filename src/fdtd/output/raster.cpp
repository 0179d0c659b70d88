// Cutting, reducing and scaling of fields for pictures.
#include "fdtd/output/raster.hpp"

#include <algorithm>
#include <cmath>

#include "fdtd/monitors/fourier.hpp"
#include "fdtd/output/images.hpp"

namespace umov::fdtd {

using namespace pictures;

namespace {

/// Reads values [z][y][x] of `size` on a cut at `layer`.
template <class Read>
Raster read_cut(const Int3& size, const Cut& cut, int layer, Read&& read) {
  Raster r;
  r.columns = size[cut.u];
  r.rows = size[cut.v];
  r.values.reserve(std::size_t(r.columns) * r.rows);
  Int3 n;
  n[cut.w] = layer;
  for (n[cut.v] = 0; n[cut.v] < r.rows; ++n[cut.v])
    for (n[cut.u] = 0; n[cut.u] < r.columns; ++n[cut.u])
      r.values.push_back(read((std::size_t(n[2]) * size[1] + n[1]) * size[0] + n[0]));
  return r;
}

/// Ends of columns or rows around the points u, u + 1, ... of an axis (cells).
std::vector<double> ends(const Grid& g, int axis, double u, int count) {
  std::vector<double> x;
  for (int i = 0; i <= count; ++i) x.push_back(g.place(axis, u + i - 0.5));
  return x;
}

}  // namespace

void place(Raster& r, const Grid& g, const Cut& cut, double u, double v) {
  if (!g.graded()) {
    r.x0 = g.place(cut.u, u) - 0.5 * g.dx;
    r.y0 = g.place(cut.v, v) - 0.5 * g.dx;
    r.x1 = r.x0 + g.dx * r.columns;
    r.y1 = r.y0 + g.dx * r.rows;
    return;
  }
  const auto x = ends(g, cut.u, u, r.columns);
  const auto y = g.active(cut.v) ? ends(g, cut.v, v, r.rows) : std::vector<double>{-0.5 * g.dx, 0.5 * g.dx};
  r = on_equal(r, x, y);
}

std::vector<Cut> cuts_of(const Grid& g) {
  if (dimensions(g.mode) < 3) return {{0, 1, 2}};
  return {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};
}

Raster field_raster(const Grid& g, Component c, const FieldBlock& block, const Cut& cut) {
  const bool plane = dimensions(g.mode) == 3 && is_plane(g, block, cut.w);
  if (!plane && !spans_grid(g, block)) return {};
  const int layer = plane ? 0 : block.size[cut.w] / 2;
  Raster r = read_cut(block.size, cut, layer, [&](std::size_t i) { return block.real[i]; });
  place(r, g, cut, g.offset(c, cut.u), g.offset(c, cut.v));
  return r;
}

Raster permittivity_raster(const Outcome& o, const Cut& cut, double depth) {
  const auto& eps = o.permittivity;
  const auto& g = o.grid;
  if (eps.real.empty() || eps.real.size() != std::size_t(eps.size[0]) * eps.size[1] * eps.size[2]) return {};
  const double share = g.index(cut.w, depth) / g.cells[cut.w];
  const int layer = std::clamp(int(share * eps.size[cut.w]), 0, eps.size[cut.w] - 1);
  Raster r = read_cut(eps.size, cut, layer, [&](std::size_t i) { return eps.real[i]; });
  if (g.graded()) {
    // samples stand for whole cells, or for several
    const auto stretches = [&](int axis) {
      std::vector<double> x;
      for (int i = 0; i <= eps.size[axis]; ++i)
        x.push_back(g.active(axis) ? g.place(axis, double(g.cells[axis]) * i / eps.size[axis])
                                   : g.dx * (i - 0.5));
      return x;
    };
    return on_equal(r, stretches(cut.u), stretches(cut.v));
  }
  r.x0 = g.origin[cut.u];
  r.y0 = g.origin[cut.v];
  r.x1 = r.x0 + g.dx * g.cells[cut.u];
  r.y1 = r.y0 + g.dx * g.cells[cut.v];
  return r;
}

namespace {

/// Place in a cut across an axis of point i of a block.
std::size_t in_cut(const Int3& size, const Cut& cut, std::size_t i) {
  const auto nx = std::size_t(size[0]), ny = std::size_t(size[1]);
  const std::size_t x = i % nx, y = i / nx % ny, z = i / nx / ny;
  return cut.w == 0 ? z * ny + y : cut.w == 1 ? z * nx + x : y * nx + x;
}

}  // namespace

Raster intensity_raster(const Grid& g, const FourierResult& f, std::size_t frequency, const Cut& cut) {
  const bool electric = std::any_of(f.components.begin(), f.components.end(), is_electric);
  const std::size_t points = std::size_t(f.size[0]) * f.size[1] * f.size[2];
  Raster r = read_cut(f.size, cut, f.size[cut.w] / 2, [&](std::size_t i) {
    if (f.image)
      return f
          .cuts[std::size_t(cut.w)][frequency * points / std::size_t(f.size[cut.w]) + in_cut(f.size, cut, i)];
    double sum = 0;
    for (std::size_t c = 0; c < f.components.size(); ++c)
      if (is_electric(f.components[c]) == electric) sum += std::norm(f.values[c][frequency * points + i]);
    return sum;
  });
  place(r, g, cut, std::round(g.index(cut.u, f.origin[cut.u])), std::round(g.index(cut.v, f.origin[cut.v])));
  return r;
}

Raster map_raster(const Grid& g, const NodeMap& m, std::size_t frequency, const Cut& cut) {
  const auto values = m.values.subspan(frequency * m.nodes(), m.nodes());
  Raster r = read_cut(m.size, cut, m.size[cut.w] / 2, [&](std::size_t i) { return double(values[i]); });
  place(r, g, cut, std::round(g.index(cut.u, m.origin[cut.u])), std::round(g.index(cut.v, m.origin[cut.v])));
  return r;
}

}  // namespace umov::fdtd
