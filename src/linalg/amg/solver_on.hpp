// A linear solver on any backend: a matrix that is whole, or a rank's rows of one.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "comm/ranked_device.hpp"
#include "core/contract.hpp"
#include "linalg/amg/hierarchy.hpp"
#include "linalg/amg/solver.hpp"
#include "linalg/pcg.hpp"
#include "linalg/sparse/multiply.hpp"

namespace umov::amg {

/// A matrix that lies whole on one device: its product, its preconditioner in the arithmetic of P, and sums
/// over all of it.
template <class Dev, class P>
class WholeMatrix {
 public:
  using Device = Dev;  ///< what the iteration runs on
  using Memory = Dev;  ///< what holds the rows
  using T = P;

  WholeMatrix(Device& dev, const SolveRequest& request) : dev_(dev), hierarchy_(dev, request.options) {}
  void setup(const sparse::CsrView<double>& a) {
    product_.emplace(dev_, a);
    hierarchy_.setup(a);
  }
  auto& product() { return *product_; }
  auto& hierarchy() { return hierarchy_; }
  const auto& hierarchy() const { return hierarchy_; }
  static double most(double of_rows) { return of_rows; }
  static double sum(double of_rows) { return of_rows; }
  std::size_t bytes() const { return hierarchy_.info().bytes; }
  std::vector<int> ranks_of_levels() const { return {}; }

 private:
  Device& dev_;
  std::optional<sparse::RowsOperator<Device, double>> product_;
  Hierarchy<Device, T> hierarchy_;
};

/// `Part` is how the matrix lies: WholeMatrix, or ranks::RowsOfRank. The caller constructs the device.
template <class Part>
class LinearSolverOn final : public LinearSolver {
  using Device = typename Part::Device;
  using Memory = typename Part::Memory;

 public:
  LinearSolverOn(std::unique_ptr<Device> dev, const SolveRequest& request)
      : dev_(std::move(dev)), request_(request), part_(*dev_, request) {}

  void setup(const sparse::HostCsr& a) override {
    pcg_.reset();
    // a power of two that brings the diagonal near 1: single precision then has room on both sides
    double largest = 0;
    for (int i = 0; i < a.rows; ++i)
      for (int k = a.start[i]; k < a.start[i + 1]; ++k)
        if (a.column[k] == i) largest = std::max(largest, a.value[k]);
    largest = part_.most(largest);
    scale_ = largest > 0 ? std::ldexp(1.0, -std::ilogb(largest)) : 1;
    Memory& memory = comm::alone(*dev_);
    matrix_ = sparse::upload<double>(memory, a);
    matrix_.look_for_long_rows(memory);
    load(a);
    part_.setup(view());
    pcg_ = std::make_unique<linalg::Pcg<Device, typename Part::T>>(*dev_, a.rows);
    b_ = dev_->template allocate<double>(a.rows);
    x_ = dev_->template allocate<double>(a.rows);
    ++version_;
  }
  void refresh(const sparse::HostCsr& a, Refresh how) override {
    UMOV_EXPECT(a.rows == matrix_.rows && a.column.size() == matrix_.column.size(),
                "refresh of a matrix of another pattern than setup's");
    load(a);
    part_.hierarchy().refresh(view(), how);
    ++version_;
  }
  SolveInfo solve(const std::vector<double>& b, std::vector<double>& x) override {
    std::vector<double> scaled(b.size());
    std::transform(b.begin(), b.end(), scaled.begin(), [this](double v) { return v * scale_; });
    dev_->upload(b_.data(), scaled.data(), scaled.size());
    dev_->upload(x_.data(), x.data(), x.size());
    linalg::PcgSettings settings;
    settings.tolerance = request_.tolerance;
    settings.max_iterations = request_.max_iterations;
    settings.version = version_;
    const SolveInfo info = pcg_->solve(part_.product(), part_.hierarchy(), b_.data(), x_.data(), settings);
    dev_->download(x.data(), x_.data(), x.size());
    double bb = 0;
    for (const double v : scaled) bb += v * v;
    squares_over_ = part_.sum(bb);
    return info;
  }
  void aim(double tolerance, int max_iterations) override {
    request_.tolerance = tolerance, request_.max_iterations = max_iterations;
  }
  const SetupInfo& setup_info() const override { return part_.hierarchy().info(); }
  std::size_t bytes() const override {
    return matrix_.bytes() + part_.bytes() + (pcg_ ? pcg_->bytes() : 0) + b_.bytes() + x_.bytes();
  }
  std::string device() const override {
    const std::string how = sparse::product_variant(comm::alone(*dev_));
    return std::string(Device::name) + ", " + dev_->device_name() + (how.empty() ? "" : ", " + how);
  }
  std::vector<double> history() const override {
    std::vector<double> out = pcg_ ? pcg_->history() : std::vector<double>{};
    for (double& v : out) v = std::sqrt(v / squares_over_);
    return out;
  }
  std::vector<int> ranks_of_levels() const override { return part_.ranks_of_levels(); }

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
  sparse::Csr<Memory, double> matrix_;
  Part part_;
  std::unique_ptr<linalg::Pcg<Device, typename Part::T>> pcg_;
  typename Device::template Array<double> b_, x_;
  unsigned long version_ = 0;
};

/// `make()` gives a Device; the request chooses the precision.
template <class Device, template <class, class> class Part = WholeMatrix, class Make>
std::unique_ptr<LinearSolver> make_solver_on(const SolveRequest& request, const Make& make) {
  if (request.options.single_precision)
    return std::make_unique<LinearSolverOn<Part<Device, float>>>(make(), request);
  return std::make_unique<LinearSolverOn<Part<Device, double>>>(make(), request);
}

}  // namespace umov::amg
