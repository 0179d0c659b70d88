// The interface between a double engine and its twin in float (iterative refinement).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/complex.hpp"
#include "dda/engine.hpp"
#include "dda/solver/checkpoint.hpp"
#include "linalg/krylov/block_cocg.hpp"

namespace umov::dda {

/// The system in double: the solution x, and residuals of it as the twin sees them, in some unit.
template <class Dev>
class OuterSystem {
 public:
  virtual ~OuterSystem() = default;
  /// |S E_inc|^2. Throws BadInput where it is zero or no number.
  virtual double right_side() = 0;
  /// Chooses x and leaves its residual in r, divided by its norm; returns |S E_inc - A x|^2.
  virtual double begin(const Stage&, SolveReport&, Complex<float>* r) = 0;
  /// x += unit * correction (none: x stays), and its residual divided by `unit`, or by its norm where it is
  /// to be a new one; returns as begin().
  virtual double refresh(const Complex<float>* correction, double unit, bool renew, Complex<float>* r) = 0;
  virtual typename Dev::template Array<Complex<double>>& x() = 0;
  /// Matrix-vector products in double so far.
  virtual long products() const = 0;
};

/// How one stage of a solve ended.
enum class StageEnd { done, no_progress, too_coarse };  ///< too_coarse: of the precision

/// Writes where an iteration stands to a checkpoint.
template <class Dev>
using StateWriter = std::function<void(typename StateFiles<Dev>::Writer&)>;

/// What a round of a block is asked for.
template <class Dev>
struct BlockRound {
  const Preconditioner& preconditioner;
  krylov::BlockOptions options;  ///< without a hook: the next one is called
  /// As BlockOptions::hook; `state` writes the iteration's state.
  std::function<bool(long iteration, double excess, const StateWriter<Dev>& state)> hook;
  /// Reads the state of the iteration that the round is to go on with; null = it begins.
  CheckedReader* state = nullptr;
};

/// A dipole system in float, for corrections of solutions in double.
template <class Dev>
class InnerSolver {
 public:
  virtual ~InnerSolver() = default;
  virtual void load(const Problem&) = 0;
  virtual void set_polarizability(std::span<const CVec3> alpha) = 0;
  /// Iterates and refreshes until the residual in double is small enough, or it does not get there.
  virtual StageEnd run(const SolveOptions&, const Stage&, const Preconditioner&, SolveReport&,
                       OuterSystem<Dev>&) = 0;
  /// x += A^-1 r for several columns, one after the other, to the goals of the round; r is work space
  /// afterwards. `work` is given what it took.
  virtual krylov::BlockOutcome run_block(const BlockRound<Dev>&, Complex<float>* x, Complex<float>* r,
                                         SolveReport& work) = 0;
  virtual std::vector<MemoryUse> memory() const = 0;
};

template <class Dev>
using InnerMaker = std::unique_ptr<InnerSolver<Dev>> (*)(Dev&);

}  // namespace umov::dda
