// Boxes of total field: the medium around them, and the monitors that see both of its sides.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "fdtd/kind_names.hpp"
#include "fdtd/model/validate_parts.hpp"
#include "fdtd/observables/surface.hpp"
#include "fdtd/observables/surroundings_of_box.hpp"
#include "fdtd/sources/plane_wave_faces.hpp"
#include "fdtd/sources/total_field.hpp"

namespace umov::fdtd {
namespace {

enum class Seen { total, scattered, both };

/// Places of samples along an axis, in cells from the low end of the computed part.
struct Stretch {
  double low = 0, high = 0;
};

/// A plane wave's box, and what monitors see of its two sides. A node on a face has the total field, H half a
/// cell beyond it the scattered one.
class Sides {
 public:
  Sides(const std::string& who, const TotalFieldBox& box, const Simulation& s, const Grid& grid)
      : who_(who), box_(box), whole_(s, bare_problem(s, grid)) {}

  const Whole& whole() const { return whole_; }
  const TotalFieldBox& box() const { return box_; }
  /// "the total-field box of source 'a' (x from -1 to 1)".
  std::string name() const {
    return fmt::format("the total-field box of {} ({})", who_, describe(box_, whole_.grid()));
  }

  Seen along(int axis, Stretch at, double slack) const {
    at = folded(axis, at);
    const auto& face = box_.face[axis];
    const double low = box_.lo[axis] - slack, high = box_.hi[axis] + slack;
    if ((face[0] && at.high < low) || (face[1] && at.low > high)) return Seen::scattered;
    return (!face[0] || at.low >= low) && (!face[1] || at.high <= high) ? Seen::total : Seen::both;
  }

  /// Of a box; the ends of planes may lie off the nodes to which those of the source were moved.
  Seen in(const std::array<Stretch, 3>& at, double slack) const {
    bool total = true;
    for (int a = 0; a < dimensions(whole_.grid().mode); ++a) {
      const Seen seen = along(a, at[a], slack);
      if (seen == Seen::scattered) return seen;
      total &= seen == Seen::total;
    }
    return total ? Seen::total : Seen::both;
  }

  std::array<Stretch, 3> stretches(const Region& e) const {
    std::array<Stretch, 3> at;
    for (int a = 0; a < 3; ++a) at[a] = {cells(a, e.lo[a]), cells(a, e.hi[a])};
    return at;
  }

  /// A plane with its E: what lies on a face of the box counts as total.
  Seen plane(const PlaneFace& f) const {
    auto at = stretches(f.extent);
    at[f.axis] = {double(f.node), double(f.node)};
    return in(at, off_nodes);
  }
  /// Whether a face of the box is part of the plane: H on its two sides is not of one kind.
  bool on_face(const PlaneFace& f) const {
    const Stretch both{f.node - 0.5, f.node + 0.5};
    return along(f.axis, both, quarter) == Seen::both && plane(f) != Seen::scattered;
  }

 private:
  static constexpr double off_nodes = 0.51, quarter = 0.25;

  double cells(int a, double x) const { return whole_.grid().index(a, x); }
  /// What lies behind a symmetry plane, by its image in the computed part.
  Stretch folded(int a, const Stretch& at) const {
    if (!whole_.mirrored(a)) return at;
    const bool low = whole_.mirror_side(a) == 0;
    const double plane = low ? 0 : whole_.grid().cells[a];
    const double first = std::abs(at.low - plane), second = std::abs(at.high - plane);
    const double near = (at.low < plane) == (at.high > plane) ? 0 : std::min(first, second);
    const double far = std::max(first, second);
    return low ? Stretch{plane + near, plane + far} : Stretch{plane - far, plane - near};
  }

