// Box, direction and medium of a plane wave, checked against walls and materials.
#include "fdtd/sources/plane_wave.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "fdtd/sources/faces.hpp"
#include "fdtd/sources/local.hpp"
#include "fdtd/sources/plane_wave_faces.hpp"

namespace umov::fdtd {
namespace {

constexpr int margin = 4;  ///< cells between the absorbing layers and a face by default

bool periodic(const Problem& p, int axis) { return p.walls[axis][0] == Closure::periodic; }

/// Angles of whole quarter turns give exact zeros.
double clean(double x) { return std::abs(x) < 1e-12 ? 0.0 : x; }

}  // namespace

WaveDirection wave_direction(const SourceSpec& spec, const Grid& g, const std::string& owner) {
  WaveDirection wave;
  const double theta = dimensions(g.mode) == 3 ? spec.theta * pi / 180 : pi / 2, phi = spec.phi * pi / 180;
  const double st = std::sin(theta), ct = std::cos(theta), sp = std::sin(phi), cp = std::cos(phi);
  wave.travel = {clean(st * cp), clean(st * sp), clean(ct)};
  if (g.mode == Mode::one && wave.travel[1] != 0)
    throw BadInput(fmt::format("{}: phi is {:g} (in one dimension waves travel along x); give 0 or 180",
                               owner, spec.phi));
  const Vec3 e_theta{ct * cp, ct * sp, -st}, e_phi{-sp, cp, 0};
  const double turn = spec.polarization_angle * pi / 180;
  switch (g.mode) {
    case Mode::full:
      wave.polarization = std::cos(turn) * e_theta + std::sin(turn) * e_phi;
      break;
    case Mode::te:
      wave.polarization = e_phi;
      break;
    default:
      wave.polarization = {0, 0, 1};
  }
  for (double& x : wave.polarization) x = clean(x);
  return wave;
}

namespace {

void set_direction(const SourceSpec& spec, const Grid& g, const std::string& owner, PlaneWaveSetup& wave) {
  const WaveDirection own = wave_direction(spec, g, owner);
  wave.direction = own.travel;
  wave.polarization = own.polarization;
}

bool has_absorber(const Problem& p, int axis, int side) { return p.pml[axis][side].layers > 0; }

/// Whether a wave along a wall satisfies its condition without being disturbed.
bool fits(Closure wall, const PlaneWaveSetup& w, int axis) {
  const Vec3 field = wall == Closure::pec ? w.polarization : cross(w.direction, w.polarization);
  for (int b = 0; b < 3; ++b)
    if (b != axis && std::abs(field[b]) > 1e-9) return false;
  return true;
}

/// First node that a face may have on one side, past the layers; default nodes are `margin` further in.
int innermost(const Problem& p, int axis, int side) {
  const int layers = p.pml[axis][side].layers;
  return side == 0 ? layers + 1 : p.grid.cells[axis] - layers - 1;
}

void require_clear(const Problem& p, int axis, int side, int node, const std::string& owner) {
  const int limit = innermost(p, axis, side);
  if (side == 0 ? node >= limit : node <= limit) return;
  const auto place = [&](int i) { return p.grid.place(axis, i); };
  throw BadInput(
      fmt::format("{}: a face of its total-field box lies at {} = {:g} (absorbing layers and one cell "
                  "end at {:g}); make the box smaller or the domain larger",
                  owner, "xyz"[axis], place(node), place(limit)));
}

/// The side's face where the user or the default puts it, or none where the wave may go on through the wall.
void set_side(const SourceSpec& spec, const Problem& p, const std::string& owner, int a, int side,
              PlaneWaveSetup& w) {
  const int n = p.grid.cells[a], end = side == 0 ? 0 : n;
  int& node = side == 0 ? w.box.lo[a] : w.box.hi[a];
  bool& face = w.box.face[a][side];
  node = end;
  face = false;
  if (!p.grid.active(a) || periodic(p, a)) return;
  const bool given = spec.size[a] > 0;
  if (given) {
    const double at = spec.center[a] + (side == 0 ? -0.5 : 0.5) * spec.size[a];
    node = int(std::lround(p.grid.index(a, at)));
  }
  const bool reaches = side == 0 ? node <= 0 : node >= n;
  const bool along = w.direction[a] == 0, leaving = (w.direction[a] > 0) == (side == 1);
  if (reaches && !has_absorber(p, a, side)) {
    node = end;
    if (along && fits(p.walls[a][side], w, a)) return;
    if (!along && leaving && std::abs(w.direction[a]) == 1) return;
    if (given)
      throw BadInput(
          fmt::format("{}: its box reaches the wall at {} = {:g} (the wave does not satisfy that "
                      "wall's condition); end the box before it, or turn the wave",
                      owner, "xyz"[a], p.grid.place(a, end)));
  }
  if (reaches && given && along) {
    node = end;
    return;
  }
  face = true;
  if (!given) node = innermost(p, a, side) + (side == 0 ? margin - 1 : 1 - margin);
  require_clear(p, a, side, node, owner);
}

/// With faces on one axis only and no extent given, the total field goes on to the far wall.
void open_far_end(const SourceSpec& spec, const Problem& p, PlaneWaveSetup& w) {
  int axes = 0, axis = 0;
  for (int a = 0; a < 3; ++a)
    if (w.box.face[a][0] || w.box.face[a][1]) axis = a, ++axes;
  if (axes != 1 || spec.size[axis] > 0 || w.direction[axis] == 0) return;
  const int far = w.direction[axis] > 0 ? 1 : 0;
  w.box.face[axis][far] = false;
  (far == 1 ? w.box.hi : w.box.lo)[axis] = far == 1 ? p.grid.cells[axis] : 0;
}

void require_box(const Problem& p, const PlaneWaveSetup& w, const std::string& owner) {
  bool any = false;
  for (int a = 0; a < 3; ++a) {
    any = any || w.box.face[a][0] || w.box.face[a][1];
    if (p.grid.active(a) && w.box.hi[a] < w.box.lo[a] + 1)
      throw BadInput(
          fmt::format("{}: no room for its total-field box along {} ({} cells between the absorbing "
                      "layers); enlarge the domain",
                      owner, "xyz"[a], p.grid.cells[a] - p.pml[a][0].layers - p.pml[a][1].layers));
  }
  if (!any)
    throw BadInput(owner +
                   ": its total-field box has no face (the wave would enter nowhere); turn the wave or "
                   "put absorbing layers where it comes from");
}

/// The wave vector along periods is the walls'; along the other axes the direction is free.
void set_family(const Problem& p, double carrier, const std::string& owner, PlaneWaveSetup& w) {
  const double k = w.index * carrier;
  Vec3 along{0, 0, 0};
  for (int a = 0; a < 3; ++a) {
    if (!p.grid.active(a)) continue;
    if (!periodic(p, a)) {
      along[a] = w.direction[a];
      continue;
    }
    const double length = p.grid.length(a), wanted = k * w.direction[a];
    double& fixed = w.family.fixed[a];
    fixed =
        (p.bloch_phase[a] + 2 * pi * std::round((wanted * length - p.bloch_phase[a]) / (2 * pi))) / length;
    if (std::abs(fixed - wanted) > 0.02 * k)
      throw BadInput(
          fmt::format("{}: its direction does not fit the period along {} (wave number {:g} against "
                      "the walls' {:g}, in 2 pi / unit); use bloch walls with {:g}",
                      owner, "xyz"[a], wanted / (2 * pi), fixed / (2 * pi), wanted / (2 * pi)));
    if (fixed != 0 && !p.complex_fields)
      throw BadInput(
          fmt::format("{}: it is oblique to the period along {} (real fields cannot carry the phase); "
                      "use bloch walls with {:g}",
                      owner, "xyz"[a], wanted / (2 * pi)));
  }
  if (norm(along) == 0)
    throw BadInput(owner + ": travels along the period only (it would enter nowhere); turn it");
  const double sine = cutoff_on_grid(p.grid, w.family) / carrier;
  if (sine > std::sin(89.5 * pi / 180))
    throw BadInput(fmt::format(
        "{}: grazes its face (the wave number along the periods is {:.6g} of that in the medium; above 89.5 "
        "degrees nothing gets in); give bloch and direction a smaller angle",
        owner, sine));
  w.family.along = (1 / norm(along)) * along;
}

/// The incident wave is one of cells of one edge along an axis: where it changes along a graded axis, those
/// between the faces have to be alike; at a lone face, those beside it.
void set_edges(const Problem& p, const std::string& owner, PlaneWaveSetup& w) {
  const Grid& g = p.grid;
  if (!g.graded()) return;
  int faces = 0;
  for (int a = 0; a < 3; ++a)
    for (int side = 0; side < 2; ++side) faces += w.box.face[a][side];
  for (int a = 0; a < dimensions(g.mode); ++a) {
    if (w.family.fixed[a] != 0) {
      if (!g.even(a, 0, g.cells[a]))
        throw BadInput(fmt::format(
            "{}: is oblique to the period along {}, whose cells differ (its phase from cell to cell is "
            "that of one edge); give that axis equal cells, by grid.{} = [[from, to, edge]]",
            owner, "xyz"[a], "xyz"[a]));
      w.family.edge[a] = g.edge(a, 0);
      continue;
    }
    if (w.family.along[a] == 0) continue;
    const bool lone = faces == 1;
    const int node = w.box.face[a][0] ? w.box.lo[a] : w.box.hi[a];
    const int from = std::max(0, lone ? node - 2 : w.box.lo[a] - 1),
              to = std::min(g.cells[a], lone ? node + 2 : w.box.hi[a] + 1);
    if (!g.even(a, from, to))
      throw BadInput(fmt::format(
          "{}: cells of different edges along {} {} (the incident wave would not be one of the grid there, "
          "and "
          "leak into the scattered field); give grid.{} equal cells from {:.6g} to {:.6g}, or take a uniform "
          "grid",
          owner, "xyz"[a], lone ? "at the face where it enters" : "between the faces of its total-field box",
          "xyz"[a], g.place(a, from), g.place(a, to)));
    w.family.edge[a] = g.edge(a, from);
  }
}

}  // namespace

std::vector<Face> plane_wave_faces(const TotalFieldBox& box) {
  std::vector<Face> faces;
  for (int a = 0; a < 3; ++a)
    for (int side = 0; side < 2; ++side)
      if (box.face[a][side]) faces.push_back({a, side, side == 0 ? box.lo[a] : box.hi[a], box.lo, box.hi});
  return faces;
}

namespace {

PlaneWaveSetup box_and_direction(const SourceSpec& spec, const Problem& p, const std::string& owner) {
  PlaneWaveSetup w;
  set_direction(spec, p.grid, owner, w);
  for (int a = 0; a < 3; ++a)
    for (int side = 0; side < 2; ++side) set_side(spec, p, owner, a, side, w);
  open_far_end(spec, p, w);
  require_box(p, w, owner);
  return w;
}

}  // namespace

void require_mirror_image(const SourceSpec& spec, const Grid& g, const std::string& owner, int axis,
                          bool even) {
  PlaneWaveSetup w;
  set_direction(spec, g, owner, w);
  const char name = "xyz"[axis];
  // Against the plane it is a wave against a wall.
  if (std::abs(w.direction[axis]) == 1) return;
  if (w.direction[axis] != 0)
    throw BadInput(fmt::format(
        "{}: travels at an angle to the symmetry plane {} = 0 (its mirror image is another wave); "
        "turn it along the plane, or compute the whole domain",
        owner, name));
  const Closure own = even ? Closure::pmc : Closure::pec, other = even ? Closure::pec : Closure::pmc;
  if (fits(own, w, axis)) return;
  const char* const kind = even ? "mirror_even" : "mirror_odd";
  if (!fits(other, w, axis))
    throw BadInput(
        fmt::format("{}: its E is askew to the symmetry plane {} = 0 (no mirror image of it is itself); turn "
                    "polarization_angle until E is along or across the plane, or compute the whole domain",
                    owner, name));
  throw BadInput(fmt::format(
      "{}: its E is {} the symmetry plane {} = 0, and {} asks for E {} it (the wave would not be its own "
      "mirror image); make that wall {}{}",
      owner, even ? "across" : "along", name, kind, even ? "along" : "across",
      even ? "mirror_odd" : "mirror_even",
      dimensions(g.mode) == 3 ? ", or turn polarization_angle by 90" : ""));
}

TotalFieldBox plane_wave_box(const SourceSpec& spec, const Problem& p, const std::string& owner) {
  return box_and_direction(spec, p, owner).box;
}

PlaneWaveSetup plane_wave_setup(const SourceSpec& spec, const Problem& p, const std::string& owner) {
  PlaneWaveSetup w = box_and_direction(spec, p, owner);
  const auto medium = uniform_medium(p, plane_wave_faces(w.box), owner);
  w.family.eps = medium[0];
  w.family.mu = medium[1];
  w.index = std::sqrt(medium[0] * medium[1]);
  w.impedance = std::sqrt(medium[1] / medium[0]);
  set_family(p, Signal(spec.waveform, owner).carrier(), owner, w);
  set_edges(p, owner, w);
  const auto timing = plane_wave_timing(p, w, Signal(spec.waveform, owner));
  w.entry = double(timing.lead) * p.grid.dt - w.index * timing.first_place;
  return w;
}

}  // namespace umov::fdtd
