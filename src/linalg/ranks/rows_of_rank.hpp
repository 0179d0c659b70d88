// A rank's rows as its part of a linear solver (amg/solver_on.hpp): products and multigrid across the ranks.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "linalg/amg/solver_on.hpp"
#include "linalg/ranks/hierarchy.hpp"
#include "linalg/ranks/ranked_rows.hpp"

namespace umov::ranks {

/// As amg::WholeMatrix, of SolveRequest::place. Every member but bytes() and ranks_of_levels() is called by
/// every rank.
template <class Dev, class P>
class RowsOfRank {
 public:
  using Device = comm::RankedDevice<Dev>;
  using Memory = Dev;
  using T = P;

  RowsOfRank(Device& dev, const amg::SolveRequest& request)
      : dev_(dev), columns_(*request.place.columns), hierarchy_(dev, request.options) {}
  void setup(const sparse::CsrView<double>& a) {
    rows_.build(dev_, columns_, a);
    hierarchy_.setup(columns_, a);
  }
  auto& product() { return rows_; }
  auto& hierarchy() { return hierarchy_; }
  const auto& hierarchy() const { return hierarchy_; }
  double most(double of_rows) const { return comm::max(dev_.comm(), of_rows); }
  double sum(double of_rows) const { return comm::sum(dev_.comm(), of_rows); }
  std::size_t bytes() const { return hierarchy_.info().bytes + rows_.bytes(); }
  std::vector<int> ranks_of_levels() const { return hierarchy_.ranks_of_levels(); }

 private:
  Device& dev_;
  RankedColumns columns_;
  RankedRows<Dev, double> rows_;
  Hierarchy<Dev, T> hierarchy_;
};

/// `device`: what a Device is made of.
template <class Device, class... Args>
std::unique_ptr<amg::LinearSolver> make_rank_solver_on(const amg::SolveRequest& request, Args&&... device) {
  return amg::make_solver_on<Device, RowsOfRank>(request, [&] {
    return std::make_unique<comm::RankedDevice<Device>>(*request.place.comm, std::forward<Args>(device)...);
  });
}

}  // namespace umov::ranks
