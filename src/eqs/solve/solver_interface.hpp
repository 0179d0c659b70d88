// What Newton's method asks of a linear solver, and passes that all of them share.
#pragma once

#include "eqs/solve/products.hpp"
#include "linalg/amg/options.hpp"

namespace umov::eqs {

template <class Device>
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  /// The matrix has changed: what is redone of the preconditioner.
  virtual void renew(const MatrixSet<Device>&, amg::Refresh) = 0;
  /// A x = b to |b - A x| <= tolerance |b|, from zero or from what x holds.
  virtual amg::SolveInfo solve(const double* b, double* x, double tolerance, int max_iterations,
                               bool from_zero = true) = 0;
  /// y = A x.
  virtual void multiply(const double* x, double* y) = 0;
  /// z = P^-1 r, for other iterations.
  virtual void precondition(const double* r, double* z) = 0;
  virtual std::size_t bytes() const = 0;
  virtual std::string describe() const = 0;
};

template <class To>
struct ScaledCopy {
  const double* from;
  double scale;
  To* to;
  UMOV_HD void operator()(index_t i) const { to[i] = To(from[i] * scale); }
};
template <class From>
struct ScaledBack {
  const From* from;
  double scale;
  double* to;
  UMOV_HD void operator()(index_t i) const { to[i] = double(from[i]) * scale; }
};

/// Functor of the Jacobi preconditioner.
template <class T>
struct ByDiagonal {
  const T *inverse, *r;
  T* z;
  UMOV_HD void operator()(index_t i) const { z[i] = inverse[i] * r[i]; }
};

}  // namespace umov::eqs
