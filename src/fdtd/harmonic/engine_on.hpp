// The engine on one device: the layered cell inverted exactly, Krylov iterations for what is rough.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fdtd/harmonic/engine.hpp"
#include "fdtd/harmonic/inner_solver.hpp"

namespace umov::fdtd::harmonic {

template <class Dev>
class EngineOn final : public Engine {
  using C = Complex<double>;
  using Array = typename Dev::template Array<C>;

 public:
  template <class... Args>
  EngineOn(const Problem& p, const EngineRequest& request, Args&&... device)
      : dev_(std::forward<Args>(device)...),
        p_(p),
        tiles_{request.tile, request.tile_overlap},
        single_(chosen(request.precision, Dev::name) == Precision::single) {}

  std::string device_name() const override { return dev_.device_name(); }

  SolveReport solve(const std::vector<cplx>& layered, const SolveOptions& options, Fields& fields) override {
    const auto start = std::chrono::steady_clock::now();
    SolveReport report;
    const index_t all = 3 * index_t(p_.grid.nz) * p_.grid.columns();
    Array whole = dev_.template allocate<C>(all);
    dev_.fill_zero(whole.data(), all);
    if (p_.rough_planes() > 0) {
      iterate(layered, options, report);
      spread(whole.data());
    }
    const Array field = upload(layered, 0, p_.grid.nz);
    dev_.for_each(all, AddLayered<double>{p_.grid.columns(), field.data(), whole.data()});
    fields.values.resize(all);
    dev_.download(reinterpret_cast<C*>(fields.values.data()), whole.data(), all);
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

  /// Finds currents and potentials of the rough planes: solves, computes what is left in double, and solves
  /// for that, until the residual is below the tolerance.
  void iterate(const std::vector<cplx>& layered, const SolveOptions& options, SolveReport& report) {
    if (!equations_) equations_.emplace(dev_, p_);
    report.single = single_;
    const index_t n = equations_->edges();
    const Array field = upload(layered, p_.rough_begin, p_.rough_end);
    Array r = dev_.template allocate<C>(n);
    currents_ = dev_.template allocate<C>(n);
    dev_.fill_zero(currents_.data(), n);
    if (p_.metal_is_rough) {
      potential_ = dev_.template allocate<C>(n / 3);
      dev_.fill_zero(potential_.data(), n / 3);
    }
    const auto left = [&] {
      return std::sqrt(equations_->residual(field.data(), currents_.data(),
                                            p_.metal_is_rough ? potential_.data() : nullptr, r.data()));
    };
    const double scale = left();  // of the layered cell's field
    report.residual = scale > 0 ? 1 : 0;
    int poor = 0;
    while (report.residual > options.tolerance && !report.interrupted &&
           report.iterations < options.max_iterations) {
      const double before = report.residual;
      improve(r.data(), scale, options, report);
      report.residual = left() / scale;
      // one pass is to leave a tenth; one that leaves more than half meets a limit
      if (report.residual > 0.5 * before && !report.interrupted && ++poor == 2) {
        if (!report.single) break;
        inner_.reset();
        report.single = single_ = false;
        report.fell_back = true;
        poor = 0;
      }
    }
    report.converged = report.residual <= 1.1 * options.tolerance;
  }

  /// One pass: from a residual to currents and potentials.
  void improve(const C* r, double scale, const SolveOptions& options, SolveReport& report) {
    if (!inner_) inner_ = make_inner_solver(dev_, p_, equations_->slab(), tiles_, report.single);
    const double before = report.residual;
    const long done = report.iterations, products = inner_->products();
    InnerGoal goal;
    // what a pass in float is asked for it can give: its products are good to some 1e-6
    const double least = report.single ? 2e-5 : 0;
    goal.reduction = std::max(0.8 * options.tolerance / before, least);
    goal.most = options.max_iterations - done;
    if (options.hook)
      goal.hook = [&](long iteration, double residual) {
        return options.hook(done + iteration, before * residual);
      };
    const auto outcome = inner_->improve(r, before * scale, goal, {currents_.data(), potential_.data()});
    report.interrupted = outcome.status == krylov::Ending::interrupted;
    report.iterations += inner_->products() - products;
  }

  /// The field of the whole cell that the currents and potentials make.
  void spread(C* whole) {
    const index_t columns = p_.grid.columns(), slab = p_.rough_planes() * columns,
                  stride = index_t(p_.grid.nz) * columns;
    C* first = whole + index_t(p_.rough_begin) * columns;
    for (int c = 0; c < 3; ++c)
      dev_.for_each(slab, krylov::Copy<double>{currents_.data() + c * slab, first + c * stride});
    LayeredInverse<Dev, double>(dev_, p_, 0, p_.grid.nz).apply(whole);
    const auto& s = equations_->slab();
    if (p_.metal_is_rough)
      dev_.for_each_box({0, 0, 0}, s.box(), AddGradient<double>{s.view(), potential_.data(), first, stride});
  }

  Dev dev_;
  Problem p_;
  TileShape tiles_;
  bool single_;
  std::optional<CellEquations<Dev>> equations_;
  std::unique_ptr<InnerSolver<Dev>> inner_;
  Array currents_, potential_;
};

}  // namespace umov::fdtd::harmonic
