// Tests of the fallbacks of the cuda backend on a large card: its limits forced down while an object lives.
#pragma once

#include <cstdlib>
#include <string>

#include "backend/registry.hpp"

namespace umov::test {

/// See docs/developer.md. Engines that are made meanwhile keep to it.
class ForcedLimits {
 public:
  explicit ForcedLimits(const std::string& text) { ::setenv("UMOV_CUDA_LIMITS", text.c_str(), 1); }
  ~ForcedLimits() { ::unsetenv("UMOV_CUDA_LIMITS"); }
  ForcedLimits(const ForcedLimits&) = delete;
};

/// Why the cuda backend cannot be used here; empty where it can.
inline std::string no_cuda() {
  for (const auto& b : backend::list_backends())
    if (b.name == "cuda") return b.available ? "" : b.why_not;
  return "no cuda backend";
}

}  // namespace umov::test
