#include "run/ledger.hpp"

#include <omp.h>

#include <algorithm>
#include <thread>

#include "core/error.hpp"

namespace umov::run {

Ledger::Ledger(const Control& control, Listener& listener, const std::vector<std::size_t>& cases,
               std::vector<std::uint64_t> groups)
    : control_(control),
      listener_(listener),
      groups_(std::move(groups)),
      waiting_(cases.begin(), cases.end()) {}

void Ledger::open_apart(std::size_t workers) {
  open(workers);
  for (std::size_t w = 0; w < workers; ++w) workers_[w].group = w;
  apart_ = true;
}

void Ledger::ask() {
  if (!stopped_ && control_.stop && control_.stop()) end_now();
  if (!ends_ && control_.enough && control_.enough()) {
    ends_ = enough_ = true;
    changed_.notify_all();
  }
}

void Ledger::end_now() {
  ends_ = stopped_ = true;
  changed_.notify_all();
}

/// Without the lock: rank 0 hears of signals to other ranks meanwhile.
void Ledger::hold() const {
  if (control_.hold) control_.hold([this] { return ends_ || (control_.stop && control_.stop()); });
}

void Ledger::put_at(int worker, std::optional<std::size_t> number) {
  auto& at = workers_[worker].at;
  listener_.running_ += std::size_t(number.has_value()) - std::size_t(at.has_value());
  at = number;
  changed_.notify_all();
}

std::optional<std::size_t> Ledger::next(int worker) {
  std::unique_lock lock(lock_, std::defer_lock);
  for (;;) {
    hold();
    lock.lock();
    changed_.wait(lock, [&] { return ends_ || !waiting_.empty() || listener_.running() == 0; });
    if (held()) ask();  // a stop ends a pause, too
    if (!held() || ends_ || waiting_.empty()) break;
    lock.unlock();  // a pause that has just come
  }
  const auto k = take(worker);
  if (!k) went(worker);
  return k;
}

std::optional<std::size_t> Ledger::next_now(int worker) {
  const std::lock_guard hold(lock_);
  ask();  // first: the steps that a viewer asked for may be over
  return held() ? std::nullopt : take(worker);
}

std::optional<std::size_t> Ledger::take(int worker) {
  if (!ends_ && !waiting_.empty()) ask();
  if (ends_ || waiting_.empty()) return {};
  Worker& w = workers_[worker];
  const auto chosen = choose(w);
  if (chosen == waiting_.end()) return {};
  const std::size_t k = *chosen;
  waiting_.erase(chosen);
  put_at(worker, k);
  if (!groups_.empty()) w.group = groups_[k];
  listener_.taken(worker, k);
  return k;
}

std::set<std::size_t>::iterator Ledger::choose(const Worker& w) const {
  if (groups_.empty()) return waiting_.begin();
  if (apart_) return std::ranges::find_if(waiting_, [&](std::size_t k) { return groups_[k] == w.group; });
  const auto at_work = [&](std::uint64_t group) {
    return std::ranges::any_of(workers_, [&](const Worker& o) { return o.at && o.group == group; });
  };
  auto best = waiting_.begin();
  int rank = 0;
  for (auto at = waiting_.begin(); at != waiting_.end() && rank < 2; ++at) {
    const std::uint64_t group = groups_[*at];
    const int here = w.group == group ? 2 : rank == 0 && !at_work(group) ? 1 : 0;
    if (here > rank) rank = here, best = at;
  }
  return best;
}

bool Ledger::go_on() {
  hold();
  return goes_on();
}

bool Ledger::goes_on() {
  const std::lock_guard hold(lock_);
  ask();
  return !stopped_;
}

bool Ledger::tell(int worker, Packed message, bool) {
  if (!hear(worker, message)) return false;
  hold();
  return !stopped_;
}

bool Ledger::hear(int worker, const Packed& message) {
  const std::lock_guard hold(lock_);
  const auto k = workers_[worker].at;
  if (k && !stopped_ && !listener_.told(worker, *k, message)) end_now();
  return !stopped_;
}

void Ledger::stop() {
  const std::lock_guard hold(lock_);
  end_now();
}

bool Ledger::over() {
  const std::lock_guard hold(lock_);
  return (ends_ || waiting_.empty()) && listener_.running() == 0;
}

void Ledger::went(int worker) {
  workers_[worker].gone = true;
  put_at(worker, {});
  listener_.left(worker);
}

void Ledger::finish(int worker, Packed found) {
  const std::lock_guard hold(lock_);
  const std::size_t k = workers_[worker].at.value();
  put_at(worker, {});
  listener_.finished(worker, k, found);
}

void Ledger::leave(int worker) {
  const std::lock_guard hold(lock_);
  went(worker);
}

void Ledger::leave_out(int worker, std::exception_ptr error) {
  const std::lock_guard hold(lock_);
  const auto k = workers_[worker].at;
  const auto stays = [&](const Worker& w) { return !w.gone && &w != &workers_[worker]; };
  if (ends_) return went(worker);
  if (!k || std::ranges::none_of(workers_, stays)) return end_by(worker, error);
  waiting_.insert(*k);
  went(worker);
  listener_.left_out(worker, *k, words_of(error).second);
}

void Ledger::fail(int worker, std::exception_ptr error) {
  const std::lock_guard hold(lock_);
  end_by(worker, error);
}

void Ledger::end_by(int worker, std::exception_ptr error) {
  went(worker);
  ends_ = true;
  if (error_ || stopped_) return;
  error_ = error;
  listener_.failed(worker, listener_.running() > 0);
}

void Ledger::rethrow() const {
  if (error_) std::rethrow_exception(error_);
}

std::pair<int, std::string> words_of(std::exception_ptr error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& e) {
    return {int(e.code()), e.what()};
  } catch (const std::exception& e) {
    return {int(Exit::bug), e.what()};
  } catch (...) {
    return {int(Exit::bug), "an unknown error"};
  }
}

void work(CaseSource& source, int worker, const Compute& compute, const std::function<bool()>& replaceable) {
  while (const auto k = source.next(worker)) try {
      auto found = compute(*k);
      if (!found) return source.leave(worker);
      source.finish(worker, std::move(*found));
    } catch (const MachineFailure&) {
      if (replaceable()) return source.leave_out(worker, std::current_exception());
      return source.fail(worker, std::current_exception());
    } catch (...) {
      return source.fail(worker, std::current_exception());
    }
}

void work_on_threads(int first, std::size_t workers, int threads, const std::function<void(int)>& work,
                     const std::function<void()>& meanwhile) {
  std::vector<std::jthread> all;
  for (std::size_t w = 0; w < workers; ++w)
    all.emplace_back([&, w] {
      omp_set_num_threads(threads);
      work(first + int(w));  // engines are made and ended on this thread: a GPU is chosen per thread
    });
  meanwhile();
}

}  // namespace umov::run
