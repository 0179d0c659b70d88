// The state that the workers of a sweep share: which row is next, what is finished, what is told of it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fdtd/harmonic/run/observer.hpp"
#include "fdtd/harmonic/run/run.hpp"
#include "fdtd/harmonic/run/sweep_state.hpp"

namespace umov::fdtd::harmonic {

/// What came of a row beside its numbers.
struct RowReport {
  std::string trouble;   ///< of its first solve in pseudo-time that did not converge
  double sent_back = 0;  ///< largest amplitude that an end of the cell sends back
  std::string device;    ///< its name
  double computing = 0;  ///< s
};

/// Members may be called by all workers at once, but for those that begin and end a run. The observer hears
/// one worker at a time, of one row until that is done.
class Ledger {
 public:
  /// `rows` in the order of the tables. Rows of `state` that converged are not handed out.
  Ledger(const Sweep&, Journal&, std::vector<Row> rows, SweepState state);

  std::size_t wanted() const { return rows_.size(); }
  std::size_t finished() const { return finished_; }
  std::size_t taken_over() const { return taken_over_; }
  std::size_t waiting() const { return waiting_.size(); }
  const Row& row(std::size_t number) const { return rows_[number]; }
  /// Workers as they are called in what is told, by their devices: two on one device have one name.
  void open(std::vector<std::string> workers);

  /// The number of the row that a worker is to compute; nothing: there is none, or the run ends.
  std::optional<std::size_t> next(int worker);
  /// A polarization of a row begins; its text is what notes about it begin with.
  void begin(int worker, const std::string& what, const std::string& iteration);
  /// Whether to go on.
  bool iterated(int worker, char polarization, long iteration, double residual);
  void note(int worker, const std::string& text);
  void finish(int worker, std::size_t number, FinishedRow, const RowReport&);
  /// A worker that could not begin: others get its row. False: it is the last one.
  bool leave_out(int worker, std::size_t number, const std::string& why);
  /// The run ends by this error: others finish the rows that they are at.
  void fail(int worker, std::exception_ptr);

  /// After the workers: throws what ended the run, `interruption` for a stop that was asked for.
  void rethrow(const std::string& interruption) const;
  /// The finished rows in the order of the tables, with what came of each.
  std::vector<std::pair<const FinishedRow*, std::string>> in_order() const;
  /// Writes the state where that takes little of the time since it was last written, or `now`.
  void keep(bool now);
  /// Names of the devices that computed, and how many rows each; "" where none did.
  std::string devices() const;
  /// A line for each device of several workers: its rows by their numbers in the tables, from 1.
  std::vector<std::string> shares() const;

  // how much absorbing ends of the cell send back
  std::size_t rows_near_grazing() const { return rows_near_grazing_; }
  double sent_back() const { return sent_back_; }
  const std::string& least_absorbed() const { return least_absorbed_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Worker {
    std::string name, device, stage, iteration;
    bool begun = false, starting = false, left = false;  ///< has an engine; makes it; computes no more
    std::vector<std::size_t> rows;
  };
  struct Place {
    std::size_t at = 0;  ///< in the state
    bool finished = false;
    std::string trouble;
  };

  std::vector<Worker> by_device() const;
  std::string stage_text(const Worker&, const std::string& what) const;
  void show(int worker);
  void leave(int worker);

  const Sweep& sweep_;
  Journal& journal_;
  std::vector<Row> rows_;
  SweepState state_;
  std::vector<Place> places_;
  std::set<std::size_t> waiting_;  ///< rows that nobody computes yet
  std::vector<Worker> workers_;
  std::size_t finished_ = 0, taken_over_ = 0, computed_ = 0, rows_near_grazing_ = 0;
  std::mutex lock_;
  std::condition_variable changed_;
  bool ends_ = false;   ///< no row is handed out any more
  bool stops_ = false;  ///< nor is one finished
  std::exception_ptr error_;
  int shown_ = -1;  ///< the worker whose solve the observer follows
  double sent_back_ = 0, computing_ = 0, keeping_ = 0;
  std::string least_absorbed_;
  Clock::time_point kept_ = Clock::now();
};

}  // namespace umov::fdtd::harmonic
