// The backends that this machine can compute on.
#pragma once

#include <string>
#include <vector>

#include "backend/gpus.hpp"

namespace umov::test {

/// serial, cpu, and cuda where there is a GPU: several ranks of a test share it.
inline std::vector<std::string> backends_here() {
  std::vector<std::string> list{"serial", "cpu"};
  if (!backend::usable_gpus().empty()) list.push_back("cuda");
  return list;
}

}  // namespace umov::test
