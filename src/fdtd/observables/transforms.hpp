// Running Fourier transforms of one monitor: the points it wants, and their values once the engine has run.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/bytes.hpp"
#include "fdtd/engine.hpp"
#include "fdtd/observables/monitors.hpp"
#include "fdtd/observables/whole.hpp"
#include "fdtd/ranks/stretch.hpp"

namespace umov::fdtd {

using ranks::Stretch;

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
void save(const TransformValues&, ByteWriter&);
void restore(TransformValues&, ByteReader&);

/// Sum of |a - minus|^2 over all points, per frequency.
std::vector<double> squared_norms(const TransformValues& a, const TransformValues* minus,
                                  std::size_t frequencies);

/// One accumulator per component for all points of a monitor. A point may be an image of a computed one, and
/// images of one point share it.
class Transforms {
 public:
  /// The place among the points of its component of one of the whole domain.
  std::size_t add(Component, const Whole&, const Int3& cell);
  /// Puts the accumulators into the problem; nothing is added after that.
  void commit(Problem&, std::vector<double> frequencies, int interval);

  const std::vector<double>& frequencies() const { return frequencies_; }
  /// Values so far, less those of `minus`.
  TransformValues values(const Engine&, const ReferenceFields* minus = nullptr) const;
  /// A point: the value of a stored cell times a factor; a factor of 0 has none.
  struct Use {
    std::size_t stored = 0;
    cplx factor = 1;
  };
  Use use(int component, std::size_t point) const {
    return uses_[component].empty() ? Use{point, 1} : uses_[component][point];
  }
  /// The entry of Problem::fouriers that holds a component's cells.
  int accumulator(int component) const { return accumulator_[component]; }
  /// Values so far of a stretch of a component's points, [frequency][point of the stretch]; stretches[r] is
  /// that of rank r. Of every rank of an engine of several; nothing is whole anywhere.
  std::vector<cplx> values(const Engine&, Component, std::span<const Stretch> stretches, int rank) const;
  /// Values of a reference run alone.
  TransformValues values(const ReferenceFields&) const;

 private:
  void note(Component, const Use&, bool fresh);
  std::size_t points(int component) const {
    return uses_[component].empty() ? cells_[component].size() : uses_[component].size();
  }
  /// Values of all points from those of the stored cells, [frequency][cell] as the engine has them.
  std::vector<cplx> spread(int component, std::vector<cplx> stored) const;

  std::array<std::vector<index_t>, components> cells_;
  std::array<std::vector<Use>, components> uses_;  ///< empty while the points are the cells themselves
  std::array<std::unordered_map<index_t, std::size_t>, components> known_;  ///< until they are committed
  std::array<int, components> accumulator_{};
  std::vector<double> frequencies_;
};

}  // namespace umov::fdtd
