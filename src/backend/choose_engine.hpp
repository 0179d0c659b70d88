// Choosing an engine at run time: a backend by its name, or the fastest one usable here.
#pragma once

#include <memory>
#include <string>

#include "backend/module.hpp"
#include "core/error.hpp"

namespace umov::backend {

/// What a backend's module answers when a family asks for it: how an engine is made of `Args`.
template <class Engine, class... Args>
struct EngineFactory {
  std::unique_ptr<Engine> (*make)(const Args&...);
};

/// The engine of `family` on the backend "serial", "cpu" or "cuda"; "auto": a GPU if one is usable here, else
/// the processor. Throws BadInput: unknown backend; MachineFailure: the cuda backend cannot be used here.
template <class Engine, class... Args>
std::unique_ptr<Engine> choose_engine(const char* family, const std::string& backend,
                                      std::unique_ptr<Engine> (*serial)(const Args&...),
                                      std::unique_ptr<Engine> (*cpu)(const Args&...), const Args&... args) {
  if (backend == "serial") return serial(args...);
  if (backend == "cpu") return cpu(args...);
  if (backend != "cuda" && backend != "auto")
    throw BadInput("unknown backend '" + backend + "' (known: auto, serial, cpu, cuda)");
  std::string why_not;
  const void* found = cuda_factory(family, why_not);
  if (found) return static_cast<const EngineFactory<Engine, Args...>*>(found)->make(args...);
  if (backend == "auto") return cpu(args...);
  throw MachineFailure("the cuda backend cannot be used here (" + why_not +
                       "); use `machine.backend = 'cpu'`");
}

}  // namespace umov::backend
