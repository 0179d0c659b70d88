#include "layout/hierarchy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/interruption.hpp"
#include "core/text.hpp"
#include "core/types.hpp"

namespace umov::layout {
namespace {

/// Exact at multiples of 90, so that turned boxes stay along the axes.
std::array<double, 2> cosine_sine(double degrees) {
  const double quarter = std::fmod(degrees, 360) / 90;
  if (quarter == std::floor(quarter)) {
    constexpr std::array<double, 4> cosines{1, 0, -1, 0};
    const int q = ((int(quarter) % 4) + 4) % 4;
    return {cosines[std::size_t(q)], cosines[std::size_t((q + 3) % 4)]};
  }
  return {std::cos(degrees * pi / 180), std::sin(degrees * pi / 180)};
}

/// Of the structure that is referred to, first in its array.
Transform placed(const Reference& r, const Transform& above) {
  const auto [cosine, sine] = cosine_sine(r.angle);
  const double m = r.magnification, f = r.mirrored ? -1 : 1;
  const double a = m * cosine, b = -f * m * sine, c = m * sine, d = f * m * cosine;
  Transform t;
  t.a = above.a * a + above.b * c, t.b = above.a * b + above.b * d;
  t.c = above.c * a + above.d * c, t.d = above.c * b + above.d * d;
  t.at = above(r.origin.x, r.origin.y);
  t.magnification = above.magnification * m;
  t.angle = std::fmod(above.angle + r.angle, 360);
  return t;
}

Place step_of(const double (&s)[2], const Transform& t) {
  return {t.a * s[0] + t.b * s[1], t.c * s[0] + t.d * s[1]};
}

Box of_box(const Box& box, const Transform& t) {
  Box out;
  if (box.empty()) return out;
  for (const double x : {box.low[0], box.high[0]})
    for (const double y : {box.low[1], box.high[1]}) out.add(t(x, y));
  return out;
}

/// How far a path may go beyond its points: corners of 90 degrees, or ends.
double reach_of(const PathStyle& p) {
  const double ends = p.ends == PathStyle::Ends::given ? std::max({p.begin, p.end, 0.0}) : 0;
  return std::max(1.5 * p.width / 2, std::hypot(std::max(ends, p.width / 2), p.width / 2));
}

bool fills(Shape::Kind kind) { return kind != Shape::Kind::node; }

}  // namespace

Hierarchy::Hierarchy(const Library& library) : library_(library) {
  const auto& all = library.structures;
  std::vector<std::string> missing;
  for (const Structure& s : all)
    if (!s.defined) missing.push_back("'" + shortened(s.name) + "'");
  if (!missing.empty()) {
    const std::size_t count = missing.size();
    missing.resize(std::min<std::size_t>(count, 10));
    std::string by;
    for (const Structure& s : all)
      for (const Reference& r : s.references)
        if (by.empty() && !all[r.structure].defined) by = shortened(s.name);
    throw BadInput(
        fmt::format("{}: {} structure{} referred to that the file lacks: {}{} (the first by '{}'); export "
                    "the whole hierarchy",
                    library.file, count, count == 1 ? " is" : "s are", join(missing, ", "),
                    count > missing.size() ? ", ..." : "", by));
  }
  // From each structure down, on a stack of its own: files may nest deeper than the program's.
  enum : std::uint8_t { fresh, under_way, done };
  std::vector<std::uint8_t> state(all.size(), fresh);
  std::vector<int> levels(all.size(), 0);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  for (std::uint32_t start = 0; start < all.size(); ++start) {
    if (state[start] != fresh) continue;
    stack.emplace_back(start, 0);
    state[start] = under_way;
    while (!stack.empty()) {
      auto& [at, next] = stack.back();
      if (next == all[at].references.size()) {
        state[at] = done;
        order_.push_back(at);
        require_shallow(at, levels);
        stack.pop_back();
        continue;
      }
      const std::uint32_t to = all[at].references[next++].structure;
      if (state[to] == under_way) {
        std::string circle;
        auto from = std::ranges::find(stack, to, [](const auto& entry) { return entry.first; });
        for (int shown = 0; from != stack.end() && shown < 10; ++from, ++shown)
          circle += "'" + shortened(all[from->first].name) + "' -> ";
        throw BadInput(
            fmt::format("{}: structures refer to each other in a circle: {}'{}' (nothing ends such a "
                        "hierarchy); correct the references",
                        library.file, circle, shortened(all[to].name)));
      }
      if (state[to] == fresh) {
        state[to] = under_way;
        stack.emplace_back(to, 0);
      }
    }
  }
}

/// Structures are flattened one within the other.
void Hierarchy::require_shallow(std::uint32_t at, std::vector<int>& levels) const {
  constexpr int most = 1000;
  for (const Reference& r : library_.structures[at].references)
    levels[at] = std::max(levels[at], levels[r.structure] + 1);
  if (levels[at] > most)
    throw BadInput(
        fmt::format("{}: structure '{}' has more than {} levels of structures below it (no layout has so "
                    "many); flatten some of them",
                    library_.file, shortened(library_.structures[at].name), most));
}

std::uint32_t Hierarchy::top(const std::string& name) const {
  const auto& all = library_.structures;
  if (all.empty())
    throw BadInput(library_.file + ": it has no structure (the layout is empty); export the file again");
  std::vector<bool> used(all.size(), false);
  for (const Structure& s : all)
    for (const Reference& r : s.references) used[r.structure] = true;
  std::vector<std::string> tops;
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (!name.empty() && all[i].name == name) return i;
    if (!used[i]) tops.push_back(shortened(all[i].name)), last = i;
  }
  const auto listed = [&] {
    std::vector<std::string> some(tops.begin(), tops.begin() + long(std::min<std::size_t>(tops.size(), 20)));
    return join(some, ", ") + (tops.size() > some.size() ? ", ..." : "");
  };
  if (!name.empty()) {
    std::vector<std::string> names;
    for (const Structure& s : all) names.push_back(s.name);
    const std::string hint = did_you_mean(name, names);
    throw BadInput(fmt::format("{}: it has no structure '{}' (at its top: {}); {}", library_.file,
                               shortened(name), listed(), hint.empty() ? "name one of those" : hint));
  }
  if (tops.size() > 1)
    throw BadInput(
        fmt::format("{}: it has {} structures that no other refers to: {} (which one is the layout is not "
                    "said); name it by `layout.cell`",
                    library_.file, tops.size(), listed()));
  return last;
}

