// Messages between GPUs of several processes by NCCL, loaded at run time: the module starts without it.
#include "comm/cuda/lane.hpp"

#ifdef UMOV_NCCL

#include <dlfcn.h>
#include <nccl.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "backend/cuda/reduce.hpp"
#include "comm/collect.hpp"
#include "comm/cuda/meter.hpp"
#include "comm/halo.hpp"
#include "comm/ranked_device.hpp"

namespace umov::comm {

namespace {

/// The functions of libnccl.so.2 that are used here.
struct Nccl {
#define UMOV_NCCL_FUNCTION(name) decltype(&::nccl##name) name = nullptr
  UMOV_NCCL_FUNCTION(GetVersion);
  UMOV_NCCL_FUNCTION(GetUniqueId);
  UMOV_NCCL_FUNCTION(CommInitRank);
  UMOV_NCCL_FUNCTION(CommAbort);
  UMOV_NCCL_FUNCTION(GroupStart);
  UMOV_NCCL_FUNCTION(GroupEnd);
  UMOV_NCCL_FUNCTION(Send);
  UMOV_NCCL_FUNCTION(Recv);
  UMOV_NCCL_FUNCTION(AllGather);
  UMOV_NCCL_FUNCTION(GetErrorString);
#undef UMOV_NCCL_FUNCTION
  std::string why_not;

  Nccl() {
    void* library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      why_not = dlerror();
      return;
    }
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      if (!function) why_not = std::string("libnccl.so.2 has no ") + name;
    };
    find(GetVersion, "ncclGetVersion");
    find(GetUniqueId, "ncclGetUniqueId");
    find(CommInitRank, "ncclCommInitRank");
    find(CommAbort, "ncclCommAbort");
    find(GroupStart, "ncclGroupStart");
    find(GroupEnd, "ncclGroupEnd");
    find(Send, "ncclSend");
    find(Recv, "ncclRecv");
    find(AllGather, "ncclAllGather");
    find(GetErrorString, "ncclGetErrorString");
  }
};
const Nccl& nccl() {
  static const Nccl library;
  return library;
}

void check(ncclResult_t result, const char* call) {
  if (result == ncclSuccess) return;
  throw MachineFailure(std::string("NCCL failed in ") + call + " (" + nccl().GetErrorString(result) +
                       "); NCCL_DEBUG=WARN says more");
}
#define UMOV_NCCL_CHECK(call) check(nccl().call, "nccl" #call)

class NcclExchange final : public Pending::Work {
 public:
  NcclExchange(Lane& lane, std::shared_ptr<Event> departed)
      : lane_(lane), departed_(std::move(departed)), landed_(lane.land()) {}
  void finish() override {
    lane_.select();
    lane_.arrive(departed_, landed_);
  }

 private:
  Lane& lane_;
  std::shared_ptr<Event> departed_, landed_;
};

/// NCCL's calls may be recorded from this version on, and mixed with others that are not.
bool records() {
  int version = 0;
  return nccl().GetVersion(&version) == ncclSuccess && version >= 21400;
}

constexpr unsigned threads = backend::cuda::threads_per_block;

/// When the stream comes to a wait, and how long it was.
__global__ void begin_wait(unsigned long long* begun) { *begun = nanoseconds(); }
__global__ void end_wait(const unsigned long long* begun, Meter::View meter) {
  meter.add(nanoseconds() - *begun);
}

/// Waits of the computing stream, measured on the GPU.
class Waits {
 public:
  explicit Waits(Lane& lane) : lane_(lane), begun_(1) {}
  void begin() { begin_wait<<<1, 1, 0, lane_.work()>>>(begun_.data()); }
  void end() {
    end_wait<<<1, 1, 0, lane_.work()>>>(begun_.data(), meter_.view());
    UMOV_CUDA_CHECK(cudaGetLastError());
  }
  /// Counts those that are over.
  void settle() { lane_.traffic().seconds += meter_.more(); }

