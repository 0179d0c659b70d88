// The cases of a run on several ranks: rank 0 has the ledger, the others ask it for cases and send what they
// find.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "run/ledger.hpp"

namespace umov::run {

/// Numbers of workers over all ranks.
struct WorkerNumbers {
  int first = 0;        ///< of this rank
  std::size_t all = 0;  ///< how many there are
};
/// Of every rank: what it has of them.
WorkerNumbers number_workers(comm::Communicator&, std::size_t here);

/// Rank 0: gives cases to the workers of the other ranks, and takes what they find, until the run is over.
/// Returns on the thread that the communicator belongs to; this rank's own workers are at it meanwhile.
/// Throws OtherRankFailed, after the ledger has been told to stop.
void serve_ranks(comm::Communicator&, Ledger&);

/// What a worker says, on its way to rank 0.
struct News {
  enum class Kind { told, passing, finished, left_out, failed, left } kind = Kind::told;
  int worker = 0;
  Packed bytes;
  int code = 0;      ///< of an error
  std::string text;  ///< its words
};

/// The ledger as the workers of another rank see it.
class RemoteLedger final : public CaseSource {
 public:
  /// `stop`: whether a signal has come; may be empty.
  explicit RemoteLedger(std::function<bool()> stop) : signal_(std::move(stop)) {}

  std::optional<std::size_t> next(int worker) override;
  bool go_on() override;
  bool tell(int worker, Packed message, bool passing = false) override;
  void finish(int worker, Packed found) override;
  void leave_out(int worker, std::exception_ptr) override;
  void fail(int worker, std::exception_ptr) override;
  void leave(int worker) override;

  /// The counterpart of serve_ranks: returns when the run is over.
  void serve(comm::Communicator&);
  /// Whether the run was stopped by a signal, or by an error of rank 0.
  bool stopped() const { return stop_; }

 private:
  void say(News);
  void say(News::Kind, int worker, std::exception_ptr);
  void look_for_signal();
  bool meet(comm::Communicator&);

  std::function<bool()> signal_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::vector<News> news_;
  std::set<int> waiting_;             ///< workers that want a case
  std::map<int, std::size_t> given_;  ///< by worker
  bool held_ = false, ends_ = false, stop_ = false;
};

}  // namespace umov::run
