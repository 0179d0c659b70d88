// A batch on several ranks: rank 0 has the ledger, the others ask it for variants and send their rows.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "comm/communicator.hpp"
#include "eqs/run/batch_ledger.hpp"

namespace umov::eqs {

/// Rank 0: gives variants to the workers of the other ranks, and takes their rows, until the batch is over.
/// Returns on the thread that the communicator belongs to; this rank's own workers are at it meanwhile.
/// Throws OtherRankFailed, after the ledger has been told to stop.
void serve_ranks(comm::Communicator&, BatchLedger&);

/// What a variant has come to, on its way to rank 0.
struct VariantNews {
  enum class Kind { row, refused, left_out, failed, warning } kind = Kind::row;
  std::size_t variant = 0;
  std::vector<ScalarResult> found;
  BatchRow row;
  std::string device;
  int code = 0;      ///< of an error
  std::string text;  ///< of an error, a refusal or a warning
};

/// The ledger as the workers of another rank see it.
class RemoteLedger final : public VariantSource {
 public:
  explicit RemoteLedger(const BatchObserver& watch) : watch_(watch) {}

  std::optional<std::size_t> next(std::optional<std::uint64_t>& mesh) override;
  bool go_on() override;
  void warn(const std::string& text) override;
  /// The observer hears of it first, with the outcome.
  void finish(std::size_t variant, const Outcome&, BatchRow) override;
  void refuse(std::size_t variant, const BadInput&) override;
  void leave_out(std::size_t variant, const std::string& why, std::exception_ptr) override;
  void fail(std::size_t variant, std::exception_ptr) override;

  /// The counterpart of serve_ranks: returns when the batch is over.
  void serve(comm::Communicator&);
  /// Whether the batch was stopped by a signal.
  bool stopped() const { return stop_; }

 private:
  void tell(VariantNews);
  void look_for_signal();
  bool meet(comm::Communicator&);

  struct Given {
    std::size_t variant;
    std::uint64_t mesh;
  };
  const BatchObserver& watch_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::vector<VariantNews> news_;
  std::size_t wishes_ = 0;
  std::map<std::size_t, std::optional<std::uint64_t>> waiting_;  ///< wishes, and the mesh that each has
  std::map<std::size_t, Given> given_;                           ///< by wish
  bool held_ = false, ends_ = false, stop_ = false;
};

}  // namespace umov::eqs
