// A sweep on several ranks: rank 0 has the ledger, the others ask it for rows and send what they find.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "harmonic/run/ledger.hpp"

namespace umov::harmonic {

/// Rank 0: gives rows to the workers of the other ranks, and takes what they find, until all workers have
/// left. Returns on the thread that the communicator belongs to; this rank's own workers are at it meanwhile.
/// Throws OtherRankFailed, after the ledger has been told to stop.
void serve_ranks(comm::Communicator&, Ledger&);

/// What a worker says, on its way to rank 0.
struct RowNews {
  enum class Kind { begun, iterated, note, finished, left_out, failed, left } kind = Kind::begun;
  int worker = 0;
  std::size_t number = 0;
  FinishedRow row;
  RowReport report;
  std::string text, iteration;
  char polarization = 's';
  long iterations = 0;
  double residual = 0;
  int code = 0;       ///< of an error
  std::string error;  ///< its words
};

/// The ledger as the workers of another rank see it.
class RemoteLedger final : public RowSource {
 public:
  /// The rows in the order of the tables. `stop` is asked at each meeting.
  RemoteLedger(std::vector<Row> rows, std::function<bool()> stop)
      : rows_(std::move(rows)), stop_wanted_(std::move(stop)) {}

  const Row& row(std::size_t number) const override { return rows_[number]; }
  std::optional<std::size_t> next(int worker) override;
  void begin(int worker, const std::string& what, const std::string& iteration) override;
  bool iterated(int worker, char polarization, long iteration, double residual) override;
  void note(int worker, const std::string& text) override;
  void finish(int worker, std::size_t number, FinishedRow, const RowReport&) override;
  void leave_out(int worker, std::size_t number, const std::string& why, std::exception_ptr) override;
  void fail(int worker, std::exception_ptr) override;
  void leave(int worker) override;

  /// The counterpart of serve_ranks: returns when all workers of the run have left.
  void serve(comm::Communicator&);
  /// Whether the run was stopped by a signal, or by an error of rank 0.
  bool stopped() const { return stop_; }

 private:
  void tell(RowNews);
  bool meet(comm::Communicator&);

  std::vector<Row> rows_;
  std::function<bool()> stop_wanted_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::vector<RowNews> news_;
  std::set<int> waiting_;                              ///< workers that want a row
  std::map<int, std::size_t> given_;                   ///< by worker
  std::set<int> without_;                              ///< workers for which there is none any more
  bool held_ = false, stop_ = false, broken_ = false;  ///< broken: no meeting comes any more
};

}  // namespace umov::harmonic
