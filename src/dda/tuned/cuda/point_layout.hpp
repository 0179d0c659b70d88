// Where points of lines lie in shared memory, and which thread takes which butterfly.
#pragma once

#include "backend/cuda/launch.hpp"
#include "dda/tuned/cuda/axis.hpp"

namespace umov::dda::tuned {

/// The butterflies of one thread: begin, begin + step, ... below end.
struct Items {
  int begin, end, step;
};
/// The lines of a team, and the number of a thread in it.
struct OwnLines {
  int first, end, thread, threads;
};

/// Waits for the threads of the team, or of the block where it is one team.
template <class AxisOf>
__device__ __forceinline__ void wait_for_team() {
  if constexpr (AxisOf::team == AxisOf::threads)
    __syncthreads();
  else if constexpr (AxisOf::team == 32)
    __syncwarp();
  else
    backend::cuda::wait_for_threads<AxisOf::team>(1 + int(threadIdx.x) / AxisOf::team);
}

/// Lines side by side: 2^log_width of them, a point of all of them is contiguous. Points are swizzled where
/// that is less than the 128 bytes of all banks, so that butterflies 4 apart do not meet in one bank; with
/// odd last radices they do not anyway. `Lanes` and `Swizzle`: known to the compiler, or 0 lanes. After the
/// first pass every radix(0)-th part of the points is a transform of its own, which teams share out among
/// them.
template <int Lanes = 0, int Swizzle = 0>
struct Columns {
  static constexpr bool lines_are_teams = false;
  int log_width, swizzle;
  __device__ int log() const {
    if constexpr (Lanes > 0)
      return Lanes == 16 ? 4 : Lanes == 8 ? 3 : Lanes == 4 ? 2 : 1;
    else
      return log_width;
  }
  __device__ int lines() const { return 1 << log(); }
  template <class AxisOf>
  __device__ void split(const AxisOf&, int, int item, int& butterfly, int& line) const {
    line = item & (lines() - 1);
    butterfly = item >> log();
  }
  __device__ int at(int point, int line) const {
    if constexpr (Lanes > 0 && Swizzle == 0)
      return (point << log()) + line;
    else
      return ((point ^ ((point >> 2) & (Lanes > 0 ? Swizzle : swizzle))) << log()) + line;
  }
  template <class AxisOf>
  __device__ Items items(const AxisOf& axis, int pass) const {
    if (AxisOf::team == AxisOf::threads || pass == 0)
      return {int(threadIdx.x), (axis.n() / axis.radix(pass)) << log(), AxisOf::threads};
    constexpr int teams = AxisOf::threads / AxisOf::team;
    const int team = int(threadIdx.x) / AxisOf::team, parts = axis.radix(0),
              each = (axis.span(0) / axis.radix(pass)) << log();
    return {team * parts / teams * each + int(threadIdx.x) % AxisOf::team, (team + 1) * parts / teams * each,
            AxisOf::team};
  }
};

template <class AxisOf>
__device__ inline Columns<AxisOf::lanes, AxisOf::swizzle> columns_layout(const AxisOf& axis, int log_width,
                                                                         int swizzle) {
  return {log_width, axis.radix(axis.passes() - 1) % 2 ? 0 : swizzle};
}

/// Lines one after another, padded after every 2^shift points so that the last pass, whose butterflies lie
/// one behind another, does not meet in one bank. A team has lines of its own.
struct Rows {
  static constexpr bool lines_are_teams = true;
  int count, pitch, shift;
  __device__ int lines() const { return count; }
  template <class AxisOf>
  __device__ void split(const AxisOf& axis, int pass, int item, int& butterfly, int& line) const {
    line = axis.over_butterflies(pass, item);
    butterfly = item - line * (axis.n() / axis.radix(pass));
  }
  __device__ int at(int point, int line) const { return line * pitch + point + (point >> shift); }
  template <class AxisOf>
  __device__ OwnLines own() const {
    constexpr int teams = AxisOf::threads / AxisOf::team;
    const int team = int(threadIdx.x) / AxisOf::team;
    return {team * count / teams, (team + 1) * count / teams, int(threadIdx.x) % AxisOf::team, AxisOf::team};
  }
  template <class AxisOf>
  __device__ Items items(const AxisOf& axis, int pass) const {
    const OwnLines mine = own<AxisOf>();
    const int each = axis.n() / axis.radix(pass);
    return {mine.first * each + mine.thread, mine.end * each, mine.threads};
  }
};
template <class AxisOf>
__device__ inline Rows rows_layout(const AxisOf& axis, int count) {
  const int shift = axis.radix(axis.passes() - 1) == 16 ? 4 : 3;
  return {count, axis.n() + (axis.n() >> shift) + 1, shift};
}

}  // namespace umov::dda::tuned
