// What the waveforms of electrodes are at a time, how fast they change, and when they bend.
#pragma once

#include <string>
#include <vector>

#include "eqs/simulation.hpp"

namespace umov::eqs {

/// Value at time t, V; 0 before t = 0 (a step, an impulse) or where the ramp has not begun. Tables are
/// straight between their points and constant outside.
double waveform(const WaveformSpec&, double t);
/// Its derivative at t, V/s; where it bends, the one before the bend (at t = 0: after it). The jump of a step
/// without rise has none.
double waveform_slope(const WaveformSpec&, double t);

/// Largest |value| the waveform reaches (a table's own, otherwise the amplitude), V.
double largest_value(const WaveformSpec&);

/// Times in (0, end) at which the waveform or its slope jumps: a time step should end there.
std::vector<double> bends(const WaveformSpec&, double end);

/// u(t) = scale (exp(-t / tail) - exp(-t / front)): the double exponential with peak 1 whose front time and
/// time to half value are those of IEC 60060-1 (2010), 3.1.18 and 3.1.22: T1 = (t90 - t30) / 0.6, T2 from the
/// virtual origin t30 - 0.3 T1 to half the peak on the tail.
struct DoubleExponential {
  double tail, front, scale;  ///< s, s, -
};
/// Throws BadInput where no such pair exists (T2 below some 3.6 T1).
DoubleExponential lightning_impulse(double front_time, double half_value_time);

/// Reads a table's file and checks everything; `what` begins messages. Throws BadInput.
void check_waveform(WaveformSpec&, const std::string& what);

}  // namespace umov::eqs
