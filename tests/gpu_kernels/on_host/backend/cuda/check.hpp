// What the product calls of CUDA's own functions, on a processor: work is done at once, or recorded.
#pragma once

#include <cstring>
#include <functional>
#include <vector>

#include "backend/cuda/words.hpp"
#include "core/error.hpp"

#define UMOV_CUDA_CHECK(call) (void)(call)

using cudaStream_t = void*;
using cudaEvent_t = void*;
using cudaGraph_t = std::vector<std::function<void()>>*;
using cudaGraphExec_t = cudaGraph_t;
enum { cudaEventDisableTiming, cudaStreamNonBlocking, cudaStreamCaptureModeThreadLocal };
enum { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };

namespace umov::test {
inline cudaGraph_t recording = nullptr;

/// Now, or with the graph that is being recorded.
template <class F>
void do_or_record(const F& f) {
  if (recording)
    recording->push_back(f);
  else
    f();
}
}  // namespace umov::test

inline int cudaStreamCreateWithFlags(cudaStream_t*, int) { return 0; }
inline int cudaStreamDestroy(cudaStream_t) { return 0; }
inline int cudaStreamSynchronize(cudaStream_t) { return 0; }
inline int cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, int) { return 0; }
inline int cudaEventCreateWithFlags(cudaEvent_t*, int) { return 0; }
inline int cudaEventDestroy(cudaEvent_t) { return 0; }
inline int cudaEventRecord(cudaEvent_t, cudaStream_t) { return 0; }
inline int cudaStreamBeginCapture(cudaStream_t, int) {
  umov::test::recording = new std::vector<std::function<void()>>;
  return 0;
}
inline int cudaStreamEndCapture(cudaStream_t, cudaGraph_t* made) {
  *made = umov::test::recording;
  umov::test::recording = nullptr;
  return 0;
}
inline int cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t recorded, int) {
  *made = new std::vector<std::function<void()>>(*recorded);
  return 0;
}
inline int cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return 0;
}
inline int cudaGraphExecDestroy(cudaGraphExec_t graph) { return cudaGraphDestroy(graph); }
inline int cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t) {
  for (const auto& work : *graph) work();
  return 0;
}
inline int cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = std::size_t(1) << 40;
  return 0;
}
inline int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int, cudaStream_t) {
  std::memcpy(to, from, bytes);
  return 0;
}
inline int cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                             std::size_t width, std::size_t height, int, cudaStream_t) {
  for (std::size_t row = 0; row < height; ++row)
    std::memcpy(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch,
                width);
  return 0;
}
