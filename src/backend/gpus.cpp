// The numbers of the GPUs that can compute here, as the cuda backend's module tells them.
#include "backend/gpus.hpp"

#include <string>

#include "backend/module.hpp"

namespace umov::backend {

std::vector<int> usable_gpus() {
  std::string why_not;
  const auto* list = static_cast<const GpuList*>(cuda_factory("gpus", why_not));
  return list ? list->usable() : std::vector<int>();
}

}  // namespace umov::backend
