// Monitors of kind resonance: what rings after the sources, by harmonic inversion.
#pragma once

#include <string>
#include <vector>

#include "fdtd/monitors/kind.hpp"

namespace umov::fdtd {

struct ResonanceSpec {
  double start = 0;  ///< time at which recording begins; 0: sources' end
};

/// A exp(-pi f t / Q) cos(2 pi f t - phase), t from the start of the record; phase in degrees.
struct Resonance {
  double frequency = 0, quality = 0, amplitude = 0, phase = 0;
  /// Of the record: two standard deviations of the frequency, relative; those of the quality: 2 Q error.
  double error = 0;
  bool at_least = false;  ///< the decay is below its error: the quality is a lower bound
  /// Relative, of the quality; of a bound 1.
  double quality_error() const { return at_least ? 1 : 2 * quality * error; }
};
struct ResonanceResult {
  std::string name;
  Component component = Ez;  ///< that was recorded
  std::vector<Resonance> modes;
};

Part make_resonance(const MonitorSpec&, const Simulation&, const Scene&, Problem&);

}  // namespace umov::fdtd
