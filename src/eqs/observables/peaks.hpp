// Largest values of a run between its steps.
#pragma once

#include <vector>

#include "eqs/outcome.hpp"
#include "eqs/simulation.hpp"

namespace umov::eqs {

struct PeakInTime {
  double value = 0, time = 0;
  std::size_t record = 0;  ///< the step end that it stands around
};

/// Finds the largest of a quantity that is known at the ends of steps: the largest of what stands around each
/// value that neither neighbour exceeds, since of two half waves the higher may have the lower value at the
/// end of a step. Around such a value it is the polynomial of degree 4 through five of them (error of order 5
/// in the step), or of degree 2 through three (order 3) where there are no five or their steps differ more
/// than threefold. Where the two differ by more than half of what they add, something switched nearby, and
/// the smaller one counts. Where a waveform bends at that instant, on the first and the last step, between
/// steps of more than fivefold length, and where the curve beside it bends less than a quarter of what it
/// does there, the value itself is the answer.
class Peaks {
 public:
  /// The instants and waveforms of a run in time; records of other analyses have no instants between them.
  /// Those before the record `first` are left out.
  explicit Peaks(const Outcome&, std::size_t first = 0);

  /// `value`: one per record, those left out too, none negative. NaN where one of them is no number.
  PeakInTime find(const std::vector<double>& value) const;
  /// The largest |v| of a waveform from the first record to the last: it is known at every instant.
  double largest(const WaveformSpec&) const;

 private:
  PeakInTime around(const std::vector<double>& value, std::size_t k) const;
  bool smooth_at(std::size_t k) const { return !bend_[k]; }
  bool even(std::size_t first, std::size_t last, double ratio) const;
  /// The curvature at step end k, positive where it bends down.
  double bow(const std::vector<double>&, std::size_t k) const;
  /// Whether the curve bends down beside its peak nearly as it does there, as those do that steps resolve: at
  /// the shoulder of what switches it does not, and a polynomial would overshoot.
  bool round_at(const std::vector<double>&, std::size_t k) const;
  PeakInTime through(const std::vector<double>& value, std::size_t k, std::size_t reach) const;

  std::size_t first_;
  std::vector<double> time_;
  std::vector<char> bend_;
};

}  // namespace umov::eqs
