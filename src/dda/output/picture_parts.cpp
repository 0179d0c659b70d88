// Captions that the pictures of a dipole run share.
#include "dda/output/picture_parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace umov::dda {

namespace {

/// Signed relative difference in per cent.
std::string difference(double ours, double exact) {
  if (exact == 0) return "";
  const double percent = 100 * (ours - exact) / exact;
  return fmt::format(" ({}{:.2f} %)", percent < 0 ? "−" : "+", std::abs(percent));
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
  const double x = 2 * pi * o.particle.eq_radius / o.simulation.wavelength;
  std::string s = fmt::format("{}, size parameter x = {:.4g}", shape_name(o), x);
  if (o.simulation.m.size() == 1) s += ", " + show_index(o.simulation.m[0]);
  return s + fmt::format(", {} dipoles", pictures::grouped(o.particle.dipoles()));
}

std::string unconverged_note(const Outcome& o) { return o.converged ? "" : "  (not converged)"; }

std::string efficiency_caption(const Outcome& o, const MieComparison* mie) {
  if (o.polarizations.empty() || o.particle.eq_radius <= 0) return "";
  double cext = 0;
  for (const auto& p : o.polarizations) cext += p.cross.cext / double(o.polarizations.size());
  const double qext = cext / (pi * o.particle.eq_radius * o.particle.eq_radius);
  if (!mie || mie->qext <= 0) return fmt::format("Qext = {:.5g}", qext);
  return fmt::format("Qext = {:.5g}, Mie {:.5g}{}", qext, mie->qext, difference(qext, mie->qext));
}

}  // namespace umov::dda
