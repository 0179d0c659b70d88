// Incident fields at the dipoles.
#include "dda/sources/beams.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "dda/kernels/visit_interaction.hpp"
#include "dda/sources/gaussian_beam.hpp"

namespace umov::dda::sources {
namespace {

using shapes::Particle;

/// Calls visit(x, y, z, material) for every dipole in the order of the solution vectors.
template <class Visit>
void for_each_dipole(const Particle& p, Visit&& visit) {
  std::size_t site = 0;
  for (int z = 0; z < p.box[2]; ++z)
    for (int y = 0; y < p.box[1]; ++y)
      for (int x = 0; x < p.box[0]; ++x, ++site)
        if (p.material[site]) visit(x, y, z, p.material[site]);
}

/// Evaluates field(r) at every dipole, r from the centre of the beam.
template <class Field>
std::vector<CVec3> sample(const Particle& p, const Vec3& center, Field&& field) {
  std::vector<CVec3> out;
  out.reserve(p.dipoles());
  for_each_dipole(p, [&](int x, int y, int z, int) { out.push_back(field(p.position(x, y, z) - center)); });
  return out;
}

std::vector<CVec3> plane_wave(const Simulation& sim, const Particle& p, const IncidentFrame& f, char pol) {
  const double k = sim.wavenumber();
  const Vec3 e = f.polarization(pol);
  return sample(p, f.beam_center, [&](const Vec3& r) {
    const cplx phase = std::polar(1.0, k * dot(r, f.propagation));
    return CVec3{phase * e[0], phase * e[1], phase * e[2]};
  });
}

GaussianOrder gaussian_order(BeamKind kind) {
  if (kind == BeamKind::lminus) return GaussianOrder::lminus;
  return kind == BeamKind::davis3 ? GaussianOrder::davis3 : GaussianOrder::barton5;
}

std::vector<CVec3> gaussian_beam(const Simulation& sim, const Particle& p, const IncidentFrame& f, char pol) {
  if (!(sim.beam.width > 0))
    throw BadInput(fmt::format(
        "the width of the beam is {:g} (it must be positive); give the waist radius in um", sim.beam.width));
  const GaussianBeam beam(gaussian_order(sim.beam.kind), sim.wavenumber(), sim.beam.width);
  // The beam's own frame: x along the polarization, z along the propagation.
  const Vec3 ex = f.polarization(pol);
  const Vec3 ey = pol == 'Y' ? -1.0 * f.pol_x : f.pol_y;
  return sample(p, f.beam_center, [&](const Vec3& r) {
    const CVec3 e = beam.field({dot(r, ex), dot(r, ey), dot(r, f.propagation)});
    CVec3 out;
    for (int c = 0; c < 3; ++c) out[c] = e[0] * ex[c] + e[1] * ey[c] + e[2] * f.propagation[c];
    return out;
  });
}

/// Field of a dipole of moment p at displacement r through the chosen interaction term.
template <class Term>
CVec3 field_of_dipole(const Term& term, const Vec3& r, const Vec3& p) {
  Complex<double> g[6];
  term.at(r[0], r[1], r[2], g);
  CVec3 e{};
  for (int c = 0; c < 6; ++c) {
    const int i = tensor_row(c), j = tensor_column(c);
    const cplx t = g[c].to_std<double>();
    e[i] += t * p[j];
    if (i != j) e[j] += t * p[i];
  }
  return e;
}

std::vector<CVec3> dipole_beam(const Simulation& sim, const Particle& p, const IncidentFrame& f) {
  const double k = sim.wavenumber();
  const Vec3 moment = (1 / (k * k * k)) * f.propagation;
  std::vector<CVec3> out;
  visit_interaction<double>(sim.interaction, sim.interaction_arguments, k, p.spacing, [&](const auto& term) {
    out = sample(p, f.beam_center, [&](const Vec3& r) {
      if (norm(r) == 0)
        throw BadInput(
            "the exciting dipole sits on a dipole of the particle (at the centre of the beam; its field is "
            "singular there); move the centre of the beam");
      return field_of_dipole(term, r, moment);
    });
  });
  return out;
}

}  // namespace

std::vector<CVec3> incident_field(const Simulation& sim, const Particle& p, const IncidentFrame& frame,
                                  char pol) {
  switch (sim.beam.kind) {
    case BeamKind::plane:
      return plane_wave(sim, p, frame, pol);
    case BeamKind::lminus:
    case BeamKind::davis3:
    case BeamKind::barton5:
      return gaussian_beam(sim, p, frame, pol);
    case BeamKind::dipole:
      return dipole_beam(sim, p, frame);
    case BeamKind::read:
      break;
  }
  const std::string& file = pol == 'Y' ? sim.beam.file_y : sim.beam.file_x;
  if (file.empty())
    throw BadInput(
        fmt::format("no field file for polarization {} (the incident field is to be read); name a file for "
                    "each polarization",
                    pol));
  return read_field(file, p, "Einc");
}

std::vector<CVec3> read_field(const std::string& file, const Particle& p, std::string_view symbol) {
  std::vector<Vec3> positions;
  positions.reserve(p.dipoles());
  for_each_dipole(p, [&](int x, int y, int z, int) { positions.push_back(p.position(x, y, z)); });
  return read_field(file, p.dipoles(), positions, symbol);
}

std::vector<CVec3> wkb_field(const Simulation& sim, const Particle& p, const IncidentFrame& frame, char pol) {
  if (std::abs(frame.propagation[2] - 1) > 1e-12)
    throw BadInput(
        "initial field wkb needs a wave along +z of the particle (propagation or orientation turns it away); "
        "use auto");
  std::vector<CVec3> field = plane_wave(sim, p, frame, pol);
  const double half_step = sim.wavenumber() * p.spacing[2] / 2;
  // Phase gathered by each column of sites up to the lower face of the current layer.
  std::vector<CVec3> phase(std::size_t(p.box[0]) * p.box[1], CVec3{});
  std::size_t dipole = 0;
  for_each_dipole(p, [&](int x, int y, int, int material) {
    CVec3& column = phase[std::size_t(y) * p.box[0] + x];
    CVec3& e = field[dipole++];
    for (int c = 0; c < 3; ++c) {
      const cplx half = cplx(0, half_step) * (sim.m[material - 1][c] - 1.0);
      e[c] *= std::exp(column[c] + half);
      column[c] += 2.0 * half;
    }
  });
  return field;
}

}  // namespace umov::dda::sources