 private:
  Lane& lane_;
  backend::CudaArray<unsigned long long> begun_;
  Meter meter_;
};

/// An event that is recorded again and again.
class Mark {
 public:
  Mark() { UMOV_CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~Mark() { cudaEventDestroy(event_); }
  Mark(const Mark&) = delete;
  Mark& operator=(const Mark&) = delete;
  /// What is queued in `after` from here on comes after what is in `before` now.
  void set(cudaStream_t before) const { UMOV_CUDA_CHECK(cudaEventRecord(event_, before)); }
  void before(cudaStream_t stream) const { UMOV_CUDA_CHECK(cudaStreamWaitEvent(stream, event_, 0)); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// V: as many bytes as a value.
template <class V>
class NcclPersistent final : public PersistentExchange {
 public:
  NcclPersistent(Lane& lane, Waits& waits, ncclComm_t comm, int rank, std::span<const Link> links,
                 const int* places)
      : lane_(lane), waits_(waits), comm_(comm), places_(places), links_(links.begin(), links.end()) {
    for (const Link& l : links) {
      sent_ += l.sent;
      if (l.rank != rank) bytes_ += double(l.sent * sizeof(V));
    }
    packed_ = backend::CudaArray<V>(sent_, lane.work());
  }
  ~NcclPersistent() override { cudaStreamSynchronize(lane_.travel()); }

  void start(const void* own, void* halo) override {
    if (links_.empty()) return;
    lane_.select();
    if (sent_) {
      const unsigned blocks = unsigned(std::min<std::size_t>((sent_ + threads - 1) / threads, 1024));
      backend::cuda::run_each<<<blocks, threads, 0, lane_.work()>>>(
          index_t(sent_), halo::Pack<V>{static_cast<const V*>(own), places_, packed_.data()});
      UMOV_CUDA_CHECK(cudaGetLastError());
    }
    departed_.set(lane_.work());
    departed_.before(lane_.travel());
    const V* from = packed_.data();
    V* to = static_cast<V*>(halo);
    UMOV_NCCL_CHECK(GroupStart());
    for (const Link& l : links_) {
      if (l.received)
        UMOV_NCCL_CHECK(Recv(to, l.received * sizeof(V), ncclInt8, l.rank, comm_, lane_.travel()));
      if (l.sent) UMOV_NCCL_CHECK(Send(from, l.sent * sizeof(V), ncclInt8, l.rank, comm_, lane_.travel()));
      from += l.sent;
      to += l.received;
    }
    UMOV_NCCL_CHECK(GroupEnd());
    landed_.set(lane_.travel());
    lane_.traffic().bytes += bytes_;
  }
  void finish() override {
    if (links_.empty()) return;
    lane_.select();
    waits_.begin();
    landed_.before(lane_.work());
    waits_.end();
  }

 private:
  Lane& lane_;
  Waits& waits_;
  ncclComm_t comm_;
  const int* places_;
  std::vector<Link> links_;
  std::size_t sent_ = 0;
  double bytes_ = 0;  ///< to other ranks, each time
  backend::CudaArray<V> packed_;
  Mark departed_, landed_;
};

class NcclChannel final : public LaneChannel {
 public:
  NcclChannel(std::unique_ptr<Communicator> host, const Queue& queue, bool recorded)
      : LaneChannel(queue, host->traffic_counter()), host_(std::move(host)), recorded_(recorded) {
    ncclUniqueId id{};
    if (host_->first()) UMOV_NCCL_CHECK(GetUniqueId(&id));
    std::vector<char> bytes(sizeof id);
    std::memcpy(bytes.data(), &id, sizeof id);
    broadcast(*host_, bytes);
    std::memcpy(&id, bytes.data(), sizeof id);
    UMOV_NCCL_CHECK(CommInitRank(&comm_, host_->size(), id, host_->rank()));
    if (!recorded_) return;
    waits_ = std::make_unique<Waits>(lane_);
    gathered_ = backend::CudaArray<double>(std::size_t(host_->size()) * ranked::most_sums);
  }
  /// Ranks come here in good order with nothing under way, or because one has failed: abort ends both.
  ~NcclChannel() override { nccl().CommAbort(comm_); }

  Pending start(std::span<const Out> outs, std::span<const In> ins) override {
    lane_.select();
    auto departed = lane_.depart();
    UMOV_NCCL_CHECK(GroupStart());
    for (const auto& m : ins)
      if (m.bytes) UMOV_NCCL_CHECK(Recv(m.data, m.bytes, ncclInt8, m.from, comm_, lane_.travel()));
    for (const auto& m : outs)
      if (m.bytes) UMOV_NCCL_CHECK(Send(m.data, m.bytes, ncclInt8, m.to, comm_, lane_.travel()));
    UMOV_NCCL_CHECK(GroupEnd());
    lane_.count(outs, host_->rank());
    return Pending(std::make_unique<NcclExchange>(lane_, std::move(departed)));
  }

  void all_gather(const void* mine, std::size_t bytes, void* all) override {
    lane_.select();
    const auto departed = lane_.depart();
    UMOV_NCCL_CHECK(AllGather(mine, all, bytes, ncclInt8, comm_, lane_.travel()));
    lane_.traffic().bytes += double(bytes) * (host_->size() - 1);
    lane_.arrive(departed, lane_.land());
  }

  std::unique_ptr<PersistentExchange> persistent(std::span<const Link> links, const int* places,
                                                 std::size_t element) override {
    if (!recorded_) return nullptr;
    settle();
    const auto make = [&](auto value) -> std::unique_ptr<PersistentExchange> {
      return std::make_unique<NcclPersistent<decltype(value)>>(lane_, *waits_, comm_, host_->rank(), links,
                                                               places);
    };
    switch (element) {
      case 4:
        return make(0u);
      case 8:
        return make(0ull);
      case 16:
        return make(ulonglong2{});
      default:
        return nullptr;
    }
  }
  bool sum(const double* mine, int n, double* sums) override {
    if (!recorded_) return false;
    lane_.select();
    waits_->begin();
    UMOV_NCCL_CHECK(
        AllGather(mine, gathered_.data(), std::size_t(n) * sizeof(double), ncclInt8, comm_, lane_.work()));
    waits_->end();
    backend::cuda::run_each<<<1, threads, 0, lane_.work()>>>(
        index_t(n), ranked::AddRanks{gathered_.data(), sums, host_->size(), n});
    UMOV_CUDA_CHECK(cudaGetLastError());
    lane_.traffic().bytes += double(n) * sizeof(double) * (host_->size() - 1);
    return true;
  }
  bool recordable() const override { return recorded_; }
  void settle() override {
    if (waits_) waits_->settle();
  }

 private:
  std::unique_ptr<Communicator> host_;
  bool recorded_;
  ncclComm_t comm_ = nullptr;
  std::unique_ptr<Waits> waits_;
  backend::CudaArray<double> gathered_;
};

}  // namespace

std::unique_ptr<Channel> nccl_channel(std::unique_ptr<Communicator>& host, const Queue& queue, bool repeat,
                                      std::string& why_not) {
  // One rank without the library, and all take another way.
  const bool there = all(*host, nccl().why_not.empty());
  if (there) {
    const bool recorded = all(*host, repeat && records());
    return std::make_unique<NcclChannel>(std::move(host), queue, recorded);
  }
  why_not = nccl().why_not.empty() ? "another rank has no libnccl.so.2" : nccl().why_not;
  return nullptr;
}

}  // namespace umov::comm

#else

namespace umov::comm {

std::unique_ptr<Channel> nccl_channel(std::unique_ptr<Communicator>&, const Queue&, bool,
                                      std::string& why_not) {
  why_not = "umov was built without NCCL's header (libnccl-dev)";
  return nullptr;
}

}  // namespace umov::comm

#endif