std::map<LayerId, LayerCount> Hierarchy::counts(std::uint32_t top) const {
  // How often each structure is placed, from the top down.
  std::vector<double> times(library_.structures.size(), 0);
  times[top] = 1;
  std::map<LayerId, LayerCount> out;
  for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
    const Structure& s = library_.structures[*at];
    const double n = times[*at];
    if (n == 0) continue;
    for (const Reference& r : s.references) times[r.structure] += n * r.columns * r.rows;
    for (const Text& t : s.texts) out[t.on].texts += n;
    for (const Shape& shape : s.shapes) {
      LayerCount& c = out[shape.on];
      (shape.kind == Shape::Kind::boundary ? c.polygons
       : shape.kind == Shape::Kind::box    ? c.boxes
       : shape.kind == Shape::Kind::path   ? c.paths
                                           : c.nodes) += n;
    }
  }
  return out;
}

std::vector<Hierarchy::Reach> Hierarchy::reaches(const std::set<LayerId>& wanted) const {
  std::vector<Reach> all(library_.structures.size());
  for (const std::uint32_t at : order_) {
    const Structure& s = library_.structures[at];
    Reach& reach = all[at];
    for (const Shape& shape : s.shapes) {
      if (!fills(shape.kind) || !wanted.count(shape.on)) continue;
      Box box;
      for (std::uint32_t i = shape.first; i < shape.first + shape.count; ++i)
        box.add({double(s.points[i].x), double(s.points[i].y)});
      if (shape.kind == Shape::Kind::path) {
        const PathStyle& p = s.paths[shape.path];
        box = box.grown(reach_of(p));
        if (p.absolute) reach.absolute = std::max(reach.absolute, reach_of(p));
      }
      if (shape.count > 0) reach.box.add(box.low), reach.box.add(box.high);
    }
    for (const Reference& r : s.references) {
      const Reach& below = all[r.structure];
      if (below.box.empty()) continue;
      Transform t = placed(r, {});
      const Place column = step_of(r.column, {}), row = step_of(r.row, {});
      for (const double i : {0.0, r.columns - 1.0})
        for (const double j : {0.0, r.rows - 1.0}) {
          Transform corner = t;
          for (int a = 0; a < 2; ++a) corner.at[a] += i * column[a] + j * row[a];
          const Box box = of_box(below.box, corner);
          reach.box.add(box.low), reach.box.add(box.high);
        }
      reach.absolute = std::max(reach.absolute, below.absolute);
    }
  }
  return all;
}

