// Preconditioned conjugate gradients whose scalars stay on the device.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/complex.hpp"
#include "core/timer.hpp"
#include "linalg/amg/options.hpp"
#include "linalg/pcg_passes.hpp"
#include "linalg/sparse/rows.hpp"

namespace umov::linalg {

struct PcgSettings {
  double tolerance = 1e-12;  ///< |b - A x| / |b|
  int max_iterations = 500;
  int check_every = 1;     ///< iterations between looks of the host at the residual
  bool flexible = true;    ///< Polak and Ribiere's beta: the preconditioner may round (Notay 2000)
  bool verify = true;      ///< form b - A x at the end and go on from there when the recurrence drifted
  bool from_zero = false;  ///< x starts at 0, whatever it holds
  /// Changes with every set-up or refresh of operator or preconditioner: recorded sequences hold their
  /// addresses and the smoothers' coefficients, and are renewed then.
  unsigned long version = 0;
};

/// Hestenes and Stiefel 1952 (J. Res. NBS 49, 409) with Polak and Ribiere's beta. Iterates in double; P is
/// the precision of the preconditioner. Op has size(), apply(x, y) and, where it can,
/// apply_dot(x, y, sums); Prec has apply(const P* r, P* z). Besides those, an iteration moves 84 bytes per
/// unknown (P = float) in three passes.
template <class Device, class P>
class Pcg {
 public:
  Pcg(Device& dev, index_t n)
      : dev_(dev),
        n_(n),
        r_(dev.template allocate<double>(n)),
        p_(dev.template allocate<double>(n)),
        q_(dev.template allocate<double>(n)),
        rp_(dev.template allocate<P>(n)),
        z_(dev.template allocate<P>(n)),
        scalars_(dev.template allocate<PcgScalars>(1)) {}

  std::size_t bytes() const {
    return r_.bytes() + p_.bytes() + q_.bytes() + rp_.bytes() + z_.bytes() + history_.bytes();
  }
  /// |r|^2 after each iteration of the last solve, as the recurrence had it; the first is the start.
  const std::vector<double>& history() const { return squares_; }

  /// Solves A x = b on the device's arrays.
  template <class Op, class Prec>
  amg::SolveInfo solve(Op& op, Prec& prec, const double* b, double* x, const PcgSettings& settings) {
    const auto begin = ScopedTimer::Clock::now();
    amg::SolveInfo info;
    run(op, prec, b, x, settings, info);
    info.seconds = std::chrono::duration<double>(ScopedTimer::Clock::now() - begin).count();
    return info;
  }

 private:
  using Failure = amg::Failure;
  using Sequence = typename Device::Sequence;
  static constexpr bool single = sizeof(P) < sizeof(double);

  template <class F>
  double sum(const F& f) {
    return dev_.template map_reduce<1, double>(n_, f).v[0];
  }

  template <class Op, class Prec>
  void run(Op& op, Prec& prec, const double* b, double* x, const PcgSettings& settings,
           amg::SolveInfo& info) {
    squares_.clear();
    const double bb = sum(pcg::SquareOf{b});
    if (settings.from_zero || bb == 0) dev_.fill_zero(x, n_);
    if (bb == 0) {
      info.converged = true;
      return;
    }
    if (!std::isfinite(bb))
      return info.fail(Failure::not_a_number, "the right-hand side holds NaN or infinity");
    if (history_.size() < std::size_t(settings.max_iterations) + 2) {
      history_ = dev_.template allocate<double>(settings.max_iterations + 2);
      recorded_ = {};
    }
    renew_recordings(&op, &prec, x, settings);
    const double target = settings.tolerance * settings.tolerance * bb;
    double rr = start_residual(op, b, x, settings.from_zero);
    info.start = std::sqrt(rr / bb);
    double aim = target;
    for (;;) {
      info.residual = std::sqrt(rr / bb);
      if (!std::isfinite(rr))
        return info.fail(Failure::not_a_number,
                         "the residual is not a number; the matrix holds NaN or infinity");
      if (rr <= target) {
        info.converged = true;
        return;
      }
      const double before = rr;
      const PcgScalars end = iterate(op, prec, x, rr, aim, settings, info.iterations);
      info.iterations = int(end.iterations);
      info.residual = std::sqrt(end.rr / bb);
      const double state = end.state;
      if (state == PcgScalars::indefinite_matrix)
        return info.fail(Failure::matrix_not_definite, "the matrix is not positive definite (p . A p <= 0)");
      if (state == PcgScalars::indefinite_preconditioner)
        return info.fail(Failure::preconditioner_not_definite,
                         "the preconditioner is not positive definite (r . z <= 0)");
      if (state == PcgScalars::not_a_number)
        return info.fail(Failure::not_a_number, "the iteration met a number that is none (NaN or infinity)");
      if (state == PcgScalars::converged && !settings.verify) {
        info.converged = true;
        return;
      }
      if (state != PcgScalars::converged)
        return info.fail(Failure::iteration_limit, "the iteration limit was reached");
      rr = start_residual(op, b, x, false);
      aim = target / 4;  // the recurrence runs ahead of the truth by rounding
      if (rr > target && rr > 0.25 * before) {
        info.residual = std::sqrt(rr / bb);
        return info.fail(Failure::stagnated, "the residual stagnates at what double precision allows");
      }
    }
  }

