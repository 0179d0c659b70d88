// The linear frequency domain: (K + j omega M) u = -(columns of the electrodes), complex symmetric.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "eqs/solve/newton.hpp"
#include "eqs/solve/system_sink.hpp"

namespace umov::eqs {

/// Complex vectors are two real ones: imaginary parts lie n behind the real ones.
struct BilinearDot {
  const double *a, *b;
  index_t n;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    sums.v[0] += a[i] * b[i] - a[n + i] * b[n + i];
    sums.v[1] += a[i] * b[n + i] + a[n + i] * b[i];
  }
};
/// y = a x + b z with complex a, b; sums |y|^2
struct ComplexBlend {
  double a_re, a_im;
  const double* x;
  double b_re, b_im;
  const double* z;
  index_t n;
  double* y;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    const double re = a_re * x[i] - a_im * x[n + i] + b_re * z[i] - b_im * z[n + i];
    const double im = a_re * x[n + i] + a_im * x[i] + b_re * z[n + i] + b_im * z[i];
    y[i] = re;
    y[n + i] = im;
    sums.v[0] += re * re + im * im;
  }
};

/// Conjugate orthogonal conjugate gradients (van der Vorst and Melissen 1990, IEEE Trans. Magn. 26, 706) with
/// the real preconditioner of K + omega M on both parts: the preconditioned spectrum lies on the line from 1
/// to j, whatever the materials. Beta as Polak and Ribiere have it, since the preconditioner rounds.
template <class Device>
class Harmonic {
  using Vector = typename Device::template Array<double>;
  using Z = std::complex<double>;

 public:
  Harmonic(System<Device>& system, Newton<Device>& newton, const LinearSpec& spec)
      : system_(system), newton_(newton), spec_(spec), n_(system.unknowns()), stride_(system.stride()) {
    for (Vector* v : {&x, &b_, &r_, &z_, &p_, &q_})
      *v = system.device().template allocate<double>(2 * stride_);
    // a rank without unknowns is harmonic, too: its imaginary part is somewhere
    if (stride_ == 0) x = system.device().template allocate<double>(1);
  }

  /// Electrodes' complex peak values; the solution is left in x.
  bool solve(double omega, const std::vector<double>& re, const std::vector<double>& im, Effort& effort) {
    auto& dev = system_.device();
    omega_ = omega;
    dev.fill_zero(x.data(), 2 * stride_);
    // at u = 0 the rows hold the electrodes' columns
    system_.set_fixed(re);
    system_.evaluate(x.data(), {q_.data(), p_.data(), z_.data(), {1, 0}});
    system_.set_fixed(im);
    system_.evaluate(x.data(), {q_.data() + stride_, p_.data() + stride_, z_.data(), {1, 0}});
    const double size = blend({-1, 0}, p_.data(), {0, -omega}, q_.data(), b_.data());
    newton_.prepare(x.data(), {omega, 1}, effort);
    if (size == 0) return true;
    const double target = spec_.tolerance * spec_.tolerance * size;
    blend({1, 0}, b_.data(), {0, 0}, b_.data(), r_.data());
    double rr = size, before = INFINITY;
    int most = spec_.max_iterations;
    while (!(rr <= target)) {
      if (!std::isfinite(rr) || rr > 0.25 * before || effort.linear >= most) {
        if (rr <= 1e-20 * size) return true;  // rounding has the last word
        const bool poor = !(rr <= enough * enough * size);
        if (newton_.repair_in_double(effort) || (poor && newton_.repair_smoother(effort))) {
          // once each; from 0, which nothing has spoilt
          dev.fill_zero(x.data(), 2 * stride_);
          rr = blend({1, 0}, b_.data(), {0, 0}, b_.data(), r_.data());
          before = INFINITY;
          most = effort.linear + spec_.max_iterations;
          continue;
        }
        // what is reached must still be worth having
        return rr <= enough * enough * size || fail(std::sqrt(rr / size), most, effort);
      }
      before = rr;
      iterate(target / 4, rr, most, effort);
      // the truth instead of the recurrence
      product(x.data(), q_.data());
      rr = blend({1, 0}, b_.data(), {-1, 0}, q_.data(), r_.data());
    }
    return true;
  }

