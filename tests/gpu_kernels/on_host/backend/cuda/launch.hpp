// Kernels run on a processor, block after block.
#pragma once

#include <mutex>
#include <tuple>

#include "backend/cuda/check.hpp"

namespace umov::test {

/// Dynamic shared memory of the block that runs, as the kernels' `memory` (gpu_product.hpp defines it), and
/// behind it what no block may touch.
inline constexpr std::size_t shared_bytes = 227 << 10, shared_guard = 4096;
extern unsigned char* const shared_memory;
/// Ranks that are threads share what stands for a GPU.
inline std::mutex one_processor;
/// Threads take turns from the last one on.
inline bool backwards = false;

template <class Call>
void run_blocks(dim3 blocks, int threads, std::size_t bytes, const Call& call) {
  const std::lock_guard hold(one_processor);
  if (bytes > shared_bytes || threads > 1024) throw std::logic_error("a block that no GPU has room for");
  gridDim = blocks;
  blockDim = dim3(unsigned(threads));
  const std::function<void()> body = call;
  for (unsigned z = 0; z < blocks.z; ++z)
    for (unsigned y = 0; y < blocks.y; ++y)
      for (unsigned x = 0; x < blocks.x; ++x) {
        blockIdx = dim3(x, y, z);
        // not a number before the block writes it
        std::memset(shared_memory, 0xff, bytes + shared_guard);
        threads_of_block().run(threads, body, backwards);
        for (std::size_t i = bytes; i < bytes + shared_guard; ++i)
          if (shared_memory[i] != 0xff) throw std::logic_error("a block wrote behind its shared memory");
      }
}

}  // namespace umov::test

namespace umov::backend::cuda {

template <class... Parameters, class... Arguments>
void launch(cudaStream_t, dim3 blocks, int threads, std::size_t bytes, void (*kernel)(Parameters...),
            const Arguments&... arguments) {
  const std::tuple<Parameters...> copies(arguments...);
  test::do_or_record([=] { test::run_blocks(blocks, threads, bytes, [&] { std::apply(kernel, copies); }); });
}

template <int Threads>
void wait_for_threads(int number) {
  test::threads_of_block().wait(number, Threads);
}
inline void prefetch(const void*) {}

}  // namespace umov::backend::cuda