struct Hierarchy::Walk {
  const Library& library;
  const std::set<LayerId>& wanted;
  const std::vector<Reach>& reaches;
  const std::optional<Box>& window;
  const Visitor& visit;
  double most, visits = 0;
  std::vector<Place> corners = {};

  void count(double more = 1) {
    visits += more;
    if (visits > most)
      throw BadInput(
          fmt::format("{}: more than {:.3g} shapes lie in the window of the layout (they are taken one by "
                      "one); narrow `layout.window`, or name fewer layers",
                      library.file, most));
    if (std::fmod(visits, 65536) < more) stop_if_interrupted("while a layout was flattened");
  }

  bool hides(const Box& box, double absolute) const {
    return window && (box.empty() || !box.grown(absolute).meets(*window));
  }

  void structure(std::uint32_t number, const Transform& t) {
    const Structure& s = library.structures[number];
    for (const Shape& shape : s.shapes)
      if (fills(shape.kind) && wanted.count(shape.on)) take(s, shape, t);
    for (const Reference& r : s.references) reference(s, r, t);
  }

  void take(const Structure& s, const Shape& shape, const Transform& t) {
    count();
    corners.clear();
    Box box;
    for (std::uint32_t i = shape.first; i < shape.first + shape.count; ++i) {
      corners.push_back(t(s.points[i].x, s.points[i].y));
      box.add(corners.back());
    }
    if (shape.kind != Shape::Kind::path) {
      if (corners.size() >= 3 && !hides(box, 0)) visit(shape.on, corners);
      return;
    }
    const PathStyle& p = s.paths[shape.path];
    const double width = p.width * (p.absolute ? 1 : t.magnification);
    const double reach =
        reach_of(p) * (p.absolute ? 1 : t.magnification) + std::max({p.begin, p.end, 0.0}) * t.magnification;
    if (hides(box, reach)) return;
    constexpr double half_a_unit = 0.5;
    stroke(corners, width, p.ends, p.begin * t.magnification, p.end * t.magnification, half_a_unit, false,
           [&](std::span<const Place> piece) {
             count(0.25);
             visit(shape.on, piece);
           });
  }

  void reference(const Structure& in, const Reference& r, const Transform& above) {
    const Reach& below = reaches[r.structure];
    if (below.box.empty()) return;
    refuse_absolute(in, r, above);
    const Transform first = placed(r, above);
    const Place column = step_of(r.column, above), row = step_of(r.row, above);
    // A step of no length places all on one.
    const int columns = column == Place{0, 0} ? 1 : r.columns, rows = row == Place{0, 0} ? 1 : r.rows;
    const Box box = of_box(below.box, first);
    const auto [i, j] = cells_in_window(box.grown(below.absolute), column, row, columns, rows);
    for (int n = j[0]; n <= j[1]; ++n)
      for (int m = i[0]; m <= i[1]; ++m) {
        count();
        Transform t = first;
        Box there = box;
        for (int a = 0; a < 2; ++a) {
          const double shift = m * column[a] + n * row[a];
          t.at[a] += shift, there.low[a] += shift, there.high[a] += shift;
        }
        if (!hides(there, below.absolute)) structure(r.structure, t);
      }
  }

  /// First and last columns and rows that may come into the window.
  std::array<std::array<int, 2>, 2> cells_in_window(const Box& box, const Place& column, const Place& row,
                                                    int columns, int rows) const {
    std::array<std::array<int, 2>, 2> out{{{0, columns - 1}, {0, rows - 1}}};
    if (!window || columns * double(rows) < 16) return out;
    // shifts that bring the box to the window, as numbers of steps
    const Place u = columns > 1 ? column : Place{-row[1], row[0]},
                v = rows > 1 ? row : Place{-column[1], column[0]};
    const double area = u[0] * v[1] - u[1] * v[0];
    if (std::fabs(area) < 1e-9 * std::hypot(u[0], u[1]) * std::hypot(v[0], v[1]) || area == 0) return out;
    double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
    for (const double x : {window->low[0] - box.high[0], window->high[0] - box.low[0]})
      for (const double y : {window->low[1] - box.high[1], window->high[1] - box.low[1]}) {
        const double steps[2] = {(x * v[1] - y * v[0]) / area, (u[0] * y - u[1] * x) / area};
        for (int a = 0; a < 2; ++a)
          low[a] = std::min(low[a], steps[a]), high[a] = std::max(high[a], steps[a]);
      }
    for (int a = 0; a < 2; ++a) {
      if (!std::isfinite(low[a]) || !std::isfinite(high[a])) continue;
      const double last = a == 0 ? columns - 1 : rows - 1;
      out[std::size_t(a)] = {int(std::clamp(std::floor(low[a] - 1e-6), 0.0, last + 1)),
                             int(std::clamp(std::ceil(high[a] + 1e-6), -1.0, last))};
    }
    return out;
  }

