// Conjugate orthogonal conjugate gradients for blocks of right-hand sides of a complex symmetric matrix.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
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
    for (auto* v : {&first_, &p_, &q_}) *v = dev.template allocate<C>(std::size_t(columns) * n);
    v_ = first_.data();
    sums_ = dev.template allocate<double>(gram_sums);
  }

  /// x += A^-1 r to the goals; r is work space afterwards. Goes on where a state has been read: x is that of
  /// the checkpoint then, and r work space alone.
  BlockOutcome run(C* x, C* r, const BlockOptions& options) {
    C *const p = p_.data(), *const q = q_.data();
    z_ = r;
    if (going_on_) {
      if (const auto end = after_iteration(options)) return ended(*end);
    } else if (!begin(r, options)) {
      return ended(BlockEnd::broke_down);
    }
    const int k = directions_;
    while (k > 0 && excess(options) > 1) {
      if (iterations_ >= options.max_iterations) return ended(BlockEnd::iteration_limit);
      precondition(v_, z_, k);
      if (iterations_ > 0) {
        BlockMatrix b;
        if (!solve_block(pq_, gram_of(q, k, z_, k, GramKind::general), b)) return ended(BlockEnd::broke_down);
        combine<true>(dev_, n_, p, b, z_, -1);
      }
      const BlockMatrix length = gram_of(z_, k, z_, k, GramKind::hermitian);
      if (!finite(length)) return ended(BlockEnd::broke_down);
      combine<false>(dev_, n_, z_, orthonormal_turn(length), p);
      op_.apply_block(p, q, k);
      pq_ = gram_of(p, k, q, k, GramKind::symmetric);
      BlockMatrix a;
      if (!solve_block(pq_, gram_of(p, k, v_, k, GramKind::general), a)) return ended(BlockEnd::broke_down);
      combine<true>(dev_, n_, q, a, v_, -1);
      const BlockMatrix left = gram_of(v_, k, v_, k, GramKind::hermitian);
      if (!finite(left)) return ended(BlockEnd::broke_down);
      combine<true>(dev_, n_, p, product(a, g_), x);
      const BlockBasis next = full_basis(left, g_);
      combine<false>(dev_, n_, v_, next.turn, z_);
      std::swap(v_, z_);
      g_ = next.rest;
      ++iterations_;
      const double here = excess(options);
      if (options.hook && !options.hook(iterations_, here) && here > 1) return ended(BlockEnd::interrupted);
      if (const auto end = after_iteration(options)) return ended(*end);
    }
    return ended(BlockEnd::converged);
  }

  /// All that goes on from one iteration to the next, but x; to be written in the hook, or read before run().
  template <class Archive>
  void state(Archive& archive) {
    if (v_ != first_.data()) {
      dev_.for_each(index_t(first_.size()), Copy<T>{v_, first_.data()});
      std::swap(v_, z_);
    }
    archive.scalar(iterations_);
    archive.scalar(directions_);
    archive.scalar(at_window_);
    for (BlockMatrix* m : {&g_, &pq_}) {
      archive.scalar(m->rows);
      archive.scalar(m->columns);
      archive.scalar(m->value);
    }
    for (auto* v : {&first_, &p_, &q_}) archive.vector(*v);
    going_on_ = true;
  }
  /// Whether what was read can be a state of so many columns.
  bool sound(int columns) const {
    const auto is = [](const BlockMatrix& m, int rows, int of) {
      return m.rows == rows && m.columns == of && m.value.size() == std::size_t(rows) * of;
    };
    return directions_ > 0 && directions_ <= columns && iterations_ > 0 && is(g_, directions_, columns) &&
           is(pq_, directions_, directions_) && finite(g_) && finite(pq_);
  }

 private:
  BlockOutcome ended(BlockEnd end) const { return {end, iterations_, directions_, norms(g_)}; }

  BlockMatrix gram_of(const C* a, int rows, const C* b, int columns, GramKind kind) {
    return gram(dev_, n_, a, rows, b, columns, kind, sums_);
  }
  /// The residuals in a basis of their own. False where there is no number in them.
  bool begin(C* r, const BlockOptions& options) {
    const int columns = int(options.goals.size());
    const BlockMatrix right = gram_of(r, columns, r, columns, GramKind::hermitian);
    if (!finite(right)) return false;
    const BlockBasis start = independent_basis(right, options.goals, dropped_part, options.noise);
    g_ = start.rest;
    directions_ = g_.rows;
    combine<false>(dev_, n_, r, start.turn, v_);
    at_window_ = excess(options);
    return true;
  }
  /// Why an iteration is the last one, if it is and the goals are not reached.
  std::optional<BlockEnd> after_iteration(const BlockOptions& options) {
    if (few_left(norms(g_), options.goals)) return BlockEnd::few_left;
    if (iterations_ % options.window != 0) return {};
    const double here = excess(options);
    if (!(here <= 0.1 * at_window_)) return BlockEnd::no_progress;
    at_window_ = here;
    return {};
  }
  void precondition(const C* v, C* z, int columns) {
    if (m_)
      m_->apply_block(v, z, columns);
    else
      dev_.for_each(index_t(columns) * n_, Copy<T>{v, z});
  }
  /// The largest |r_j| over its goal.
  double excess(const BlockOptions& options) const {
    const std::vector<double> residuals = norms(g_);
    double largest = 0;
    for (std::size_t j = 0; j < residuals.size(); ++j) {
      const double one = residuals[j] / options.goals[j];
      if (!(one <= largest)) largest = one;  // nan stays, and is caught by its Gram matrix
    }
    return largest;
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
  typename Dev::template Array<C> first_, p_, q_;
  typename Dev::template Array<double> sums_;
  C *v_ = nullptr, *z_ = nullptr;  ///< in turn `first_` and the work space of run()
  BlockMatrix g_, pq_;
  long iterations_ = 0;
  int directions_ = 0;  ///< fewer than columns where right-hand sides were dependent
  double at_window_ = 0;
  bool going_on_ = false;
};

}  // namespace umov::krylov
