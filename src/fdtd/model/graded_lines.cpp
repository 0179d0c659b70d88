#include "fdtd/model/graded_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "fdtd/model/validate_parts.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {
namespace {

constexpr double rounding = 1e-9;  ///< of a cell

/// The largest edge at every place, with a slope by which neighbours differ by less than the growth.
class EdgeFunction {
 public:
  EdgeFunction(std::span<const EdgeBound> bounds, double growth)
      : bounds_(bounds), slope_(std::log(growth)) {}
  /// Growth by a factor g from cell to cell is a slope of log(g) over cells that are as long as the function
  /// is in their middle, to second order and from below.
  double at(double x) const {
    double edge = std::numeric_limits<double>::infinity();
    for (const EdgeBound& b : bounds_)
      edge = std::min(edge, b.edge + slope_ * std::max({0.0, b.from - x, x - b.to}));
    return edge;
  }

 private:
  std::span<const EdgeBound> bounds_;
  double slope_;
};

/// Cells of [from, to], their number before rounding up: the integral of 1 / edge, by the trapezoidal rule on
/// `steps` pieces, with its running sum.
struct Density {
  std::vector<double> x, sum;
};

Density density_of(const EdgeFunction& edge, double from, double to) {
  constexpr int steps = 2000;
  Density d;
  double before = 0;
  for (int i = 0; i <= steps; ++i) {
    const double x = from + (to - from) * i / steps, here = 1 / edge.at(x);
    d.sum.push_back(i == 0 ? 0 : d.sum.back() + (before + here) / 2 * (to - from) / steps);
    d.x.push_back(x);
    before = here;
  }
  return d;
}

/// Ends of cells that have equal shares of the density.
void cut_evenly(const Density& d, int cells, std::vector<double>& lines) {
  std::size_t at = 0;
  for (int i = 1; i < cells; ++i) {
    const double wanted = d.sum.back() * i / cells;
    while (d.sum[at + 1] < wanted) ++at;
    const double part = (wanted - d.sum[at]) / (d.sum[at + 1] - d.sum[at]);
    lines.push_back(d.x[at] + part * (d.x[at + 1] - d.x[at]));
  }
  lines.push_back(d.x.back());
}

std::vector<double> cut(std::span<const EdgeBound> intervals, const EdgeFunction& edge) {
  std::vector<double> lines{intervals.front().from};
  for (const EdgeBound& b : intervals) {
    if (b.equal) {
      const int cells = std::max(1, int(std::ceil((b.to - b.from) / b.edge - 1e-6)));
      for (int i = 1; i < cells; ++i) lines.push_back(b.from + (b.to - b.from) * i / cells);
      lines.push_back(b.to);
      continue;
    }
    const Density d = density_of(edge, b.from, b.to);
    cut_evenly(d, std::max(1, int(std::ceil(d.sum.back() - 1e-6))), lines);
  }
  return lines;
}

/// Index of a cell that is longer than a neighbour allows; -1: none is.
int too_long(const std::vector<double>& x, double growth) {
  const double most = growth * (1 + 1e-6);
  for (std::size_t i = 0; i + 2 < x.size(); ++i) {
    const double one = x[i + 1] - x[i], two = x[i + 2] - x[i + 1];
    if (one > most * two) return int(i);
    if (two > most * one) return int(i) + 1;
  }
  return -1;
}

}  // namespace

std::vector<double> lines_within(std::span<const EdgeBound> given, double growth) {
  std::vector<EdgeBound> bounds(given.begin(), given.end());
  constexpr int rounds = 200;
  for (int round = 0; round < rounds; ++round) {
    const std::vector<double> lines = cut(given, EdgeFunction(bounds, growth));
    if (too_long(lines, growth) < 0) return lines;
    // Rounding up the number of cells made some shorter than the function: it has to follow them.
    bounds.assign(given.begin(), given.end());
    for (std::size_t i = 0; i + 1 < lines.size(); ++i)
      bounds.push_back({lines[i], lines[i + 1], (lines[i + 1] - lines[i]) * (1 + rounding)});
  }
  throw BadInput(
      fmt::format("no lines were found whose cells grow by {:g} at most (surfaces or parts lie too near to "
                  "each other, or "
                  "absorbing layers to them); raise grid.growth, or give fewer parts",
                  growth));
}

