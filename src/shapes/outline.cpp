// Polygons made into loops: corners joined, edges split where others touch them, pairs there and back left
// out, loops traced.
#include "shapes/outline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/error.hpp"
#include "core/types.hpp"

namespace umov::shapes {
namespace {

/// Of the extent: what corners and lines may be apart and still touch.
constexpr double rounding = 1e-10;

double cross2(const Point2& o, const Point2& a, const Point2& b) {
  return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

/// A piece of an edge of the polygon between two corners that nothing touches in between.
struct Piece {
  int from = 0, to = 0;
  int edge = 0;  ///< of the polygon as it was given, counted from 0
};

[[noreturn]] void refuse_crossing(int one, int other) {
  throw BadInput(
      fmt::format("its edges {} and {} cross (the inside of such a polygon is not defined); order "
                  "the vertices around the outline",
                  one + 1, other + 1));
}

[[noreturn]] void refuse_rounds(int edge) {
  throw BadInput(
      fmt::format("its line runs twice around what is beside edge {}, or in another sense than around the "
                  "rest (the inside of such a polygon is not defined); order the vertices around the outline",
                  edge + 1));
}

class Cleaner {
 public:
  explicit Cleaner(const std::vector<Point2>& corners) {
    set_tolerance(corners);
    join(corners);
    cancel(split());
    refuse_crossings();
  }

  Outline loops() const {
    std::vector<std::vector<Piece>> traced = trace();
    std::vector<int> rounds;  // of the line, around what is left of each loop
    for (const auto& loop : traced) rounds.push_back(rounds_left_of(loop.front()));
    for (std::size_t i = 0; i < traced.size(); ++i)
      if (rounds[i] != rounds[0] || rounds[i] < 0 || rounds[i] > 1) refuse_rounds(traced[i].front().edge);
    Outline out;
    for (const auto& loop : traced) {
      out.emplace_back();
      for (const Piece& p : loop) out.back().push_back(points_[p.from]);
      if (rounds[0] == 0) std::reverse(out.back().begin(), out.back().end());
    }
    return out;
  }

 private:
  void set_tolerance(const std::vector<Point2>& corners) {
    constexpr double of_numbers = 1e-15;
    double extent = 0, farthest = 0;
    for (int a = 0; a < 2; ++a) {
      const auto [low, high] = std::ranges::minmax(corners, {}, [a](const Point2& p) { return p[a]; });
      extent = std::max(extent, high[a] - low[a]);
      farthest = std::max({farthest, std::fabs(low[a]), std::fabs(high[a])});
    }
    if (extent > 0) tolerance_ = std::max(rounding * extent, of_numbers * farthest);
  }

  /// Numbers the points, equal ones alike, and lists the edges that have a length.
  void join(const std::vector<Point2>& corners) {
    if (tolerance_ == 0) return;
    std::map<std::array<long long, 2>, int> known;
    std::vector<int> ids;
    for (const Point2& p : corners) ids.push_back(id_of(p, known));
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (const int next = ids[(i + 1) % ids.size()]; next != ids[i])
        edges_.push_back({ids[i], next, int(i)});
  }

  int id_of(const Point2& p, std::map<std::array<long long, 2>, int>& known) {
    const std::array<long long, 2> at{std::llround(p[0] / tolerance_), std::llround(p[1] / tolerance_)};
    for (long long j = -1; j <= 1; ++j)
      for (long long i = -1; i <= 1; ++i)
        if (const auto found = known.find({at[0] + i, at[1] + j}); found != known.end()) return found->second;
    points_.push_back(p);
    return known[at] = int(points_.size()) - 1;
  }

  double x_of(int point) const { return points_[point][0]; }

  /// Edges in pieces from each point that they pass to the next.
  std::vector<Piece> split() const {
    std::vector<int> order(points_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = int(i);
    std::ranges::sort(order, {}, [this](int p) { return x_of(p); });
    std::vector<Piece> pieces;
    for (const Piece& e : edges_) {
      int from = e.from;
      for (const int via : passed(e, order)) pieces.push_back({from, via, e.edge}), from = via;
      pieces.push_back({from, e.to, e.edge});
    }
    return pieces;
  }

  /// The points on an edge between its ends, along it.
  std::vector<int> passed(const Piece& e, const std::vector<int>& order) const {
    const Point2 &a = points_[e.from], &b = points_[e.to];
    const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
    const auto [left, right] = std::minmax(a[0], b[0]);
    const auto [low, high] = std::minmax(a[1], b[1]);
    std::vector<std::pair<double, int>> found;
    auto at = std::ranges::lower_bound(order, left - tolerance_, {}, [this](int p) { return x_of(p); });
    for (; at != order.end() && x_of(*at) <= right + tolerance_; ++at) {
      const Point2& p = points_[*at];
      if (*at == e.from || *at == e.to || p[1] < low - tolerance_ || p[1] > high + tolerance_ ||
          std::fabs(cross2(a, b, p)) > tolerance_ * length)
        continue;
      const double along = ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / length;
      if (along > 0 && along < length) found.emplace_back(along, *at);
    }
    std::ranges::sort(found);
    std::vector<int> points;
    for (const auto& entry : found) points.push_back(entry.second);
    return points;
  }

  /// Keeps of the pieces between two points what is walked more often in one direction.
  void cancel(const std::vector<Piece>& pieces) {
    std::map<std::pair<int, int>, int> surplus;  // of walks from the lower number to the higher
    for (const Piece& p : pieces) surplus[std::minmax(p.from, p.to)] += p.from < p.to ? 1 : -1;
    for (const Piece& p : pieces) {
      int& left = surplus[std::minmax(p.from, p.to)];
      if (std::abs(left) > 1) refuse_rounds(p.edge);
      if (left != (p.from < p.to ? 1 : -1)) continue;
      left = 0;
      kept_.push_back(p);
    }
    if (kept_.empty())
      throw BadInput("its vertices lie on a line (the polygon has no area); move one of them");
  }

  bool cross(const Piece& one, const Piece& other) const {
    const Point2 &a = points_[one.from], &b = points_[one.to], &c = points_[other.from],
                 &d = points_[other.to];
    if (std::min(a[1], b[1]) > std::max(c[1], d[1]) || std::max(a[1], b[1]) < std::min(c[1], d[1]))
      return false;
    if (one.from == other.from || one.from == other.to || one.to == other.from || one.to == other.to)
      return false;
    const double abc = cross2(a, b, c), abd = cross2(a, b, d), cda = cross2(c, d, a), cdb = cross2(c, d, b);
    return ((abc > 0 && abd < 0) || (abc < 0 && abd > 0)) && ((cda > 0 && cdb < 0) || (cda < 0 && cdb > 0));
  }

  /// Names of all pairs that cross the first.
  void refuse_crossings() const {
    std::vector<Piece> order = kept_;
    const auto left = [this](const Piece& p) { return std::min(x_of(p.from), x_of(p.to)); };
    std::ranges::sort(order, {}, left);
    std::optional<std::pair<int, int>> found;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const double right = std::max(x_of(order[i].from), x_of(order[i].to));
      for (std::size_t j = i + 1; j < order.size() && left(order[j]) <= right; ++j)
        if (cross(order[i], order[j])) {
          const std::pair<int, int> pair = std::minmax(order[i].edge, order[j].edge);
          found = found ? std::min(*found, pair) : pair;
        }
    }
    if (found) refuse_crossing(found->first, found->second);
  }

  /// From each piece to the first one clockwise from where it came: around what is on its left.
  std::vector<std::vector<Piece>> trace() const {
    std::vector<std::vector<int>> leaving(points_.size());
    for (std::size_t i = 0; i < kept_.size(); ++i) leaving[kept_[i].from].push_back(int(i));
    std::vector<bool> used(kept_.size(), false);
    std::vector<std::vector<Piece>> loops;
    for (std::size_t start = 0; start < kept_.size(); ++start) {
      if (used[start]) continue;
      loops.emplace_back();
      for (int at = int(start); !used[at]; at = next(kept_[at], leaving[kept_[at].to])) {
        used[at] = true;
        loops.back().push_back(kept_[at]);
      }
    }
    return loops;
  }
  int next(const Piece& from, const std::vector<int>& leaving) const {
    if (leaving.size() == 1) return leaving[0];
    const auto angle = [this](int of, int to) {
      return std::atan2(points_[to][1] - points_[of][1], points_[to][0] - points_[of][0]);
    };
    const double back = angle(from.to, from.from);
    return *std::ranges::min_element(leaving, {}, [&](int i) {
      const double turn = back - angle(from.to, kept_[i].to);
      return turn > 0 ? turn : turn + 2 * pi;
    });
  }

  /// How often the line runs around what is next to the middle of a piece, on its left; counted along a ray
  /// from there across it.
  int rounds_left_of(const Piece& piece) const {
    const Point2 &a = points_[piece.from], &b = points_[piece.to];
    const int along = std::fabs(b[1] - a[1]) >= std::fabs(b[0] - a[0]) ? 0 : 1, across = 1 - along;
    const Point2 middle{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2};
    const int up = along == 0 ? 1 : -1;  // of a line around the ray's origin where it goes up
    int rounds = (b[across] > a[across]) == (up > 0) ? 1 : 0;
    for (const Piece& p : kept_) {
      const Point2 &c = points_[p.from], &d = points_[p.to];
      if ((c[across] > middle[across]) == (d[across] > middle[across])) continue;
      if (p.from == piece.from && p.to == piece.to) continue;
      const double at =
          c[along] + (middle[across] - c[across]) * (d[along] - c[along]) / (d[across] - c[across]);
      if (at > middle[along]) rounds += d[across] > c[across] ? up : -up;
    }
    return rounds;
  }

  double tolerance_ = 0;
  std::vector<Point2> points_;
  std::vector<Piece> edges_, kept_;
};

}  // namespace

Outline outline_of(const std::vector<Point2>& corners) { return Cleaner(corners).loops(); }

}  // namespace umov::shapes
