// Sums whose lengths differ by a thousand: a thread adds up its own, a long one is left to its block.
#pragma once

namespace umov::sparse::gpu {

/// Terms of a sum that a thread leaves to its block, [begin, end); empty where it leaves none. The unknown of
/// a conductor has thousands, and would keep one warp at work long after all others have ended.
struct LongRun {
  int begin = 0, end = 0;
};
/// Up to so many a warp takes a run, the block longer ones.
inline constexpr int run_of_warp = 2048;

template <class X>
__device__ inline X sum_of_warp(X sum) {
  for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o);
  return sum;
}

/// at(begin) + ... + at(end - 1) of the run that a thread has left over, the same bits every time. All
/// `Threads` threads of a block take part.
template <int Threads, class X, class At>
__device__ inline X sum_long_runs(const LongRun& mine, const At& at) {
  static_assert(Threads % 32 == 0);
  constexpr int warps = Threads / 32;
  const bool has = mine.end > mine.begin;
  if (!__syncthreads_or(has)) return 0;
  __shared__ int count[warps], begins[Threads], ends[Threads];
  __shared__ X sums[Threads], of_warp[warps];
  const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
  const unsigned who = __ballot_sync(0xffffffffu, has);
  if (lane == 0) count[warp] = __popc(who);
  __syncthreads();
  int runs = 0, own = 0;
  for (int w = 0; w < warps; ++w) {
    if (w == warp) own = runs + __popc(who & ((1u << lane) - 1));
    runs += count[w];
  }
  if (has) begins[own] = mine.begin, ends[own] = mine.end;
  __syncthreads();
  for (int i = warp; i < runs; i += warps) {
    const int begin = begins[i], end = ends[i];
    if (end - begin > run_of_warp) continue;
    X sum = 0;
#pragma unroll 8
    for (int k = begin + lane; k < end; k += 32) sum += at(k);
    sum = sum_of_warp(sum);
    if (lane == 0) sums[i] = sum;
  }
  for (int i = 0; i < runs; ++i) {
    const int begin = begins[i], end = ends[i];
    if (end - begin <= run_of_warp) continue;
    X sum = 0;
#pragma unroll 4
    for (int k = begin + int(threadIdx.x); k < end; k += Threads) sum += at(k);
    sum = sum_of_warp(sum);
    if (lane == 0) of_warp[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
      sum = 0;
      for (const X part : of_warp) sum += part;
      sums[i] = sum;
    }
    __syncthreads();
  }
  __syncthreads();
  return has ? sums[own] : X(0);
}

/// at(run.begin) + ... of a thread's own sum: of more than `most` terms by the block. All `Threads` threads
/// of it take part, those without a sum with an empty run.
template <int Threads, class X, class At>
__device__ inline X sum_of_run(const LongRun& run, int most, const At& at) {
  const bool leave = run.end - run.begin > most;
  X sum = 0;
  if (!leave)
    for (int k = run.begin; k < run.end; ++k) sum += at(k);
  return sum + sum_long_runs<Threads, X>(leave ? run : LongRun{}, at);
}

}  // namespace umov::sparse::gpu
