// Messages between GPUs of one process. Ranks meet on the host when an exchange begins and tell each other
// where their messages lie; the copies are queued there and then, and wait for nothing that is not queued
// already. So a rank that fails leaves no GPU waiting for it.
#include <vector>

#include "comm/cuda/lane.hpp"
#include "core/contract.hpp"

namespace umov::comm {

namespace {

using Shared = std::shared_ptr<Event>;

/// An event on its way to another thread, which takes it off the heap.
Shared* hand_over(const Shared& e) { return new Shared(e); }
Shared take(Shared* e) {
  const std::unique_ptr<Shared> held(e);
  return *held;
}

/// Where a message lies, and when it is complete.
struct Letter {
  const void* data;
  std::size_t bytes;
  Shared* ready;
};

/// The host's letters count as nothing: bytes and waits are those of the GPU.
class Uncounted {
 public:
  explicit Uncounted(Traffic& counter) : counter_(counter), before_(counter) {}
  ~Uncounted() { counter_ = before_; }
  Uncounted(const Uncounted&) = delete;
  Uncounted& operator=(const Uncounted&) = delete;

 private:
  Traffic& counter_;
  Traffic before_;
};

class PeerExchange final : public Pending::Work {
 public:
  PeerExchange(Communicator& host, Lane& lane, std::span<const Out> outs, std::span<const In> ins)
      : host_(host), lane_(lane) {
    const Uncounted letters(lane_.traffic());
    lane_.select();
    copy(outs, ins);
    tell_done(outs, ins);
  }

  /// An exchange that is left reads others' memory no more.
  ~PeerExchange() override {
    if (done_.under_way()) cudaStreamSynchronize(lane_.travel());
  }

  void finish() override {
    lane_.select();
    {
      const Uncounted letters(lane_.traffic());
      done_.finish();
    }
    std::vector<Shared> events{copied_};
    for (auto* e : read_) events.push_back(take(e));
    lane_.arrive(events);
  }

 private:
  void copy(std::span<const Out> outs, std::span<const In> ins) {
    const auto ready = std::make_shared<Event>(lane_.work());
    std::vector<Letter> sent, received(ins.size());
    std::vector<Out> host_outs;
    std::vector<In> host_ins;
    for (const auto& m : outs)
      if (m.bytes) sent.push_back({m.data, m.bytes, hand_over(ready)});
    for (std::size_t i = 0, k = 0; i < outs.size(); ++i)
      if (outs[i].bytes) host_outs.push_back(out(outs[i].to, &sent[k++], 1));
    for (std::size_t i = 0; i < ins.size(); ++i)
      if (ins[i].bytes) host_ins.push_back(in(ins[i].from, &received[i], 1));
    host_.exchange(host_outs, host_ins);
    // Own memory may be written only when what computes is done with it.
    ready->before(lane_.travel());
    for (std::size_t i = 0; i < ins.size(); ++i) {
      if (!ins[i].bytes) continue;
      const Shared theirs = take(received[i].ready);
      UMOV_EXPECT(received[i].bytes == ins[i].bytes, "both sides of a message know its length");
      theirs->before(lane_.travel());
      UMOV_CUDA_CHECK(
          cudaMemcpyAsync(ins[i].data, received[i].data, ins[i].bytes, cudaMemcpyDefault, lane_.travel()));
    }
  }

  /// Senders hear when their messages have been read.
  void tell_done(std::span<const Out> outs, std::span<const In> ins) {
    copied_ = std::make_shared<Event>(lane_.travel());
    std::vector<In> host_ins;
    std::vector<Out> host_outs;
    for (const auto& m : ins)
      if (m.bytes) told_.push_back(hand_over(copied_));
    for (std::size_t i = 0, k = 0; i < ins.size(); ++i)
      if (ins[i].bytes) host_outs.push_back(out(ins[i].from, &told_[k++], 1));
    for (const auto& m : outs)
      if (m.bytes) read_.push_back(nullptr);
    for (std::size_t i = 0, k = 0; i < outs.size(); ++i)
      if (outs[i].bytes) host_ins.push_back(in(outs[i].to, &read_[k++], 1));
    done_ = host_.start(host_outs, host_ins);
  }

  Communicator& host_;
  Lane& lane_;
  Shared copied_;  ///< this rank's own copies
  std::vector<Shared*> told_, read_;
  Pending done_;  // last: withdrawn before what it writes to goes
};

class PeerChannel final : public Channel {
 public:
  PeerChannel(std::unique_ptr<Communicator> host, const Queue& queue)
      : host_(std::move(host)), lane_(queue, host_->traffic_counter()) {}

  Pending start(std::span<const Out> outs, std::span<const In> ins) override {
    auto work = std::make_unique<PeerExchange>(*host_, lane_, outs, ins);
    lane_.count(outs, host_->rank());
    return Pending(std::move(work));
  }

  void all_gather(const void* mine, std::size_t bytes, void* all) override {
    std::vector<Out> outs;
    std::vector<In> ins;
    for (int r = 0; r < host_->size(); ++r) {
      outs.push_back({r, mine, bytes});
      ins.push_back({r, static_cast<char*>(all) + std::size_t(r) * bytes, bytes});
    }
    exchange(outs, ins);
  }

 private:
  std::unique_ptr<Communicator> host_;
  Lane lane_;
};

}  // namespace

std::unique_ptr<Channel> peer_channel(std::unique_ptr<Communicator> host, const Queue& queue) {
  return std::make_unique<PeerChannel>(std::move(host), queue);
}

}  // namespace umov::comm
