// Running Fourier transforms of one monitor: the points it wants, and their values once the engine has run.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "fdtd/engine.hpp"
#include "fdtd/observables/monitors.hpp"

namespace umov::fdtd {

/// Transforms of one monitor, [component][frequency * points + point].
struct TransformValues {
  std::array<std::vector<cplx>, components> value;
  std::array<std::size_t, components> points{};

  bool empty() const { return points == decltype(points){}; }
  cplx at(int component, std::size_t frequency, std::size_t point) const {
    return value[component][frequency * points[component] + point];
  }
};

/// For checkpoints. `restore` throws BadInput when the bytes end early.
void save(const TransformValues&, std::vector<std::byte>&);
void restore(TransformValues&, std::span<const std::byte>&);

/// Sum of |a - minus|^2 over all points, per frequency.
std::vector<double> squared_norms(const TransformValues& a, const TransformValues* minus,
                                  std::size_t frequencies);

/// One accumulator per component for all points of a monitor.
class Transforms {
 public:
  /// The place of the point among those of its component.
  std::size_t add(Component c, index_t cell) {
    cells_[c].push_back(cell);
    return cells_[c].size() - 1;
  }
  /// Puts the accumulators into the problem; nothing is added after that.
  void commit(Problem&, std::vector<double> frequencies, int interval);

  const std::vector<double>& frequencies() const { return frequencies_; }
  /// Values so far, less those of `minus`.
  TransformValues values(const Engine&, const ReferenceFields* minus = nullptr) const;
  /// Values of a reference run alone.
  TransformValues values(const ReferenceFields&) const;

 private:
  TransformValues sized() const;
  std::array<std::vector<index_t>, components> cells_;
  std::array<int, components> accumulator_{};
  std::vector<double> frequencies_;
};

}  // namespace umov::fdtd
