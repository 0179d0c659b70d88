// The list of cases that the workers of a run share: which is next, who computes which, when the run ends.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/packed.hpp"

namespace umov::run {

/// How the caller of a run of many cases ends and holds it. Called by one thread at a time, but for `hold`.
struct Control {
  std::function<bool()> stop;  ///< asked between cases, and within those whose workers ask go_on()
  /// Asked at the same times: no case is begun any more; those under way are finished.
  std::function<bool()> enough;
  /// Whether the run is held: no case is begun, and workers of all ranks wait where they tell of their case.
  std::function<bool()> held;
  /// Waits while it is, or until `over` says that there is nothing to wait for. Called by the workers of this
  /// rank, by several at once.
  std::function<void(const std::function<bool()>& over)> hold;
};

/// How far the cases of a run are.
struct CaseProgress {
  std::size_t finished = 0, cases = 0, running = 0, failed = 0;
};

/// Gives cases to workers and takes what they find. Workers have numbers from 0 over all ranks; each has one
/// case at a time. For several threads.
class CaseSource {
 public:
  virtual ~CaseSource() = default;

  /// The number of the case that a worker is to compute. Waits while the run is held, and while another
  /// worker may give its case back. Nothing: there is none, or the run ends.
  virtual std::optional<std::size_t> next(int worker) = 0;
  /// Whether a case under way is to be finished. Waits while the run is held.
  virtual bool go_on() = 0;
  /// Tells rank 0's listener something of the worker's case; returns as go_on() does, without asking for a
  /// stop. Of `passing` messages in a row the last alone may be heard.
  virtual bool tell(int worker, Packed message, bool passing = false) = 0;
  /// What came of the worker's case.
  virtual void finish(int worker, Packed found) = 0;
  /// A worker that computes no more; others get its case. Without others the run ends by this error.
  virtual void leave_out(int worker, std::exception_ptr) = 0;
  /// The run ends by this error: others finish their cases.
  virtual void fail(int worker, std::exception_ptr) = 0;
  /// A worker that was asked to stop within its case.
  virtual void leave(int worker) = 0;
};

/// Hears on rank 0 what becomes of the cases, one call at a time.
class Listener {
 public:
  virtual ~Listener() = default;

  virtual void taken(int /*worker*/, std::size_t /*number*/) {}
  /// Returns whether to go on.
  virtual bool told(int /*worker*/, std::size_t /*number*/, const Packed&) { return true; }
  virtual void finished(int worker, std::size_t number, const Packed& found) = 0;
  /// Its case waits for others.
  virtual void left_out(int /*worker*/, std::size_t /*number*/, const std::string& /*why*/) {}
  /// The first failure; `others`: some are at their cases.
  virtual void failed(int /*worker*/, bool /*others*/) {}
  /// A worker computes no more.
  virtual void left(int /*worker*/) {}

  /// Workers that are at a case.
  std::size_t running() const { return running_; }

 private:
  friend class Ledger;
  std::size_t running_ = 0;
};

/// The source of rank 0. Its members lock it; the constructor, open() and rethrow() are called without
/// workers.
class Ledger final : public CaseSource {
 public:
  /// `cases`: numbers of those to compute. `groups`, by number: a worker gets a case of its own last group,
  /// else of a group that nobody is at, else any; empty: in their order.
  Ledger(const Control&, Listener&, const std::vector<std::size_t>& cases,
         std::vector<std::uint64_t> groups = {});

  std::size_t waiting() const { return waiting_.size(); }
  void open(std::size_t workers) { workers_.resize(workers); }
  /// The same where worker w gets the cases of group w in their order, and no others.
  void open_apart(std::size_t workers);

  std::optional<std::size_t> next(int worker) override;
  bool go_on() override;
  bool tell(int worker, Packed message, bool passing = false) override;
  void finish(int worker, Packed found) override;
  void leave_out(int worker, std::exception_ptr) override;
  void fail(int worker, std::exception_ptr) override;
  void leave(int worker) override;

  // next(), go_on() and tell() of workers elsewhere, which are not waited for here
  std::optional<std::size_t> next_now(int worker);
  bool goes_on();
  bool hear(int worker, const Packed& message);
  bool held() const { return control_.held && control_.held(); }
  /// Nothing is begun or finished any more.
  void stop();
  /// No case is begun any more.
  bool ends() const { return ends_; }
  /// Nor is anyone at one.
  bool over();

  /// After the workers: throws the error that ended the run.
  void rethrow() const;
  bool stopped() const { return stopped_; }
  bool had_enough() const { return enough_; }

 private:
  struct Worker {
    std::optional<std::size_t> at;  ///< its case
    std::optional<std::uint64_t> group;
    bool gone = false;
  };
  void hold() const;
  // with the lock held
  void ask();
  void end_now();
  std::optional<std::size_t> take(int worker);
  std::set<std::size_t>::iterator choose(const Worker&) const;
  void put_at(int worker, std::optional<std::size_t> number);
  void went(int worker);
  void end_by(int worker, std::exception_ptr);

  const Control& control_;
  Listener& listener_;
  const std::vector<std::uint64_t> groups_;
  std::set<std::size_t> waiting_;
  std::vector<Worker> workers_;
  bool apart_ = false;
  std::mutex lock_;
  std::condition_variable changed_;
  std::atomic<bool> ends_{false}, stopped_{false};  ///< read without the lock by workers that are held
  bool enough_ = false;
  std::exception_ptr error_;
};

/// The exit code and the words of an error, which travel instead of it.
std::pair<int, std::string> words_of(std::exception_ptr);

/// What a worker does with a case; nothing: it was asked to stop.
using Compute = std::function<std::optional<Packed>(std::size_t number)>;

/// A worker's cases, one after another, until there is none. A MachineFailure while `replaceable` leaves the
/// worker out; any other error ends the run.
void work(CaseSource&, int worker, const Compute&, const std::function<bool()>& replaceable);

/// `work(worker)` on a thread for each, whose loops have `threads`; the caller's does `meanwhile`.
void work_on_threads(int first, std::size_t workers, int threads, const std::function<void(int)>& work,
                     const std::function<void()>& meanwhile);

}  // namespace umov::run
