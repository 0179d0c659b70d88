// Starts from earlier solutions, against dense algebra: projections, what is dropped, what is forgotten.
#include "linalg/projected_start.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "backend/cpu/cpu.hpp"
#include "backend/serial/serial.hpp"
#include "core/bytes.hpp"

namespace umov::linalg {
namespace {

using backend::Serial;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// The second difference with a diagonal that jumps by four decades.
Matrix stiff(int n) {
  Matrix a = Matrix::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    a(i, i) = 2 + (i < n / 3 ? 1e-2 : 1e2);
    if (i > 0) a(i, i - 1) = a(i - 1, i) = -1;
  }
  return a;
}
/// A smooth function of place and time: solutions at neighbouring times are nearly parallel.
Vector solution(int n, double t) {
  Vector x(n);
  for (int i = 0; i < n; ++i) x[i] = std::sin(0.1 * i + t) + 0.3 * std::cos(0.37 * i * (1 + 0.1 * t));
  return x;
}
auto product_with(const Matrix& a) {
  return [&a](const double* x, double* y) {
    Eigen::Map<Vector>(y, a.rows()) = a * Eigen::Map<const Vector>(x, a.rows());
  };
}
Vector guess(ProjectedStart<Serial>& start, const Matrix& a, const Vector& b) {
  Vector x(b.size());
  start.guess(b.data(), x.data(), product_with(a));
  return x;
}
/// The combination of the columns of x that is nearest to A^-1 b in the norm of A, by least squares.
Vector nearest(const Matrix& a, const Matrix& x, const Vector& b) {
  const Matrix root = a.llt().matrixU();
  const Vector right = root.transpose().triangularView<Eigen::Lower>().solve(b);
  return x * (root * x).colPivHouseholderQr().solve(right);
}
double energy_of(const Matrix& a, const Vector& x) { return std::sqrt(x.dot(a * x)); }

constexpr int n = 300;

TEST(ProjectedStart, GivesTheNearestCombinationInTheEnergyNorm) {
  const Matrix a = stiff(n);
  Serial dev;
  ProjectedStart<Serial> start(dev, n, {5, true, 1e-12});
  const Vector b = a * solution(n, 3);
  EXPECT_EQ(guess(start, a, b).norm(), 0);
  Matrix x(n, 5);
  for (int k = 0; k < 5; ++k) {
    x.col(k) = solution(n, 0.3 * k);
    start.remember(x.col(k).data());
    const Vector expected = nearest(a, x.leftCols(k + 1), b);
    // two projections that agree but for rounding, 1e-16 times the condition of the five columns (1e4)
    EXPECT_LT(energy_of(a, guess(start, a, b) - expected), 1e-11 * energy_of(a, expected)) << k;
  }
}

TEST(ProjectedStart, KnowsTheLastSolutionsOnly) {
  const Matrix a = stiff(n);
  Serial dev;
  ProjectedStart<Serial> start(dev, n, {4, true, 1e-12});
  Matrix x(n, 9);
  for (int k = 0; k < 9; ++k) {
    x.col(k) = solution(n, 0.4 * k);
    start.remember(x.col(k).data());
    guess(start, a, x.col(k));
  }
  EXPECT_EQ(start.solutions(), 4);
  EXPECT_EQ(start.directions(), 4);
  const Vector b = a * solution(n, 3.7), expected = nearest(a, x.rightCols(4), b);
  EXPECT_LT(energy_of(a, guess(start, a, b) - expected), 1e-11 * energy_of(a, expected));
}

TEST(ProjectedStart, KeepsTheFirstOnesWhereItIsNotRenewed) {
  const Matrix a = stiff(n);
  Serial dev;
  ProjectedStart<Serial> start(dev, n, {4, false, 1e-12});
  Matrix x(n, 9);
  for (int k = 0; k < 9; ++k) {
    x.col(k) = solution(n, 0.4 * k);
    start.remember(x.col(k).data());
    guess(start, a, x.col(k));
  }
  const Vector b = a * solution(n, 3.7), expected = nearest(a, x.leftCols(4), b);
  EXPECT_LT(energy_of(a, guess(start, a, b) - expected), 1e-11 * energy_of(a, expected));
}

TEST(ProjectedStart, DropsDirectionsThatAreRounding) {
  const Matrix a = stiff(n);
  Serial dev;
  ProjectedStart<Serial> start(dev, n, {8, true, 1e-10});
  const Vector one = solution(n, 0), two = solution(n, 1);
  // combinations of two vectors, and noise of 1e-13
  for (int k = 0; k < 12; ++k) {
    Vector x = std::cos(0.3 * k) * one + std::sin(0.3 * k) * two;
    for (int i = 0; i < n; ++i) x[i] += 1e-13 * std::sin(17.0 * i * (k + 1));
    start.remember(x.data());
    guess(start, a, one);
    EXPECT_LE(start.directions(), 2) << k;
  }
  EXPECT_EQ(start.directions(), 2);
  EXPECT_EQ(start.solutions(), 8);
  const Vector x = 0.2 * one - 3 * two;
  EXPECT_LT((guess(start, a, a * x) - x).norm(), 1e-11 * x.norm());
}

TEST(ProjectedStart, NoSolutionAndZeroSolutionsAreNoDirections) {
  const Matrix a = stiff(n);
  Serial dev;
  ProjectedStart<Serial> start(dev, n, {3, true, 1e-12});
  const Vector zero = Vector::Zero(n);
  start.remember(zero.data());
  EXPECT_EQ(guess(start, a, solution(n, 0)).norm(), 0);
  EXPECT_EQ(start.directions(), 0);
  const Vector nothing = Vector::Constant(n, std::nan(""));
  start.remember(nothing.data());
  EXPECT_EQ(guess(start, a, solution(n, 0)).norm(), 0);
}

TEST(ProjectedStart, FollowsAMatrixThatChanges) {
  const Matrix a = stiff(n);
  Matrix other = a;
  for (int i = 0; i < n; ++i) other(i, i) += i % 3 ? 5 : 0.1;
  Serial dev;
  ProjectedStart<Serial> start(dev, n, {5, true, 1e-12});
  Matrix x(n, 7);
  for (int k = 0; k < 7; ++k) {
    x.col(k) = solution(n, 0.4 * k);
    start.remember(x.col(k).data());
    if (k == 4) start.renew(product_with(other));
    guess(start, k < 4 ? a : other, x.col(k));
  }
  const Vector b = other * solution(n, 3), expected = nearest(other, x.rightCols(5), b);
  EXPECT_LT(energy_of(other, guess(start, other, b) - expected), 1e-11 * energy_of(other, expected));
}

TEST(ProjectedStart, LongRunsStayOrthonormal) {
  const Matrix a = stiff(n);
  Serial dev;
  ProjectedStart<Serial> start(dev, n, {10, true, 1e-12});
  for (int k = 0; k < 2000; ++k) {
    const Vector x = solution(n, 0.05 * k);
    start.remember(x.data());
    guess(start, a, x);
  }
  // what lies in the space is found in it: V V^T A x = x
  const Vector x = solution(n, 0.05 * 1999);
  EXPECT_LT((guess(start, a, a * x) - x).norm(), 1e-10 * x.norm());
}

TEST(ProjectedStart, SavedStatesAndThreadsGiveTheSameBits) {
  const Matrix a = stiff(n);
  Serial dev;
  ProjectedStart<Serial> start(dev, n, {5, true, 1e-12});
  backend::Cpu threads(2);
  ProjectedStart<backend::Cpu> on_threads(threads, n, {5, true, 1e-12});
  Vector ignored(n);
  for (int k = 0; k < 8; ++k) {
    const Vector x = solution(n, 0.4 * k);
    start.remember(x.data());
    on_threads.remember(x.data());
    guess(start, a, x);
    on_threads.guess(x.data(), ignored.data(), product_with(a));
  }
  start.remember(solution(n, 7).data());
  on_threads.remember(solution(n, 7).data());
  MemoryWriter out;
  start.state(out);
  const auto bytes = out.take();
  ProjectedStart<Serial> restored(dev, n, {5, true, 1e-12});
  MemoryReader in(bytes);
  restored.state(in);
  in.finish();
  const Vector b = solution(n, 2.5), expected = guess(start, a, b);
  EXPECT_EQ(guess(restored, a, b), expected);
  Vector x(n);
  on_threads.guess(b.data(), x.data(), product_with(a));
  EXPECT_EQ(x, expected);
}

TEST(SmallBasis, PrincipalDirectionsAreOrthonormalAndGiveTheVectorsBack) {
  SmallMatrix r(3, 4);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) r(i, j) = i == 2 ? 1e-14 * j : std::sin(1 + i + 2.3 * j);
  const NewBasis b = principal_directions(r, 1e-12);
  ASSERT_EQ(b.turn.columns, 2);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      double dot = 0;
      for (int k = 0; k < 3; ++k) dot += b.turn(k, i) * b.turn(k, j);
      EXPECT_NEAR(dot, i == j, 1e-15);
    }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      EXPECT_NEAR(b.turn(i, 0) * b.rest(0, j) + b.turn(i, 1) * b.rest(1, j), r(i, j), 1e-13);
}

}  // namespace
}  // namespace umov::linalg
