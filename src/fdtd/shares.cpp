// Shares of grid points in what lies between them: hat functions, images at walls, sums over drawn cells.
#include "fdtd/shares.hpp"

#include <algorithm>
#include <cmath>

#include "fdtd/ranges.hpp"

namespace umov::fdtd {
namespace {

/// A length below this, in cells, is rounding.
constexpr double rounding = 1e-9;

/// Integral from -infinity to x of the hat function 1 - |x|.
double hat_integral(double x) {
  if (x <= -1) return 0;
  if (x <= 0) return (1 + x) * (1 + x) / 2;
  if (x <= 1) return 1 - (1 - x) * (1 - x) / 2;
  return 1;
}

/// Shares of [from, to], or of a delta function, among points at the whole numbers.
std::vector<AxisShare> hats(double from, double to) {
  std::vector<AxisShare> shares;
  if (to - from < rounding) {
    const double u = (from + to) / 2, base = std::floor(u + rounding), f = std::max(0.0, u - base);
    shares.push_back({int(base), 1 - f});
    if (f > rounding) shares.push_back({int(base) + 1, f});
    return shares;
  }
  for (int i = int(std::floor(from)); i <= int(std::ceil(to)); ++i)
    if (const double w = hat_integral(to - i) - hat_integral(from - i); w > 1e-12) shares.push_back({i, w});
  return shares;
}

/// One axis of a component's points between its walls.
struct AxisPoints {
  const Problem& problem;
  int axis, cells;
  bool nodes;  ///< points lie on the walls, too
  std::array<int, 2> range;

  AxisPoints(const Problem& p, Component c, int a)
      : problem(p), axis(a), cells(p.grid.cells[a]), nodes(p.grid.offset(c, a) == 0) {
    const Box box = update_box(p, c);
    range = {box.lo[a], box.hi[a] - 1};
  }
  bool periodic() const { return problem.walls[axis][0] == Closure::periodic; }
  bool computed(int index) const { return index >= range[0] && index <= range[1]; }
  /// Whether a field there and that at the image of its place are equal (1) or opposite (-1): tangential E
  /// and normal H, which live on nodes, are odd at an electric wall, the others even; at a magnetic one the
  /// other way round.
  double parity(int side) const { return nodes == (problem.walls[axis][side] == Closure::pec) ? -1 : 1; }
  int image(int index, int side) const {
    const int twice = side == 0 ? 0 : 2 * cells;
    return twice - index - (nodes ? 0 : 1);
  }
  bool on_wall(int index) const { return nodes && (index == 0 || index == cells); }
};

/// Brings a share round the period: a cell one period up is this one times exp(i phase), so what drives it
/// drives this one divided by that.
AxisShare wrapped(const AxisPoints& line, const AxisShare& s, Use use) {
  const double phase = line.problem.bloch_phase[line.axis];
  const int periods = int(std::floor(double(s.index) / line.cells));
  if (use == Use::reading && phase != 0) return {std::clamp(s.index, 0, line.cells - 1), s.weight};
  const cplx turn = use == Use::current ? std::polar(1.0, -periods * phase) : 1.0;
  return {s.index - periods * line.cells, s.weight * turn};
}

/// Brings a share of a point behind a wall to its image.
AxisShare folded(const AxisPoints& line, AxisShare s, Use use) {
  const int side = s.index < 0 ? 0 : 1;
  const bool behind = s.index < 0 || s.index > line.cells - (line.nodes ? 0 : 1);
  if (!behind) return s;
  return {line.image(s.index, side), s.weight * (use == Use::squares ? 1.0 : line.parity(side))};
}

/// One share for each index.
std::vector<AxisShare> merged(std::vector<AxisShare> shares) {
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.index < b.index; });
  std::vector<AxisShare> sum;
  for (const AxisShare& s : shares)
    if (!sum.empty() && sum.back().index == s.index)
      sum.back().weight += s.weight;
    else
      sum.push_back(s);
  return sum;
}

/// Shares of computed points only. `own`: of a delta function on a wall, which is its own image.
std::vector<AxisShare> settled(const AxisPoints& line, const std::vector<AxisShare>& shares, Use use,
                               bool own) {
  std::vector<AxisShare> kept;
  for (const AxisShare& s : shares) {
    AxisShare there = line.periodic() ? wrapped(line, s, use) : folded(line, s, use);
    if (!line.computed(there.index)) continue;
    if (!line.periodic() && line.on_wall(there.index) && use == Use::current && !own) there.weight *= 2;
    kept.push_back(there);
  }
  return merged(std::move(kept));
}

/// A place among a component's points, which are at whole numbers; between them linearly.
double among_points(const Grid& g, Component c, int axis, double u) {
  const double offset = g.offset(c, axis);
  if (!g.graded(axis) || offset == 0) return u - offset;
  const double x = g.place(axis, u), i = std::floor(u - offset);
  const auto point = [&](double n) { return g.place(axis, n + offset); };
  const double k = x < point(i) ? i - 1 : x >= point(i + 1) ? i + 1 : i;
  return k + (x - point(k)) / (point(k + 1) - point(k));
}

std::array<double, 2> cut(const Grid& g, int axis, double from, double to) {
  const double n = g.cells[axis];
  return {std::clamp(from, 0.0, n), std::clamp(to, 0.0, n)};
}

}  // namespace

