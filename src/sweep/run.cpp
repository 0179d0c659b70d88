#include "sweep/run.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <new>
#include <optional>
#include <set>

#include "backend/gpus.hpp"
#include "comm/collect.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "core/timer.hpp"
#include "run/ledger_ranks.hpp"
#include "run/observer.hpp"
#include "run/ranks.hpp"
#include "run/said_once.hpp"
#include "sweep/visit_row.hpp"

namespace umov::sweep {

namespace {

/// As many as memory holds; estimates are within a third of what is taken.
int held(int wanted, std::size_t cases, double bytes, int sharing) {
  int n = int(std::min<std::size_t>(std::size_t(wanted), std::max<std::size_t>(cases, 1)));
  const double there = double(available_memory()) / sharing;
  if (there > 0 && bytes > 0) n = std::min(n, int(std::max(1.0, 0.7 * there / bytes)));
  return std::max(n, 1);
}

std::vector<Machine> seats_on_gpus(double bytes, const Wishes& wishes, std::size_t cases,
                                   const std::vector<int>& gpus, int cores) {
  const int each = wishes.jobs ? wishes.jobs : bytes > 1e9 ? 1 : 4;
  const int n = held(each * int(gpus.size()), cases, 0, 1);
  std::vector<Machine> seats(std::size_t(n), Machine{});
  for (std::size_t i = 0; i < seats.size(); ++i) {
    seats[i].backend = "cuda", seats[i].device = gpus[i % gpus.size()];
    seats[i].threads = wishes.threads ? wishes.threads : std::max(1, cores / n);
  }
  return seats;
}

/// GPUs that cases go to; none: to processors.
std::vector<int> chosen_gpus(const Machine& asked, const Wishes& wishes) {
  if (!wishes.gpus.empty()) return wishes.gpus;
  if (asked.backend != "cuda" && (asked.backend != "auto" || wishes.ranks > 1)) return {};
  std::vector<int> gpus = backend::usable_gpus();
  if (asked.device && (asked.backend == "cuda" || !gpus.empty())) return {*asked.device};
  if (asked.backend == "cuda" && gpus.empty()) gpus = {0};  // its engine says what is missing
  return gpus;
}

/// What is heard of the cases.
class Book final : public run::Listener {
 public:
  Book(const Work& work, const std::vector<std::size_t>& wanted, Rows& rows, const Settings& settings,
       const Watch& watch)
      : work_(work), rows_(rows), settings_(settings), watch_(watch) {
    for (const std::size_t k : wanted)
      if (!rows[k]) open_.push_back(k);
    now_.cases = wanted.size();
    now_.finished = wanted.size() - open_.size();
  }

  const std::vector<std::size_t>& open() const { return open_; }
  /// After a case that failed, where it is to end the sweep.
  bool ends() const { return now_.failed > 0 && !settings_.keep_going; }

  void taken(int, std::size_t) override { tell(); }
  void left_out(int, std::size_t k, const std::string& why) override {
    say(fmt::format("a worker is left out, its {} {} goes to the others: {}", work_.noun, k + 1, why));
  }
  bool told(int, std::size_t k, const Packed& text) override {
    say(k, unpacked<std::string>(text, as_it_is));
    return true;
  }
  void finished(int, std::size_t k, const Packed& found) override {
    ++now_.finished;
    rows_[k] = unpacked<Row>(found, visit_told_row);
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
    if (is_new_(text) && watch_.warning) watch_.warning(fmt::format("{}: {}", work_.name(k), text));
  }
  void say(const std::string& text) {
    if (is_new_(text) && watch_.warning) watch_.warning(text);
  }

  const Work& work_;
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

/// A series of a family as a worker. Whatever fails is a case's.
class SeriesWorker final : public Worker {
 public:
  SeriesWorker(const Sweep& sweep, std::unique_ptr<umov::Series> series, std::size_t most_values)
      : sweep_(sweep), series_(std::move(series)), most_values_(most_values) {}

