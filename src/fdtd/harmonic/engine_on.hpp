// The engine on one device: the layered cell inverted exactly, Krylov iterations for what is rough.
#pragma once

#include <chrono>
#include <utility>
#include <vector>

#include "fdtd/harmonic/engine.hpp"
#include "fdtd/harmonic/gradient_correction.hpp"
#include "fdtd/harmonic/scattering_operator.hpp"
#include "linalg/krylov/drive.hpp"
#include "linalg/krylov/idrs.hpp"

namespace umov::fdtd::harmonic {

template <class Dev, class T>
class EngineOn final : public Engine {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;
  using Array = typename Dev::template Array<C>;

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
      report = p_.metal_is_rough ? iterate<CorrectedOperator<Dev, T>>(layered, options, whole.data())
                                 : iterate<ScatteringOperator<Dev, T>>(layered, options, whole.data());
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

  /// Solves for what the rough planes add to the layered cell's field, and puts that into `whole`.
  template <class Operator>
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
        op.apply(x.data(), r.data(), false);
        const double left =
            dev_.template map_reduce<1, A>(n, krylov::Residual<T>{b.data(), r.data(), r.data()}).v[0];
        report.residual = std::sqrt(left / bb);
        if (report.residual <= options.tolerance) break;
      }
      report.converged = report.residual <= 1.1 * options.tolerance;
    }
    place(op.currents(x.data()), whole);
    LayeredInverse<Dev, T>(dev_, p_, 0, p_.grid.nz).apply(whole);
    if constexpr (requires { op.first_gradient(); })
      add_gradients(op.first_gradient(), op.second_gradient(), whole);
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

  void add_gradients(const C* a, const C* b, C* whole) {
    const index_t size = p_.rough_planes() * p_.grid.columns();
    for (int c = 0; c < 3; ++c)
      dev_.for_each(size, AddBoth<T>{a + c * size, b + c * size,
                                     whole + (index_t(c) * p_.grid.nz + p_.rough_begin) * p_.grid.columns()});
  }

  mutable Dev dev_;
  Problem p_;
};

}  // namespace umov::fdtd::harmonic
