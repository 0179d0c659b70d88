#include "sweep/run.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <new>
#include <optional>
#include <set>

#include "backend/gpus.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/timer.hpp"
#include "run/observer.hpp"
#include "run/said_once.hpp"
#include "sweep/visit_row.hpp"

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

/// What is heard of the cases.
class Book final : public run::Listener {
 public:
  Book(const Sweep& sweep, const std::vector<std::size_t>& wanted, Rows& rows, const Settings& settings,
       const Watch& watch)
      : sweep_(sweep), rows_(rows), settings_(settings), watch_(watch) {
    for (const std::size_t k : wanted)
      if (!rows[k]) open_.push_back(k);
    now_.cases = wanted.size();
    now_.finished = wanted.size() - open_.size();
  }

  const std::vector<std::size_t>& open() const { return open_; }
  /// After a case that failed, where it is to end the sweep.
  bool ends() const { return now_.failed > 0 && !settings_.keep_going; }

  void taken(int, std::size_t) override { tell(); }
  bool told(int, std::size_t k, const Packed& text) override {
    say(k, unpacked<std::string>(text, as_it_is));
    return true;
  }
  void finished(int, std::size_t k, const Packed& found) override {
    ++now_.finished;
    rows_[k] = unpacked<Row>(found, visit_row);
    if (rows_[k]->status == Status::failed) {
      ++now_.failed;
      say(k, rows_[k]->message);
    }
    if (watch_.finished) watch_.finished(k, *rows_[k]);
    tell();
  }

 private:
  void tell() {
    now_.running = running();
    if (watch_.progress) watch_.progress(now_);
  }
  void say(std::size_t k, const std::string& text) {
    if (is_new_(text) && watch_.warning)
      watch_.warning(fmt::format("case {} ({}): {}", k + 1, describe_case(sweep_.axes, k), text));
  }

  const Sweep& sweep_;
  Rows& rows_;
  const Settings& settings_;
  const Watch& watch_;
  std::vector<std::size_t> open_;
  run::SaidOnce is_new_;
  run::CaseProgress now_;
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

/// One worker's cases.
void work(const Sweep& sweep, Series& series, run::CaseSource& source, int number, const Settings& settings) {
  Observer observer;
  observer.warning = [&](const std::string& text) { source.tell(number, packed(text, as_it_is)); };
  observer.progress = [&](double, const std::string&) { return source.go_on(); };
  const auto compute = [&](std::size_t k) -> std::optional<Packed> {
    const Stopwatch seconds;
    auto row = row_of_case(sweep.case_of(k), series, observer, settings.most_values);
    if (!row) return {};
    row->seconds = seconds.seconds();
    return packed(*row, visit_row);
  };
  run::work(source, number, compute, [] { return false; });
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
  Book book(sweep, wanted, rows, settings, watch);
  const run::Control control{watch.stop, [&] { return book.ends(); }, {}, {}};
  run::Ledger ledger(control, book, book.open());
  ledger.open(seats.size());
  const auto series = family.series(seats);
  run::work_on_threads(
      0, seats.size(), seats.front().threads.value_or(1),
      [&](int w) { work(sweep, *series[std::size_t(w)], ledger, w, settings); }, [] {});
  ledger.rethrow();
  if (ledger.stopped()) throw run::Interrupted("interrupted");
}

}  // namespace umov::sweep
