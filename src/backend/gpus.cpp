// The numbers of the GPUs that can compute here, as the cuda backend's module tells them.
#include "backend/gpus.hpp"

#include <string>

#include "backend/module.hpp"

namespace umov::backend {

namespace {

const GpuList* gpu_list() {
  std::string why_not;
  return static_cast<const GpuList*>(cuda_factory("gpus", why_not));
}

}  // namespace

std::vector<int> usable_gpus() {
  const auto* list = gpu_list();
  return list ? list->usable() : std::vector<int>();
}

std::vector<std::string> links_of_gpus() {
  std::string why_not;
  const auto* links = static_cast<const GpuLinks*>(cuda_factory("gpu_links", why_not));
  return links ? links->lines() : std::vector<std::string>();
}

double free_memory_of_gpu(int gpu) {
  const auto* list = gpu_list();
  return list ? list->free_memory(gpu) : 0;
}

}  // namespace umov::backend
