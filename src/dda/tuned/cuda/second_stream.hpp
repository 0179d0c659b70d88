// Chunks of work that take turns on two streams.
#pragma once

#include <algorithm>

#include "backend/cuda/cuda.hpp"

namespace umov::dda::tuned {

/// A stream beside that of a device.
class SecondStream {
 public:
  SecondStream() {
    UMOV_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (cudaEvent_t* e : {&fork_, &join_})
      UMOV_CUDA_CHECK(cudaEventCreateWithFlags(e, cudaEventDisableTiming));
  }
  ~SecondStream() {
    for (cudaEvent_t e : {fork_, join_}) cudaEventDestroy(e);
    cudaStreamDestroy(stream_);
  }
  SecondStream(const SecondStream&) = delete;
  SecondStream& operator=(const SecondStream&) = delete;

  operator cudaStream_t() const { return stream_; }
  /// It begins after what `first` has been given so far.
  void fork_from(cudaStream_t first) const {
    UMOV_CUDA_CHECK(cudaEventRecord(fork_, first));
    UMOV_CUDA_CHECK(cudaStreamWaitEvent(stream_, fork_, 0));
  }
  /// `first` goes on when it has ended.
  void join(cudaStream_t first) const {
    UMOV_CUDA_CHECK(cudaEventRecord(join_, stream_));
    UMOV_CUDA_CHECK(cudaStreamWaitEvent(first, join_, 0));
  }
  /// f(first group, count, 0 or 1, stream) for chunks of `at_once` groups; with `both` they alternate, so
  /// that the last blocks of one overlap the first of the next.
  template <class F>
  void take_turns(cudaStream_t first, int groups, int at_once, bool both, const F& f) const {
    if (both) fork_from(first);
    int chunk = 0;
    for (int group = 0; group < groups; group += at_once, ++chunk) {
      const int s = both ? chunk % 2 : 0;
      f(group, std::min(at_once, groups - group), s, s ? stream_ : first);
    }
    if (both) join(first);
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t fork_ = nullptr, join_ = nullptr;
};

/// Lanes as the layout of shared memory wants them: their logarithm, and what swizzles points of `element`
/// bytes (point_layout.hpp, Columns).
struct LaneLayout {
  int log_width, swizzle;
  LaneLayout(int width, std::size_t element)
      : log_width(0), swizzle((std::max(1, int(128 / (width * element))) - 1) & 3) {
    while ((1 << log_width) < width) ++log_width;
  }
};

}  // namespace umov::dda::tuned
