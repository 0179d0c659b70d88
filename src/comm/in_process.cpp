// Ranks as threads: a message is one copy, made by whichever side comes to need it.
#include "comm/in_process.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "comm/collect.hpp"
#include "core/contract.hpp"
#include "core/timer.hpp"

namespace umov::comm {

namespace {

/// Ranks that end together after a vote may come here before the one whose error it is.
bool only_tells_of_another(const std::exception_ptr& e) {
  try {
    std::rethrow_exception(e);
  } catch (const OtherRankFailed&) {
    return true;
  } catch (...) {
    return false;
  }
}

/// What all groups of one run share.
struct House {
  std::mutex mutex;
  std::condition_variable changed;
  std::exception_ptr error;  ///< the first of those that a rank has by itself, or else the first
  bool for_another = false;  ///< it only says that another rank failed
  std::atomic<bool> failed{false};
  std::map<long, std::function<void()>> told;  ///< who wants to hear of a failure
  long next_told = 0;

  /// Under the mutex: waits for `ready()`; throws when a rank has failed.
  template <class Ready>
  void wait(std::unique_lock<std::mutex>& hold, const Ready& ready) {
    changed.wait(hold, [&] { return failed || ready(); });
    if (failed) throw_failure();
  }
  [[noreturn]] void throw_failure() const {
    throw OtherRankFailed(Exit::bug, "another rank of this run has failed");
  }
  void fail(std::exception_ptr e) {
    const bool echo = only_tells_of_another(e);
    const std::lock_guard hold(mutex);
    if (!error || (for_another && !echo)) {
      error = std::move(e);
      for_another = echo;
    }
    if (!failed.exchange(true))
      for (const auto& [number, call] : told) call();
    changed.notify_all();
  }
};

/// A message of which one side or both are known. All under the house's mutex, but for the copy.
struct Transfer {
  enum class State { one_sided, ready, copying, done, withdrawn };
  State state = State::one_sided;
  const void* data = nullptr;
  void* target = nullptr;
  std::size_t bytes = 0;
};
using Shared = std::shared_ptr<Transfer>;

struct Membership {
  Membership(std::shared_ptr<House> of, int ranks)
      : house(std::move(of)),
        size(ranks),
        sent(std::size_t(ranks * ranks)),
        awaited(std::size_t(ranks * ranks)) {
    for (auto& board : boards) board.resize(std::size_t(ranks));
  }
  std::size_t pair(int from, int to) const { return std::size_t(from) * std::size_t(size) + std::size_t(to); }

  std::shared_ptr<House> house;
  int size;
  std::vector<std::deque<Shared>> sent, awaited;  ///< one-sided ones, per pair
  /// What ranks put up for all to read; two in turn, so that one meeting of all ranks is enough.
  std::array<std::vector<std::vector<char>>, 2> boards;
  int arrived = 0;
  std::atomic<long> meetings{0};
  std::map<int, std::shared_ptr<Membership>> parts;  ///< of the split that is being made
};

/// Copies a message if nobody has begun to; under the mutex, which it gives away meanwhile.
void copy(std::unique_lock<std::mutex>& hold, House& house, Transfer& t) {
  if (t.state != Transfer::State::ready) return;
  t.state = Transfer::State::copying;
  hold.unlock();
  std::memcpy(t.target, t.data, t.bytes);
  hold.lock();
  t.state = Transfer::State::done;
  house.changed.notify_all();
}

class Exchange final : public Pending::Work {
 public:
  Exchange(std::shared_ptr<Membership> group, std::shared_ptr<Traffic> traffic)
      : group_(std::move(group)), house_(*group_->house), traffic_(std::move(traffic)) {}

  /// A rank that leaves by an error takes back what nobody has begun to copy; its memory is read no more.
  ~Exchange() override {
    std::unique_lock hold(house_.mutex);
    for (const auto& t : transfers_) {
      house_.changed.wait(hold, [&] { return t->state != Transfer::State::copying; });
      if (t->state != Transfer::State::done) t->state = Transfer::State::withdrawn;
    }
  }

  void add(const Shared& t) { transfers_.push_back(t); }

  void finish() override {
    const Stopwatch timer;
    std::unique_lock hold(house_.mutex);
    for (const auto& t : transfers_) copy(hold, house_, *t);
    for (const auto& t : transfers_)
      while (t->state != Transfer::State::done) {
        house_.wait(hold,
                    [&] { return t->state == Transfer::State::ready || t->state == Transfer::State::done; });
        copy(hold, house_, *t);
      }
    traffic_->seconds += timer.seconds();
  }

 private:
  std::shared_ptr<Membership> group_;
  House& house_;
  std::shared_ptr<Traffic> traffic_;
  std::vector<Shared> transfers_;
};

class InProcess final : public Communicator {
 public:
  InProcess(std::shared_ptr<Membership> group, int rank) : group_(std::move(group)), rank_(rank) {}
  InProcess(std::shared_ptr<Membership> group, int rank, const std::shared_ptr<Traffic>& traffic)
      : Communicator(traffic), group_(std::move(group)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return group_->size; }
  bool in_process() const override { return true; }
  std::string kind() const override { return "threads"; }

  void barrier() override {
    const Stopwatch timer;
    meet();
    traffic_counter()->seconds += timer.seconds();
  }

