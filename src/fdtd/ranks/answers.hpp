// What ranks answer, put together as one rank would.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "fdtd/engine.hpp"
#include "fdtd/ranks/stretch.hpp"

namespace umov::fdtd::ranks {

/// Which rank sums which piece of which channel. The sum of a channel is that of its pieces in their order,
/// as one rank has it.
class RecorderParts {
 public:
  RecorderParts(const Problem&, std::span<const index_t> borders);
  int interval(int recorder) const { return lists_[std::size_t(recorder)].interval; }
  /// Values that each rank gives, of `values` for each of its pieces.
  std::vector<std::size_t> counts(int recorder, long values) const;
  /// [sample][channel][width] of what all ranks gave, [rank][sample][piece][width].
  std::vector<double> put_together(int recorder, long samples, int width,
                                   const std::vector<double>& given) const;

 private:
  struct List {
    int interval = 1;
    std::vector<int> rank;                ///< [piece]
    std::vector<index_t> first_piece{0};  ///< [channel + 1]
    std::vector<index_t> pieces;          ///< [rank]
  };
  std::vector<List> lists_;
};

/// Which rank has which points of the transforms.
class TransformParts {
 public:
  TransformParts(const Problem&, std::span<const index_t> borders);
  std::size_t size() const { return lists_.size(); }
  /// Values that each rank gives.
  std::vector<std::size_t> counts(int accumulator) const;
  /// [frequency][point] of what all ranks gave, [rank][frequency][point].
  std::vector<cplx> put_together(int accumulator, const std::vector<cplx>& given) const;
  /// [frequency][point of a stretch] where each rank wants one of its own: of what this rank gives,
  /// [frequency][its points], it keeps its part and sends the others theirs. Of every rank.
  std::vector<cplx> dealt_out(comm::Communicator&, int accumulator, const std::vector<cplx>& mine,
                              std::span<const Stretch> wanted) const;
  /// As a saved state holds them.
  void write(const std::vector<cplx>& sums, std::vector<std::byte>& to) const;
  /// The sums of one rank's points.
  void cut(int accumulator, int rank, const std::vector<std::byte>& whole, std::vector<std::byte>& own) const;

 private:
  struct List {
    std::size_t frequencies = 0, points = 0;
    std::vector<std::vector<index_t>> of;  ///< [rank], points in their order
  };
  bool wide_;
  std::vector<List> lists_;
};

/// Engine::sample over all ranks: `sample` answers for planes of this rank, by their numbers in the problem.
std::vector<float> sample_by_planes(const FieldSample&, int axis, comm::Communicator&,
                                    std::span<const index_t> borders,
                                    const std::function<std::vector<float>(FieldSample)>& sample);

}  // namespace umov::fdtd::ranks
