// Monitors of kind series: a field over time at a point or over a drawn shape.
#pragma once

#include <string>
#include <vector>

#include "fdtd/monitors/kind.hpp"

namespace umov::fdtd {

/// A series over time of one monitor: raw values, mean over a drawn shape or the value at a point.
struct SeriesResult {
  std::string name;
  Component component = Ez;
  std::vector<double> time, value, imag,
      rms;               ///< imag: complex fields; rms: over the points of a shape, per sample
  double rms_total = 0;  ///< at the end of the run: over as many windows, of a period or beat of its sources
  int rms_windows = 0;   ///< 0: over the last tenth
  double rms_time = 0;   ///< that these last together
};

Part make_series(const MonitorSpec&, const Simulation&, Problem&);

}  // namespace umov::fdtd
