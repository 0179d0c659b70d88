// The entry of libumov_cuda.so: what GPUs are there, or why none can be used, and the engines it offers.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "backend/cuda/check.hpp"
#include "backend/cuda/limits.hpp"
#include "backend/gpus.hpp"
#include "backend/module.hpp"

namespace umov::comm {
const void* cuda_channels();
}
namespace umov::dda {
const void* cuda_engine_factory();
}
namespace umov::fdtd {
const void* cuda_engine_factory();
}
namespace umov::harmonic {
const void* cuda_engine_factory();
const void* cuda_pseudo_time_factory();
}  // namespace umov::harmonic
namespace umov::pmaxwell {
const void* cuda_engine_factory();
}
namespace umov::eqs {
const void* cuda_engine_factory();
}
namespace umov::amg {
const void* cuda_solver_factory();
}

namespace umov::backend {
namespace {

std::string why_no_device(cudaError_t error) {
  switch (error) {
    case cudaErrorInsufficientDriver: {
      int driver = 0;
      cudaDriverGetVersion(&driver);
      if (driver == 0) return "no NVIDIA driver is installed; install one";
      return "the NVIDIA driver is too old (it offers CUDA " + std::to_string(driver / 1000) + "." +
             std::to_string(driver % 1000 / 10) + ", this program needs " +
             std::to_string(CUDART_VERSION / 1000) + "); update it";
    }
    case cudaErrorNoDevice:
      return "no NVIDIA GPU is visible (CUDA_VISIBLE_DEVICES?)";
    default:
      return std::string("the CUDA runtime says: ") + cudaGetErrorString(error);
  }
}

/// One line of `umov devices`.
std::string line_of(int device, const cudaDeviceProp& p, bool usable) {
  char line[512];
  std::snprintf(line, sizeof line, "%d: %s, %.1f GiB, compute capability %d.%d%s", device, p.name,
                double(p.totalGlobalMem) / (1 << 30), p.major, p.minor,
                usable ? "" : " (not usable: this build has no code for it)");
  return line;
}

void describe(BackendInfo& info) {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) {
    info.available = false;
    info.why_not = why_no_device(error == cudaSuccess ? cudaErrorNoDevice : error);
    cudaGetLastError();
    return;
  }
  for (int d = 0; d < count; ++d) {
    cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, d) != cudaSuccess) continue;
    const bool usable = cuda::runs_on(UMOV_CUDA_CODE, p.major, p.minor);
    info.devices.push_back(line_of(d, p, usable));
    info.available |= usable;
  }
  if (!info.available && !info.devices.empty())
    info.why_not = "GPU " + info.devices.front() +
                   ": its compute capability is none of " UMOV_CUDA_CODE
                   "; build again on this machine with `make cuda`";
}

std::vector<int> usable() {
  std::vector<int> out;
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) cudaGetLastError();
  for (int d = 0; d < count; ++d) {
    cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, d) == cudaSuccess && cuda::runs_on(UMOV_CUDA_CODE, p.major, p.minor))
      out.push_back(d);
  }
  return out;
}

double free_memory(int gpu) {
  std::size_t free = 0, total = 0;
  if (cudaSetDevice(gpu) == cudaSuccess && cudaMemGetInfo(&free, &total) == cudaSuccess) return double(free);
  cudaGetLastError();
  return 0;
}

/// How one GPU reaches another. Only NVLink carries atomic operations from GPU to GPU.
std::string link_of(int from, int to) {
  const auto asked = [&](cudaDeviceP2PAttr what) {
    int answer = 0;
    if (cudaDeviceGetP2PAttribute(&answer, what, from, to) != cudaSuccess) cudaGetLastError();
    return answer;
  };
  if (!asked(cudaDevP2PAttrAccessSupported)) return "through host memory";
  return asked(cudaDevP2PAttrNativeAtomicSupported) ? "directly, NVLink" : "directly, PCIe";
}

std::vector<std::string> links() {
  std::vector<std::string> lines;
  const auto there = usable();
  for (std::size_t i = 0; i < there.size(); ++i)
    for (std::size_t j = i + 1; j < there.size(); ++j)
      lines.push_back(std::to_string(there[i]) + " - " + std::to_string(there[j]) + ": " +
                      link_of(there[i], there[j]));
  return lines;
}

const void* gpu_links() {
  static const GpuLinks list{links};
  return &list;
}

const void* gpus() {
  static const GpuList list{usable, free_memory};
  return &list;
}

void start(int device) {
  // the first call that needs a context makes it
  if (cudaSetDevice(std::max(device, 0)) == cudaSuccess) cudaFree(nullptr);
  cudaGetLastError();
}

const void* factory(const char* family) {
  if (std::strcmp(family, "gpus") == 0) return gpus();
  if (std::strcmp(family, "gpu_links") == 0) return gpu_links();
  if (std::strcmp(family, "comm") == 0) return comm::cuda_channels();
  if (std::strcmp(family, "dda") == 0) return dda::cuda_engine_factory();
  if (std::strcmp(family, "fdtd") == 0) return fdtd::cuda_engine_factory();
  if (std::strcmp(family, "harmonic") == 0) return harmonic::cuda_engine_factory();
  if (std::strcmp(family, "pseudo_time") == 0) return harmonic::cuda_pseudo_time_factory();
  if (std::strcmp(family, "pmaxwell") == 0) return pmaxwell::cuda_engine_factory();
  if (std::strcmp(family, "eqs") == 0) return eqs::cuda_engine_factory();
  if (std::strcmp(family, "solve") == 0) return amg::cuda_solver_factory();
  return nullptr;
}

}  // namespace
}  // namespace umov::backend

extern "C" __attribute__((visibility("default"))) const umov::backend::Module* umov_backend_module() {
  static const umov::backend::Module module{umov::backend::module_version, umov::backend::describe,
                                            umov::backend::factory, umov::backend::start};
  return &module;
}