  void check() const override {
    if (group_->house->failed) group_->house->throw_failure();
  }
  std::shared_ptr<void> on_failure(std::function<void()> call) override {
    const auto house = group_->house;
    const std::lock_guard hold(house->mutex);
    if (house->failed) call();
    const long number = house->next_told++;
    house->told.emplace(number, std::move(call));
    return {nullptr, [house, number](std::nullptr_t) {
              const std::lock_guard hold(house->mutex);
              house->told.erase(number);
            }};
  }

  Pending start(std::span<const Out> outs, std::span<const In> ins) override {
    auto work = std::make_unique<Exchange>(group_, traffic_counter());
    {
      const std::lock_guard hold(group_->house->mutex);
      for (const auto& m : outs)
        if (m.bytes) work->add(send(m));
      for (const auto& m : ins)
        if (m.bytes) work->add(receive(m));
      group_->house->changed.notify_all();
    }
    for (const auto& m : outs)
      if (m.to != rank_) traffic_counter()->bytes += double(m.bytes);
    return Pending(std::move(work));
  }

  void all_gather(const void* mine, std::size_t bytes, void* all) override {
    const Stopwatch timer;
    auto& board = group_->boards[std::size_t(turn_)];
    turn_ = 1 - turn_;
    const auto* begin = static_cast<const char*>(mine);
    board[std::size_t(rank_)].assign(begin, begin + bytes);
    meet();
    auto* to = static_cast<char*>(all);
    for (const auto& put : board) {
      UMOV_EXPECT(put.size() == bytes, "all ranks give equally much");
      if (bytes) std::memcpy(to, put.data(), bytes);
      to += bytes;
    }
    traffic_counter()->bytes += double(bytes) * (size() - 1);
    traffic_counter()->seconds += timer.seconds();
  }

  std::unique_ptr<Communicator> split(int part) override {
    const auto parts = comm::all_gather(*this, part);
    int place = 0, members = 0;
    for (int r = 0; r < size(); ++r) {
      if (parts[std::size_t(r)] != part) continue;
      place += r < rank_;
      ++members;
    }
    std::shared_ptr<Membership> group;
    if (part >= 0) {
      const std::lock_guard hold(group_->house->mutex);
      auto& known = group_->parts[part];
      if (!known) known = std::make_shared<Membership>(group_->house, members);
      group = known;
    }
    meet();
    if (first()) group_->parts.clear();
    meet();
    return group ? std::make_unique<InProcess>(group, place, traffic_counter()) : nullptr;
  }

 private:
  /// Of two sides of a message, the second finds what the first has left.
  Shared send(const Out& m) {
    UMOV_EXPECT(m.to >= 0 && m.to < size(), "a message goes to a rank of the group");
    auto& awaited = group_->awaited[group_->pair(rank_, m.to)];
    const Shared t = matched(awaited, group_->sent[group_->pair(rank_, m.to)], m.bytes);
    t->data = m.data;
    return t;
  }
  Shared receive(const In& m) {
    UMOV_EXPECT(m.from >= 0 && m.from < size(), "a message comes from a rank of the group");
    auto& sent = group_->sent[group_->pair(m.from, rank_)];
    const Shared t = matched(sent, group_->awaited[group_->pair(m.from, rank_)], m.bytes);
    t->target = m.data;
    return t;
  }
  static Shared matched(std::deque<Shared>& others, std::deque<Shared>& own, std::size_t bytes) {
    if (others.empty()) {
      own.push_back(std::make_shared<Transfer>());
      own.back()->bytes = bytes;
      return own.back();
    }
    const Shared t = others.front();
    others.pop_front();
    UMOV_EXPECT(t->bytes == bytes, "both sides of a message know its length");
    if (t->state == Transfer::State::one_sided) t->state = Transfer::State::ready;
    return t;
  }

  /// Returns when all have come. A rank looks for some microseconds before it sleeps: as long as waking
  /// takes.
  void meet() {
    const long now = group_->meetings.load();
    {
      const std::lock_guard hold(group_->house->mutex);
      if (++group_->arrived == group_->size) {
        group_->arrived = 0;
        ++group_->meetings;
        group_->house->changed.notify_all();
        return;
      }
    }
    for (int look = 0; look < 2000; ++look)
      if (group_->meetings.load(std::memory_order_acquire) != now) return;
    std::unique_lock hold(group_->house->mutex);
    group_->house->wait(hold, [&] { return group_->meetings.load() != now; });
  }

  std::shared_ptr<Membership> group_;
  int rank_;
  int turn_ = 0;
};

}  // namespace

void run_in_process(int ranks, const std::function<void(Communicator&)>& body) {
  UMOV_EXPECT(ranks >= 1, "a run has a rank");
  const auto house = std::make_shared<House>();
  const auto group = std::make_shared<Membership>(house, ranks);
  const auto run = [&](int rank) {
    try {
      InProcess comm(group, rank);
      body(comm);
    } catch (...) {
      house->fail(std::current_exception());
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (int r = 1; r < ranks; ++r) others.emplace_back(run, r);
    } catch (const std::system_error& e) {
      house->fail(std::make_exception_ptr(MachineFailure(
          fmt::format("{} ranks cannot be threads here ({}); ask for fewer", ranks, e.what()))));
    }
    if (int(others.size()) == ranks - 1) run(0);
  }
  if (house->error) std::rethrow_exception(house->error);
}

}  // namespace umov::comm
