// The part of ADDA's log that describes particle and light.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/adda/adda.hpp"
#include "results/adda/writers.hpp"

namespace umov::results::adda {

namespace {

std::string short_vector(const Vec3& v) { return fmt::format("({:g},{:g},{:g})", v[0], v[1], v[2]); }

std::string tensor(const CVec3& m) {
  return fmt::format("({},{},{})", complex_text(m[0]), complex_text(m[1]), complex_text(m[2]));
}

std::string refractive_indices(const dda::Simulation& sim, int materials) {
  const auto one = [&](int i) {
    if (i >= int(sim.m.size())) return std::string("not specified");
    return sim.anisotropic ? tensor(sim.m[i]) : complex_text(sim.m[i][0]);
  };
  std::string text =
      sim.anisotropic ? "refractive index (diagonal elements of the tensor):\n" : "refractive index: ";
  for (int i = 0; i < materials; ++i) {
    if (sim.anisotropic)
      text += "    ";
    else if (i > 0)
      text += "                  ";
    if (materials > 1) text += fmt::format("{}. ", i + 1);
    text += one(i) + "\n";
  }
  return text;
}

/// Shapes without a volume formula keep the extent instead.
bool volume_corrected(const shapes::Request& shape) {
  const auto none = {"read", "axisymmetric", "line", "rbc"};
  return shape.volume_correction && std::find(none.begin(), none.end(), shape.shape) == none.end();
}

std::string granules(const dda::Outcome& o) {
  const auto& asked = o.simulation.shape.granules;
  if (!asked) return "";
  const auto& count = o.particle.dipoles_per_material;
  const double inside = double(count.back());
  const double whole = inside + double(count[std::size_t(asked->domain) - 1]);
  return fmt::format(
      "  domain {} is filled with {} granules of diameter {:g}\n"
      "    volume fraction: specified - {:g}, actual - {:g}\n",
      asked->domain, o.particle.granule_positions.size(), o.particle.granule_diameter, asked->fraction,
      whole > 0 ? inside / whole : 0.0);
}

std::string dipole_size(const shapes::Particle& p, const Vec3& ratio) {
  if (ratio == Vec3{1, 1, 1}) return fmt::format("Dipole size: {:g} (cubical)\n", p.spacing[0]);
  return fmt::format("Dipole size: {:g}x{:g}x{:g} (relative ratios {:g}:{:g}:{:g})\n", p.spacing[0],
                     p.spacing[1], p.spacing[2], ratio[0], ratio[1], ratio[2]);
}

std::string beam_description(const dda::Simulation& sim) {
  const auto& beam = sim.beam;
  const auto gaussian = [&](const char* order) {
    const double s = sim.wavelength / (2 * pi * beam.width);
    return fmt::format("Gaussian beam ({})\n\tWidth={:g} (confinement factor s={:g})", order, beam.width, s);
  };
  switch (beam.kind) {
    case dda::BeamKind::plane:
      return "plane wave";
    case dda::BeamKind::lminus:
      return gaussian("L- approximation");
    case dda::BeamKind::davis3:
      return gaussian("3rd order approximation, by Davis");
    case dda::BeamKind::barton5:
      return gaussian("5th order approximation, by Barton");
    case dda::BeamKind::dipole:
      return "point dipole";
    case dda::BeamKind::read:
      break;
  }
  if (beam.file_x.empty()) return fmt::format("specified by file '{}'", beam.file_y);
  return fmt::format("specified by files '{}' and '{}'", beam.file_y, beam.file_x);
}

struct Frame {
  Vec3 center, propagation, y, x;
};

/// Incident polarizations: the laboratory's y- and x-axes turned with the z-axis onto the propagation vector.
Frame laboratory_frame(const dda::Simulation& sim, const Vec3& k) {
  Frame f{sim.beam.center, k, {0, 1, 0}, {std::copysign(1.0, k[2]), 0, 0}};
  const double sine = std::hypot(k[0], k[1]);
  if (sine < 1e-15) return f;
  f.y = {-k[1] / sine, k[0] / sine, 0};
  f.x = {k[0] * k[2] / sine, k[1] * k[2] / sine, -sine};
  return f;
}

/// The rotation from laboratory to particle frame (Mishchenko 2000, Appl. Opt. 39, 1026, eq. 5).
Vec3 to_particle(const dda::Orientation& o, const Vec3& v) {
  const double rad = pi / 180;
  const double ca = std::cos(o.alpha * rad), sa = std::sin(o.alpha * rad), cb = std::cos(o.beta * rad);
  const double sb = std::sin(o.beta * rad), cg = std::cos(o.gamma * rad), sg = std::sin(o.gamma * rad);
  const Vec3 rows[3] = {{ca * cb * cg - sa * sg, sa * cb * cg + ca * sg, -sb * cg},
                        {-ca * cb * sg - sa * cg, -sa * cb * sg + ca * cg, sb * sg},
                        {ca * sb, sa * sb, cb}};
  return {dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)};
}

std::string frame_text(const Frame& f, bool dipole) {
  std::string text = "Incident beam center position: " + short_vector(f.center) + "\n";
  text += "Incident propagation vector: " + short_vector(f.propagation) + "\n";
  if (dipole) return text + "(dipole orientation)\n";
  text += "Incident polarization Y(par): " + short_vector(f.y) + "\n";
  return text + "Incident polarization X(per): " + short_vector(f.x) + "\n";
}

std::string orientation_text(const dda::Outcome& o, const Frame& lab, bool dipole) {
  const auto& e = o.simulation.orientation;
  if (e.average) return "Particle orientation - averaged\n\n";
  if (e.alpha == 0 && e.beta == 0 && e.gamma == 0) return "Particle orientation: default\n\n";
  const Frame turned{to_particle(e, lab.center), to_particle(e, lab.propagation), to_particle(e, lab.y),
                     to_particle(e, lab.x)};
  return fmt::format(
      "Particle orientation (deg): alpha={:g}, beta={:g}, gamma={:g}\n\n"
      "---In particle reference frame:---\n{}\n",
      e.alpha, e.beta, e.gamma, frame_text(turned, dipole));
}

}  // namespace

