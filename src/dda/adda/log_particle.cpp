// The part of ADDA's log that describes particle and light.
#include <fmt/format.h>

#include "dda/adda/writers.hpp"
#include "dda/observables/frame.hpp"

namespace umov::dda::adda {

namespace {

std::string short_vector(const Vec3& v) { return fmt::format("({:g},{:g},{:g})", v[0], v[1], v[2]); }

std::string tensor(const CVec3& m) {
  return fmt::format("({},{},{})", complex_text(m[0]), complex_text(m[1]), complex_text(m[2]));
}

std::string refractive_indices(const Simulation& sim, int materials) {
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

std::string granules(const Outcome& o) {
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

std::string beam_description(const Simulation& sim) {
  const auto& beam = sim.beam;
  const auto gaussian = [&](const char* order) {
    const double s = 1 / (sim.wavenumber() * beam.width);
    return fmt::format("Gaussian beam ({})\n\tWidth={:g} (confinement factor s={:g})", order, beam.width, s);
  };
  switch (beam.kind) {
    case BeamKind::plane:
      return "plane wave";
    case BeamKind::lminus:
      return gaussian("L- approximation");
    case BeamKind::davis3:
      return gaussian("3rd order approximation, by Davis");
    case BeamKind::barton5:
      return gaussian("5th order approximation, by Barton");
    case BeamKind::dipole:
      return "point dipole";
    case BeamKind::read:
      break;
  }
  if (beam.file_x.empty()) return fmt::format("specified by file '{}'", beam.file_y);
  return fmt::format("specified by files '{}' and '{}'", beam.file_y, beam.file_x);
}

std::string frame_text(const IncidentFrame& f, bool dipole) {
  std::string text = "Incident beam center position: " + short_vector(f.beam_center) + "\n";
  text += "Incident propagation vector: " + short_vector(f.propagation) + "\n";
  if (dipole) return text + "(dipole orientation)\n";
  text += "Incident polarization Y(par): " + short_vector(f.pol_y) + "\n";
  return text + "Incident polarization X(per): " + short_vector(f.pol_x) + "\n";
}

std::string orientation_text(const Simulation& sim, bool dipole) {
  const auto& e = sim.orientation;
  if (e.average) return "Particle orientation - averaged\n\n";
  if (e.alpha == 0 && e.beta == 0 && e.gamma == 0) return "Particle orientation: default\n\n";
  return fmt::format(
      "Particle orientation (deg): alpha={:g}, beta={:g}, gamma={:g}\n\n"
      "---In particle reference frame:---\n{}\n",
      e.alpha, e.beta, e.gamma, frame_text(make_beam_frame(sim.propagation, e, sim.beam.center), dipole));
}

}  // namespace

std::string log_particle(const Outcome& o) {
  const auto& sim = o.simulation;
  const auto& p = o.particle;
  std::string text = fmt::format("lambda: {:.10g}\nshape: {}\n", sim.wavelength, p.description) + granules(o);
  text += fmt::format("box dimensions: {}x{}x{}\n", p.box[0], p.box[1], p.box[2]);
  text += refractive_indices(sim, p.materials) + dipole_size(p, sim.shape.rectangular);
  text += fmt::format("Dipoles/lambda: {:g}\n", p.dpl);
  if (p.volume_corrected) text += "\t(Volume correction used)\n";
  text += fmt::format("Required relative residual norm: {:g}\n", sim.solver.epsilon);
  text += fmt::format("Total number of occupied dipoles: {}\n", p.dipoles());
  for (std::size_t i = 0; p.materials > 1 && i < p.dipoles_per_material.size(); ++i) {
    text += fmt::format("{}{}. {}\n", i == 0 ? "  per domain: " : "              ", i + 1,
                        p.dipoles_per_material[i]);
  }
  return text + fmt::format("Volume-equivalent size parameter: {:.10g}\n", sim.wavenumber() * p.eq_radius);
}

std::string log_light(const Outcome& o) {
  const auto& sim = o.simulation;
  const bool dipole = sim.beam.kind == BeamKind::dipole;
  const auto laboratory = laboratory_frame(sim.propagation, sim.beam.center);
  return "\n---In laboratory reference frame:---\nIncident beam: " + beam_description(sim) + "\n" +
         frame_text(laboratory, dipole) + "\n" + orientation_text(sim, dipole);
}

}  // namespace umov::dda::adda
