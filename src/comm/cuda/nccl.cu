// Messages between GPUs of several processes by NCCL, loaded at run time: the module starts without it.
#include "comm/cuda/lane.hpp"

#ifdef UMOV_NCCL

#include <dlfcn.h>
#include <nccl.h>

#include <cstring>
#include <vector>

#include "comm/collect.hpp"

namespace umov::comm {

namespace {

/// The functions of libnccl.so.2 that are used here.
struct Nccl {
#define UMOV_NCCL_FUNCTION(name) decltype(&::nccl##name) name = nullptr
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

class NcclChannel final : public LaneChannel {
 public:
  NcclChannel(std::unique_ptr<Communicator> host, const Queue& queue)
      : LaneChannel(queue, host->traffic_counter()), host_(std::move(host)) {
    ncclUniqueId id{};
    if (host_->first()) UMOV_NCCL_CHECK(GetUniqueId(&id));
    std::vector<char> bytes(sizeof id);
    std::memcpy(bytes.data(), &id, sizeof id);
    broadcast(*host_, bytes);
    std::memcpy(&id, bytes.data(), sizeof id);
    UMOV_NCCL_CHECK(CommInitRank(&comm_, host_->size(), id, host_->rank()));
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

 private:
  std::unique_ptr<Communicator> host_;
  ncclComm_t comm_ = nullptr;
};

}  // namespace

std::unique_ptr<Channel> nccl_channel(std::unique_ptr<Communicator>& host, const Queue& queue,
                                      std::string& why_not) {
  // One rank without the library, and all take another way.
  const bool there = all(*host, nccl().why_not.empty());
  if (there) return std::make_unique<NcclChannel>(std::move(host), queue);
  why_not = nccl().why_not.empty() ? "another rank has no libnccl.so.2" : nccl().why_not;
  return nullptr;
}

}  // namespace umov::comm

#else

namespace umov::comm {

std::unique_ptr<Channel> nccl_channel(std::unique_ptr<Communicator>&, const Queue&, std::string& why_not) {
  why_not = "umov was built without NCCL's header (libnccl-dev)";
  return nullptr;
}

}  // namespace umov::comm

#endif
