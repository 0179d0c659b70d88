// The beam on a particle: its vectors, its symmetry, its quarter turns.
#include "dda/observables/frame.hpp"

namespace umov::dda {
namespace {

constexpr double round_error = 1e-15;  // components below are zero for symmetry; same value as ADDA's

bool vanishes(double a) { return std::abs(a) < round_error; }

}  // namespace

BeamFrame make_beam_frame(const Vec3& propagation, const Orientation& orientation, const Vec3& beam_center) {
  const IncidentFrame laboratory = laboratory_frame(propagation, beam_center);
  const Matrix3 rotation = rotation_to_particle(orientation);
  return {particle_frame(laboratory, rotation), transformed(rotation, {1, 0, 0}),
          transformed(rotation, {0, 1, 0}), transformed(rotation, {0, 0, 1}),
          scattering_plane_axis(laboratory, rotation)};
}

shapes::Symmetry scattering_symmetry(const shapes::Symmetry& particle, const BeamFrame& frame,
                                     std::span<const CVec3> m, SymmetryUse use) {
  if (use == SymmetryUse::none) return {false, false, false, false};
  if (use == SymmetryUse::enforce) return {true, true, true, true};
  shapes::Symmetry s = particle;
  for (const Vec3& v : {frame.propagation, frame.beam_center}) {
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
