// Messages between GPUs of one process. Ranks meet on the host when an exchange begins and tell each other
// where their messages lie; the copies are queued there and then, and wait for nothing that is not queued
// already. So a rank that fails leaves no GPU waiting for it. Exchanges that are made again and again, and
// sums, pass the host by (direct.hpp).
#include <map>
#include <utility>
#include <vector>

#include "comm/cuda/direct.hpp"
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

/// Where a message lies. The messages of a pair of ranks travel as one letter, in their order.
struct Place {
  const void* data;
  std::size_t bytes;
};
/// Of all messages to a rank, or from it: they are complete together.
struct Letter {
  std::vector<Place> places;
  Shared* ready = nullptr;
};

class PeerExchange final : public Pending::Work {
 public:
  PeerExchange(Communicator& host, Lane& lane, std::span<const Out> outs, std::span<const In> ins)
      : host_(host), lane_(lane) {
    const Uncounted letters(lane_.traffic());
    lane_.select();
    copy(outs, ins);
    tell_done();
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
    std::vector<Shared> others;
    for (const auto& [rank, letter] : sent_) others.push_back(take(letter.ready));
    lane_.arrive(departed_, copied_, others);
  }

 private:
  void copy(std::span<const Out> outs, std::span<const In> ins) {
    // Own memory may be written only when what computes is done with it.
    departed_ = lane_.depart();
    for (const auto& m : outs)
      if (m.bytes) sent_[m.to].places.push_back({m.data, m.bytes});
    for (const auto& m : ins)
      if (m.bytes) received_[m.from].places.emplace_back();
    std::vector<Out> host_outs;
    std::vector<In> host_ins;
    for (auto& [rank, letter] : sent_) {
      letter.ready = hand_over(departed_);
      host_outs.push_back(out(rank, letter.places.data(), letter.places.size()));
      host_outs.push_back(out(rank, &letter.ready, 1));
    }
    for (auto& [rank, letter] : received_) {
      host_ins.push_back(in(rank, letter.places.data(), letter.places.size()));
      host_ins.push_back(in(rank, &letter.ready, 1));
    }
    host_.exchange(host_outs, host_ins);
    std::map<int, std::size_t> next;
    for (const auto& m : ins) {
      if (!m.bytes) continue;
      Letter& letter = received_[m.from];
      if (letter.ready) take(std::exchange(letter.ready, nullptr))->before(lane_.travel());
      const Place& theirs = letter.places[next[m.from]++];
      UMOV_EXPECT(theirs.bytes == m.bytes, "both sides of a message know its length");
      UMOV_CUDA_CHECK(cudaMemcpyAsync(m.data, theirs.data, m.bytes, cudaMemcpyDefault, lane_.travel()));
    }
  }

  /// Senders hear when their messages have been read.
  void tell_done() {
    copied_ = lane_.land();
    std::vector<In> host_ins;
    std::vector<Out> host_outs;
    for (auto& [rank, letter] : received_) {
      letter.ready = hand_over(copied_);
      host_outs.push_back(out(rank, &letter.ready, 1));
    }
    for (auto& [rank, letter] : sent_) host_ins.push_back(in(rank, &letter.ready, 1));
    done_ = host_.start(host_outs, host_ins);
  }

  Communicator& host_;
  Lane& lane_;
  Shared departed_, copied_;               ///< around this rank's own copies
  std::map<int, Letter> sent_, received_;  ///< by the other rank
  Pending done_;                           // last: withdrawn before what it writes to goes
};

class PeerChannel final : public LaneChannel {
 public:
  PeerChannel(std::unique_ptr<Communicator> host, const Queue& queue, bool direct)
      : LaneChannel(queue, host->traffic_counter()), host_(std::move(host)) {
    if (!direct) return;
    post_ = std::make_unique<direct::Post>(*host_, lane_);
    sums_ = std::make_unique<direct::Sums>(*post_);
  }

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

  std::unique_ptr<PersistentExchange> persistent(std::span<const Link> links, const int* places,
                                                 std::size_t element) override {
    settle();
    return post_ ? direct::make_exchange(*post_, links, places, element) : nullptr;
  }
  bool sum(const double* mine, int n, double* sums) override {
    if (!post_) return false;
    sums_->add(mine, n, sums);
    return true;
  }
  bool recordable() const override { return post_ != nullptr; }
  void settle() override {
    if (!post_) return;
    post_->require_all();
    lane_.traffic().seconds += post_->meter.more();
  }

 private:
  std::unique_ptr<Communicator> host_;
  std::unique_ptr<direct::Post> post_;  // none: GPUs are shared, or do not reach each other
  std::unique_ptr<direct::Sums> sums_;
};

}  // namespace

std::unique_ptr<Channel> peer_channel(std::unique_ptr<Communicator> host, const Queue& queue, bool direct) {
  return std::make_unique<PeerChannel>(std::move(host), queue, direct);
}

}  // namespace umov::comm
