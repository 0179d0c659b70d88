// What `umov modes` is asked for: a model of the time domain, a plane through it, and its modes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fdtd/simulation.hpp"
#include "results/formats.hpp"

namespace umov::modes {

struct Outputs : results::Formats {
  bool pictures = true, fields = true;
};

/// Lengths in the unit of the model.
struct Simulation {
  fdtd::Simulation model;
  int normal = 0;                   ///< the axis of travel
  double position = 0;              ///< of the plane along it
  std::string at;                   ///< the source or monitor whose plane is taken; "": the whole domain's
  std::vector<double> wavelengths;  ///< in vacuum, ascending
  int count = 1;
  std::optional<double> index_guess;
  bool dispersion = true;
  int levels = 2;          ///< cell sizes of the extrapolation; 1: none
  int absorber = 0;        ///< cells of absorbing layer at each open end; 0: a conductor
  double bend_radius = 0;  ///< of the middle of the plane, centre of curvature towards negative; 0: straight
  int bend_axis = 0;      ///< the transverse axis in whose plane it bends: 0 the first after the normal, or 1
  double beam_waist = 0;  ///< 1/e radius of the field of a Gaussian beam to couple to; 0: none
  std::string overlap;    ///< the file of another cross-section whose modes these are held against; "": none
  std::shared_ptr<const Simulation> other;  ///< its case
  Outputs outputs;
};

}  // namespace umov::modes
