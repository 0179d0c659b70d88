// Which way messages of GPUs take.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "comm/collect.hpp"
#include "comm/cuda/lane.hpp"
#include "comm/device_channel.hpp"
#include "core/console.hpp"

namespace umov::comm {

namespace {

using Uuid = std::array<char, 16>;

/// Whether two ranks compute on one GPU, which NCCL refuses.
bool gpus_are_shared(Communicator& host, int gpu) {
  cudaDeviceProp p;
  UMOV_CUDA_CHECK(cudaGetDeviceProperties(&p, gpu));
  Uuid mine;
  std::memcpy(mine.data(), p.uuid.bytes, mine.size());
  auto all = all_gather(host, mine);
  std::sort(all.begin(), all.end());
  return std::adjacent_find(all.begin(), all.end()) != all.end();
}

/// Arrays of a pool, too, are to be read and written from another GPU.
void let_peer_into_pool(int gpu, int other) {
  int can = 0;
  if (cudaDeviceCanAccessPeer(&can, other, gpu) != cudaSuccess || !can) return;
  cudaMemPool_t pool;
  UMOV_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, gpu));
  const cudaMemAccessDesc access{{cudaMemLocationTypeDevice, other}, cudaMemAccessFlagsProtReadWrite};
  UMOV_CUDA_CHECK(cudaMemPoolSetAccess(pool, &access, 1));
}

/// GPUs of one process reach each other's memory where the machine lets them; else the driver copies in
/// between. Whether all of them do, on every rank.
bool let_peers_in(Communicator& host, int gpu) {
  bool every = true;
  for (const int other : all_gather(host, gpu)) {
    int can = 0;
    if (other == gpu) continue;
    if (cudaDeviceCanAccessPeer(&can, gpu, other) != cudaSuccess || !can) {
      every = false;
      continue;
    }
    const cudaError_t error = cudaDeviceEnablePeerAccess(other, 0);
    if (error != cudaSuccess && error != cudaErrorPeerAccessAlreadyEnabled) UMOV_CUDA_CHECK(error);
    cudaGetLastError();
    let_peer_into_pool(gpu, other);
  }
  return all(host, every);
}
/// What is asked for to compare, in the environment.
bool copies_asked() {
  const char* asked = std::getenv("UMOV_GPU_MESSAGES");
  return asked && std::string(asked) == "copies";
}

std::unique_ptr<Channel> open(std::unique_ptr<Communicator> host, const Queue& queue) {
  UMOV_CUDA_CHECK(cudaSetDevice(queue.gpu));
  if (host->in_process()) {
    const bool reached = let_peers_in(*host, queue.gpu);
    const bool direct = !gpus_are_shared(*host, queue.gpu) && reached && !copies_asked();
    host->traffic_counter()->way = direct ? "by kernels from GPU to GPU" : "copied from GPU to GPU";
    return peer_channel(std::move(host), queue, direct);
  }
  std::string why_not = "ranks share a GPU", remedy = "start a rank for each GPU";
  if (!gpus_are_shared(*host, queue.gpu)) {
    const auto counter = host->traffic_counter();
    if (auto found = nccl_channel(host, queue, !copies_asked(), why_not)) {
      counter->way = found->recordable() ? "by NCCL, recorded" : "by NCCL";
      return found;
    }
    remedy = "install NCCL, or take `machine.gpus` on one machine";
  }
  static bool said = false;
  if (host->first() && !std::exchange(said, true))
    complain("umov: warning: what GPUs send each other goes through host memory, which is slow (" + why_not +
             "); " + remedy);
  host->traffic_counter()->way = "through host memory";
  return staged_channel(std::move(host), queue);
}

}  // namespace

const void* cuda_channels() {
  static const DeviceChannels channels{open};
  return &channels;
}

}  // namespace umov::comm
