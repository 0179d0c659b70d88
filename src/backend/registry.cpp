// Finding the backends: the built-in ones, and those in shared libraries beside the program.
#include "backend/registry.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <omp.h>

#include <filesystem>
#include <map>
#include <mutex>

#include "backend/module.hpp"
#include "core/find_module.hpp"

namespace umov::backend {

namespace {

struct Loaded {
  const Module* module = nullptr;
  std::string why_not;
};

Loaded load(const std::string& name) {
  const std::string file = "libumov_" + name + ".so";
  const auto path = find_module(file);
  if (path.empty())
    return {nullptr,
            fmt::format("{} is not beside this program (it was built without UMOV_CUDA=ON); build it "
                        "with `cmake --preset cuda` on a machine with nvcc",
                        file)};
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return {nullptr, fmt::format("{} could not be loaded ({}); install the CUDA runtime libraries (cuFFT) of "
                                 "the version it was built with",
                                 path.string(), dlerror())};
  const auto entry = reinterpret_cast<ModuleEntry>(dlsym(library, "umov_backend_module"));
  const Module* module = entry ? entry() : nullptr;
  if (!module || module->version != module_version)
    return {nullptr, path.string() + " belongs to another version of umov; build both together"};
  return {module, ""};
}

BackendInfo describe_cuda() {
  BackendInfo info{"cuda", false, "", {}};
  if (const Module* module = load_module("cuda", info.why_not)) module->describe(info);
  return info;
}

}  // namespace

const Module* load_module(const std::string& name, std::string& why_not) {
  static std::mutex lock;
  static std::map<std::string, Loaded> known;
  const std::lock_guard<std::mutex> hold(lock);
  const auto found = known.find(name);
  const Loaded& loaded = found != known.end() ? found->second : known.emplace(name, load(name)).first->second;
  why_not = loaded.why_not;
  return loaded.module;
}

const void* cuda_factory(const char* family, std::string& why_not) {
  const Module* module = load_module("cuda", why_not);
  if (!module) return nullptr;
  // GPUs neither come nor go while a program runs, and asking for all that they are takes milliseconds.
  static const BackendInfo info = [module] {
    BackendInfo found{"cuda", false, "", {}};
    module->describe(found);
    return found;
  }();
  why_not = info.why_not;
  return info.available ? module->factory(family) : nullptr;
}

std::vector<BackendInfo> list_backends() {
  return {{"serial", true, "", {"serial reference, one core"}},
          {"cpu", true, "", {fmt::format("OpenMP and FFTW, {} thread(s)", omp_get_max_threads())}},
          describe_cuda()};
}

}  // namespace umov::backend