namespace {

/// The search for lines takes some 20 s at these.
constexpr int most_found = 5000;
constexpr double least_growth = 1.02;

double highest_frequency(const Simulation& s) { return highest_carrier(s); }

/// Edge that a material asks for.
double edge_in(const Simulation& s, const materials::Material& m) {
  const double f = highest_frequency(s);
  const double index = m.perfect_conductor ? 1 : std::max(1e-3, std::abs(index_of(m, f)));
  return 1 / (f * index * s.grid.cells_per_wavelength);
}

std::string axis_key(int axis) { return fmt::format("grid.{}", "xyz"[axis]); }

void check_numbers(const Simulation& s) {
  if (!(s.grid.growth >= least_growth) || s.grid.growth > 2)
    throw BadInput(fmt::format(
        "grid.growth: {:g} (neighbouring cells differ by a factor of {:g} to 2); leave it out for 1.4",
        s.grid.growth, least_growth));
  if (s.grid.cells_per_wavelength > 0 && !(highest_frequency(s) > 0))
    throw BadInput(
        "grid.cells_per_wavelength: no source has a frequency to choose cells by; give a source a frequency, "
        "or "
        "parts of the axes");
  if (s.picture)
    throw BadInput(
        "grid: a picture's cells are alike (a pixel is a number of whole cells); leave [grid] out, or "
        "describe "
        "the model by bodies");
}

std::vector<double> given_lines(const Simulation& s, const Extent& e, int a) {
  std::vector<double> lines = s.grid.axis[a].lines;
  const std::string key = axis_key(a);
  if (lines.size() < 2 || std::ranges::adjacent_find(lines, std::greater_equal<>()) != lines.end())
    throw BadInput(
        fmt::format("{}: its lines do not ascend, or are fewer than two; give the places of all nodes "
                    "from one end of the domain to the other",
                    key));
  const double slack = 1e-6 * (e.high[a] - e.low[a]);
  if (std::fabs(lines.front() - e.low[a]) > slack || std::fabs(lines.back() - e.high[a]) > slack)
    throw BadInput(
        fmt::format("{}: its lines go from {:.6g} to {:.6g} (the domain, of domain.size, from {:.6g} to "
                    "{:.6g}); let them "
                    "end where it ends",
                    key, lines.front(), lines.back(), e.low[a], e.high[a]));
  if (const int i = too_long(lines, s.grid.growth); i >= 0)
    throw BadInput(fmt::format(
        "{}: the cell from {:.6g} to {:.6g} is more than {:g} times as long as one beside it (waves are "
        "reflected there); let cells grow slower, or raise grid.growth",
        key, lines[std::size_t(i)], lines[std::size_t(i) + 1], s.grid.growth));
  return lines;
}

/// Places of an axis at which a line is wanted, and bounds of the edges between them.
class Wishes {
 public:
  Wishes(const Simulation& s, const Scene& scene, const Extent& e, int axis)
      : sim_(s), scene_(scene), extent_(e), axis_(axis), low_(e.low[axis]), high_(e.high[axis]) {
    if (is_mirror(s.walls[axis][0])) low_ = 0;
    if (is_mirror(s.walls[axis][1])) high_ = 0;
    take_parts();
    if (s.grid.cells_per_wavelength > 0) take_bodies();
    least_ = s.grid.least_edge > 0 ? s.grid.least_edge : shortest() / 10;
  }

  std::vector<double> lines() const {
    std::vector<EdgeBound> bounds = intervals();
    double cells = 0;
    for (const EdgeBound& b : bounds)
      if (std::isfinite(b.edge)) cells += (b.to - b.from) / b.edge;
    if (!(cells <= most_found))
      throw BadInput(
          fmt::format("{}: {:.3g} cells are asked for (at most {} along a graded axis whose lines are to be "
                      "found); raise the edges of its parts or lower grid.cells_per_wavelength, or give all "
                      "lines",
                      axis_key(axis_), cells, most_found));
    const std::vector<double> free = lines_within(bounds, sim_.grid.growth);
    if (layers(0) == 0 && layers(1) == 0) return free;
    // Beside the layers, whose cells are fixed, rounding may leave cells that are too short for them.
    constexpr int attempts = 24;
    for (int i = 0; i < attempts; ++i) try {
        return lines_within(with_layers(free, std::pow(shorter, i)), sim_.grid.growth);
      } catch (const BadInput&) {
        if (i + 1 == attempts) throw;
      }
    return free;
  }

 private:
  static constexpr double shorter = 0.96;  ///< cells of layers, from one attempt to the next
  static constexpr int before_layers =
      8;  ///< cells that are like those of the layers: a plane wave enters there

