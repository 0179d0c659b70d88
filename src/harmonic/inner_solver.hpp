// One Krylov solve for what is left of the equations, in single or double precision.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <type_traits>
#include <vector>

#include "harmonic/engine.hpp"
#include "harmonic/gradient_correction.hpp"
#include "harmonic/scattering_operator.hpp"
#include "linalg/krylov/drive.hpp"
#include "linalg/krylov/gmres.hpp"
#include "linalg/krylov/idrs.hpp"

namespace umov::harmonic {

/// Where a solution in double collects: currents on the edges of the slab, potentials on its nodes (null
/// where no metal is rough).
struct Collected {
  Complex<double>*currents, *potential;
};

struct InnerGoal {
  double residual;                         ///< norm at which it ends
  long most;                               ///< iterations
  std::function<bool(long, double)> hook;  ///< iteration and norm of the residual; false stops
};

/// Whether a pass from residual `before` that was to reach `asked` and left `left` says that the iteration's
/// precision leads no further: more than half is left, and of the way asked for not half was made in digits.
/// Near the goal little is asked for, and little is enough.
inline bool poor_pass(double before, double asked, double left) {
  return !(left < 0.5 * before || left < std::sqrt(asked * before));
}

/// The type that the iteration computes in is behind this.
template <class Dev>
class InnerSolver {
 public:
  virtual ~InnerSolver() = default;
  /// Solves A e = r for a residual r of norm `norm`, adds e to `to`. The residual that is left is to be
  /// computed anew, and may be handed in again with `go_on`: then directions are kept, and nothing is begun
  /// again (residual replacement: van der Vorst and Ye, SIAM J. Sci. Comput. 22, 835 (2000)).
  virtual krylov::Outcome improve(const Complex<double>* r, double norm, bool go_on, const InnerGoal&,
                                  Collected to) = 0;
  /// Frees what a solution took.
  virtual void rest() = 0;
  /// Every direction so far serves any residual, also one that differs much from what was told.
  virtual bool keeps_directions() const = 0;
  /// There was no room for more directions: other ways follow.
  virtual bool is_full() const = 0;
  virtual bool has_potential() const = 0;
  /// Applications of the layered cell's inverse so far.
  virtual long products() const = 0;
};

template <class Dev, class T, class Operator>
class InnerSolverOn final : public InnerSolver<Dev> {
  using C = Complex<T>;
  using Array = typename Dev::template Array<C>;

 public:
  InnerSolverOn(Dev& dev, const Problem& p, const RoughSlab<Dev, double>& slab, const TileShape& tiles,
                const SolverChoice& choice)
      : dev_(dev), op_(dev, p, in_own_type(dev, p, slab), tiles), n_(p.rough_edges()), choice_(choice) {}

  krylov::Outcome improve(const Complex<double>* r, double norm, bool go_on, const InnerGoal& goal,
                          Collected to) override {
    const bool begins = !go_on || !(gmres_ || idr_);
    if (begins) {
      x_ = dev_.template allocate<C>(n_);
      r_ = dev_.template allocate<C>(n_);
      if (!gmres_ && !idr_) {
        if (choice_.solver == KrylovSolver::gmres && !full_)
          gmres_.emplace(dev_, op_, n_);
        else
          idr_.emplace(dev_, op_, n_);
      }
      unit_ = norm;
    }
    dev_.fill_zero(x_.data(), n_);
    dev_.for_each(n_, ScaledTo<double, T>{1 / unit_, r, r_.data()});
    auto outcome = gmres_ ? run(*gmres_, begins, norm, goal) : run(*idr_, begins, norm, goal);
    op_.add_to(x_.data(), unit_, to.currents, to.potential);
    if (full_ && gmres_) {
      gmres_.reset();
      outcome.status = krylov::Ending::iteration_limit;
    }
    return outcome;
  }

  void rest() override {
    gmres_.reset();
    idr_.reset();
    full_ = false;
    x_ = Array();
    r_ = Array();
  }
  bool keeps_directions() const override { return gmres_.has_value(); }
  bool is_full() const override { return full_; }

  bool has_potential() const override { return Operator::has_potential; }
  long products() const override { return op_.products; }

 private:
  const RoughSlab<Dev, T>& in_own_type(Dev& dev, const Problem& p, const RoughSlab<Dev, double>& slab) {
    if constexpr (std::is_same_v<T, double>)
      return slab;
    else
      return own_.emplace(dev, p, slab);
  }

  /// To the goal, or until the room for directions is full.
  template <class Solver>
  krylov::Outcome run(Solver& solver, bool begins, double norm, const InnerGoal& goal) {
    if (begins)
      solver.start(x_.data(), r_.data(), 1);
    else
      solver.renew();
    krylov::DriveOptions drive;
    drive.epsilon = goal.residual / unit_;
    drive.max_iterations = goal.most;
    drive.hook = [&](long iteration, double residual) {
      if (goal.hook && !goal.hook(iteration, unit_ * residual)) return false;
      if constexpr (requires { solver.size(); }) {
        full_ = solver.size() >= choice_.directions;
        return !full_;
      }
      return true;
    };
    std::vector<double> history{norm / unit_};
    const auto outcome = krylov::drive(solver, 1, 0, drive, history);
    if constexpr (requires { solver.settle(); }) solver.settle();
    return outcome;
  }

  Dev& dev_;
  std::optional<RoughSlab<Dev, T>> own_;
  Operator op_;
  index_t n_;
  Array x_, r_;
  SolverChoice choice_;
  std::optional<krylov::Gmres<Dev, T, Operator>> gmres_;
  std::optional<krylov::Idr8<Dev, T, Operator>> idr_;
  bool full_ = false;
  double unit_ = 1;  ///< norm that is 1 in the iteration
};

/// In single or double precision, with the operator that the cell asks for.
template <class Dev>
std::unique_ptr<InnerSolver<Dev>> make_inner_solver(Dev& dev, const Problem& p,
                                                    const RoughSlab<Dev, double>& slab,
                                                    const TileShape& tiles, bool single,
                                                    const SolverChoice& choice) {
  const auto in = [&]<class T>(T) -> std::unique_ptr<InnerSolver<Dev>> {
    if (p.metal_is_rough)
      return std::make_unique<InnerSolverOn<Dev, T, CorrectedOperator<Dev, T>>>(dev, p, slab, tiles, choice);
    return std::make_unique<InnerSolverOn<Dev, T, ScatteringOperator<Dev, T>>>(dev, p, slab, tiles, choice);
  };
  return single ? in(0.0F) : in(0.0);
}

}  // namespace umov::harmonic
