// Frames of reference of the incident wave.
#include "dda/scheme/frames.hpp"

#include <cmath>

#include "core/error.hpp"

namespace umov::dda {
namespace {

/// Components below this count as zero when a direction is compared with the z axis, as in ADDA.
constexpr double roundoff = 1e-15;

bool along_z(const Vec3& a) { return std::abs(a[0]) < roundoff && std::abs(a[1]) < roundoff; }

}  // namespace

Vec3 transformed(const Matrix3& m, const Vec3& v) { return {dot(m[0], v), dot(m[1], v), dot(m[2], v)}; }

IncidentFrame laboratory_frame(const Vec3& propagation, const Vec3& beam_center) {
  const double length = norm(propagation);
  if (!(length > 0) || !std::isfinite(length))
    throw BadInput(
        "propagation vector has no direction (its length is zero or not a number); give "
        "three finite numbers, not all zero");
  IncidentFrame f;
  f.beam_center = beam_center;
  const Vec3 a = (1 / length) * propagation;
  f.propagation = a;
  if (along_z(a)) {
    f.pol_x = {std::copysign(1.0, a[2]), 0, 0};
    f.pol_y = {0, 1, 0};
    return f;
  }
  const double s = std::sqrt(1 - a[2] * a[2]);
  f.pol_x = {a[0] * a[2] / s, a[1] * a[2] / s, -s};
  f.pol_y = {-a[1] / s, a[0] / s, 0};
  return f;
}

Matrix3 rotation_to_particle(const Orientation& o) {
  const double rad = pi / 180;
  const double ca = std::cos(o.alpha * rad), sa = std::sin(o.alpha * rad);
  const double cb = std::cos(o.beta * rad), sb = std::sin(o.beta * rad);
  const double cg = std::cos(o.gamma * rad), sg = std::sin(o.gamma * rad);
  return {{{ca * cb * cg - sa * sg, sa * cb * cg + ca * sg, -sb * cg},
           {-ca * cb * sg - sa * cg, -sa * cb * sg + ca * cg, sb * sg},
           {ca * sb, sa * sb, cb}}};
}

IncidentFrame particle_frame(const IncidentFrame& lab, const Matrix3& rotation) {
  return {transformed(rotation, lab.propagation), transformed(rotation, lab.pol_y),
          transformed(rotation, lab.pol_x), transformed(rotation, lab.beam_center)};
}

Vec3 scattering_plane_axis(const IncidentFrame& lab, const Matrix3& rotation) {
  const Vec3& a = lab.propagation;
  if (std::abs(a[2]) == 1) return transformed(rotation, a[2] * lab.pol_x);
  const Vec3 flat{a[0], a[1], 0};
  return transformed(rotation, (1 / norm(flat)) * flat);
}

}  // namespace umov::dda