  int layers(int side) const { return sim_.walls[axis_][side] == WallKind::pml ? sim_.pml.layers : 0; }
  double coarse() const {
    return sim_.grid.cells_per_wavelength > 0 ? std::numeric_limits<double>::infinity()
                                              : 1 / cells_per_unit(sim_);
  }
  void take(double from, double to, double edge) {
    from = std::max(from, low_), to = std::min(to, high_);
    if (!(from < to)) return;
    wanted_.push_back({from, to, edge});
    for (const double x : {from, to})
      if (x > low_ && x < high_) marks_.push_back(x);
  }
  void take_parts() {
    const double slack = 1e-6 * (extent_.high[axis_] - extent_.low[axis_]);
    for (const auto& part : sim_.grid.axis[axis_].parts) {
      if (!(part.from < part.to) || !(part.edge > 0))
        throw BadInput(
            fmt::format("{}: a part from {:g} to {:g} with cells of {:g} (parts go upwards, cells have a "
                        "length); give [from, to, edge]",
                        axis_key(axis_), part.from, part.to, part.edge));
      if (part.from < extent_.low[axis_] - slack || part.to > extent_.high[axis_] + slack)
        throw BadInput(
            fmt::format("{}: a part from {:g} to {:g} (the domain is from {:g} to {:g}); end it there",
                        axis_key(axis_), part.from, part.to, extent_.low[axis_], extent_.high[axis_]));
      take(part.from, part.to, part.edge);
    }
  }
  void take_bodies() {
    take(low_, high_, edge_in(sim_, scene_.materials()[0]));
    for (const Occupied& body : scene_.occupied())
      take(body.low[axis_], body.high[axis_], edge_in(sim_, scene_.materials()[std::size_t(body.material)]));
  }
  double shortest() const {
    double least = coarse();
    for (const EdgeBound& b : wanted_) least = std::min(least, b.edge);
    return least;
  }
  double bound(double from, double to) const {
    double edge = coarse();
    for (const EdgeBound& b : wanted_)
      if (b.from < to - least_ / 2 && b.to > from + least_ / 2) edge = std::min(edge, b.edge);
    if (sim_.grid.cells_per_wavelength > 0 && marks_.size() > 0 && from > low_ && to < high_)
      edge = std::min(edge, (to - from) / sim_.grid.across);
    return edge;
  }
  std::vector<EdgeBound> intervals() const {
    std::vector<double> at = marks_;
    std::ranges::sort(at);
    std::vector<double> ends{low_};
    for (const double x : at)
      if (x - ends.back() >= least_ && high_ - x >= least_) ends.push_back(x);
    ends.push_back(high_);
    std::vector<EdgeBound> all;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
      all.push_back({ends[i], ends[i + 1], bound(ends[i], ends[i + 1])});
    return all;
  }
  /// The same with cells that are alike in the layers and before them, `part` of the shortest there.
  std::vector<EdgeBound> with_layers(const std::vector<double>& free, double part) const {
    std::vector<EdgeBound> all = intervals();
    for (const int side : {0, 1}) {
      if (layers(side) == 0) continue;
      const int count = layers(side) + before_layers, n = int(free.size()) - 1;
      double edge = std::numeric_limits<double>::infinity(), reach = 0;
      for (int i = 0; i < n && (i == 0 || reach < count * edge); ++i) {
        const int cell = side == 0 ? i : n - 1 - i;
        edge = std::min(edge, free[std::size_t(cell) + 1] - free[std::size_t(cell)]);
        reach =
            side == 0 ? free[std::size_t(cell) + 1] - free.front() : free.back() - free[std::size_t(cell)];
      }
      edge *= part;
      const double length = count * edge;
      const double both = layers(1 - side) > 0 ? 2 * length : length;
      if (both >= high_ - low_)
        throw BadInput(
            fmt::format("the absorbing layers leave nothing of the domain along {} ({} cells of {:.4g}, the "
                        "domain has {:.4g}); "
                        "use fewer layers or a larger domain",
                        "xyz"[axis_], layers(side), edge, high_ - low_));
      replace(all, side == 0 ? EdgeBound{low_, low_ + length, edge, true}
                             : EdgeBound{high_ - length, high_, edge, true});
    }
    return all;
  }
  void replace(std::vector<EdgeBound>& all, const EdgeBound& zone) const {
    std::vector<EdgeBound> rest;
    const bool at_low = zone.from <= low_;
    for (EdgeBound b : all) {
      if (at_low)
        b.from = std::max(b.from, zone.to);
      else
        b.to = std::min(b.to, zone.from);
      if (b.to > b.from) rest.push_back(b);
    }
    // what a surface leaves beside the layers is too short for a cell of its own
    if (rest.size() > 1 && at_low && rest[0].to - rest[0].from < least_) {
      rest[1].from = rest[0].from;
      rest.erase(rest.begin());
    } else if (rest.size() > 1 && !at_low && rest.back().to - rest.back().from < least_) {
      rest[rest.size() - 2].to = rest.back().to;
      rest.pop_back();
    }
    rest.insert(at_low ? rest.begin() : rest.end(), zone);
    all = std::move(rest);
  }

