// What ranks answer, put together as one rank would.
#pragma once

#include <functional>
#include <vector>

#include "comm/communicator.hpp"
#include "fdtd/engine.hpp"
#include "fdtd/ranks/cut.hpp"
#include "fdtd/ranks/stretch.hpp"
#include "fdtd/transform_products.hpp"

namespace umov::fdtd::ranks {

/// Which rank sums which piece of which channel, of blocks: which row of a piece. The sum of a channel is
/// that of its pieces in their order, a piece's that of its rows, as one rank has them.
class RecorderParts {
 public:
  RecorderParts(const Problem&, const Cut&, int ranks);
  int interval(int recorder) const { return lists_[std::size_t(recorder)].interval; }
  /// Values that each rank gives, of `values` for each of its parts.
  std::vector<std::size_t> counts(int recorder, long values) const;
  /// [sample][channel][width] of what all ranks gave, [rank][sample][part][width].
  std::vector<double> put_together(int recorder, long samples, int width,
                                   const std::vector<double>& given) const;

 private:
  struct List {
    int interval = 1;
    std::vector<int> rank;                ///< [part]: pieces, or their rows
    std::vector<index_t> first_part{0};   ///< [piece + 1]
    std::vector<index_t> first_piece{0};  ///< [channel + 1]
    std::vector<index_t> parts;           ///< [rank]
  };
  std::vector<List> lists_;
};

/// TransformProduct of transforms as Engine::fourier gives them, with the bits of an engine that has them.
std::vector<double> product_of(const TransformProduct&, const std::vector<cplx>& a,
                               const std::vector<cplx>& b, std::size_t frequencies);

/// The same of a LateralSum.
std::vector<cplx> lateral_sum_of(const LateralSum&, const std::vector<cplx>& a);

/// Which rank has which points of the transforms.
class TransformParts {
 public:
  TransformParts(const Problem&, const Cut&, int ranks);
  std::size_t size() const { return lists_.size(); }
  std::size_t frequencies(int accumulator) const { return lists_[std::size_t(accumulator)].frequencies; }
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

/// Engine::sample over all ranks: `sample` answers for boxes of cells of this rank, by their numbers in the
/// problem.
std::vector<float> sample_by_ranks(const FieldSample&, comm::Communicator&, const Cut&,
                                   const std::function<std::vector<float>(const FieldSample&)>& sample);

}  // namespace umov::fdtd::ranks