  void refuse_absolute(const Structure& in, const Reference& r, const Transform& above) const {
    const bool larger = r.absolute_magnification && above.magnification != 1;
    const bool turned = r.absolute_angle && above.angle != 0;
    if (larger || turned)
      throw BadInput(
          fmt::format("{}: structure '{}' refers to '{}' by an absolute {}, and is itself {} (programs read "
                      "that differently); make the reference relative",
                      library.file, shortened(in.name), shortened(library.structures[r.structure].name),
                      larger ? "magnification" : "angle", larger ? "magnified" : "turned"));
  }
};

void Hierarchy::flatten(std::uint32_t top, const std::set<LayerId>& wanted, const std::optional<Box>& window,
                        const Visitor& visit, double most) const {
  const std::vector<Reach> all = reaches(wanted);
  Walk walk{library_, wanted, all, window, visit, most};
  walk.structure(top, {});
}

/// Calls `take` in each place of each structure that holds what `has` finds, or refers to such; beyond `most`
/// calls throws BadInput.
void Hierarchy::everywhere(std::uint32_t top, const std::function<std::size_t(const Structure&)>& has,
                           double most,
                           const std::function<void(const Structure&, const Transform&)>& take) const {
  std::vector<std::size_t> held(library_.structures.size());
  for (const std::uint32_t at : order_) {
    const Structure& s = library_.structures[at];
    held[at] = has(s);
    for (const Reference& r : s.references) held[at] += held[r.structure] > 0;
  }
  double visits = 0;
  const auto walk = [&](const auto& self, std::uint32_t number, const Transform& t) -> void {
    const Structure& s = library_.structures[number];
    if ((visits += double(held[number])) > most)
      throw BadInput(
          fmt::format("{}: it places more than {:g} texts or pins (each is looked at); choose a smaller "
                      "structure by `layout.cell`",
                      library_.file, most));
    take(s, t);
    for (const Reference& r : s.references) {
      if (held[r.structure] == 0) continue;
      const Transform first = placed(r, t);
      const Place column = step_of(r.column, t), row = step_of(r.row, t);
      for (int j = 0; j < r.rows; ++j)
        for (int i = 0; i < r.columns; ++i) {
          Transform each = first;
          for (int a = 0; a < 2; ++a) each.at[a] += i * column[a] + j * row[a];
          self(self, r.structure, each);
        }
    }
  };
  walk(walk, top, {});
}

std::vector<PlacedText> Hierarchy::texts(std::uint32_t top, double most) const {
  std::vector<PlacedText> out;
  everywhere(
      top, [](const Structure& s) { return s.texts.size(); }, most,
      [&](const Structure& s, const Transform& t) {
        for (const Text& text : s.texts) out.push_back({text.on, t(text.at.x, text.at.y), text.words});
      });
  return out;
}

std::vector<Pin> Hierarchy::pins(std::uint32_t top, const LayerId& on, double most) const {
  const auto is_pin = [&](const Shape& shape) {
    return shape.kind == Shape::Kind::path && shape.count == 2 && shape.on == on;
  };
  std::vector<Pin> out;
  everywhere(
      top, [&](const Structure& s) { return std::size_t(std::ranges::count_if(s.shapes, is_pin)); }, most,
      [&](const Structure& s, const Transform& t) {
        for (const Shape& shape : s.shapes) {
          if (!is_pin(shape)) continue;
          const Point &a = s.points[shape.first], &b = s.points[shape.first + 1];
          const PathStyle& p = s.paths[shape.path];
          out.push_back({t(a.x, a.y), t(b.x, b.y), p.width * (p.absolute ? 1 : t.magnification)});
        }
      });
  return out;
}

}  // namespace umov::layout
