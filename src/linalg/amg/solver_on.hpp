// A linear solver on any backend.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/contract.hpp"
#include "linalg/amg/hierarchy.hpp"
#include "linalg/amg/solver.hpp"
#include "linalg/pcg.hpp"
#include "linalg/sparse/multiply.hpp"

namespace umov::amg {

/// `Device` is constructed by the caller; T is the arithmetic of the preconditioner.
template <class Device, class T>
class LinearSolverOn final : public LinearSolver {
 public:
  LinearSolverOn(std::unique_ptr<Device> dev, const SolveRequest& request)
      : dev_(std::move(dev)), request_(request), hierarchy_(*dev_, request.options) {}

  void setup(const sparse::HostCsr& a) override {
    pcg_.reset();
    // a power of two that brings the diagonal near 1: single precision then has room on both sides
    double largest = 0;
    for (int i = 0; i < a.rows; ++i)
      for (int k = a.start[i]; k < a.start[i + 1]; ++k)
        if (a.column[k] == i) largest = std::max(largest, a.value[k]);
    scale_ = largest > 0 ? std::ldexp(1.0, -std::ilogb(largest)) : 1;
    matrix_ = sparse::upload<double>(*dev_, a);
    matrix_.look_for_long_rows(*dev_);
    load(a);
    hierarchy_.setup(view());
    pcg_ = std::make_unique<linalg::Pcg<Device, T>>(*dev_, a.rows);
    b_ = dev_->template allocate<double>(a.rows);
    x_ = dev_->template allocate<double>(a.rows);
    ++version_;
  }
  void refresh(const sparse::HostCsr& a, Refresh how) override {
    UMOV_EXPECT(a.rows == matrix_.rows && a.column.size() == matrix_.column.size(),
                "refresh of a matrix of another pattern than setup's");
    load(a);
    hierarchy_.refresh(view(), how);
    ++version_;
  }
  SolveInfo solve(const std::vector<double>& b, std::vector<double>& x) override {
    std::vector<double> scaled(b.size());
    std::transform(b.begin(), b.end(), scaled.begin(), [this](double v) { return v * scale_; });
    dev_->upload(b_.data(), scaled.data(), scaled.size());
    dev_->upload(x_.data(), x.data(), x.size());
    sparse::RowsOperator<Device, double> op(*dev_, view());
    linalg::PcgSettings settings;
    settings.tolerance = request_.tolerance;
    settings.max_iterations = request_.max_iterations;
    settings.version = ++version_;  // the operator is a new object
    const SolveInfo info = pcg_->solve(op, hierarchy_, b_.data(), x_.data(), settings);
    dev_->download(x.data(), x_.data(), x.size());
    double bb = 0;
    for (const double v : scaled) bb += v * v;
    squares_over_ = bb;
    return info;
  }
  void aim(double tolerance, int max_iterations) override {
    request_.tolerance = tolerance, request_.max_iterations = max_iterations;
  }
  const SetupInfo& setup_info() const override { return hierarchy_.info(); }
  std::size_t bytes() const override {
    return matrix_.bytes() + hierarchy_.info().bytes + (pcg_ ? pcg_->bytes() : 0) + b_.bytes() + x_.bytes();
  }
  std::string device() const override {
    const std::string how = sparse::product_variant(*dev_);
    return std::string(Device::name) + ", " + dev_->device_name() + (how.empty() ? "" : ", " + how);
  }
  std::vector<double> history() const override {
    std::vector<double> out = pcg_ ? pcg_->history() : std::vector<double>{};
    for (double& v : out) v = std::sqrt(v / squares_over_);
    return out;
  }

 private:
  sparse::CsrView<double> view() const { return matrix_.view(); }
  void load(const sparse::HostCsr& a) {
    std::vector<double> value(a.value.size());
    std::transform(a.value.begin(), a.value.end(), value.begin(), [this](double v) { return v * scale_; });
    dev_->upload(matrix_.value.data(), value.data(), value.size());
  }

  std::unique_ptr<Device> dev_;
  SolveRequest request_;
  double scale_ = 1, squares_over_ = 1;
  sparse::Csr<Device, double> matrix_;
  Hierarchy<Device, T> hierarchy_;
  std::unique_ptr<linalg::Pcg<Device, T>> pcg_;
  typename Device::template Array<double> b_, x_;
  unsigned long version_ = 0;
};

/// `make()` gives a Device; the request chooses the precision.
template <class Device, class Make>
std::unique_ptr<LinearSolver> make_solver_on(const SolveRequest& request, const Make& make) {
  if (request.options.single_precision)
    return std::make_unique<LinearSolverOn<Device, float>>(make(), request);
  return std::make_unique<LinearSolverOn<Device, double>>(make(), request);
}

}  // namespace umov::amg
