// The numbers of the GPUs that can compute here, for whoever gives work to several of them.
#pragma once

#include <vector>

namespace umov::backend {

/// What the cuda backend's module answers when asked for "gpus".
struct GpuList {
  std::vector<int> (*usable)();
  double (*free_memory)(int gpu);
};

/// Numbers, as `--device` takes them, of the GPUs that this build has code for; empty without the backend.
std::vector<int> usable_gpus();

/// Bytes that a GPU has left; 0 when unknown.
double free_memory_of_gpu(int gpu);

}  // namespace umov::backend
