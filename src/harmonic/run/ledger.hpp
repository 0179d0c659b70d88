// The state that the workers of a sweep share: which row is next, what is finished, what is told of it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harmonic/run/observer.hpp"
#include "harmonic/run/row_source.hpp"
#include "harmonic/run/run.hpp"

namespace umov::harmonic {

/// Members may be called by all workers at once, but for those that begin and end a run. The observer hears
/// one worker at a time, of one row until that is done.
class Ledger final : public RowSource {
 public:
  /// `rows` in the order of the tables. Rows of `state` that converged are not handed out.
  Ledger(const Sweep&, Journal&, std::vector<Row> rows, SweepState state);

  std::size_t wanted() const { return rows_.size(); }
  std::size_t finished() const { return finished_; }
  std::size_t taken_over() const { return taken_over_; }
  std::size_t waiting() const { return waiting_.size(); }
  /// Workers as they are called in what is told, by their devices: two on one device have one name.
  void open(std::vector<std::string> workers);

  const Row& row(std::size_t number) const override { return rows_[number]; }
  std::optional<std::size_t> next(int worker) override;
  void begin(int worker, const std::string& what, const std::string& iteration) override;
  /// Waits where the run is held.
  bool iterated(int worker, char polarization, long iteration, double residual) override;
  void note(int worker, const std::string& text) override;
  void finish(int worker, std::size_t number, FinishedRow, const RowReport&) override;
  void leave_out(int worker, std::size_t number, const std::string& why, std::exception_ptr) override;
  void fail(int worker, std::exception_ptr) override;
  void leave(int worker) override;

  /// next() for a worker elsewhere, which is not waited for: a row, or `none`, or neither yet.
  struct Turn {
    std::optional<std::size_t> row;
    bool none = false;
  };
  Turn next_now(int worker);
  /// iterated() of a worker elsewhere, which is held there.
  bool heard_iteration(int worker, char polarization, long iteration, double residual);
  bool held() const { return sweep_.held && sweep_.held(); }
  /// Nothing is begun or finished any more.
  void stop();
  /// Asks the sweep whether to stop, in the middle of rows, too. Whether to go on.
  bool go_on();
  /// Whether all workers have left.
  bool over() const;

  /// After the workers: throws what ended the run, `interruption` for a stop that was asked for.
  void rethrow(const std::string& interruption) const;
  /// The finished rows in the order of the tables, with what came of each.
  std::vector<std::pair<const FinishedRow*, std::string>> in_order() const;
  /// Writes the state where that takes little of the time since it was last written, or `now`.
  void keep(bool now);
  /// Writes the state; from any thread, whatever the workers are at.
  void save_rows() const;
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
    bool setting_up = false;                             ///< before the first iteration of a solve
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
  void hold() const;
  // with the lock held
  void end_now();
  bool has_row_to_come() const;
  Turn take(int worker);
  void went(int worker);
  void set_up(int worker, bool on);

  const Sweep& sweep_;
  Journal& journal_;
  std::vector<Row> rows_;
  SweepState state_;
  std::vector<Place> places_;
  std::set<std::size_t> waiting_;  ///< rows that nobody computes yet
  std::vector<Worker> workers_;
  std::size_t finished_ = 0, taken_over_ = 0, computed_ = 0, rows_near_grazing_ = 0;
  mutable std::mutex lock_;
  mutable std::mutex state_lock_;  ///< of state_ alone, and held by no one who calls an observer
  std::condition_variable changed_;
  std::atomic<bool> ends_{
      false};           ///< no row is handed out any more; read by workers that are held, without the lock
  bool stops_ = false;  ///< nor is one finished
  std::exception_ptr error_;
  int shown_ = -1;  ///< the worker whose solve the observer follows
  double sent_back_ = 0, computing_ = 0, keeping_ = 0;
  std::string least_absorbed_;
  Clock::time_point kept_ = Clock::now();
};

}  // namespace umov::harmonic
