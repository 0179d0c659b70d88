// Current sources: cells and weights from places, with walls and periods respected.
#include "fdtd/sources/currents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "fdtd/sources/local.hpp"
#include "fdtd/sources/tables.hpp"

namespace umov::fdtd {
namespace {

/// Share of one index along one axis.
struct Share {
  int index = 0;
  cplx weight = 1;
};

/// Integral from -infinity to x of the hat function 1 - |x|.
double hat_integral(double x) {
  if (x <= -1) return 0;
  if (x <= 0) return (1 + x) * (1 + x) / 2;
  if (x <= 1) return 1 - (1 - x) * (1 - x) / 2;
  return 1;
}

/// Linear shares of a delta function at u, or of the interval [from, to], in units of cells.
std::vector<Share> spread(double from, double to, double dx) {
  std::vector<Share> shares;
  if (to - from < 1e-9) {
    const double u = (from + to) / 2, base = std::floor(u + 1e-9), f = std::max(0.0, u - base);
    shares.push_back({int(base), (1 - f) / dx});
    if (f > 1e-9) shares.push_back({int(base) + 1, f / dx});
    return shares;
  }
  for (int i = int(std::floor(from)); i <= int(std::ceil(to)); ++i)
    if (const double w = hat_integral(to - i) - hat_integral(from - i); w > 1e-12) shares.push_back({i, w});
  return shares;
}

/// The cells that a hard source sets: all within [from, to], or the nearest.
std::vector<Share> nearest(double from, double to) {
  std::vector<Share> shares;
  for (int i = int(std::ceil(from - 1e-6)); i <= int(std::floor(to + 1e-6)); ++i) shares.push_back({i});
  if (shares.empty()) shares.push_back({int(std::lround((from + to) / 2))});
  return shares;
}

/// Brings shares around periods: a cell one period up is this one times exp(i phase), so what drives it
/// drives this one divided by that.
std::vector<Share> wrap(const std::vector<Share>& shares, int n, double phase) {
  std::map<int, cplx> sum;
  for (const Share& s : shares) {
    const int periods = int(std::floor(double(s.index) / n));
    sum[s.index - periods * n] += s.weight * std::polar(1.0, -periods * phase);
  }
  std::vector<Share> wrapped;
  for (const auto& [index, weight] : sum) wrapped.push_back({index, weight});
  return wrapped;
}

/// Keeps the computed range: what falls on a conductor is lost, and what a magnetic wall cuts off an extended
/// source comes back from its mirror image.
std::vector<Share> clip(const std::vector<Share>& shares, const Problem& p, Component c, int axis,
                        bool extended) {
  const int n = p.grid.cells[axis];
  const auto [first, last] = computed_range(p, c, axis);
  const bool on_nodes = p.grid.offset(c, axis) == 0;
  std::vector<Share> kept;
  for (Share s : shares) {
    if (s.index < first || s.index > last) continue;
    const bool on_wall = on_nodes && ((s.index == 0 && p.walls[axis][0] == Closure::pmc) ||
                                      (s.index == n && p.walls[axis][1] == Closure::pmc));
    if (on_wall && extended && std::abs(s.weight) < 0.75) s.weight *= 2;
    kept.push_back(s);
  }
  return kept;
}

std::vector<Share> shares_along(const SourceSpec& spec, const Problem& p, int axis) {
  const Grid& g = p.grid;
  if (!g.active(axis)) return {Share{}};
  const double offset = g.offset(spec.component, axis), half = spec.size[axis] / 2;
  const double from = (spec.center[axis] - half - g.origin[axis]) / g.dx - offset;
  const double to = (spec.center[axis] + half - g.origin[axis]) / g.dx - offset;
  auto shares = spec.hard ? nearest(from, to) : spread(from, to, g.dx);
  if (p.walls[axis][0] == Closure::periodic) shares = wrap(shares, g.cells[axis], p.bloch_phase[axis]);
  return clip(shares, p, spec.component, axis, to > from);
}

void require_inside(const SourceSpec& spec, const std::string& owner, const Grid& g) {
  for (int a = 0; a < 3; ++a) {
    if (!g.active(a)) continue;
    const double lo = g.origin[a], hi = lo + g.cells[a] * g.dx, slack = 0.51 * g.dx;
    const double from = spec.center[a] - spec.size[a] / 2, to = spec.center[a] + spec.size[a] / 2;
    if (from < lo - slack || to > hi + slack)
      throw BadInput(
          fmt::format("{}: reaches out of the domain ({} = {:g} to {:g}, the domain is {:g} to {:g}); "
                      "move it or enlarge the domain",
                      owner, "xyz"[a], from, to, lo, hi));
  }
}

/// One cell of a source with its weight.
void put(SourceGroup& group, const Problem& p, const Int3& at, cplx strength) {
  const index_t cell = Layout(p.grid).at(at);
  const double drive = coefficients_at(p, group.component, cell).drive;
  const cplx weight = group.hard ? strength / std::abs(strength) : -drive * p.grid.dx * strength;
  if (weight == 0.0) return;
  group.cells.push_back(cell);
  group.columns.push_back(0);
  group.weights.push_back(weight.real());
  if (p.complex_fields) group.weights_imag.push_back(weight.imag());
}

void put_box(const SourceSpec& spec, const Problem& p, SourceGroup& group) {
  const auto xs = shares_along(spec, p, 0), ys = shares_along(spec, p, 1), zs = shares_along(spec, p, 2);
  for (const Share& z : zs)
    for (const Share& y : ys)
      for (const Share& x : xs) put(group, p, {x.index, y.index, z.index}, x.weight * y.weight * z.weight);
}

bool in_grid(const Int3& cell, const Grid& g) {
  for (int a = 0; a < 3; ++a)
    if (cell[a] < 0 || cell[a] >= g.cells[a]) return false;
  return true;
}

bool computed(const Problem& p, Component c, const Int3& cell) {
  for (int a = 0; a < 3; ++a) {
    const auto [first, last] = computed_range(p, c, a);
    if (cell[a] < first || cell[a] > last) return false;
  }
  return true;
}

void put_pixels(const SourceSpec& spec, const std::string& owner, const Problem& p, SourceGroup& group) {
  std::set<Int3> cells(spec.pixels.begin(), spec.pixels.end());
  for (const Int3& cell : cells) {
    if (!in_grid(cell, p.grid))
      throw BadInput(
          fmt::format("{}: cell ({}, {}, {}) lies outside the grid of {} x {} x {}; check the drawing", owner,
                      cell[0], cell[1], cell[2], p.grid.cells[0], p.grid.cells[1], p.grid.cells[2]));
    if (computed(p, spec.component, cell)) put(group, p, cell, 1);
  }
}

}  // namespace

void add_current(const SourceSpec& spec, const Signal& signal, const std::string& owner, Problem& p) {
  SourceGroup group;
  group.component = spec.component;
  group.hard = spec.hard;
  if (spec.kind == SourceSpec::Kind::shape) {
    put_pixels(spec, owner, p, group);
  } else {
    require_inside(spec, owner, p.grid);
    put_box(spec, p, group);
  }
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