  std::optional<Row> compute(std::size_t k, const Observer& observer) override {
    try {
      return row_of(series_->run(sweep_.case_of(k), observer), most_values_);
    } catch (const Error& e) {
      if (dynamic_cast<const run::Interrupted*>(&e) || e.code() == Exit::interrupted) return {};
      return failed(e.what());
    } catch (const std::bad_alloc&) {
      return failed("out of memory (the system gave no more); take fewer --jobs");
    }
  }

 private:
  const Sweep& sweep_;
  std::unique_ptr<umov::Series> series_;
  std::size_t most_values_;
};

/// One worker's cases.
void work_on(Worker& worker, run::CaseSource& source, int number) {
  Observer observer;
  observer.warning = [&](const std::string& text) { source.tell(number, packed(text, as_it_is)); };
  observer.progress = [&](double, const std::string&) { return source.go_on(); };
  const auto compute = [&](std::size_t k) -> std::optional<Packed> {
    const Stopwatch seconds;
    auto row = worker.compute(k, observer);
    if (!row) return {};
    row->seconds = seconds.seconds();
    return packed(*row, visit_told_row);
  };
  run::work(source, number, compute, [&] { return worker.replaceable(); });
}

/// Of things that several share as evenly as can be: how many this one has.
std::size_t share_of(std::size_t all, const comm::Communicator& comm) {
  const auto rank = std::size_t(comm.rank()), ranks = std::size_t(comm.size());
  return all / ranks + (rank < all % ranks);
}

/// For the log, of rank 0. The time in communication says nothing here: it passes beside the workers.
std::string describe_ranks(comm::Communicator& comm, const std::string& words) {
  if (comm.size() == 1) return "";
  const std::string line = fmt::format("  rank {}: {}\n", comm.rank(), words);
  const auto lines = comm::gather(comm, std::span<const char>(line));
  const double bytes = comm::sum(comm, comm.traffic().bytes);
  if (!comm.first()) return "";
  return fmt::format("ranks: {} ({}), {} sent\n", comm.size(), comm.kind(), format_bytes(bytes)) +
         std::string(lines.begin(), lines.end());
}

/// What the choice of seats depends on, as rank 0 knows it.
struct Size {
  std::size_t open = 0;  ///< cases
  double bytes = 0;      ///< that one takes
};

/// Workers of all ranks begin and end together. `open` hears of their number; `serve` passes messages
/// meanwhile.
Course work_together(comm::Communicator& comm, const Work& work, const Size& size, run::CaseSource& source,
                     const std::function<void(std::size_t)>& open, const std::function<void()>& serve) {
  const std::size_t share = share_of(size.open, comm);
  const auto seats = work.seats(share, size.bytes);
  const auto workers = work.workers(seats);
  const auto numbers = run::number_workers(comm, seats.size());
  open(numbers.all);
  run::work_on_threads(
      numbers.first, seats.size(), seats.front().threads.value_or(1),
      [&](int number) { work_on(*workers[std::size_t(number - numbers.first)], source, number); }, serve);
  Course course;
  course.workers = std::min(numbers.all, size.open);  // a rank has one worker, if only to find nothing left
  if (work.made) course.made = comm::sum(comm, work.made());
  course.backend = seats.front().backend.value_or("");
  course.words = describe_seats(seats, work.noun);
  course.ranks =
      describe_ranks(comm, share == 0 ? "nothing to compute" : course.backend + ", " + course.words);
  if (comm.size() > 1)
    course.words = fmt::format("{} {}{} at a time on {} ranks", course.workers, work.noun,
                               course.workers == 1 ? "" : "s", comm.size());
  return course;
}

/// Of a rank that only computes.
void follow(comm::Communicator& comm, const Work& work, const Watch& watch) {
  std::vector<Size> size;
  comm::broadcast(comm, size);
  if (size[0].open == 0) return;
  run::RemoteLedger source(watch.stop);
  work_together(
      comm, work, size[0], source, [](std::size_t) {}, [&] { source.serve(comm); });
  // The first rank says how it goes on, whichever ends first; a process has the code of its signal.
  if (source.stopped() && !comm.in_process()) throw comm::OtherRankFailed(Exit::interrupted, "interrupted");
}

}  // namespace

std::vector<Machine> choose_seats(const Plan& plan, const Wishes& wishes, std::size_t cases) {
  const int cores = wishes.cores ? wishes.cores : std::max(1, omp_get_max_threads());
  const std::string asked = plan.machine.backend.value_or("cpu");
  if (const auto gpus = chosen_gpus(plan.machine, wishes); !gpus.empty())
    return seats_on_gpus(plan.bytes, wishes, cases, gpus, cores);
  const int wanted = wishes.threads ? wishes.threads : plan.machine.threads.value_or(0);
  const int jobs =
      wishes.jobs ? wishes.jobs : std::max(1, wishes.ranks > 1 ? 1 : cores / std::max(1, wanted));
  const int n = held(jobs * wishes.ranks, cases, plan.bytes, wishes.sharing);
  Machine seat;
  seat.backend = asked == "auto" ? "cpu" : asked;
  seat.threads = wanted ? wanted : std::max(1, cores / n);
  return std::vector<Machine>(std::size_t(n), seat);
}

std::vector<Machine> choose_seats(const Plan& plan, Wishes wishes, std::size_t cases,
                                  const comm::World& world) {
  const run::Seats mine =
      run::seats_of({}, plan.machine.backend.value_or("cpu"), plan.machine.device.value_or(-1), 0);
  wishes.gpus = mine.gpus;
  wishes.cores = mine.threads;
  wishes.sharing = world.local_size();
  const auto ranks = std::size_t(world.size());
  return choose_seats(plan, wishes, (cases + ranks - 1) / ranks);
}

std::string describe_seats(const std::vector<Machine>& seats, const std::string& noun) {
  std::set<int> devices;
  for (const Machine& seat : seats) devices.insert(seat.device.value_or(-1));
  const std::string count =
      fmt::format("{} {}{} at a time", seats.size(), noun, seats.size() == 1 ? "" : "s");
  if (seats.front().backend == "cuda")
    return fmt::format("{} on {} GPU{}", count, devices.size(), devices.size() == 1 ? "" : "s");
  const int threads = seats.front().threads.value_or(1);
  return fmt::format("{}, {} thread{} each", count, threads, threads == 1 ? "" : "s");
}

Course run(comm::Communicator& comm, const Work& work, const std::vector<std::size_t>& wanted, Rows& rows,
           const Settings& settings, const Watch& watch) {
  if (!comm.first()) return follow(comm, work, watch), Course{};
  Book book(work, wanted, rows, settings, watch);
  run::Control control = watch;
  control.enough = [&] { return book.ends() || (watch.enough && watch.enough()); };
  run::Ledger ledger(control, book, book.open(), work.groups);
  std::vector<Size> size{{book.open().size(), 0}};
  if (size[0].open > 0 && work.bytes) size[0].bytes = work.bytes();
  comm::broadcast(comm, size);
  Course course;
  if (size[0].open > 0)
    course = work_together(
        comm, work, size[0], ledger, [&](std::size_t workers) { ledger.open(workers); },
        [&] {
          if (comm.size() > 1) run::serve_ranks(comm, ledger);
        });
  ledger.rethrow();
  if (ledger.stopped()) throw run::Interrupted("interrupted");
  course.had_enough = ledger.had_enough();
  return course;
}

Course run(comm::Communicator& comm, const Sweep& sweep, const Family& family,
           const std::vector<Machine>& seats, const std::vector<std::size_t>& wanted, Rows& rows,
           const Settings& settings, const Watch& watch) {
  Work work;
  work.noun = settings.noun;
  work.name = [&](std::size_t k) { return fmt::format("case {} ({})", k + 1, sweep.describe(k)); };
  work.seats = [&](std::size_t, double) { return seats; };
  work.workers = [&](const std::vector<Machine>& all) {
    std::vector<std::unique_ptr<Worker>> workers;
    for (auto& series : family.series(all))
      workers.push_back(std::make_unique<SeriesWorker>(sweep, std::move(series), settings.most_values));
    return workers;
  };
  return run(comm, work, wanted, rows, settings, watch);
}

}  // namespace umov::sweep
