// Captions that the pictures of a dipole run share.
#include "dda/output/picture_parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "dda/observables/frame.hpp"

namespace umov::dda {

namespace {

/// Signed relative difference in per cent.
std::string difference(double ours, double exact) {
  if (exact == 0) return "";
  const double percent = 100 * (ours - exact) / exact;
  return fmt::format(" ({}{:.2f} %)", percent < 0 ? "−" : "+", std::abs(percent));
}

/// What an efficiency is the ratio of, where the light is not the same everywhere.
std::string normalisation(BeamKind kind) {
  const char* intensity = kind == BeamKind::dipole ? "the intensity of unit amplitude"
                          : kind == BeamKind::read ? "the intensity of amplitude 1 in the file"
                                                   : "the intensity at the beam's centre";
  return fmt::format("power over {} and the area πa² of the sphere of equal volume", intensity);
}

}  // namespace

std::string show_index(cplx m) {
  if (m.imag() == 0) return fmt::format("{:.5g}", m.real());
  return fmt::format("{:.5g} + {:.4g}i", m.real(), m.imag());
}

std::string show_index(const CVec3& m) {
  if (m[0] == m[1] && m[1] == m[2]) return "m = " + show_index(m[0]);
  return fmt::format("m = ({}, {}, {})", show_index(m[0]), show_index(m[1]), show_index(m[2]));
}

std::string shape_name(const Outcome& o) {
  static const std::map<std::string, std::string> spelled_out = {{"axisymmetric", "body of revolution"},
                                                                 {"bicoated", "two coated spheres"},
                                                                 {"biellipsoid", "two ellipsoids"},
                                                                 {"bisphere", "two spheres"},
                                                                 {"chebyshev", "Chebyshev particle"},
                                                                 {"coated", "coated sphere"},
                                                                 {"coated2", "sphere in two coats"},
                                                                 {"egg", "egg-shaped particle"},
                                                                 {"onion", "layered sphere"},
                                                                 {"onion_ell", "layered ellipsoid"},
                                                                 {"rbc", "red blood cell"},
                                                                 {"read", "particle from a file"},
                                                                 {"spherebox", "sphere in a cube"}};
  const auto& name = o.simulation.shape.shape;
  const auto& arguments = o.simulation.shape.arguments;
  if (name == "prism" && !arguments.empty() && arguments[0] == 6) return "hexagonal prism";
  const auto found = spelled_out.find(name);
  return found == spelled_out.end() ? name : found->second;
}

std::string particle_caption(const Outcome& o) {
  const double x = o.simulation.wavenumber() * o.particle.eq_radius;
  std::string s = fmt::format("{}, size parameter x = {:.4g}", shape_name(o), x);
  if (o.simulation.m.size() == 1) s += ", " + show_index(o.simulation.m[0]);
  return s + fmt::format(", {} dipoles", pictures::grouped(o.particle.dipoles())) + beam_caption(o);
}

std::string light_name(const Outcome& o) {
  switch (o.simulation.beam.kind) {
    case BeamKind::plane:
      return "light";
    case BeamKind::dipole:
      return "the field of a point dipole";
    case BeamKind::read:
      return "a field from a file";
    default:
      return "a Gaussian beam";
  }
}

std::string beam_caption(const Outcome& o) {
  static const std::map<BeamKind, std::string> gaussian{
      {BeamKind::lminus, "lminus"}, {BeamKind::davis3, "davis3"}, {BeamKind::barton5, "barton5"}};
  const Beam& beam = o.simulation.beam;
  if (beam.kind == BeamKind::plane) return "";
  if (beam.kind == BeamKind::read) return "; incident field from a file";
  const auto found = gaussian.find(beam.kind);
  const std::string kind = found == gaussian.end()
                               ? "point dipole"
                               : fmt::format("beam {}, waist {:.4g} µm", found->second, beam.width);
  const Vec3& at = beam.center;
  return fmt::format("; {}, centre ({:.4g}, {:.4g}, {:.4g}) µm", kind, at[0], at[1], at[2]);
}

std::optional<Vec3> beam_centre(const Outcome& o) {
  const Simulation& sim = o.simulation;
  if (sim.beam.kind == BeamKind::plane || sim.beam.kind == BeamKind::read) return {};
  return make_beam_frame(sim.propagation, sim.orientation, sim.beam.center).beam_center;
}

std::string unconverged_note(const Outcome& o) { return o.converged ? "" : "  (not converged)"; }

std::string efficiency_caption(const Outcome& o, const MieComparison* mie) {
  if (o.polarizations.empty() || o.particle.eq_radius <= 0) return "";
  double cext = 0;
  for (const auto& p : o.polarizations) cext += p.cross.cext / double(o.polarizations.size());
  const double qext = cext / (pi * o.particle.eq_radius * o.particle.eq_radius);
  const std::string per_beam =
      o.simulation.beam.kind == BeamKind::plane ? "" : " (" + normalisation(o.simulation.beam.kind) + ")";
  if (!mie || mie->qext <= 0) return fmt::format("Qext = {:.5g}{}", qext, per_beam);
  return fmt::format("Qext = {:.5g}, Mie {:.5g}{}", qext, mie->qext, difference(qext, mie->qext));
}

}  // namespace umov::dda
