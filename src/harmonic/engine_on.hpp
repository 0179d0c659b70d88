// The engine on one device: the layered cell inverted exactly, Krylov iterations for what is rough.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "harmonic/engine.hpp"
#include "harmonic/hand_out.hpp"
#include "harmonic/inner_solver.hpp"
#include "harmonic/past_solutions.hpp"

namespace umov::harmonic {

template <class Dev>
class EngineOn final : public Engine {
  using C = Complex<double>;
  using Array = typename Dev::template Array<C>;

 public:
  template <class... Args>
  EngineOn(const Problem& p, const EngineRequest& request, Args&&... device)
      : dev_(std::forward<Args>(device)...),
        p_(p.layers()),
        request_(request),
        wants_single_(chosen(request.precision, Dev::name) == Precision::single),
        single_(wants_single_) {
    request_.backend = Dev::name;
    if (p.rough_planes() > 0) equations_.emplace(dev_, p);
  }

  std::string device_name() const override { return dev_.device_name(); }

  std::string iteration() const override {
    if (p_.rough_planes() == 0) return "";
    const SolverChoice c = choose_solver(p_, request_);
    if (c.solver == KrylovSolver::idr) return "idr (" + c.why + ")";
    std::string room;
    if (request_.room > 0)
      room = "; room for " + std::to_string(c.directions) + " directions, " + format_bytes(c.each) + " each";
    return "gmres (" + c.why + room + ")";
  }

  void change(const Problem& p) override {
    inner_.reset();
    equations_.reset();
    single_ =
        wants_single_;  // what one wavelength needed says nothing of the next, and rows stay independent
    p_ = p.layers();
    if (p.rough_planes() > 0) equations_.emplace(dev_, p);
  }

  SolveReport solve(const std::vector<cplx>& layered, const SolveOptions& options, Fields& fields) override {
    const auto start = std::chrono::steady_clock::now();
    SolveReport report;
    if (p_.rough_planes() > 0) {
      iterate(layered, options, report);
      report.iterating = since(start);
    }
    const index_t all = 3 * index_t(p_.grid.nz) * p_.grid.columns();
    Array whole = dev_.template allocate<C>(all);
    dev_.fill_zero(whole.data(), all);
    if (p_.rough_planes() > 0) spread(whole.data());
    const Array field = upload(layered, 0, p_.grid.nz);
    dev_.for_each(all, AddLayered<double>{p_.grid.columns(), field.data(), whole.data()});
    fields.make_room(std::size_t(all));
    fields.squares.clear();
    if (options.whole || !report.converged)
      hand_out(dev_, reinterpret_cast<C*>(fields.values.data()), whole.data(), all);
    else
      hand_out_for_powers(whole.data(), fields);
    report.seconds = since(start);
    return report;
  }

 private:
  static double since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  void hand_out_for_powers(const C* whole, Fields& fields) {
    const index_t columns = p_.grid.columns();
    const int nz = p_.grid.nz;
    for (int c = 0; c < 3; ++c)
      for (const auto& [begin, end] : planes_of_powers(p_)) {
        const index_t first = (index_t(c) * nz + begin) * columns;
        hand_out(dev_, reinterpret_cast<C*>(fields.values.data()) + first, whole + first,
                 (end - begin) * columns);
      }
    fields.squares.resize(3 * std::size_t(nz));
    for (int plane = 0; plane < 3 * nz; ++plane)
      fields.squares[plane] =
          dev_.template map_reduce<1, double>(columns, SquareOfField{whole + plane * columns}).v[0];
  }

  /// Planes [begin, end) of a field [3][nz].
  Array upload(const std::vector<cplx>& layered, int begin, int end) {
    std::vector<C> host;
    for (int c = 0; c < 3; ++c)
      for (int k = begin; k < end; ++k) host.push_back(C(layered[c * p_.grid.nz + k]));
    Array out = dev_.template allocate<C>(host.size());
    dev_.upload(out.data(), host.data(), host.size());
    return out;
  }

