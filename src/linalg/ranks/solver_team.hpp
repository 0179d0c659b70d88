// Linear solvers that several ranks are together: rank 0 asks, the others follow.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/timer.hpp"
#include "linalg/amg/solver.hpp"
#include "linalg/ranks/ranked_csr.hpp"

namespace umov::ranks {

/// The ranks that solve systems together. What is asked of a solver of rank 0 the others do, too, in
/// follow(): what is written for one solver (amg::solve) does not know of them.
class SolverTeam {
 public:
  /// Of every rank; `own`: where this rank computes. `comm` outlives it.
  SolverTeam(comm::Communicator& comm, const amg::SolveRequest& own) : comm_(comm), own_(own) {}
  ~SolverTeam();
  SolverTeam(const SolverTeam&) = delete;
  SolverTeam& operator=(const SolverTeam&) = delete;

  /// Rank 0: a solver of all ranks, which cuts its matrices by part_rows; the team outlives it. Options and
  /// aim are those of the request.
  std::unique_ptr<amg::LinearSolver> make(const amg::SolveRequest&);
  /// Rank 0: the others are free to go; done by the destructor, too.
  void dismiss();
  /// Other ranks: does what rank 0 asks until it dismisses them.
  void follow();

  /// Of this rank's solvers: the most that one held, and the device.
  std::size_t peak_bytes() const { return peak_; }
  const std::string& device() const { return device_; }
  /// Since all had their rows of the first matrix: seconds, and what had been sent and waited for until then.
  /// Before it all ranks but the first wait for files and cuts.
  double seconds() const { return since_dealt_ ? since_dealt_->seconds() : 0; }
  const comm::Traffic& before() const { return before_; }

 private:
  friend class LeadSolver;
  struct Order;
  /// This rank's part of a solver.
  struct Part {
    RankedCsr rows;  ///< of the set-up; without entries after it
    std::unique_ptr<amg::LinearSolver> solver;
    std::size_t fullest = 0;  ///< bytes of the rank that holds most
  };
  /// Rank 0's side of an order: the matrix, whose rows are; the vectors, by rank.
  struct Whole {
    const sparse::HostCsr* matrix = nullptr;
    const std::vector<int>* owner = nullptr;
    std::vector<std::vector<double>> b, x;
  };

  Order order(const Order&);
  /// What every rank does of an order; false at the last one.
  bool obey(const Order&, const Whole& whole);
  void set_up(const Order&, Part&, const Whole& whole);
  void note_bytes(Part&);

  comm::Communicator& comm_;
  amg::SolveRequest own_;
  std::map<int, Part> parts_;
  int next_ = 0;
  bool dismissed_ = false;
  amg::SolveInfo info_;           ///< of the last solve
  std::vector<double> solution_;  ///< of it: rank 0 has that of all ranks, one behind another
  std::size_t peak_ = 0;
  std::string device_;
  std::optional<Stopwatch> since_dealt_;
  comm::Traffic before_;
};

}  // namespace umov::ranks