  std::string who_;
  TotalFieldBox box_;
  Whole whole_;
};

void check_closed(const MonitorSpec& m, const std::vector<PlaneFace>& faces, const Sides& sides,
                  Findings& found) {
  const auto all = [&](Seen kind) {
    return std::ranges::all_of(
        faces, [&](const PlaneFace& f) { return !sides.on_face(f) && sides.plane(f) == kind; });
  };
  if (all(Seen::total) || all(Seen::scattered)) return;
  found.push_back(
      {Severity::stop,
       fmt::format("{}: its box crosses or touches {} (inside is the total field, outside the scattered one: "
                   "the incident wave does not leave the monitor as it entered); make it two cells larger "
                   "than that box for what is scattered, or two cells smaller for what is absorbed",
                   called(m), sides.name())});
}

void check_plane(const MonitorSpec& m, const PlaneFace& face, const Sides& sides, Findings& found) {
  if (sides.on_face(face)) {
    found.push_back(
        {Severity::stop,
         fmt::format("{}: its plane lies on a face of {} (the field on one side of it is the total one, on "
                     "the other the scattered one); move it by a cell or more",
                     called(m), sides.name())});
    return;
  }
  const Seen seen = sides.plane(face);
  if (seen == Seen::both)
    found.push_back(
        {Severity::warning,
         fmt::format("{}: its plane reaches out of {} (beyond it lies the scattered field alone, without the "
                     "incident wave); end the plane there, or make that box larger",
                     called(m), sides.name())});
  if (seen == Seen::scattered)
    found.push_back({Severity::note,
                     fmt::format("{}: sees scattered fields alone, outside {}", called(m), sides.name())});
}

/// Fields at points between which is interpolated.
void check_point(const MonitorSpec& m, const Sides& sides, Findings& found) {
  const Grid& g = sides.whole().grid();
  constexpr double slight = 1e-6;
  const auto point = sides.stretches({m.center, m.center});
  Seen worst = Seen::total;
  for (const Component c : recorded_components(m, g.mode)) {
    auto at = point;
    for (int a = 0; a < dimensions(g.mode); ++a) {
      const double offset = g.offset(c, a), u = at[a].low - offset;
      at[a] = {std::floor(u + slight) + offset, std::ceil(u - slight) + offset};
    }
    const Seen seen = sides.in(at, slight);
    if (seen != Seen::total && worst != Seen::both) worst = seen;
  }
  if (worst == Seen::both)
    found.push_back(
        {Severity::stop,
         fmt::format("{}: lies within a cell of a face of {} (its value would be the mean of a total and of "
                     "a scattered field); move it a cell away",
                     called(m), sides.name())});
  if (worst == Seen::scattered)
    found.push_back({Severity::note,
                     fmt::format("{}: sees the scattered field alone, outside {}", called(m), sides.name())});
}

/// Nodes, whose fields are means of the points half a cell on either side.
void check_nodes(const MonitorSpec& m, const Sides& sides, Findings& found) {
  const Grid& g = sides.whole().grid();
  auto at = sides.stretches(region_of(m, sides.whole()));
  for (int a = 0; a < dimensions(g.mode); ++a) {
    at[a] = {std::round(at[a].low), std::round(at[a].high)};
    if (at[a].low != at[a].high) continue;
    const auto mixes = [&](Component c) { return g.offset(c, a) > 0; };
    if (sides.along(a, {at[a].low - 0.5, at[a].low + 0.5}, 0.25) == Seen::both &&
        std::ranges::any_of(recorded_components(m, g.mode), mixes) && sides.in(at, 0) != Seen::scattered) {
      found.push_back(
          {Severity::stop,
           fmt::format("{}: lies on a face of {} (fields half a cell beside it would be means of a total and "
                       "of a scattered one); move it by a cell or more",
                       called(m), sides.name())});
      return;
    }
  }
  const Seen seen = sides.in(at, 0);
  if (seen != Seen::total)
    found.push_back(
        {Severity::note, fmt::format("{}: {} {}, where fields are the scattered ones alone", called(m),
                                     seen == Seen::both ? "reaches out of" : "lies outside", sides.name())});
}

void check_monitor(const MonitorSpec& m, const Sides& sides, Findings& found) {
  const Whole& whole = sides.whole();
  switch (traits_of(m).fields_at) {
    case FieldsAt::surface:
      if (m.box) return check_closed(m, faces_of(m, region_of(m, whole), true, whole), sides, found);
      return check_plane(m, faces_of(m, region_of(m, whole), false, whole).front(), sides, found);
    case FieldsAt::nodes:
      return check_nodes(m, sides, found);
    case FieldsAt::point:
      if (m.pixels.empty()) check_point(m, sides, found);
      return;
    case FieldsAt::elsewhere:
      return;
  }
}

/// The region of the whole domain that the box takes; sides without a face go on for ever.
Region region_of_box(const TotalFieldBox& box, const Whole& whole) {
  const Grid& g = whole.grid();
  Region e;
  for (int a = 0; a < dimensions(g.mode); ++a) {
    e.lo[a] = box.face[a][0] ? end_of(box, g, a, 0) : -infinity;
    e.hi[a] = box.face[a][1] ? end_of(box, g, a, 1) : infinity;
    if (whole.mirror_side(a) == 0) e.lo[a] = -e.hi[a];
    if (whole.mirror_side(a) == 1) e.hi[a] = -e.lo[a];
  }
  return e;
}

/// Whether every side has a face, an image or a period.
bool closed(const TotalFieldBox& box, const Whole& whole) {
  for (int a = 0; a < dimensions(whole.grid().mode); ++a)
    for (int side = 0; side < 2; ++side)
      if (!box.face[a][side] && whole.mirror_side(a) != side && whole.closure(a, side) != Closure::periodic)
        return false;
  return true;
}

/// Calls `look(place)` at nodes of the box's faces, at most so many along an axis.
template <class Look>
void at_faces(const TotalFieldBox& box, const Grid& g, const Look& look) {
  constexpr int most = 48;
  for (const Face& face : plane_wave_faces(box)) {
    Int3 count{1, 1, 1};
    for (int a = 0; a < 3; ++a)
      if (a != face.axis) count[a] = std::min(most, face.hi[a] - face.lo[a] + 1);
    for (int k = 0; k < count[2]; ++k)
      for (int j = 0; j < count[1]; ++j)
        for (int i = 0; i < count[0]; ++i) {
          const Int3 at{i, j, k};
          Vec3 place = g.origin;
          for (int a = 0; a < dimensions(g.mode); ++a) {
            const double part = count[a] > 1 ? double(at[a]) / (count[a] - 1) : 0.5;
            place[a] = g.place(a, a == face.axis ? face.node : face.lo[a] + part * (face.hi[a] - face.lo[a]));
          }
          look(place);
        }
  }
}

std::string text(const Vec3& at) { return fmt::format("({:.4g}, {:.4g}, {:.4g})", at[0], at[1], at[2]); }

/// The medium at the faces; a finding and nothing where they cut a body.
std::optional<int> medium_at_faces(const std::string& who, const TotalFieldBox& box, const Scene& scene,
                                   const Grid& g, Findings& found) {
  constexpr int none = -1;
  int own = none, other = none;
  Vec3 own_at{0, 0, 0}, other_at{0, 0, 0};
  at_faces(box, g, [&](const Vec3& at) {
    Vec3 cell{0, 0, 0};
    for (int a = 0; a < dimensions(g.mode); ++a) cell[a] = g.dx;
    if (scene.mixed(at - cell, at + cell)) return;
    const int here = scene.material_at(at);
    if (own == none)
      own = here, own_at = at;
    else if (other == none && here != own && !same_medium(scene.materials()[here], scene.materials()[own]))
      other = here, other_at = at;
  });
  if (other == none) return own == none ? std::nullopt : std::optional(own);
  // The background is where the wave was meant to come from.
  if (other == 0) std::swap(own, other), std::swap(own_at, other_at);
  found.push_back(
      {Severity::refusal,
       fmt::format(
           "{}: its total-field box ({}) cuts a body of {} at {}, and has {} elsewhere on its faces (an "
           "undisturbed plane wave needs one lossless medium there); make the box larger or smaller with "
           "size, or move it with center, so that bodies lie within",
           who, describe(box, g), medium_name(scene, other), text(other_at), medium_name(scene, own))});
  return std::nullopt;
}

/// What of the case lies where the wave does not light it.
void check_media(const std::string& who, const Sides& sides, const Scene& scene, Findings& found) {
  const TotalFieldBox& box = sides.box();
  const auto own = medium_at_faces(who, box, scene, sides.whole().grid(), found);
  if (!own) return;
  const Outside out = media_outside(region_of_box(box, sides.whole()), *own, sides.whole(), scene);
  if (out.other < 0) return;
  const std::string where = describe(box, sides.whole().grid()), in = medium_name(scene, *own),
                    beyond = medium_name(scene, out.other);
  if (!out.reaches_wall && closed(box, sides.whole()))
    found.push_back(
        {Severity::stop,
         fmt::format("{}: its total-field box ({}) lies inside a body of {} (outside it, at {}, there is {}: "
                     "a wave that is inside the body alone is not scattered by it); give the source a size "
                     "that goes around the body, in a domain with room for it (a box without size ends 4 "
                     "cells before the absorbing layers)",
                     who, where, in, text(out.where), beyond)});
  else
    found.push_back(
        {Severity::warning,
         fmt::format("{}: {} lies outside its total-field box ({}), at {} (the wave does not light it, only "
                     "what is scattered within does); make the box larger if it is meant to be lit",
                     who, beyond, where, text(out.where))});
}

}  // namespace

void validate_total_field(const Simulation& s, const Scene& scene, const Grid& grid, Findings& found) {
  for (const auto& line : total_field_lines(s, grid)) found.push_back({Severity::note, line});
  for (const SourceSpec& source : s.sources) {
    if (source.kind != SourceSpec::Kind::plane_wave) continue;
    const std::string who = fmt::format("source '{}'", source.name);
    try {
      const Sides sides(who, total_field_box(source, s, grid), s, grid);
      check_media(who, sides, scene, found);
      for (const MonitorSpec& m : s.monitors) try {
          check_monitor(m, sides, found);
        } catch (const BadInput&) {  // a monitor that cannot be made is refused where it is made
        }
    } catch (const BadInput& e) {
      found.push_back({Severity::refusal, e.what()});
    }
  }
}

}  // namespace umov::fdtd