std::string log_particle(const dda::Outcome& o) {
  const auto& sim = o.simulation;
  const auto& p = o.particle;
  std::string text = fmt::format("lambda: {:.10g}\nshape: {}\n", sim.wavelength, p.description) + granules(o);
  text += fmt::format("box dimensions: {}x{}x{}\n", p.box[0], p.box[1], p.box[2]);
  text += refractive_indices(sim, p.materials) + dipole_size(p, sim.shape.rectangular);
  text += fmt::format("Dipoles/lambda: {:g}\n", p.dpl);
  if (volume_corrected(sim.shape)) text += "\t(Volume correction used)\n";
  text += fmt::format("Required relative residual norm: {:g}\n", sim.solver.epsilon);
  text += fmt::format("Total number of occupied dipoles: {}\n", p.dipoles());
  for (std::size_t i = 0; p.materials > 1 && i < p.dipoles_per_material.size(); ++i) {
    text += fmt::format("{}{}. {}\n", i == 0 ? "  per domain: " : "              ", i + 1,
                        p.dipoles_per_material[i]);
  }
  return text +
         fmt::format("Volume-equivalent size parameter: {:.10g}\n", 2 * pi / sim.wavelength * p.eq_radius);
}

std::string log_light(const dda::Outcome& o) {
  const bool dipole = o.simulation.beam.kind == dda::BeamKind::dipole;
  const Frame lab = laboratory_frame(o.simulation, o.propagation);
  return "\n---In laboratory reference frame:---\nIncident beam: " + beam_description(o.simulation) + "\n" +
         frame_text(lab, dipole) + "\n" + orientation_text(o, lab, dipole);
}

}  // namespace umov::results::adda

namespace umov::results {

std::string adda_alldir_note(const AngleRange& theta, const AngleRange& phi) {
  return fmt::format(
      "\nScattered field is calculated for all directions (for integrated scattering quantities)\n"
      "theta: from {:g} to {:g} in (up to) {} steps (equally spaced in cosine values)\n"
      "phi: from {:g} to {:g} in (up to) {} steps\n"
      "see files 'log_int_***' for details\n\n",
      theta.first, theta.last, theta.n, phi.first, phi.last, phi.n);
}

std::string adda_scat_grid_note(const AngleRange& theta, const AngleRange& phi, bool phi_integrated) {
  const auto line = [](const char* name, const AngleRange& a) {
    return a.listed ? fmt::format("{}: {} given values\n", name, a.n)
                    : fmt::format("{}: from {:g} to {:g} in {} steps\n", name, a.first, a.last, a.n);
  };
  return "\nScattered field is calculated for multiple directions\n" + line("theta", theta) +
         line("phi", phi) + (phi_integrated ? "(Mueller matrix is integrated over phi)\n" : "") + "\n";
}

}  // namespace umov::results