  /// Finds currents and potentials of the rough planes: iterates, computes what is left in double, and goes
  /// on with that, until the residual is below the tolerance.
  void iterate(const std::vector<cplx>& layered, const SolveOptions& options, SolveReport& report) {
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
      return std::sqrt(equations_->residual(field.data(), currents_.data(), potential(), r.data()));
    };
    scale_ = left();  // of the layered cell's field
    report.residual = scale_ > 0 ? 1 : 0;
    if (options.series >= 0 && scale_ > 0) {
      report.iterations += past_[options.series].start(dev_, *equations_, field.data(), currents_.data(),
                                                       potential(), r.data());
      report.residual = left() / scale_;
    }
    bool go_on = false;
    int poor = 0;
    while (report.residual > options.tolerance && !report.interrupted &&
           report.iterations < options.max_iterations) {
      const double before = report.residual, asked = goal_of(before, options, report);
      const auto how = improve(r.data(), go_on, asked, options, report);
      report.residual = left() / scale_;
      // begun anew where the recurrence broke down, or where what it told was not so
      const bool poor_one = poor_pass(before, asked, report.residual);
      go_on = inner_->keeps_directions() || (how == krylov::Ending::converged && !poor_one);
      if (inner_->is_full() && !report.room_full) {
        report.room_full = true;
        continue;
      }
      if (report.interrupted || !poor_one) continue;
      if (++poor < 2) continue;
      if (!report.single) break;
      inner_.reset();
      report.single = single_ = false;
      report.fell_back = true;
      poor = 0;
    }
    if (inner_) inner_->rest();
    report.converged = report.residual <= options.tolerance;
    if (options.series >= 0 && report.converged)
      past_[options.series].keep(dev_, currents_.data(), potential(), n / 3);
  }

  C* potential() { return p_.metal_is_rough ? potential_.data() : nullptr; }

  /// Relative residual that a pass is to reach. In double one look at the end is enough, in float one after
  /// four digits; IDR's recurrence in float is looked at after two: it parts from what was added up
  /// (decision 36).
  double goal_of(double residual, const SolveOptions& options, const SolveReport& report) const {
    const bool loses = report.room_full || choose_solver(p_, request_).solver == KrylovSolver::idr;
    return std::max(0.9 * options.tolerance, (!report.single ? 1e-6 : loses ? 1e-2 : 1e-4) * residual);
  }

  /// One pass: from a residual to currents and potentials.
  krylov::Ending improve(const C* r, bool go_on, double asked, const SolveOptions& options,
                         SolveReport& report) {
    if (!inner_) {
      EngineRequest now = request_;
      now.precision = report.single ? Precision::single : Precision::double_;
      inner_ =
          make_inner_solver(dev_, p_, equations_->slab(), TileShape{request_.tile, request_.tile_overlap},
                            report.single, choose_solver(p_, now));
    }
    const long done = report.iterations, products = inner_->products();
    InnerGoal goal;
    goal.residual = scale_ * asked;
    goal.most = options.max_iterations - done;
    if (options.hook)
      goal.hook = [&](long iteration, double residual) {
        return options.hook(done + iteration, residual / scale_);
      };
    const auto outcome =
        inner_->improve(r, report.residual * scale_, go_on, goal, {currents_.data(), potential()});
    report.interrupted = outcome.status == krylov::Ending::interrupted;
    report.iterations += inner_->products() - products;
    return outcome.status;
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
  EngineRequest request_;
  bool wants_single_, single_;
  std::optional<CellEquations<Dev>> equations_;
  std::unique_ptr<InnerSolver<Dev>> inner_;
  Array currents_, potential_;
  std::map<int, PastSolutions<Dev>> past_;
  double scale_ = 0;  ///< norm of the residual of the layered cell's field
};

}  // namespace umov::harmonic
