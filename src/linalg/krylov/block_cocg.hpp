// Conjugate orthogonal conjugate gradients for blocks of right-hand sides of a complex symmetric matrix.
#pragma once

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "linalg/krylov/block_kernels.hpp"
#include "linalg/krylov/krylov.hpp"

namespace umov::krylov {

enum class BlockEnd {
  converged,
  iteration_limit,
  no_progress,  ///< the window has passed without a tenth of the residuals
  few_left,     ///< most columns are there and the rest is far: it is better begun again without them
  broke_down,
  interrupted
};

struct BlockOptions {
  std::vector<double> goals;  ///< |r_j| to reach, by columns
  long max_iterations = 0;
  long window = 60;  ///< iterations in which the largest |r_j| over its goal must fall to a tenth
  double noise = 0;  ///< right-hand sides that differ by less of their norm count as dependent
  /// Called after each iteration with its number and the largest |r_j| over its goal; false stops.
  std::function<bool(long iteration, double excess)> hook;
};

struct BlockOutcome {
  BlockEnd end = BlockEnd::converged;
  long iterations = 0;
  int directions = 0;             ///< of the block: fewer than columns where these were dependent
  std::vector<double> residuals;  ///< |r_j| as the recurrence has them
};

/// Block COCG (O'Leary 1980, Linear Algebra Appl. 29, 293, with the bilinear form of COCG, van der Vorst and
/// Melissen 1990, IEEE Trans. Magn. 26, 706) in the form whose residuals R = V G keep V orthonormal
/// (Dubrulle 2001, Electron. Trans. Numer. Anal. 12, 216) and whose directions are made orthonormal, too:
/// without either, columns that become dependent end it. Dependent right-hand sides are taken out at the
/// beginning. With a complex symmetric preconditioner the form is that of M.
///
///   Z = M V;   P = Z - P (P^T Q)^-1 Q^T Z, orthonormal;   Q = A P
///   a = (P^T Q)^-1 P^T V;   X += P a G;   V G = (V - Q a) G
///
/// Z and Q are products, not recurrences: in float those lose the residual at 1e-4 in blocks of eight.
/// An iteration of k directions takes k products with A and with M, and 5 Gram matrices and 5 combinations of
/// k x k. Vectors: X, V, Z, P, Q of as many columns.
template <class Dev, class T, class Op, class M>
class BlockCocg {
  using C = Complex<T>;

 public:
  static constexpr int vectors = 3;  ///< for each column, besides x and r

  /// `m` may be null. Op and M have apply_block(x, y, columns), vectors one after the other.
  BlockCocg(Dev& dev, Op& op, M* m, index_t n, int columns) : dev_(dev), op_(op), m_(m), n_(n) {
    for (auto* v : {&v_, &p_, &q_}) *v = dev.template allocate<C>(std::size_t(columns) * n);
  }

  /// x += A^-1 r to the goals; r is work space afterwards.
  BlockOutcome run(C* x, C* r, const BlockOptions& options) {
    const int columns = int(options.goals.size());
    BlockOutcome out;
    C *v = v_.data(), *p = p_.data(), *q = q_.data(), *z = r;
    const BlockMatrix right = gram(dev_, n_, r, columns, r, columns, GramKind::hermitian);
    if (!finite(right)) return ended(out, BlockEnd::broke_down);
    const BlockBasis start = independent_basis(right, options.goals, dropped_part, options.noise);
    BlockMatrix g = start.rest, pq;
    const int k = out.directions = g.rows;
    combine<false>(dev_, n_, r, start.turn, v);
    out.residuals = norms(g);
    double excess = largest_excess(out.residuals, options.goals), at_window = excess;
    while (k > 0 && excess > 1) {
      if (out.iterations >= options.max_iterations) return ended(out, BlockEnd::iteration_limit);
      precondition(v, z, k);
      if (out.iterations > 0) {
        BlockMatrix b;
        if (!solve_block(pq, gram(dev_, n_, q, k, z, k, GramKind::general), b))
          return ended(out, BlockEnd::broke_down);
        combine<true>(dev_, n_, p, b, z, -1);
      }
      const BlockMatrix length = gram(dev_, n_, z, k, z, k, GramKind::hermitian);
      if (!finite(length)) return ended(out, BlockEnd::broke_down);
      combine<false>(dev_, n_, z, orthonormal_turn(length), p);
      op_.apply_block(p, q, k);
      pq = gram(dev_, n_, p, k, q, k, GramKind::symmetric);
      BlockMatrix a;
      if (!solve_block(pq, gram(dev_, n_, p, k, v, k, GramKind::general), a))
        return ended(out, BlockEnd::broke_down);
      combine<true>(dev_, n_, q, a, v, -1);
      const BlockMatrix left = gram(dev_, n_, v, k, v, k, GramKind::hermitian);
      if (!finite(left)) return ended(out, BlockEnd::broke_down);
      combine<true>(dev_, n_, p, product(a, g), x);
      const BlockBasis next = full_basis(left, g);
      combine<false>(dev_, n_, v, next.turn, z);
      std::swap(v, z);
      g = next.rest;
      ++out.iterations;
      out.residuals = norms(g);
      excess = largest_excess(out.residuals, options.goals);
      if (options.hook && !options.hook(out.iterations, excess) && excess > 1)
        return ended(out, BlockEnd::interrupted);
      if (few_left(out.residuals, options.goals)) return ended(out, BlockEnd::few_left);
      if (out.iterations % options.window == 0) {
        if (!(excess <= 0.1 * at_window)) return ended(out, BlockEnd::no_progress);
        at_window = excess;
      }
    }
    return out;
  }

 private:
  static BlockOutcome ended(BlockOutcome out, BlockEnd end) {
    out.end = end;
    return out;
  }
  void precondition(const C* v, C* z, int columns) {
    if (m_)
      m_->apply_block(v, z, columns);
    else
      dev_.for_each(index_t(columns) * n_, Copy<T>{v, z});
  }
  static double largest_excess(const std::vector<double>& residuals, const std::vector<double>& goals) {
    double excess = 0;
    for (std::size_t j = 0; j < residuals.size(); ++j) {
      const double one = residuals[j] / goals[j];
      if (!(one <= excess)) excess = one;  // nan stays, and is caught by its Gram matrix
    }
    return excess;
  }
  /// Converged columns cost products and give the others ever less: the block goes on without them when they
  /// are more than half and the others have more than a hundred to go.
  static bool few_left(const std::vector<double>& residuals, const std::vector<double>& goals) {
    std::size_t there = 0;
    for (std::size_t j = 0; j < residuals.size(); ++j) {
      const double one = residuals[j] / goals[j];
      if (one <= 1) ++there;
      if (one > 1 && one < 100) return false;
    }
    return 2 * there > residuals.size() && there < residuals.size();
  }

  /// Of a goal: what a direction that is left out at the beginning may hold of a residual.
  static constexpr double dropped_part = 0.1;

  Dev& dev_;
  Op& op_;
  M* m_;
  index_t n_;
  typename Dev::template Array<C> v_, p_, q_;
};

}  // namespace umov::krylov
