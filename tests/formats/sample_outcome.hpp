// A small made-up outcome, asymmetric in every direction, for the tests of the writers.
#pragma once

#include "dda/observables/field_cuts.hpp"
#include "dda/outcome.hpp"

namespace umov {

/// A particle of nx x ny x nz sites with void corners and two materials; every dipole's polarization and
/// field differ, so that a wrong order shows.
inline dda::Outcome sample_outcome(Int3 box = {3, 4, 5}) {
  dda::Outcome o;
  o.version = "0.1.0";
  o.backend = "serial";
  o.device = "test device";
  o.machine.command_line = "umov dda --m 1.5";
  o.settings = "wavelength = 6.283185307179586\n";
  o.transforms = "umov";
  o.simulation.m = {{cplx(1.5), cplx(1.5), cplx(1.5)}, {cplx(1.7, 0.1), cplx(1.7, 0.1), cplx(1.6, 0.2)}};
  auto& p = o.particle;
  p.box = box;
  p.spacing = {0.1, 0.2, 0.3};
  p.eq_radius = 0.4;
  p.materials = 2;
  p.description = "sample";
  p.dipoles_per_material = {0, 0};
  for (int z = 0; z < box[2]; ++z)
    for (int y = 0; y < box[1]; ++y)
      for (int x = 0; x < box[0]; ++x) {
        const bool empty = (x == 0 && y == 0) || (y == 1 && z == 2);
        const int material = empty ? 0 : (x + 2 * y > z ? 1 : 2);
        p.material.push_back(std::uint8_t(material));
        if (material) ++p.dipoles_per_material[material - 1];
      }
  for (const char label : {'Y', 'X'}) {
    dda::PolarizationResult r;
    r.label = label;
    r.cross.cext = 1.25;
    r.cross.cabs = 0.25;
    r.cross.csca = 1.0;
    r.cross.csca_g = Vec3{0, 0.1, 0.6};
    for (int i = 0; i < 40; ++i)
      r.solve.history.push_back(std::exp(-0.3 * i) * (1 + 0.3 * std::sin(2.0 * i)));
    r.solve.iterations = 39;
    for (std::size_t i = 0; i < p.dipoles(); ++i) {
      const double t = double(i);
      r.polarization.push_back({cplx(t, 1), cplx(-t, 2), cplx(3, t)});
      r.internal_field.push_back({cplx(0.1 * t, 0), cplx(1, t), cplx(0, -1)});
    }
    r.cuts =
        dda::cuts_of(p, {0, box[2], 0, r.polarization, r.internal_field}, dda::cut_planes(p, o.simulation));
    o.polarizations.push_back(r);
  }
  for (int i = 0; i <= 180; ++i) {
    dda::ScatteringRow row;
    row.theta = row.scattering_angle = i;
    row.phi = 90;
    for (int k = 0; k < 16; ++k) row.mueller[k] = 100 * i + k;
    row.mueller[0] = std::exp(-0.04 * i) * (1.05 + std::cos(0.2 * i));
    row.mueller[1] = -0.5 * row.mueller[0] * std::sin(i * pi / 180);
    row.amplitude = {cplx(i, 1), cplx(i, 2), cplx(0), cplx(0)};
    o.plane.push_back(row);
  }
  o.timings = {{"solve", 1.5}, {"solve", 2.5}, {"far field / plane", 0.1}};
  o.memory = {{"tensor", 1000}};
  return o;
}

}  // namespace umov