  /// The system that was solved last, with what its solution leaves over.
  LinearSystem last_system(const Effort& effort) const {
    LinearSystem s;
    s.a = host_matrix(system_.device(), system_.charge_matrices().a);
    s.imaginary = s.a.value;
    for (double& v : s.imaginary) v *= omega_;
    std::ranges::fill(s.a.value, 0.0);
    if (const double* k = system_.conduction_values())
      system_.device().download(s.a.value.data(), k, s.a.value.size());
    s.b = host(b_), s.x = host(x);
    s.iterations = effort.linear;
    s.tolerance = spec_.tolerance;
    s.residual = length(host(r_)) / length(s.b);
    s.converged = effort.converged;
    return s;
  }

  std::size_t bytes() const { return x.bytes() * 6; }

 private:
  /// The relative residual with which a system still counts as solved, as in Newton's.
  static constexpr double enough = 1e-8;

  static bool fail(double residual, int most, Effort& effort) {
    effort.converged = false;
    effort.why_not = "the linear solver stopped at a relative residual of " +
                     Newton<Device>::scientific(residual) + " after " + std::to_string(effort.linear) +
                     " iterations, the preconditioner in double precision" +
                     (effort.linear >= most ? "; raise solver.max_iterations" : " (rounding)");
    return false;
  }
  void iterate(double target, double rr, int most, Effort& effort) {
    const AddSeconds timed(effort.linear_seconds);
    precondition();
    Z rho = bilinear(r_.data(), z_.data());
    blend({1, 0}, z_.data(), {0, 0}, z_.data(), p_.data());
    while (rr > target && effort.linear < most) {
      const Z alpha = rho / product(p_.data(), q_.data());
      // what broke down leaves x as it was
      if (!std::isfinite(std::norm(alpha))) return;
      blend({1, 0}, x.data(), alpha, p_.data(), x.data());
      rr = blend({1, 0}, r_.data(), -alpha, q_.data(), r_.data());
      ++effort.linear;
      if (newton_.told) newton_.told(effort);
      if (!(rr > target)) return;
      precondition();
      const Z beta = -alpha * bilinear(z_.data(), q_.data()) / rho;
      if (!std::isfinite(std::norm(beta))) return;
      rho = bilinear(r_.data(), z_.data());
      blend({1, 0}, z_.data(), beta, p_.data(), p_.data());
    }
  }
  std::vector<double> host(const Vector& v) const {
    std::vector<double> out(2 * std::size_t(n_));
    system_.device().download(out.data(), v.data(), std::size_t(n_));
    system_.device().download(out.data() + n_, v.data() + stride_, std::size_t(n_));
    return out;
  }
  static double length(const std::vector<double>& v) {
    double square = 0;
    for (const double a : v) square += a * a;
    return std::sqrt(square);
  }
  void precondition() {
    newton_.solver().precondition(r_.data(), z_.data());
    newton_.solver().precondition(r_.data() + stride_, z_.data() + stride_);
  }
  Z product(const double* from, double* to) {
    const auto s = system_.harmonic_product(omega_, from, to);
    return {s.v[0], s.v[1]};
  }
  Z bilinear(const double* a, const double* b) {
    const auto s = system_.device().template map_reduce<2, double>(n_, BilinearDot{a, b, stride_});
    return {s.v[0], s.v[1]};
  }
  double blend(Z a, const double* u, Z b, const double* v, double* out) {
    return system_.device()
        .template map_reduce<1, double>(
            n_, ComplexBlend{a.real(), a.imag(), u, b.real(), b.imag(), v, stride_, out})
        .v[0];
  }

  System<Device>& system_;
  Newton<Device>& newton_;
  LinearSpec spec_;
  index_t n_, stride_;  // unknowns; from a vector's real parts to its imaginary ones
  double omega_ = 0;

 public:
  Vector x;  ///< the solution

 private:
  Vector b_, r_, z_, p_, q_;
};

}  // namespace umov::eqs
