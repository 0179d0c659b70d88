// GMRES without restart on small dense matrices: minimal residuals, new right-hand sides, float.
#include "linalg/krylov/gmres.hpp"

#include <gtest/gtest.h>

#include "backend/cpu/cpu.hpp"
#include "backend/serial/serial.hpp"
#include "linalg/krylov/drive.hpp"
#include "support/dense_systems.hpp"

namespace umov::krylov {
namespace {

constexpr index_t n = 60;

template <class Dev, class T>
struct Solve {
  Dev dev;
  Dense<T>& a;
  Gmres<Dev, T, Dense<T>> solver{dev, a, n};
  Vector<T> x = zeros<T>(n), r;
  std::vector<double> history;

  explicit Solve(Dense<T>& matrix) : a(matrix) {}

  /// Products to a relative residual; `begins`: without what is known.
  long to(double epsilon, const Vector<T>& b, bool begins) {
    const long before = a.products;
    x = zeros<T>(n);
    r = b;
    const double bb = norm2_of(b);
    if (begins) {
      solver.start(x.data(), r.data(), bb);
    } else {
      solver.attach(x.data(), r.data());
      solver.renew();
    }
    history = {1.0};
    DriveOptions options;
    options.epsilon = epsilon;
    options.max_iterations = 400;
    EXPECT_EQ(drive(solver, bb, 0, options, history).status, Ending::converged);
    solver.settle();
    return a.products - before;
  }
  double true_residual(const Vector<T>& b) { return std::sqrt(norm2_of(residual(a, x, b)) / norm2_of(b)); }
};

TEST(Gmres, ResidualsFallAsMinimalOnesDoAndAreTrue) {
  // the eigenvalues lie in a disc of radius 0.24 around 1: minimal residuals are at most those of (1 - z)^m,
  // times a constant for a matrix that is not normal
  auto a = near_identity<double>(n);
  const auto b = random_vector<double>(n, 7);
  Solve<backend::Serial, double> s(a);
  const long products = s.to(1e-10, b, true);
  EXPECT_LE(products, 18);  // log(1e-10) / log(0.24) = 16
  EXPECT_LT(s.true_residual(b), 1.1e-10);
  for (std::size_t i = 1; i < s.history.size(); ++i) EXPECT_LE(s.history[i], s.history[i - 1]);
}

TEST(Gmres, EndsAfterAsManyProductsAsUnknowns) {
  auto a = oblique<double>(n);  // in no half plane: nothing converges before
  const auto b = random_vector<double>(n, 7);
  Solve<backend::Cpu, double> s(a);
  EXPECT_LE(s.to(1e-10, b, true), n);
  EXPECT_LT(s.true_residual(b), 1e-9);
}

TEST(Gmres, WhatIsKnownServesOtherRightHandSides) {
  auto a = oblique<double>(n);
  Solve<backend::Serial, double> s(a);
  const auto b = random_vector<double>(n, 7);
  s.to(1e-10, b, true);
  // all of the space is known: any other side takes none, or the product that was not needed before
  const auto c = random_vector<double>(n, 8);
  EXPECT_LE(s.to(1e-9, c, false), 1);
  EXPECT_LT(s.true_residual(c), 1e-8);
  // some of it is: fewer products than alone
  Solve<backend::Serial, double> some(a), alone(a);
  some.to(0.3, b, true);
  EXPECT_LT(some.to(1e-9, b, false), alone.to(1e-9, b, true));
}

TEST(Gmres, InFloatGoesOnFromTrueResidualsWithAllDirections) {
  auto a = oblique<float>(n);
  auto exact = oblique<double>(n);
  const auto b = random_vector<double>(n, 7);
  Solve<backend::Cpu, float> s(a);
  Vector<double> x = zeros<double>(n), left = b;
  long products = 0;
  for (int pass = 0; pass < 3; ++pass) {  // each takes up to five digits
    const double size = std::sqrt(norm2_of(left));
    Vector<float> b_float(n);
    for (index_t i = 0; i < n; ++i) b_float[i] = Complex<float>((1 / size) * left[i]);
    products += s.to(1e-4, b_float, pass == 0);
    for (index_t i = 0; i < n; ++i) x[i] += size * Complex<double>(s.x[i]);
    left = residual(exact, x, b);
  }
  EXPECT_LT(std::sqrt(norm2_of(left) / norm2_of(b)), 1e-11);
  EXPECT_LE(products, n + 4);  // a product or two for what each pass could not see
}

}  // namespace
}  // namespace umov::krylov
