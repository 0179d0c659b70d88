// The spectrum of the sources, by which fields are divided to be those of a source of amplitude 1.
#pragma once

#include <optional>

#include "fdtd/observables/incident.hpp"

namespace umov::fdtd {

/// The spectrum of a case's first source, its amplitude, phase and delay included: integral of s(t) exp(2 pi
/// i f t) dt, of Re s(t) where fields are real; of a plane wave its transform at the origin. Transforms
/// divided by it are the phasors E of a steady oscillation Re E exp(-2 pi i f t) that a source s(t) = exp(-2
/// pi i f t) of amplitude 1 keeps up; an endless wave counts up to the time asked for.
class SourceSpectrum {
 public:
  /// Throws BadInput naming the monitor: no source, sources whose waveforms differ in more than amplitude and
  /// phase, a source without amplitude, or frequencies at which the source has less than a millionth of its
  /// peak.
  SourceSpectrum(const MonitorSpec&, const std::vector<double>& frequencies, const Simulation&,
                 const Problem&);
  cplx at(double frequency, double until) const;

 private:
  bool complex_;
  Signal signal_;
  std::optional<IncidentWave> wave_;
  double later_ = 0;  ///< by which a beam is held back
};

}  // namespace umov::fdtd
