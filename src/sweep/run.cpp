#include "sweep/run.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <thread>

#include "backend/gpus.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/timer.hpp"
#include "run/observer.hpp"

namespace umov::sweep {

namespace {

/// As many as memory holds; estimates are within a third of what is taken.
int held(int wanted, std::size_t cases, double bytes) {
  int n = int(std::min<std::size_t>(std::size_t(wanted), std::max<std::size_t>(cases, 1)));
  const double there = double(available_memory());
  if (there > 0 && bytes > 0) n = std::min(n, int(std::max(1.0, 0.7 * there / bytes)));
  return std::max(n, 1);
}

std::vector<Machine> seats_on_gpus(double bytes, const Wishes& wishes, std::size_t cases,
                                   const std::vector<int>& gpus, int cores) {
  const int each = wishes.jobs ? wishes.jobs : bytes > 1e9 ? 1 : 4;
  const int n = held(each * int(gpus.size()), cases, 0);
  std::vector<Machine> seats(std::size_t(n), Machine{});
  for (std::size_t i = 0; i < seats.size(); ++i) {
    seats[i].backend = "cuda", seats[i].device = gpus[i % gpus.size()];
    seats[i].threads = wishes.threads ? wishes.threads : std::max(1, cores / n);
  }
  return seats;
}

/// The list of cases, and what is heard of them. Its members lock it.
class Ledger {
 public:
  Ledger(const Sweep& sweep, const std::vector<std::size_t>& wanted, Rows& rows, const Settings& settings,
         const Watch& watch)
      : sweep_(sweep), rows_(rows), settings_(settings), watch_(watch) {
    for (const std::size_t k : wanted)
      if (!rows[k])
        waiting_.push_back(k);
      else
        ++now_.finished;
    now_.cases = wanted.size();
  }

  std::optional<std::size_t> next() {
    const std::lock_guard hold(lock_);
    if (ends_ || waiting_.empty() || asked_to_stop()) return {};
    const std::size_t k = waiting_.front();
    waiting_.pop_front();
    ++now_.running;
    tell();
    return k;
  }

  bool go_on() {
    const std::lock_guard hold(lock_);
    return !asked_to_stop() && !ends_;
  }

  void finish(std::size_t k, Row row) {
    const std::lock_guard hold(lock_);
    --now_.running;
    ++now_.finished;
    if (row.status == Status::failed) {
      ++now_.failed;
      say(k, row.message);
      ends_ = ends_ || !settings_.keep_going;
    }
    rows_[k] = std::move(row);
    if (watch_.finished) watch_.finished(k, *rows_[k]);
    tell();
  }

  void warn(std::size_t k, const std::string& text) {
    const std::lock_guard hold(lock_);
    say(k, text);
  }

  /// A case that was left in its middle.
  void leave() {
    const std::lock_guard hold(lock_);
    --now_.running;
  }

  /// Whatever is no case's own failure ends the sweep.
  void fail(std::exception_ptr error) {
    const std::lock_guard hold(lock_);
    ends_ = true;
    if (!error_) error_ = error;
  }

  void close() {
    if (error_) std::rethrow_exception(error_);
    if (stopped_) throw run::Interrupted("interrupted");
  }

 private:
  bool asked_to_stop() {
    stopped_ = stopped_ || (watch_.stop && watch_.stop());
    return stopped_;
  }
  void tell() const {
    if (watch_.progress) watch_.progress(now_);
  }
  /// What differs between cases in its numbers alone is said once.
  void say(std::size_t k, const std::string& text) {
    std::string words = text;
    std::erase_if(words, [](unsigned char c) { return std::isdigit(c) || c == '.' || c == '-' || c == '+'; });
    if (said_.insert(words).second && watch_.warning)
      watch_.warning(fmt::format("case {} ({}): {}", k + 1, describe_case(sweep_.axes, k), text));
  }

