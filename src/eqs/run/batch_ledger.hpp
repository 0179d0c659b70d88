// What the workers of a batch share: which variant is next, which rows there are, what is told.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>

#include "eqs/observables/scalar_results.hpp"
#include "eqs/run/batch.hpp"
#include "eqs/run/variant_source.hpp"

namespace umov::eqs {

/// Its members lock it; the constructor, open() and close() are called without workers.
class BatchLedger final : public VariantSource {
 public:
  BatchLedger(const Batch&, const BatchObserver&, BatchOutcome&);

  const std::vector<std::uint64_t>& keys() const { return keys_; }  ///< per variant, of its mesh
  std::size_t waiting() const { return waiting_.size(); }
  std::size_t first_waiting() const { return *waiting_.begin(); }
  void open(std::size_t workers) { at_work_ = workers; }

  std::optional<std::size_t> next(std::optional<std::uint64_t>& mesh) override;
  bool go_on() override;
  void warn(const std::string& text) override;
  void finish(std::size_t variant, const Outcome&, BatchRow) override;
  void refuse(std::size_t variant, const BadInput&) override;
  void leave_out(std::size_t variant, const std::string& why, std::exception_ptr) override;
  void fail(std::size_t variant, std::exception_ptr) override;

  /// For workers of other ranks. next() that does not wait; and a variant's results as single numbers, of
  /// which the observer hears without an outcome.
  std::optional<std::size_t> next_now(std::optional<std::uint64_t>& mesh);
  void finish(std::size_t variant, const std::vector<ScalarResult>&, const std::string& device, BatchRow);
  void refuse(std::size_t variant, const std::string& why);
  /// A signal has reached another rank, or this batch ends without its rows.
  void stop();
  /// As go_on() and as the observer's `held`, for who must not wait: the thread that hears the other ranks.
  bool goes_on();
  bool held() const { return watch_.held && watch_.held(); }
  bool ends();
  /// Whether all variants are done, or the batch ends and nobody is at one.
  bool over();

  /// Rows go to the outcome. Throws what ended the batch.
  void close();

 private:
  std::optional<std::size_t> choose(std::optional<std::uint64_t>& mesh);
  void enter(std::size_t variant, const std::vector<ScalarResult>&, BatchRow, const Outcome*);
  void leave(std::size_t variant);
  void check_responses();
  void tell() const;
  void say(const std::string& text);
  bool asked_to_stop();
  void hold() const;

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
  std::atomic<bool> ends_{false};  ///< read by workers that are held, without the lock
  bool stopped_ = false, solved_ = false, enough_ = false;
  std::exception_ptr error_, refusal_;
};

}  // namespace umov::eqs
