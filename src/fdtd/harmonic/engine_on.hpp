// The engine on one device: the layered cell inverted exactly, Krylov iterations for what is rough.
#pragma once

#include <chrono>
#include <utility>
#include <vector>

#include "fdtd/harmonic/engine.hpp"
#include "fdtd/harmonic/kernels/contrast.hpp"
#include "fdtd/harmonic/layered_inverse.hpp"
#include "linalg/krylov/drive.hpp"
#include "linalg/krylov/idrs.hpp"

namespace umov::fdtd::harmonic {

/// The scattering of the rough planes: y - V G y, G the inverse of the layered cell, V = k0^2 (eps - layered
/// eps).
template <class Dev, class T>
class ScatteringOperator {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;

 public:
  ScatteringOperator(Dev& dev, const Problem& p)
      : n_(p.rough_edges()), dev_(dev), inverse_(dev, p, p.rough_begin, p.rough_end) {
    std::vector<C> host;
    const index_t columns = p.grid.columns();
    const int planes = p.rough_planes();
    for (index_t i = 0; i < n_; ++i) {
      const index_t plane = i / columns;
      const int c = int(plane / planes), k = int(plane % planes) + p.rough_begin;
      host.push_back(C(p.k0 * p.k0 * (p.permittivity[i] - (c == 2 ? p.normal : p.tangential)[k])));
    }
    contrast_ = dev.template allocate<C>(n_);
    work_ = dev.template allocate<C>(n_);
    dev.upload(contrast_.data(), host.data(), host.size());
  }

  krylov::ProductSums<A> apply(const C* x, C* y, bool) {
    dev_.for_each(n_, krylov::Copy<T>{x, work_.data()});
    inverse_.apply(work_.data());
    const auto s =
        dev_.template map_reduce<5, A>(n_, SubtractScattered<T>{x, contrast_.data(), work_.data(), y});
    ++products;
    return {{s.v[0], s.v[1]}, {s.v[2], s.v[3]}, s.v[4]};
  }

  const C* contrast() const { return contrast_.data(); }
  index_t size() const { return n_; }
  long products = 0;

 private:
  index_t n_;
  Dev& dev_;
  LayeredInverse<Dev, T> inverse_;
  typename Dev::template Array<C> contrast_, work_;
};

template <class Dev, class T>
class EngineOn final : public Engine {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;
  using Array = typename Dev::template Array<C>;
  using Operator = ScatteringOperator<Dev, T>;

 public:
  template <class... Args>
  explicit EngineOn(const Problem& p, Args&&... args) : dev_(std::forward<Args>(args)...), p_(p) {}

  std::string device_name() const override { return dev_.device_name(); }

  SolveReport solve(const std::vector<cplx>& layered, const SolveOptions& options, Fields& fields) override {
    const auto start = std::chrono::steady_clock::now();
    SolveReport report;
    const index_t all = 3 * index_t(p_.grid.nz) * p_.grid.columns();
    Array whole = dev_.template allocate<C>(all);
    dev_.fill_zero(whole.data(), all);
    if (p_.rough_planes() > 0) {
      report = iterate(layered, options, whole.data());
      LayeredInverse<Dev, T>(dev_, p_, 0, p_.grid.nz).apply(whole.data());
    }
    const Array field = upload(layered, 0, p_.grid.nz);
    dev_.for_each(all, AddLayered<T>{p_.grid.columns(), field.data(), whole.data()});
    std::vector<C> host(all);
    dev_.download(host.data(), whole.data(), all);
    fields.values.resize(all);
    for (index_t i = 0; i < all; ++i) fields.values[i] = host[i].template to_std<double>();
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
  }

 private:
  /// Planes [begin, end) of a field [3][nz].
  Array upload(const std::vector<cplx>& layered, int begin, int end) {
    std::vector<C> host;
    for (int c = 0; c < 3; ++c)
      for (int k = begin; k < end; ++k) host.push_back(C(layered[c * p_.grid.nz + k]));
    Array out = dev_.template allocate<C>(host.size());
    dev_.upload(out.data(), host.data(), host.size());
    return out;
  }

  /// Solves y - V G y = V E_layered for the scattering currents y and puts them into `whole`.
  SolveReport iterate(const std::vector<cplx>& layered, const SolveOptions& options, C* whole) {
    SolveReport report;
    Operator op(dev_, p_);
    const index_t n = op.size();
    Array x = dev_.template allocate<C>(n), r = dev_.template allocate<C>(n),
          b = dev_.template allocate<C>(n);
    const Array field = upload(layered, p_.rough_begin, p_.rough_end);
    dev_.for_each(n, MultiplyLayered<T>{p_.grid.columns(), op.contrast(), field.data(), b.data()});
    dev_.fill_zero(x.data(), n);
    dev_.for_each(n, krylov::Copy<T>{b.data(), r.data()});
    const double bb = dev_.template map_reduce<1, A>(n, krylov::Norm<T>{b.data()}).v[0];
    if (bb > 0) {
      krylov::Idr8<Dev, T, Operator> solver(dev_, op, n);
      krylov::DriveOptions drive;
      drive.epsilon = options.tolerance;
      drive.hook = options.hook;
      // a stop short of the goal may be one of the recurrence: the residual is computed anew, and once it is
      // begun again
      for (int start = 0; start < 3; ++start) {
        const double rr = dev_.template map_reduce<1, A>(n, krylov::Norm<T>{r.data()}).v[0];
        std::vector<double> history{std::sqrt(rr / bb)};
        report.residual = history[0];
        if (history[0] <= options.tolerance || op.products >= options.max_iterations || report.interrupted)
          break;
        drive.max_iterations = report.iterations + options.max_iterations - op.products;
        solver.start(x.data(), r.data(), rr);
        const auto outcome = krylov::drive(solver, bb, report.iterations, drive, history);
        report.iterations = outcome.iterations;
        report.interrupted = outcome.status == krylov::Ending::interrupted;
        report.why_not = outcome.diagnosis.problem;
        op.apply(x.data(), r.data(), false);
        const double left =
            dev_.template map_reduce<1, A>(n, krylov::Residual<T>{b.data(), r.data(), r.data()}).v[0];
        report.residual = std::sqrt(left / bb);
        if (report.residual <= options.tolerance) break;
      }
      report.converged = report.residual <= 1.1 * options.tolerance;
    }
    place(x.data(), whole);
    return report;
  }

  /// Currents of the rough planes among all planes.
  void place(const C* y, C* whole) {
    const index_t columns = p_.grid.columns(), planes = p_.rough_planes();
    for (int c = 0; c < 3; ++c)
      dev_.for_each(planes * columns,
                    krylov::Copy<T>{y + c * planes * columns,
                                    whole + (index_t(c) * p_.grid.nz + p_.rough_begin) * columns});
  }

  mutable Dev dev_;
  Problem p_;
};

}  // namespace umov::fdtd::harmonic
