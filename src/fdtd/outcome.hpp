// Results of a run in the time domain: typed, as all writers read them.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/by_type.hpp"
#include "core/fields.hpp"
#include "fdtd/engine.hpp"
#include "fdtd/machine.hpp"
#include "fdtd/simulation.hpp"

namespace umov::fdtd {

struct Snapshot {
  std::string name;
  Component component = Ez;
  long step = 0;
  double time = 0;
  Int3 size{1, 1, 1};  ///< x, y and z; one of them 1 in three dimensions
  std::vector<float> values;
  UMOV_FIELDS(name, component, step, time, size, values)
};

using FieldList = std::vector<std::pair<Component, FieldBlock>>;

/// Where the time of the steps went since this process took them up, s: with what lies between them.
struct StepTimes {
  double steps = 0;     ///< transforms and recorders included
  double samples = 0;   ///< of series, on their way to the monitors
  double pictures = 0;  ///< snapshots and frames
  double energies = 0;
  double records = 0;  ///< fluxes, orders and powers on the way
  double criteria = 0;
  long advances = 0, energies_taken = 0, records_taken = 0;
};

struct Outcome {
  Simulation simulation;
  Machine machine;
  Grid grid;
  long steps = 0;
  double time = 0;
  std::string stop_reason;
  bool converged = true;  ///< false: the limit came before the criterion
  /// Results of one type, which a kind of monitor declares: in the order of its monitors.
  template <class Result>
  std::vector<Result>& of() {
    return results.of<std::vector<Result>>();
  }
  template <class Result>
  const std::vector<Result>& of() const {
    return results.of<std::vector<Result>>();
  }
  ByType results;
  std::vector<Snapshot> snapshots, frames;
  FieldList final_fields;   ///< whole grid (3D: the planes through the middle)
  FieldBlock permittivity;  ///< relative, on a grid of at most a few million cells
  std::size_t device_bytes = 0;
  double seconds = 0, cells_per_second = 0;
  StepTimes step_times;
  std::string backend, device, version;
  std::string ranks;  ///< lines about ranks and what passed between them; "" = one rank
  std::vector<std::string> warnings;
  std::vector<std::string> notes;  ///< how far to trust it (cells per wavelength, expected error)
};

}  // namespace umov::fdtd
