// Rotations between laboratory, particle and beam.
#include "dda/observables/frame.hpp"

#include "core/error.hpp"

namespace umov::dda {
namespace {

constexpr double round_error = 1e-15;  // components below are zero for symmetry; same value as ADDA's

bool vanishes(double a) { return std::abs(a) < round_error; }

/// Incident polarizations in the laboratory: the axes x and y carried along when z is turned to `prop`.
void polarizations(const Vec3& prop, Vec3& x, Vec3& y) {
  if (vanishes(prop[0]) && vanishes(prop[1])) {
    x = {std::copysign(1.0, prop[2]), 0, 0};
    y = {0, 1, 0};
    return;
  }
  const double s = std::sqrt(1 - prop[2] * prop[2]);
  x = {prop[0] * prop[2] / s, prop[1] * prop[2] / s, -s};
  y = {-prop[1] / s, prop[0] / s, 0};
}

/// Rows of the matrix that takes laboratory components to particle components (Mishchenko 2000,
/// transposed: the particle stays, everything else turns).
std::array<Vec3, 3> rotation(const Orientation& o) {
  const double degree = pi / 180;
  const double ca = std::cos(o.alpha * degree), sa = std::sin(o.alpha * degree);
  const double cb = std::cos(o.beta * degree), sb = std::sin(o.beta * degree);
  const double cg = std::cos(o.gamma * degree), sg = std::sin(o.gamma * degree);
  return {Vec3{ca * cb * cg - sa * sg, sa * cb * cg + ca * sg, -sb * cg},
          Vec3{-ca * cb * sg - sa * cg, -sa * cb * sg + ca * cg, sb * sg}, Vec3{ca * sb, sa * sb, cb}};
}

}  // namespace

BeamFrame make_beam_frame(const Vec3& propagation, const Orientation& orientation) {
  const double length = norm(propagation);
  if (!(length > 0) || !std::isfinite(length)) {
    throw BadInput(
        "the propagation vector has no direction (its length is zero or not finite); "
        "give three numbers that are not all zero");
  }
  const Vec3 prop = (1 / length) * propagation;
  Vec3 x, y;
  polarizations(prop, x, y);
  Vec3 plane{prop[0], prop[1], 0};
  if (std::abs(prop[2]) == 1) {
    plane = prop[2] * x;
  } else {
    plane = (1 / norm(plane)) * plane;
  }
  const auto r = rotation(orientation);
  auto turn = [&](const Vec3& v) { return Vec3{dot(r[0], v), dot(r[1], v), dot(r[2], v)}; };
  BeamFrame f;
  f.propagation = turn(prop);
  f.pol_x = turn(x);
  f.pol_y = turn(y);
  f.ex_lab = turn({1, 0, 0});
  f.ey_lab = turn({0, 1, 0});
  f.ez_lab = turn({0, 0, 1});
  f.plane_x = turn(plane);
  return f;
}

shapes::Symmetry scattering_symmetry(const shapes::Symmetry& particle, const BeamFrame& frame,
                                     const Vec3& beam_center, std::span<const CVec3> m, SymmetryUse use) {
  if (use == SymmetryUse::none) return {false, false, false, false};
  if (use == SymmetryUse::enforce) return {true, true, true, true};
  shapes::Symmetry s = particle;
  for (const Vec3& v : {frame.propagation, beam_center}) {
    s.x = s.x && vanishes(v[0]);
    s.y = s.y && vanishes(v[1]);
    s.z = s.z && vanishes(v[2]);
    s.rotation_z = s.rotation_z && vanishes(v[0]) && vanishes(v[1]);
  }
  for (const CVec3& index : m) s.rotation_z = s.rotation_z && index[0] == index[1];
  return s;
}

bool needs_full_circle(const shapes::Symmetry& s, const Vec3& v) {
  const bool turned_in_xy = s.rotation_z || ((s.x || vanishes(v[0])) && (s.y || vanishes(v[1])));
  return !(turned_in_xy && (s.z || vanishes(v[2])));
}

Vec3 quarter_turn(const BeamFrame& f, const Vec3& v) {
  return dot(v, f.pol_x) * f.pol_y - dot(v, f.pol_y) * f.pol_x + dot(v, f.propagation) * f.propagation;
}

CVec3 quarter_turn_back(const BeamFrame& f, const CVec3& v) {
  const cplx x = dot(v, f.pol_y), y = -dot(v, f.pol_x), z = dot(v, f.propagation);
  CVec3 out;
  for (int i = 0; i < 3; ++i) out[i] = x * f.pol_x[i] + y * f.pol_y[i] + z * f.propagation[i];
  return out;
}

}  // namespace umov::dda
