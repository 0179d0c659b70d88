// Current sources: points and weights from places and drawn cells.
#include "fdtd/sources/currents.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "fdtd/shares.hpp"
#include "fdtd/sources/kind.hpp"
#include "fdtd/sources/local.hpp"
#include "fdtd/sources/tables.hpp"

namespace umov::fdtd {
namespace {

/// Shares along an axis, as a density: a delta function where the source has no extent.
std::vector<AxisShare> shares_along(const SourceSpec& spec, const Problem& p, int axis) {
  const Grid& g = p.grid;
  const double middle = (spec.center[axis] - g.origin[axis]) / g.dx, half = spec.size[axis] / 2 / g.dx;
  const bool graded = g.graded(axis);
  const double from = graded ? g.index(axis, spec.center[axis] - spec.size[axis] / 2) : middle - half;
  const double to = graded ? g.index(axis, spec.center[axis] + spec.size[axis] / 2) : middle + half;
  if (spec.hard) return points_within(p, spec.component, axis, from, to);
  auto shares = axis_shares(p, spec.component, axis, from, to, Use::current);
  if (g.active(axis) && to - from < 1e-9)
    for (AxisShare& s : shares) s.weight /= g.width(spec.component, axis, s.index);
  return shares;
}

void require_inside(const SourceSpec& spec, const std::string& owner, const Grid& g) {
  for (int a = 0; a < 3; ++a) {
    if (!g.active(a)) continue;
    const double lo = g.origin[a], hi = lo + g.length(a), slack = 0.51 * g.coarsest(a);
    const double from = spec.center[a] - spec.size[a] / 2, to = spec.center[a] + spec.size[a] / 2;
    if (from < lo - slack || to > hi + slack)
      throw BadInput(
          fmt::format("{}: reaches out of the domain ({} = {:g} to {:g}, the domain is {:g} to {:g}); "
                      "move it or enlarge the domain",
                      owner, "xyz"[a], from, to, lo, hi));
  }
}

/// One point of a source with its weight.
void put(SourceGroup& group, const Problem& p, index_t cell, cplx strength) {
  const double drive = coefficients_at(p, group.component, cell).drive;
  const cplx weight = group.hard ? strength / std::abs(strength) : -drive * p.grid.dx * strength;
  if (weight == 0.0) return;
  group.cells.push_back(cell);
  group.columns.push_back(0);
  group.weights.push_back(weight.real());
  if (p.complex_fields) group.weights_imag.push_back(weight.imag());
}

std::vector<std::pair<index_t, cplx>> box_weights(const SourceSpec& spec, const Problem& p) {
  PointWeights sum;
  sum.add(Layout(p.grid), shares_along(spec, p, 0), shares_along(spec, p, 1), shares_along(spec, p, 2));
  return sum.take();
}

std::vector<std::pair<index_t, cplx>> shape_weights(const SourceSpec& spec, const std::string& owner,
                                                    const Problem& p) {
  const DrawnCells drawn{spec.pixels, spec.raster};
  if (const Int3* cell = drawn.outside(p.grid)) {
    const Int3 n = drawn.raster_on(p.grid);
    throw BadInput(
        fmt::format("{}: cell ({}, {}, {}) lies outside the grid of {} x {} x {}; check the drawing", owner,
                    (*cell)[0], (*cell)[1], (*cell)[2], n[0], n[1], n[2]));
  }
  return drawn_weights(p, spec.component, drawn, Use::current, spec.hard);
}

}  // namespace

void add_current(const SourceSpec& spec, const Signal& signal, const std::string& owner, Problem& p) {
  SourceGroup group;
  group.component = spec.component;
  group.hard = spec.hard;
  const bool shape = traits_of(spec).drawn;
  if (!shape) require_inside(spec, owner, p.grid);
  for (const auto& [cell, strength] : shape ? shape_weights(spec, owner, p) : box_weights(spec, p))
    put(group, p, cell, strength);
  if (group.cells.empty())
    throw BadInput(
        fmt::format("{}: drives no cell (it lies in a perfect conductor or on a wall); move it", owner));
  // A current acts in the middle of a step; a prescribed field is what the step arrives at.
  double steps = is_electric(spec.component) ? 0.5 : 0.0;
  if (spec.hard) steps += 0.5;
  const auto tables = add_tables(p, 1, [signal, dt = p.grid.dt, steps](long first, long count, cplx* out) {
    for (long n = 0; n < count; ++n) out[n] = signal(dt * (double(first + n) + steps));
  });
  group.table = tables.real;
  group.table_imag = tables.imag;
  p.sources.push_back(std::move(group));
}

}  // namespace umov::fdtd
