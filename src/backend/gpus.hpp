// The numbers of the GPUs that can compute here, for whoever gives work to several of them.
#pragma once

#include <string>
#include <vector>

namespace umov::backend {

/// What the cuda backend's module answers when asked for "gpus".
struct GpuList {
  std::vector<int> (*usable)();
  double (*free_memory)(int gpu);
};

/// What it answers when asked for "gpu_links".
struct GpuLinks {
  std::vector<std::string> (*lines)();
};

/// How the GPUs of this machine reach each other, a line a pair: empty for fewer than two.
std::vector<std::string> links_of_gpus();

/// Numbers, as `--device` takes them, of the GPUs that this build has code for; empty without the backend.
std::vector<int> usable_gpus();

/// Bytes that a GPU has left; 0 when unknown.
double free_memory_of_gpu(int gpu);

}  // namespace umov::backend
