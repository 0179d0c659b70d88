#include "eqs/run/batch_ranks.hpp"

#include <chrono>

#include "comm/meeting.hpp"

namespace umov::eqs {

namespace {

/// Between two meetings of the ranks: short beside a variant, long beside a message.
constexpr auto pause = std::chrono::milliseconds(10);

/// A worker that wants a variant.
struct Wish {
  std::size_t number = 0;
  bool has_mesh = false;
  std::uint64_t mesh = 0;
};
struct FromRank {
  std::vector<VariantNews> news;
  std::vector<Wish> wishes;
  bool stop = false;  ///< a signal has come
};

struct Gift {
  std::size_t wish = 0, variant = 0;
  std::uint64_t mesh = 0;
};
struct ToRank {
  std::vector<Gift> gifts;
  bool held = false;  ///< workers wait at their next time step
  bool ends = false;  ///< no variant is begun any more
  bool stop = false;  ///< nor finished
  bool over = false;  ///< this was the last meeting
};

constexpr auto visit_from = [](auto& f, auto& m) {
  f.each(m.news, [&](auto& n) {
    f(n.kind);
    f(n.variant);
    f.each(n.found, [&](auto& s) {
      f(s.name);
      f(s.unit);
      f(s.text);
      f(s.value);
    });
    f(n.row.converged);
    f(n.row.why_not);
    f(n.row.wall);
    f(n.device);
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

void take(const VariantNews& n, BatchLedger& ledger) {
  const auto error = [&] { return std::make_exception_ptr(Error(Exit(n.code), n.text)); };
  switch (n.kind) {
    case VariantNews::Kind::row:
      return ledger.finish(n.variant, n.found, n.device, n.row);
    case VariantNews::Kind::refused:
      return ledger.refuse(n.variant, n.text);
    case VariantNews::Kind::left_out:
      return ledger.leave_out(n.variant, n.text, error());
    case VariantNews::Kind::failed:
      return ledger.fail(n.variant, error());
    case VariantNews::Kind::warning:
      return ledger.warn(n.text);
  }
}

ToRank answer(const FromRank& from, BatchLedger& ledger) {
  ToRank to;
  for (const Wish& wish : from.wishes) {
    std::optional<std::uint64_t> mesh;
    if (wish.has_mesh) mesh = wish.mesh;
    if (const auto k = ledger.next_now(mesh)) to.gifts.push_back({wish.number, *k, *mesh});
  }
  return to;
}

/// One meeting, on rank 0. Returns whether it was the last.
bool lead(comm::Communicator& comm, BatchLedger& ledger) {
  std::vector<FromRank> from = comm::hear_ranks<FromRank>(comm, visit_from);
  for (std::size_t r = 1; r < from.size(); ++r) {
    if (from[r].stop) ledger.stop();
    for (const VariantNews& n : from[r].news) try {
        take(n, ledger);
      } catch (...) {  // of the observer
        ledger.fail(n.variant, std::current_exception());
      }
  }
  std::vector<ToRank> to;
  for (const FromRank& f : from) to.push_back(answer(f, ledger));
  const bool stop = !ledger.goes_on(), held = ledger.held(), ends = ledger.ends(), over = ledger.over();
  for (ToRank& t : to) t.held = held, t.ends = ends, t.stop = stop, t.over = over;
  comm::answer_ranks(comm, to, visit_to);
  return over;
}

}  // namespace

void serve_ranks(comm::Communicator& comm, BatchLedger& ledger) {
  comm::meet_until_over(
      pause, [&] { return lead(comm, ledger); }, [&] { ledger.stop(); });
}

std::optional<std::size_t> RemoteLedger::next(std::optional<std::uint64_t>& mesh) {
  std::unique_lock hold(lock_);
  const std::size_t wish = wishes_++;
  waiting_[wish] = mesh;
  changed_.wait(hold, [&] { return ends_ || given_.count(wish) != 0; });
  waiting_.erase(wish);
  const auto found = given_.find(wish);
  if (found == given_.end()) return {};
  const Given given = found->second;
  given_.erase(found);
  mesh = given.mesh;
  return given.variant;
}

/// Under the lock.
void RemoteLedger::look_for_signal() {
  if (!stop_ && watch_.stop && watch_.stop()) stop_ = true;
}

bool RemoteLedger::go_on() {
  std::unique_lock hold(lock_);
  changed_.wait(hold, [&] { return !held_ || stop_; });  // meetings go on, and look for signals
  look_for_signal();
  return !stop_;
}

void RemoteLedger::tell(VariantNews news) {
  const std::lock_guard hold(lock_);
  news_.push_back(std::move(news));
}

void RemoteLedger::warn(const std::string& text) {
  VariantNews n;
  n.kind = VariantNews::Kind::warning;
  n.text = text;
  tell(std::move(n));
}

void RemoteLedger::finish(std::size_t k, const Outcome& outcome, BatchRow row) {
  VariantNews n;
  n.variant = k;
  n.found = scalar_results(outcome);
  n.device = outcome.device;
  n.row = std::move(row);
  if (watch_.solved) watch_.solved(k, &outcome, n.row, {});
  tell(std::move(n));
}

void RemoteLedger::refuse(std::size_t k, const BadInput& error) {
  VariantNews n;
  n.kind = VariantNews::Kind::refused;
  n.variant = k;
  n.text = error.what();
  tell(std::move(n));
}

void RemoteLedger::leave_out(std::size_t k, const std::string& why, std::exception_ptr error) {
  VariantNews n;
  n.kind = VariantNews::Kind::left_out;
  n.variant = k;
  n.code = comm::words_of(error).first;
  n.text = why;
  tell(std::move(n));
}

void RemoteLedger::fail(std::size_t k, std::exception_ptr error) {
  VariantNews n;
  n.kind = VariantNews::Kind::failed;
  n.variant = k;
  std::tie(n.code, n.text) = comm::words_of(error);
  tell(std::move(n));
}

/// One meeting. Returns whether it was the last.
bool RemoteLedger::meet(comm::Communicator& comm) {
  FromRank from;
  {
    const std::lock_guard hold(lock_);
    look_for_signal();
    from.news = std::exchange(news_, {});
    for (const auto& [number, mesh] : waiting_)
      if (!given_.count(number)) from.wishes.push_back({number, mesh.has_value(), mesh.value_or(0)});
    from.stop = stop_;
  }
  const auto to = comm::ask_first<ToRank>(comm, from, visit_from, visit_to);
  const std::lock_guard hold(lock_);
  for (const Gift& gift : to.gifts) given_[gift.wish] = {gift.variant, gift.mesh};
  held_ = to.held && !to.over;
  ends_ = ends_ || to.ends || to.over;
  stop_ = stop_ || to.stop;
  changed_.notify_all();
  return to.over;
}

void RemoteLedger::serve(comm::Communicator& comm) {
  comm::meet_until_over(
      pause, [&] { return meet(comm); },
      [&] {
        const std::lock_guard hold(lock_);
        ends_ = stop_ = true;
        changed_.notify_all();
      });
}

}  // namespace umov::eqs
