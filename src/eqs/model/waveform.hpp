// Waveforms of electrodes: value and slope at a time, and the times where they bend.
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

/// What an analysis without a moment takes, V: the amplitude with its sign, whatever phase or ramp; of a
/// table the value of largest size, with the sign it has.
double amplitude_of(const WaveformSpec&);
/// There is an instant at which both are at their amplitudes: not so for sines of different phase, an impulse
/// beside a sine.
bool reach_amplitudes_together(const WaveformSpec&, const WaveformSpec&);

/// Times in (0, end) at which the waveform or its slope jumps: a time step should end there. A point of a
/// table on the straight line between its neighbours is none.
std::vector<double> bends(const WaveformSpec&, double end);

/// A stretch of time and the longest step that sees what a waveform does in it. The estimated error of a step
/// knows the waveform at its stages only: one over a whole period meets the same value every time.
struct StepLimit {
  double from, to, step;  ///< s
};
/// A twentieth of a sine's period and of a smooth ramp; a tenth of a linear rise, of the decay of an impulse,
/// and of a table's full swing between two bends; a twentieth of the front of an impulse until twice its
/// time.
std::vector<StepLimit> step_limits(const WaveformSpec&, double end);

/// The frequency of all sines among driven electrodes, Hz, of those with an amplitude if there are any; 0
/// without sines. Throws BadInput, naming two, where those with an amplitude differ.
double common_frequency(const std::vector<ElectrodeSpec>&);
/// The shortest time after which all sines are where they were, s; 0 without sines or where nothing repeats
/// within a thousand periods.
double common_period(const std::vector<ElectrodeSpec>&);

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
