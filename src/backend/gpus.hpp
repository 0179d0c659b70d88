// The numbers of the GPUs that can compute here, for whoever gives work to several of them.
#pragma once

#include <vector>

namespace umov::backend {

/// What the cuda backend's module answers when asked for "gpus".
struct GpuList {
  std::vector<int> (*usable)();
};

/// Numbers, as `--device` takes them, of the GPUs that this build has code for; empty without the backend.
std::vector<int> usable_gpus();

}  // namespace umov::backend
