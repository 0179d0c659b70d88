#include "run/ledger_ranks.hpp"

#include <chrono>
#include <numeric>
#include <span>
#include <thread>
#include <tuple>

#include "comm/collect.hpp"
#include "comm/scatter.hpp"
#include "core/error.hpp"

namespace umov::run {

namespace {

/// Between two meetings of the ranks: short beside most cases, long beside a message.
constexpr auto pause = std::chrono::milliseconds(5);

struct FromRank {
  std::vector<News> news;
  std::vector<int> wishes;  ///< workers that want a case
  bool stop = false;        ///< a signal has come
};

struct Gift {
  int worker = 0;
  std::size_t number = 0;
};
struct ToRank {
  std::vector<Gift> gifts;
  bool held = false;  ///< workers wait where they tell of their case
  bool ends = false;  ///< no case is begun any more
  bool stop = false;  ///< nor finished
  bool over = false;  ///< this was the last meeting
};

constexpr auto visit_from = [](auto& f, auto& m) {
  f.each(m.news, [&](auto& n) {
    f(n.kind);
    f(n.worker);
    f(n.bytes);
    f(n.code);
    f(n.text);
  });
  f(m.wishes);
  f(m.stop);
};
constexpr auto visit_to = [](auto& f, auto& m) {
  f(m.gifts);
  f(m.held);
  f(m.ends);
  f(m.stop);
  f(m.over);
};

void take(News n, Ledger& ledger) {
  const auto error = [&] { return std::make_exception_ptr(Error(Exit(n.code), n.text)); };
  switch (n.kind) {
    case News::Kind::told:
    case News::Kind::passing:
      ledger.hear(n.worker, n.bytes);
      return;
    case News::Kind::finished:
      return ledger.finish(n.worker, std::move(n.bytes));
    case News::Kind::left_out:
      return ledger.leave_out(n.worker, error());
    case News::Kind::failed:
      return ledger.fail(n.worker, error());
    case News::Kind::left:
      return ledger.leave(n.worker);
  }
}

ToRank answer(const FromRank& from, Ledger& ledger) {
  ToRank to;
  for (const int worker : from.wishes)
    if (const auto k = ledger.next_now(worker)) to.gifts.push_back({worker, *k});
  return to;
}

/// What the other ranks say, by rank; the place of rank 0 is empty.
std::vector<FromRank> hear_ranks(comm::Communicator& comm) {
  std::vector<std::size_t> counts;
  const auto all = comm::gather(comm, std::span<const std::byte>(), 0, &counts);
  std::vector<FromRank> from(counts.size());
  std::size_t at = 0;
  for (std::size_t r = 1; r < counts.size(); at += counts[r], ++r)
    from[r] = unpacked<FromRank>(std::span(all).subspan(at, counts[r]), visit_from);
  return from;
}

/// One meeting, on rank 0. Returns whether it was the last.
bool lead(comm::Communicator& comm, Ledger& ledger) {
  std::vector<FromRank> from = hear_ranks(comm);
  for (std::size_t r = 1; r < from.size(); ++r) {
    if (from[r].stop) ledger.stop();
    for (News& n : from[r].news) {
      const int worker = n.worker;
      try {
        take(std::move(n), ledger);
      } catch (...) {  // of the listener, or of a full disk
        ledger.fail(worker, std::current_exception());
      }
    }
  }
  std::vector<ToRank> to;
  for (const FromRank& f : from) to.push_back(answer(f, ledger));
  const bool stop = !ledger.goes_on(), held = ledger.held(), ends = ledger.ends(), over = ledger.over();
  std::vector<Packed> answers;
  for (ToRank& t : to) {
    t.held = held, t.ends = ends, t.stop = stop, t.over = over;
    answers.push_back(packed(t, visit_to));
  }
  comm::scatter(comm, answers);
  return over;
}

/// Until it was the last one. Those who wait for an answer are told of what it throws.
void meet_until_over(const std::function<bool()>& meet, const std::function<void()>& broken) {
  try {
    while (!meet()) std::this_thread::sleep_for(pause);
  } catch (...) {
    broken();
    throw;
  }
}

}  // namespace

WorkerNumbers number_workers(comm::Communicator& comm, std::size_t here) {
  const auto each = comm::all_gather(comm, here);
  const auto mine = each.begin() + comm.rank();
  return {int(std::accumulate(each.begin(), mine, std::size_t(0))),
          std::accumulate(each.begin(), each.end(), std::size_t(0))};
}

void serve_ranks(comm::Communicator& comm, Ledger& ledger) {
  meet_until_over([&] { return lead(comm, ledger); }, [&] { ledger.stop(); });
}

std::optional<std::size_t> RemoteLedger::next(int worker) {
  std::unique_lock hold(lock_);
  waiting_.insert(worker);
  changed_.wait(hold, [&] { return ends_ || given_.count(worker) != 0; });
  waiting_.erase(worker);
  const auto found = given_.find(worker);
  if (found == given_.end()) return {};
  const std::size_t number = found->second;
  given_.erase(found);
  return number;
}

/// Under the lock.
void RemoteLedger::look_for_signal() { stop_ = stop_ || (signal_ && signal_()); }

bool RemoteLedger::go_on() {
  std::unique_lock hold(lock_);
  changed_.wait(hold, [&] { return !held_ || stop_; });  // meetings go on, and look for signals
  look_for_signal();
  return !stop_;
}

bool RemoteLedger::tell(int worker, Packed message, bool passing) {
  std::unique_lock hold(lock_);
  if (stop_) return false;
  const bool renews =
      passing && !news_.empty() && news_.back().kind == News::Kind::passing && news_.back().worker == worker;
  if (!renews) news_.push_back({passing ? News::Kind::passing : News::Kind::told, worker, {}, 0, {}});
  news_.back().bytes = std::move(message);
  changed_.wait(hold, [&] { return !held_ || stop_; });
  return !stop_;
}

void RemoteLedger::say(News n) {
  const std::lock_guard hold(lock_);
  news_.push_back(std::move(n));
}

void RemoteLedger::say(News::Kind kind, int worker, std::exception_ptr error) {
  News n{kind, worker, {}, 0, {}};
  std::tie(n.code, n.text) = words_of(error);
  say(std::move(n));
}

void RemoteLedger::finish(int worker, Packed found) {
  say({News::Kind::finished, worker, std::move(found), 0, {}});
}

void RemoteLedger::leave_out(int worker, std::exception_ptr error) {
  say(News::Kind::left_out, worker, error);
}

void RemoteLedger::fail(int worker, std::exception_ptr error) { say(News::Kind::failed, worker, error); }

void RemoteLedger::leave(int worker) { say({News::Kind::left, worker, {}, 0, {}}); }

/// One meeting. Returns whether it was the last.
bool RemoteLedger::meet(comm::Communicator& comm) {
  FromRank from;
  {
    const std::lock_guard hold(lock_);
    look_for_signal();
    from.news = std::exchange(news_, {});
    for (const int worker : waiting_)
      if (!given_.count(worker)) from.wishes.push_back(worker);
    from.stop = stop_;
  }
  comm::gather(comm, std::span<const std::byte>(packed(from, visit_from)));
  const auto to = unpacked<ToRank>(comm::scatter<std::byte>(comm, {}), visit_to);
  const std::lock_guard hold(lock_);
  for (const Gift& gift : to.gifts) given_[gift.worker] = gift.number;
  held_ = to.held && !to.over;
  ends_ = ends_ || to.ends || to.over;
  stop_ = stop_ || to.stop;
  changed_.notify_all();
  return to.over;
}

void RemoteLedger::serve(comm::Communicator& comm) {
  meet_until_over([&] { return meet(comm); },
                  [&] {
                    const std::lock_guard hold(lock_);
                    ends_ = stop_ = true;
                    changed_.notify_all();
                  });
}

}  // namespace umov::run
