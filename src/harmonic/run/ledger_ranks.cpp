#include "harmonic/run/ledger_ranks.hpp"

#include <chrono>
#include <tuple>

#include "comm/meeting.hpp"
#include "harmonic/run/visit_row.hpp"

namespace umov::harmonic {

namespace {

/// Between two meetings of the ranks: short beside most rows, long beside a message.
constexpr auto pause = std::chrono::milliseconds(5);

struct FromRank {
  std::vector<RowNews> news;
  std::vector<int> wishes;  ///< workers that want a row
  bool stop = false;        ///< a signal has come
};

struct Gift {
  int worker = 0;
  std::size_t number = 0;
};
struct ToRank {
  std::vector<Gift> gifts;
  std::vector<int> without;  ///< workers for which there is no row any more
  bool held = false;         ///< workers wait after their next iteration
  bool stop = false;         ///< rows are not finished either
  bool over = false;         ///< this was the last meeting
};

constexpr auto visit_from = [](auto& f, auto& m) {
  f.each(m.news, [&](auto& n) {
    f(n.kind);
    f(n.worker);
    f(n.number);
    visit_finished(f, n.row);
    f(n.report.trouble);
    f(n.report.sent_back);
    f(n.report.device);
    f(n.report.computing);
    f(n.text);
    f(n.iteration);
    f(n.polarization);
    f(n.iterations);
    f(n.residual);
    f(n.code);
    f(n.error);
  });
  f(m.wishes);
  f(m.stop);
};
constexpr auto visit_to = [](auto& f, auto& m) {
  f(m.gifts);
  f(m.without);
  f(m.held);
  f(m.stop);
  f(m.over);
};

void take(RowNews n, Ledger& ledger) {
  const auto error = [&] { return std::make_exception_ptr(Error(Exit(n.code), n.error)); };
  switch (n.kind) {
    case RowNews::Kind::begun:
      return ledger.begin(n.worker, n.text, n.iteration);
    case RowNews::Kind::iterated:
      ledger.heard_iteration(n.worker, n.polarization, n.iterations, n.residual);
      return;
    case RowNews::Kind::note:
      return ledger.note(n.worker, n.text);
    case RowNews::Kind::finished:
      return ledger.finish(n.worker, n.number, std::move(n.row), n.report);
    case RowNews::Kind::left_out:
      return ledger.leave_out(n.worker, n.number, n.text, error());
    case RowNews::Kind::failed:
      return ledger.fail(n.worker, error());
    case RowNews::Kind::left:
      return ledger.leave(n.worker);
  }
}

ToRank answer(const FromRank& from, Ledger& ledger) {
  ToRank to;
  for (const int worker : from.wishes) {
    const Ledger::Turn turn = ledger.next_now(worker);
    if (turn.row) to.gifts.push_back({worker, *turn.row});
    if (turn.none) to.without.push_back(worker);
  }
  return to;
}

/// One meeting, on rank 0. Returns whether it was the last.
bool lead(comm::Communicator& comm, Ledger& ledger) {
  std::vector<FromRank> from = comm::hear_ranks<FromRank>(comm, visit_from);
  for (std::size_t r = 1; r < from.size(); ++r) {
    if (from[r].stop) ledger.stop();
    for (RowNews& n : from[r].news) {
      const int worker = n.worker;
      try {
        take(std::move(n), ledger);
      } catch (...) {  // of the observer, or of a full disk
        ledger.fail(worker, std::current_exception());
      }
    }
  }
  std::vector<ToRank> to;
  for (const FromRank& f : from) to.push_back(answer(f, ledger));
  const bool stop = !ledger.go_on(), held = ledger.held(), over = ledger.over();
  for (ToRank& t : to) t.held = held, t.stop = stop, t.over = over;
  comm::answer_ranks(comm, to, visit_to);
  return over;
}

RowNews news(RowNews::Kind kind, int worker, const std::string& text = "") {
  RowNews n;
  n.kind = kind;
  n.worker = worker;
  n.text = text;
  return n;
}

}  // namespace

void serve_ranks(comm::Communicator& comm, Ledger& ledger) {
  comm::meet_until_over(
      pause, [&] { return lead(comm, ledger); }, [&] { ledger.stop(); });
}

std::optional<std::size_t> RemoteLedger::next(int worker) {
  std::unique_lock hold(lock_);
  waiting_.insert(worker);
  changed_.wait(hold, [&] { return broken_ || given_.count(worker) != 0 || without_.count(worker) != 0; });
  waiting_.erase(worker);
  const auto found = given_.find(worker);
  if (found == given_.end()) return {};
  const std::size_t number = found->second;
  given_.erase(found);
  return number;
}

void RemoteLedger::tell(RowNews n) {
  const std::lock_guard hold(lock_);
  news_.push_back(std::move(n));
}

void RemoteLedger::begin(int worker, const std::string& what, const std::string& iteration) {
  RowNews n = news(RowNews::Kind::begun, worker, what);
  n.iteration = iteration;
  tell(std::move(n));
}

/// Of iterations between two meetings rank 0 hears the last.
bool RemoteLedger::iterated(int worker, char polarization, long iteration, double residual) {
  std::unique_lock hold(lock_);
  if (stop_ || broken_) return false;
  if (news_.empty() || news_.back().kind != RowNews::Kind::iterated || news_.back().worker != worker)
    news_.push_back(news(RowNews::Kind::iterated, worker));
  news_.back().polarization = polarization;
  news_.back().iterations = iteration;
  news_.back().residual = residual;
  changed_.wait(hold, [&] { return !held_ || stop_ || broken_; });  // meetings go on, and look for signals
  return !stop_ && !broken_;
}

void RemoteLedger::note(int worker, const std::string& text) {
  tell(news(RowNews::Kind::note, worker, text));
}

void RemoteLedger::finish(int worker, std::size_t number, FinishedRow row, const RowReport& report) {
  RowNews n = news(RowNews::Kind::finished, worker);
  n.number = number;
  n.row = std::move(row);
  n.report = report;
  tell(std::move(n));
}

void RemoteLedger::leave_out(int worker, std::size_t number, const std::string& why,
                             std::exception_ptr error) {
  RowNews n = news(RowNews::Kind::left_out, worker, why);
  n.number = number;
  std::tie(n.code, n.error) = comm::words_of(error);
  tell(std::move(n));
}

void RemoteLedger::fail(int worker, std::exception_ptr error) {
  RowNews n = news(RowNews::Kind::failed, worker);
  std::tie(n.code, n.error) = comm::words_of(error);
  tell(std::move(n));
}

void RemoteLedger::leave(int worker) { tell(news(RowNews::Kind::left, worker)); }

/// One meeting. Returns whether it was the last.
bool RemoteLedger::meet(comm::Communicator& comm) {
  FromRank from;
  {
    const std::lock_guard hold(lock_);
    stop_ = stop_ || (stop_wanted_ && stop_wanted_());
    from.news = std::exchange(news_, {});
    for (const int worker : waiting_)
      if (!given_.count(worker) && !without_.count(worker)) from.wishes.push_back(worker);
    from.stop = stop_;
  }
  const auto to = comm::ask_first<ToRank>(comm, from, visit_from, visit_to);
  const std::lock_guard hold(lock_);
  for (const Gift& gift : to.gifts) given_[gift.worker] = gift.number;
  without_.insert(to.without.begin(), to.without.end());
  held_ = to.held && !to.over;
  stop_ = stop_ || to.stop;
  changed_.notify_all();
  return to.over;
}

void RemoteLedger::serve(comm::Communicator& comm) {
  comm::meet_until_over(
      pause, [&] { return meet(comm); },
      [&] {
        const std::lock_guard hold(lock_);
        stop_ = broken_ = true;
        changed_.notify_all();
      });
}

}  // namespace umov::harmonic
