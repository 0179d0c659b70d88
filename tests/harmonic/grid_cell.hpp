// Cells on the grid, for tests.
#pragma once

#include <cmath>
#include <vector>

#include "harmonic/budget.hpp"
#include "harmonic/engine.hpp"

namespace umov::harmonic {

struct Solved {
  LayeredCell cell;
  Problem problem;
  IncidentWave wave;
  SolveReport report;
  Fields fields;
  Budget budget;
};

/// A cell with interfaces at these depths (um); heights are added by the caller.
inline LayeredCell grid_cell(const std::vector<double>& depths, double cell, double period_x = 0,
                             double period_y = 0, double wave = 0.4) {
  const int nx = period_x > 0 ? int(std::lround(period_x / cell)) : 1;
  const int ny = period_y > 0 ? int(std::lround(period_y / cell)) : 1;
  return LayeredCell::make(depths,
                           {period_x > 0 ? period_x / nx : cell, period_y > 0 ? period_y / ny : cell, cell},
                           nx, ny, wave, wave);
}

inline Solved solve_cell(const LayeredCell& cell, const std::vector<cplx>& media, double wavelength,
                         double angle, Polarization polarization, const SolveOptions& options = {},
                         const EngineRequest& request = {"serial", 0}, double azimuth = 0) {
  Solved out;
  out.cell = cell;
  out.problem =
      make_problem(cell, media, wavelength, bloch_vector(wavelength, media.front().real(), angle, azimuth));
  const auto layered = layered_field(out.problem, polarization, out.wave, azimuth);
  out.report = make_engine(out.problem, request)->solve(layered, options, out.fields);
  out.budget = power_budget(cell, out.problem, out.fields, out.wave);
  return out;
}

inline Solved solve_flat(const layers::FlatStack& stack, double wavelength, double angle,
                         Polarization polarization, double cell, double azimuth = 0) {
  std::vector<double> depths{0};
  std::vector<cplx> media{stack.superstrate};
  for (const auto& layer : stack.layers) {
    depths.push_back(depths.back() + layer.thickness);
    media.push_back(layer.permittivity);
  }
  media.push_back(stack.substrate);
  return solve_cell(grid_cell(depths, cell), media, wavelength, angle, polarization, {}, {"serial", 0},
                    azimuth);
}

}  // namespace umov::harmonic
