// The samples of one recorder, kept on the host in bounded memory.
#pragma once

#include <cstddef>
#include <vector>

#include "core/bytes.hpp"
#include "fdtd/engine.hpp"

namespace umov::fdtd {

/// Cells and weights whose weighted sum is wanted.
struct WeightedCells {
  std::vector<index_t> cells;
  std::vector<double> weights;
};

/// One channel. After `limit` samples every second one is dropped and from then on every second one kept, and
/// so forth: the whole time stays covered, at a lower rate.
class Samples {
 public:
  static constexpr std::size_t limit = std::size_t(1) << 22;

  /// Adds a recorder to the problem.
  Samples(Problem&, Component, int interval, WeightedCells, bool squares = false);
  void drain(Engine&);

  std::size_t size() const { return value_.size(); }
  double time(std::size_t sample) const { return first_time_ + double(sample) * step(); }
  /// Time between samples.
  double step() const { return step_ * double(stride_); }
  bool thinned() const { return stride_ > 1; }
  std::span<const double> value() const { return value_; }
  /// Empty for real fields.
  std::span<const double> imag() const { return imag_; }

  void save(ByteWriter&) const;
  /// Reads what save wrote; throws BadInput when the bytes end early.
  void restore(ByteReader&);

 private:
  void append(double re, double im);
  void halve();

  int recorder_ = 0;
  bool complex_ = false;
  double first_time_ = 0, step_ = 1;
  long seen_ = 0, stride_ = 1;
  std::vector<double> value_, imag_;
};

}  // namespace umov::fdtd
