// Which backends this program has and what each needs: the list behind `umov devices`.
#pragma once

#include <string>
#include <vector>

namespace umov::backend {

struct BackendInfo {
  std::string name;  ///< serial, cpu, cuda
  bool available = false;
  std::string why_not;               ///< when not available: what is missing and what to do
  std::vector<std::string> devices;  ///< one line each
};

/// All backends, in order of preference from the last (fastest) to the first.
std::vector<BackendInfo> list_backends();

}  // namespace umov::backend