  const Simulation& sim_;
  const Scene& scene_;
  const Extent& extent_;
  int axis_;
  double low_, high_, least_ = 0;
  std::vector<EdgeBound> wanted_;
  std::vector<double> marks_;
};

/// The computed half of lines that are given on both sides of a symmetry plane.
std::vector<double> computed_half(std::vector<double> lines, const Simulation& s, int a) {
  const bool low = is_mirror(s.walls[a][0]), high = is_mirror(s.walls[a][1]);
  if (!low && !high) return lines;
  const double slack = 1e-6 * (lines.back() - lines.front());
  const auto zero = std::ranges::find_if(lines, [&](double x) { return std::fabs(x) <= slack; });
  if (zero == lines.end())
    throw BadInput(fmt::format("{}: no line lies on the symmetry plane at 0; give one there", axis_key(a)));
  *zero = 0;
  return low ? std::vector<double>(zero, lines.end()) : std::vector<double>(lines.begin(), zero + 1);
}

void check_ends(const Simulation& s, const std::vector<double>& x, int a) {
  const std::size_t n = x.size() - 1;
  const auto edge = [&](std::size_t i) { return x[i + 1] - x[i]; };
  for (const int side : {0, 1}) {
    if (s.walls[a][side] != WallKind::pml) continue;
    const std::size_t layers = std::min<std::size_t>(std::size_t(s.pml.layers) + 1, n);
    const double first = edge(side == 0 ? 0 : n - 1);
    for (std::size_t i = 0; i < layers; ++i)
      if (std::fabs(edge(side == 0 ? i : n - 1 - i) - first) > 1e-6 * first)
        throw BadInput(
            fmt::format("{}: cells of different lengths in the absorbing layers (their profile is that of {} "
                        "equal cells); let "
                        "the {} cells at the {} end be alike",
                        axis_key(a), s.pml.layers, layers, side == 0 ? "low" : "high"));
  }
  if (wraps(s.walls[a][0]) &&
      std::max(edge(0), edge(n - 1)) > s.grid.growth * (1 + 1e-6) * std::min(edge(0), edge(n - 1)))
    throw BadInput(
        fmt::format("{}: the cells at the two ends of the period are {:.4g} and {:.4g} long (they are "
                    "neighbours); give both "
                    "ends cells of one length",
                    axis_key(a), edge(0), edge(n - 1)));
}

}  // namespace

double longest_edge(const Simulation& s, Mode mode) {
  check_numbers(s);
  double longest = 0;
  bool rest = false;
  for (int a = 0; a < dimensions(mode); ++a) {
    const auto& lines = s.grid.axis[a].lines;
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) longest = std::max(longest, lines[i + 1] - lines[i]);
    rest = rest || lines.empty();
  }
  if (!rest) return longest;
  if (s.grid.cells_per_wavelength > 0)
    return std::max(longest, 1 / (highest_frequency(s) * s.grid.cells_per_wavelength));
  return std::max(longest, 1 / cells_per_unit(s));
}

std::vector<double> graded_lines(const Simulation& s, const Scene& scene, const Extent& e, int a) {
  const bool given = !s.grid.axis[a].lines.empty();
  std::vector<double> lines;
  try {
    lines = given ? computed_half(given_lines(s, e, a), s, a) : Wishes(s, scene, e, a).lines();
  } catch (const BadInput& error) {
    const std::string text = error.what();
    throw BadInput(text.starts_with("grid.") || text.starts_with("the ") ? text : axis_key(a) + ": " + text);
  }
  check_ends(s, lines, a);
  const double longest = std::max(e.dx, lines[1] - lines[0]);
  for (std::size_t i = 0; i + 1 < lines.size(); ++i)
    if (lines[i + 1] - lines[i] < 1e-4 * longest)
      throw BadInput(fmt::format(
          "{}: a cell of {:.3g} beside others of {:.3g} (shorter ones than 1e-4 of the longest are lost in "
          "rounding); raise grid.least_edge",
          axis_key(a), lines[i + 1] - lines[i], longest));
  return lines;
}

}  // namespace umov::fdtd