  const Sweep& sweep_;
  Rows& rows_;
  const Settings& settings_;
  const Watch& watch_;
  std::mutex lock_;
  std::deque<std::size_t> waiting_;
  std::set<std::string> said_;
  Progress now_;
  bool ends_ = false, stopped_ = false;
  std::exception_ptr error_;
};

Row failed(const std::string& why) {
  Row row;
  row.status = Status::failed;
  row.message = why;
  return row;
}

/// The row of a case; nothing where it was left because a stop was asked for.
std::optional<Row> row_of_case(const Tree& tree, Series& series, const Observer& observer,
                               std::size_t most_values) {
  try {
    return row_of(series.run(tree, observer), most_values);
  } catch (const Error& e) {
    if (dynamic_cast<const run::Interrupted*>(&e) || e.code() == Exit::interrupted) return {};
    return failed(e.what());
  } catch (const std::bad_alloc&) {
    return failed("out of memory (the system gave no more); take fewer --jobs");
  }
}

void work(const Sweep& sweep, Series& series, Ledger& ledger, const Settings& settings) {
  while (const auto k = ledger.next()) {
    const Stopwatch watch;
    Observer observer;
    observer.warning = [&, k](const std::string& text) { ledger.warn(*k, text); };
    observer.progress = [&](double, const std::string&) { return ledger.go_on(); };
    auto row = row_of_case(sweep.case_of(*k), series, observer, settings.most_values);
    if (!row) return ledger.leave();
    row->seconds = watch.seconds();
    ledger.finish(*k, std::move(*row));
  }
}

}  // namespace

std::vector<Machine> choose_seats(const Plan& plan, const Wishes& wishes, std::size_t cases) {
  const int cores = std::max(1, omp_get_max_threads());
  const std::string asked = plan.machine.backend.value_or("cpu");
  if (asked == "cuda" || asked == "auto") {
    std::vector<int> gpus = backend::usable_gpus();
    if (asked == "cuda" && plan.machine.device) gpus = {*plan.machine.device};
    if (asked == "cuda" && gpus.empty()) gpus = {0};  // its engine says what is missing
    if (!gpus.empty()) return seats_on_gpus(plan.bytes, wishes, cases, gpus, cores);
  }
  const int wanted = wishes.threads ? wishes.threads : plan.machine.threads.value_or(0);
  const int n = held(wishes.jobs ? wishes.jobs : std::max(1, cores / std::max(1, wanted)), cases, plan.bytes);
  Machine seat;
  seat.backend = asked == "auto" ? "cpu" : asked;
  seat.threads = wanted ? wanted : std::max(1, cores / n);
  return std::vector<Machine>(std::size_t(n), seat);
}

std::string describe_seats(const std::vector<Machine>& seats) {
  std::set<int> devices;
  for (const Machine& seat : seats) devices.insert(seat.device.value_or(-1));
  const std::string count = fmt::format("{} case{} at a time", seats.size(), seats.size() == 1 ? "" : "s");
  if (seats.front().backend == "cuda")
    return fmt::format("{} on {} GPU{}", count, devices.size(), devices.size() == 1 ? "" : "s");
  const int threads = seats.front().threads.value_or(1);
  return fmt::format("{}, {} thread{} each", count, threads, threads == 1 ? "" : "s");
}

void run(const Sweep& sweep, const Family& family, const std::vector<Machine>& seats,
         const std::vector<std::size_t>& wanted, Rows& rows, const Settings& settings, const Watch& watch) {
  Ledger ledger(sweep, wanted, rows, settings, watch);
  const auto series = family.series(seats);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < seats.size(); ++i)
      threads.emplace_back([&, i] {
        omp_set_num_threads(seats[i].threads.value_or(1));  // of this thread's loops
        try {
          work(sweep, *series[i], ledger, settings);
        } catch (...) {
          ledger.fail(std::current_exception());
        }
      });
  }
  ledger.close();
}

}  // namespace umov::sweep
