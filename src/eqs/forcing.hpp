// How exactly the linear systems of Newton's method are solved.
#pragma once

#include <algorithm>

#include "eqs/simulation.hpp"

namespace umov::eqs {

/// Forcing terms after Eisenstat and Walker 1996 (SIAM J. Sci. Comput. 17, 16), choice 2 with gamma = 0.9 and
/// alpha = 2: the linear residual follows how fast Newton's falls, with Kelley's safeguard against solving
/// past Newton's own tolerance (Kelley 1995, Iterative Methods for Linear and Nonlinear Equations, eq. 6.20).
/// Their other one, against a sudden fall, begins to count at terms above 1/3.
class Forcing {
 public:
  /// Newton's residuals as they come, relative; `wanted` is the one that ends it. The tolerance |b - A x| /
  /// |b| of the next linear system.
  double next(double residual, double wanted) {
    double eta = largest;
    if (before_ > 0) {
      const double fall = residual / before_;
      eta = gamma * fall * fall;
    }
    before_ = residual;
    return std::min(largest, std::max(eta, 0.5 * wanted / residual));
  }

 private:
  // An iteration of Newton's method costs as much as ten or twenty of the conjugate gradients (matrix and
  // smoothers made anew), so that the first systems are solved to two digits instead of the paper's one half.
  static constexpr double gamma = 0.9, largest = 0.01;
  double before_ = 0;
};

}  // namespace umov::eqs
