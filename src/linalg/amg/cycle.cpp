#include "linalg/amg/cycle.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "backend/cpu/cpu.hpp"
#include "linalg/amg/hierarchy.hpp"
#include "linalg/amg/scaling.hpp"
#include "linalg/amg/solver.hpp"

namespace umov::amg {

namespace {

/// A = sign S^-1 A' S^-1 (scaling.hpp), so A^-1 is about sign S M' S with the cycle M' of A'. Residuals are
/// brought to lengths near 1 by a power of two, which single precision has room for.
template <class T>
class CycleIn final : public Cycle {
 public:
  CycleIn(const sparse::HostCsr& a, int sign, const Options& options, int threads)
      : dev_(threads), hierarchy_(dev_, options), sign_(sign) {
    const Scaling scaling(a, sign, Scaling::Rows::choose);
    const sparse::HostCsr& scaled = scaling.matrix();
    for (int i = 0; i < a.rows; ++i) {
      factor_.push_back(double(scaling.factor(i)));
      for (int k = scaled.start[std::size_t(i)]; k < scaled.start[std::size_t(i) + 1]; ++k)
        if (scaled.column[std::size_t(k)] == i) largest_ = std::max(largest_, scaled.value[std::size_t(k)]);
    }
    scale_ = largest_ > 0 ? std::ldexp(1.0, -std::ilogb(largest_)) : 1;
    sparse::HostCsr near_one = scaled;
    for (double& v : near_one.value) v *= scale_;
    matrix_ = sparse::upload<double>(dev_, near_one);
    matrix_.look_for_long_rows(dev_);
    hierarchy_.setup(matrix_.view());
    r_.resize(std::size_t(a.rows)), z_.resize(std::size_t(a.rows));
  }

  void apply(std::span<const double> r, std::span<double> z) override {
    double most = 0;
    for (std::size_t i = 0; i < r_.size(); ++i) most = std::max(most, std::abs(r[i] * factor_[i]));
    if (!(most > 0) || !std::isfinite(most)) {
      std::fill(z.begin(), z.end(), most == 0 ? 0.0 : std::nan(""));
      return;
    }
    const double by = std::ldexp(1.0, -std::ilogb(most));
    for (std::size_t i = 0; i < r_.size(); ++i) r_[i] = T(r[i] * factor_[i] * by);
    hierarchy_.apply(r_.data(), z_.data());
    const double back = sign_ * scale_ / by;
    for (std::size_t i = 0; i < z_.size(); ++i) z[i] = double(z_[i]) * back * factor_[i];
  }

  const SetupInfo& info() const override { return hierarchy_.info(); }

 private:
  backend::Cpu dev_;
  Hierarchy<backend::Cpu, T> hierarchy_;
  int sign_;
  double largest_ = 0, scale_ = 1;
  std::vector<double> factor_;
  sparse::Csr<backend::Cpu, double> matrix_;
  std::vector<T> r_, z_;
};

}  // namespace

std::unique_ptr<Cycle> make_cycle(const sparse::HostCsr& a, const Options& options, int threads) {
  const int sign = check_system(a, "matrix");
  if (options.single_precision) return std::make_unique<CycleIn<float>>(a, sign, options, threads);
  return std::make_unique<CycleIn<double>>(a, sign, options, threads);
}

}  // namespace umov::amg