  template <class Op>
  double start_residual(Op& op, const double* b, const double* x, bool zero) {
    if (!zero) op.apply(x, q_.data());
    return sum(pcg::ResidualFrom{b, zero ? nullptr : q_.data(), r_.data()});
  }

  /// From the residual at hand until it is small enough or `settings.max_iterations` are over.
  template <class Op, class Prec>
  PcgScalars iterate(Op& op, Prec& prec, double* x, double rr, double target, const PcgSettings& settings,
                     int done) {
    PcgScalars* s = scalars_.data();
    PcgScalars host{};
    host.rr = rr, host.target = target, host.iterations = done;
    host.scale = single ? 1 / std::sqrt(rr) : 1;
    host.unscale = 1 / host.scale;
    dev_.upload(s, &host, 1);
    if (done == 0) squares_.assign(1, rr);
    dev_.for_each(n_, pcg::Scaled<P>{r_.data(), host.scale, rp_.data()});
    prec.apply(std::as_const(rp_).data(), z_.data());
    dev_.template reduce_to<2>(n_, pcg::ProductsWithZ<P>{s, r_.data(), r_.data(), z_.data()}, s->rz);
    dev_.download(&host, s, 1);
    host.rho = host.rz[0];
    if (!(host.rho > 0)) {
      host.state = host.rho <= 0 ? PcgScalars::indefinite_preconditioner : PcgScalars::not_a_number;
      return host;
    }
    dev_.upload(s, &host, 1);
    dev_.for_each(n_, pcg::FirstDirection<P>{s, z_.data(), p_.data()});
    for (int it = done + 1; it <= settings.max_iterations; ++it) {
      first_.run(dev_, [&] { first_half(op, s); });
      if (it % settings.check_every == 0 || it == settings.max_iterations) {
        dev_.download(&host, s, 1);
        if (host.state != PcgScalars::running || it == settings.max_iterations) break;
      }
      second_.run(dev_, [&] { second_half(prec, x, s, settings.flexible); });
    }
    dev_.for_each(n_, pcg::AdvanceX{s, p_.data(), x});
    const std::size_t known = squares_.size();
    if (int(host.iterations) + 1 > int(known)) {
      squares_.resize(std::size_t(host.iterations) + 1);
      dev_.download(squares_.data() + known, history_.data() + known, squares_.size() - known);
    }
    return host;
  }

  template <class Op>
  void first_half(Op& op, PcgScalars* s) {
    if constexpr (requires { op.apply_dot(p_.data(), q_.data(), &s->pq); }) {
      op.apply_dot(p_.data(), q_.data(), &s->pq);
    } else {
      op.apply(p_.data(), q_.data());
      dev_.template reduce_to<1>(n_, pcg::Dot{p_.data(), q_.data()}, &s->pq);
    }
    dev_.for_each(1, pcg::FindAlpha{s});
    dev_.template reduce_to<1>(n_, pcg::UpdateResidual<P>{s, q_.data(), r_.data(), rp_.data()}, &s->rr);
    dev_.for_each(1, pcg::NoteResidual{s, history_.data(), single});
  }
  template <class Prec>
  void second_half(Prec& prec, double* x, PcgScalars* s, bool flexible) {
    prec.apply(std::as_const(rp_).data(), z_.data());
    dev_.template reduce_to<2>(n_, pcg::ProductsWithZ<P>{s, r_.data(), q_.data(), z_.data()}, s->rz);
    dev_.for_each(1, pcg::FindBeta{s, flexible});
    dev_.for_each(n_, pcg::Advance<P>{s, z_.data(), x, p_.data()});
  }
  void renew_recordings(const void* op, const void* prec, const double* x, const PcgSettings& settings) {
    const Recorded now{op, prec, x, settings.version, settings.flexible};
    if (now == recorded_) return;
    recorded_ = now;
    for (Sequence* s : {&first_, &second_}) {
      if constexpr (requires { s->forget(); })
        s->forget();
      else
        *s = Sequence();
    }
  }
  struct Recorded {
    const void *op = nullptr, *prec = nullptr, *x = nullptr;
    unsigned long version = 0;
    bool flexible = false;
    bool operator==(const Recorded&) const = default;
  };

  Device& dev_;
  index_t n_;
  typename Device::template Array<double> r_, p_, q_;
  typename Device::template Array<P> rp_, z_;
  typename Device::template Array<PcgScalars> scalars_;
  typename Device::template Array<double> history_;
  std::vector<double> squares_;
  Sequence first_, second_;
  Recorded recorded_;
};

}  // namespace umov::linalg