std::vector<AxisShare> axis_shares(const Problem& p, Component c, int axis, double from, double to, Use use) {
  if (!p.grid.active(axis)) return {{}};
  const AxisPoints line(p, c, axis);
  const auto [low, high] = cut(p.grid, axis, from, to);
  const bool own = high - low < rounding && (low < rounding || low > line.cells - rounding);
  return settled(line, hats(among_points(p.grid, c, axis, low), among_points(p.grid, c, axis, high)), use,
                 own);
}

std::vector<AxisShare> points_within(const Problem& p, Component c, int axis, double from, double to) {
  if (!p.grid.active(axis)) return {{}};
  constexpr double slack = 1e-6;
  const AxisPoints line(p, c, axis);
  const auto [low, high] = cut(p.grid, axis, from, to);
  const double offset = p.grid.offset(c, axis), u = low - offset, v = high - offset;
  int first = int(std::ceil(u - slack)), last = int(std::floor(v + slack));
  if (first > last) {
    const double middle = (u + v) / 2;
    first = int(std::ceil(middle - 0.5 - slack)), last = int(std::floor(middle + 0.5 + slack));
  }
  std::vector<AxisShare> points;
  for (int i = first; i <= last; ++i) {
    const AxisShare s = line.periodic() ? wrapped(line, {i, 1}, Use::current) : AxisShare{i, 1};
    if (line.computed(s.index)) points.push_back(s);
  }
  return points;
}

void PointWeights::add(index_t cell, cplx weight) {
  list_.emplace_back(cell, weight);
  if (list_.size() < limit_) return;
  merge();
  limit_ = std::max(limit_, 2 * list_.size());
}

void PointWeights::add(const Layout& layout, const std::vector<AxisShare>& xs,
                       const std::vector<AxisShare>& ys, const std::vector<AxisShare>& zs) {
  for (const AxisShare& z : zs)
    for (const AxisShare& y : ys)
      for (const AxisShare& x : xs) add(layout.at(x.index, y.index, z.index), x.weight * y.weight * z.weight);
}

void PointWeights::merge() {
  std::stable_sort(list_.begin(), list_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < list_.size(); ++i)
    if (list_[i].first == list_[kept].first)
      list_[kept].second += list_[i].second;
    else
      list_[++kept] = list_[i];
  if (!list_.empty()) list_.resize(kept + 1);
}

std::vector<std::pair<index_t, cplx>> PointWeights::take() {
  merge();
  return std::move(list_);
}

Int3 DrawnCells::raster_on(const Grid& g) const {
  Int3 r = raster;
  for (int a = 0; a < 3; ++a)
    if (r[a] == 0) r[a] = g.cells[a];
  return r;
}

const Int3* DrawnCells::outside(const Grid& g) const {
  const Int3 r = raster_on(g);
  for (const Int3& pixel : pixels)
    for (int a = 0; a < 3; ++a)
      if (pixel[a] < 0 || pixel[a] >= r[a]) return &pixel;
  return nullptr;
}

namespace {

bool by_rows(const Int3& a, const Int3& b) {
  return std::array{a[2], a[1], a[0]} < std::array{b[2], b[1], b[0]};
}

/// Calls `run(first, last)` for every row of neighbours along x, both ends included.
template <class F>
void for_each_run(const std::vector<Int3>& pixels, F run) {
  std::vector<Int3> sorted = pixels;
  std::sort(sorted.begin(), sorted.end(), by_rows);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i + 1;
    while (end < sorted.size() && sorted[end][1] == sorted[i][1] && sorted[end][2] == sorted[i][2] &&
           sorted[end][0] == sorted[end - 1][0] + 1)
      ++end;
    run(sorted[i], sorted[end - 1]);
    i = end;
  }
}

}  // namespace

std::vector<std::pair<index_t, cplx>> drawn_weights(const Problem& p, Component c, const DrawnCells& drawn,
                                                    Use use, bool inside) {
  const Int3 raster = drawn.raster_on(p.grid);
  const Layout layout(p.grid);
  const auto along = [&](int axis, int first, int last) {
    const double edge = double(p.grid.cells[axis]) / raster[axis];
    const double from = first * edge, to = (last + 1) * edge;
    return inside ? points_within(p, c, axis, from, to) : axis_shares(p, c, axis, from, to, use);
  };
  PointWeights sum;
  for_each_run(drawn.pixels, [&](const Int3& first, const Int3& last) {
    sum.add(layout, along(0, first[0], last[0]), along(1, first[1], first[1]), along(2, first[2], first[2]));
  });
  auto list = sum.take();
  if (inside)
    for (auto& [cell, weight] : list) weight /= std::abs(weight);
  return list;
}

double drawn_area(const Grid& g, const DrawnCells& drawn) {
  const Int3 raster = drawn.raster_on(g);
  double cell = 1, count = 0;
  for (int a = 0; a < 3; ++a) cell *= double(g.cells[a]) / raster[a];
  for_each_run(drawn.pixels, [&](const Int3& first, const Int3& last) { count += last[0] - first[0] + 1; });
  return count * cell;
}

}  // namespace umov::fdtd
