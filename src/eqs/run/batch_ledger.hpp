// What the workers of a batch share: which variant is next, which rows there are, what is told.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <set>

#include "core/error.hpp"
#include "eqs/run/batch.hpp"

namespace umov::eqs {

/// Its members lock it; the constructor and close() are called without workers.
class BatchLedger {
 public:
  BatchLedger(const Batch&, const BatchObserver&, BatchOutcome&);

  const std::vector<std::uint64_t>& keys() const { return keys_; }  ///< per variant, of its mesh
  std::size_t waiting() const { return waiting_.size(); }
  std::vector<std::uint64_t> keys_waiting() const;
  std::size_t first_waiting() const { return *waiting_.begin(); }
  void open(std::size_t workers) { at_work_ = workers; }

  /// A variant of the mesh that this worker has, else of one that nobody is at, else any; nothing: there is
  /// none, or the batch ends.
  std::optional<std::size_t> next(std::optional<std::uint64_t>& mesh);
  /// Whether a variant under way is to be finished.
  bool go_on();
  void warn(const std::string& text);
  void finish(std::size_t variant, const Outcome*, BatchRow);
  /// A variant that cannot be: its row says why.
  void refuse(std::size_t variant, const BadInput&);
  /// A worker whose device failed. Others get its variant; without others the batch ends, and so it does for
  /// a variant that fails twice.
  void leave_out(std::size_t variant, const std::string& why, std::exception_ptr);
  /// The batch ends by this error: others finish the variants that they are at.
  void fail(std::size_t variant, std::exception_ptr);

  /// Rows go to the outcome. Throws what ended the batch.
  void close();

 private:
  void leave(std::size_t variant);
  void check_responses();
  void tell() const;
  void say(const std::string& text);
  bool asked_to_stop();

  const BatchObserver& watch_;
  BatchOutcome& out_;
  std::vector<std::optional<BatchRow>> rows_;
  std::vector<std::uint64_t> keys_;
  std::set<std::size_t> waiting_, failed_;
  std::multiset<std::uint64_t> running_;
  std::set<std::string> said_;
  std::size_t at_work_ = 0;
  std::mutex lock_;
  std::condition_variable changed_;
  bool ends_ = false, stopped_ = false, solved_ = false, enough_ = false;
  std::exception_ptr error_, refusal_;
};

}  // namespace umov::eqs
