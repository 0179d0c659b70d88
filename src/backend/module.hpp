// The door of a backend that lives in a shared library of its own, so that the program starts without it.
#pragma once

#include <string>

#include "backend/registry.hpp"

namespace umov::backend {

/// What a backend's library answers through its one exported function `umov_backend_module`.
struct Module {
  int version;                                 ///< of this struct; must equal module_version
  void (*describe)(BackendInfo&);              ///< fills available, why_not, devices; does not throw
  const void* (*factory)(const char* family);  ///< what a family (dda, ...) asks for; nullptr when unknown
  void (*start)(int device);  ///< makes a device ready (below 0: the first), as far as it can; does not throw
};
inline constexpr int module_version = 2;
using ModuleEntry = const Module* (*)();

/// The library libumov_NAME.so beside the program or in ../lib/umov, loaded once and kept. On failure
/// nullptr, with the reason and what to do in `why_not`.
const Module* load_module(const std::string& name, std::string& why_not);
/// What the cuda backend offers a family; nullptr, with the reason, when it cannot be used on this machine.
const void* cuda_factory(const char* family, std::string& why_not);

}  // namespace umov::backend
