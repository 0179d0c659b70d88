// Coefficients of the smoothing polynomials.
#include "linalg/amg/polynomial.hpp"

namespace umov::amg {

Polynomial make_polynomial(Smoother kind, int degree, double ratio, double largest) {
  Polynomial p;
  if (kind == Smoother::jacobi) {
    p.momentum.assign(degree, 0.0);
    p.step.assign(degree, 4 / (3 * largest));
    return p;
  }
  // Saad 2003, Iterative Methods for Sparse Linear Systems, algorithm 12.1
  const double smallest = largest / ratio, theta = (largest + smallest) / 2, delta = (largest - smallest) / 2;
  double rho = delta / theta;
  p.momentum.push_back(0);
  p.step.push_back(1 / theta);
  for (int k = 1; k < degree; ++k) {
    const double next = 1 / (2 * theta / delta - rho);
    p.momentum.push_back(next * rho);
    p.step.push_back(2 * next / delta);
    rho = next;
  }
  return p;
}

}  // namespace umov::amg
