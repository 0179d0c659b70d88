// The functions of time behind sources, and what other parts ask of them: ends, spectra, frequencies.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "fdtd/simulation.hpp"

namespace umov::fdtd {

/// A waveform as a function. Real fields are driven by the real part of a complex signal with time dependence
/// exp(-i w t); complex fields by all of it. Except for samples it is the derivative of a dipole moment that
/// is switched smoothly,
///   s(t) = d/dt [ i A / w  g(t) exp(-i (w (t - t0) + phase)) ],    Re s = A g cos(w (t - t0) + phase) + ...
/// so that a current of this form leaves no charge behind: its spectrum vanishes at zero frequency.
/// continuous: t0 = 0, g rises over `ramp` periods as the integral of a squared raised cosine (a plain raised
/// cosine has harmonics that no grid carries); gaussian: t0 = delay / (2 pi width f), g a Gaussian about t0
/// whose outermost standard deviation is faded to nothing; samples: cubic interpolation of the file, zero
/// outside it.
class Signal {
 public:
  /// `source` names the source in messages. Throws BadInput (file:line for samples; frequency, width, ramp,
  /// delay or end without meaning).
  Signal(const Waveform&, const std::string& source);

  cplx operator()(double t) const;
  /// Time after which the signal is zero; infinity if it never ends.
  double end() const { return end_; }
  /// Time from which an endless signal is a steady oscillation.
  double steady_from() const { return rise_; }
  bool endless() const;
  bool continuous() const { return waveform_.kind == Waveform::Kind::continuous; }
  /// Angular frequency of the carrier; of samples, of the largest peak of their spectrum.
  double carrier() const { return omega_; }
  /// The endless continuous wave that rises from t = 0 and whose carrier is this one's at t + later. This
  /// signal, if it ends, is rising(0) at t less rising(fall) at t - fall, fall = end() - steady_from().
  Signal rising(double later) const;
  /// What an endless signal is from steady_from() on: amplitude exp(-i (w t + phase)) at t.
  cplx steady(double t) const;

 private:
  void check(const std::string& source) const;
  /// Envelope g and its derivative.
  std::array<double, 2> envelope(double t) const;

  Waveform waveform_;
  double omega_ = 0, phase_ = 0, center_ = 0, sigma_ = 0, rise_ = 0, end_ = 0;
  std::function<double(double)> samples_;
};

/// Time (unit / c) at which a source falls silent; infinity for an endless continuous wave.
double source_end(const SourceSpec&);

/// Time (unit / c) from which a source only falls: the peak of a pulse, the beginning of a continuous wave's
/// fall, of samples the last that is half as large as the largest. Infinity for an endless wave.
double fall_of(const SourceSpec&);

/// Frequency (c / unit) at which the spectrum of a waveform is largest.
double peak_frequency(const Waveform&);

/// Integral of Re s(t) exp(2 pi i f t) dt from 0 to the smaller of the signal's end and `until`; an endless
/// wave needs `until`.
cplx spectrum(const Signal&, double frequency, double until);
cplx spectrum(const Waveform&, double frequency, double until = 1e300);
/// The same of the complex signal s(t), which drives complex fields (Bloch walls).
cplx complex_spectrum(const Signal&, double frequency, double until);

/// Highest frequency (c / unit) at which one of the case's `sources` still has a hundredth of its peak; 0
/// without sources.
double highest_driven_frequency(const Simulation&);

}  // namespace umov::fdtd
