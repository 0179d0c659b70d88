// Block COCG on dense complex symmetric matrices: every column is solved for, whatever the columns are.
#include "linalg/krylov/block_cocg.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <vector>

#include "backend/serial/serial.hpp"

namespace umov::krylov {
namespace {

using Z = std::complex<double>;
constexpr index_t n = 200;

/// Complex symmetric with eigenvalues spread over some disc away from zero.
struct Matrix {
  std::vector<Z> a = std::vector<Z>(n * n);
  long products = 0;
  Matrix() {
    std::mt19937_64 generator(3);
    std::normal_distribution<double> normal;
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j <= i; ++j)
        a[i * n + j] = a[j * n + i] = 0.35 / std::sqrt(double(n)) * Z(normal(generator), normal(generator));
    for (index_t i = 0; i < n; ++i) a[i * n + i] += 1.0 + 0.3 * double(i % 7);
  }
  template <class T>
  void apply_block(const Complex<T>* x, Complex<T>* y, int columns) {
    products += columns;
    for (int j = 0; j < columns; ++j)
      for (index_t i = 0; i < n; ++i) {
        Z sum = 0;
        for (index_t k = 0; k < n; ++k) sum += a[i * n + k] * x[j * n + k].template to_std<double>();
        y[j * n + i] = Complex<T>(sum);
      }
  }
};

template <class T>
using Columns = std::vector<Complex<T>>;

template <class T>
Columns<T> random_columns(int columns) {
  std::mt19937_64 generator(5);
  std::normal_distribution<double> normal;
  Columns<T> b(n * columns);
  for (auto& v : b) v = Complex<T>(T(normal(generator)), T(normal(generator)));
  return b;
}

template <class T>
double length(const Columns<T>& b, int j) {
  double sum = 0;
  for (index_t i = 0; i < n; ++i) sum += double(norm2(b[j * n + i]));
  return std::sqrt(sum);
}

template <class T>
struct Solved {
  BlockOutcome outcome;
  Columns<T> x;
  std::vector<double> true_residuals;  ///< relative
};

template <class T>
Solved<T> solve(const Columns<T>& b, double epsilon, long limit = 400) {
  const int columns = int(b.size() / n);
  backend::Serial dev;
  Matrix a;
  Solved<T> s{{}, Columns<T>(b.size(), Complex<T>(0, 0)), {}};
  Columns<T> r = b, y(b.size());
  BlockOptions options;
  for (int j = 0; j < columns; ++j) options.goals.push_back(std::max(epsilon * length(b, j), 1e-30));
  options.max_iterations = limit;
  options.noise = 10 * double(std::numeric_limits<T>::epsilon());
  BlockCocg<backend::Serial, T, Matrix, Matrix> solver(dev, a, nullptr, n, columns);
  s.outcome = solver.run(s.x.data(), r.data(), options);
  a.apply_block(s.x.data(), y.data(), columns);
  for (std::size_t i = 0; i < b.size(); ++i) y[i] -= b[i];
  for (int j = 0; j < columns; ++j) s.true_residuals.push_back(length(y, j) / length(b, j));
  return s;
}

template <class T>
void expect_solved(const Solved<T>& s, double epsilon) {
  EXPECT_EQ(s.outcome.end, BlockEnd::converged);
  // What the recurrence has is the residual but for the rounding of so many updates.
  for (const double r : s.true_residuals) EXPECT_LE(r, 2 * epsilon);
}

}  // namespace

TEST(BlockCocg, SolvesForEveryColumnOfAnyNumber) {
  for (const int columns : {1, 2, 3, 4, 5, 7, 8, 13, 16}) {
    expect_solved(solve(random_columns<double>(columns), 1e-10), 1e-10);
    expect_solved(solve(random_columns<float>(columns), 1e-5), 1e-5);
    expect_solved(solve(random_columns<long double>(columns), 1e-10), 1e-10);
  }
}

TEST(BlockCocg, TakesFewerIterationsTheMoreColumnsThereAre) {
  const auto iterations = [](int columns) {
    return solve(random_columns<double>(columns), 1e-10).outcome.iterations;
  };
  EXPECT_LT(iterations(16), iterations(8));
  EXPECT_LT(iterations(8), iterations(1));
}

TEST(BlockCocg, EqualColumnsAreSolvedForOnce) {
  auto b = random_columns<double>(5);
  for (index_t i = 0; i < n; ++i) b[3 * n + i] = b[n + i] = Complex<double>(2.0, -1.0) * b[i];
  const auto s = solve(b, 1e-10);
  EXPECT_EQ(s.outcome.directions, 3);
  expect_solved(s, 1e-10);
}

TEST(BlockCocg, NearlyDependentColumnsAreSolvedForToTheirOwnResidual) {
  for (const double apart : {1e-2, 1e-4, 1e-6, 1e-8, 1e-12}) {
    auto b = random_columns<double>(8);
    for (index_t i = 0; i < n; ++i) b[n + i] = b[i] + apart * b[n + i];
    const auto s = solve(b, 1e-10);
    EXPECT_EQ(s.outcome.directions, apart > 1e-7 ? 8 : 7);
    EXPECT_EQ(s.outcome.end, BlockEnd::converged);
    // below what a Gram matrix can tell, 3e-8, the difference of the columns is left in their residuals
    for (const double r : s.true_residuals) EXPECT_LE(r, apart > 1e-7 ? 2e-10 : 2e-10 + apart);
  }
  for (const double apart : {1e-2, 1e-4, 1e-6}) {
    auto b = random_columns<float>(8);
    for (index_t i = 0; i < n; ++i) b[n + i] = b[i] + float(apart) * b[n + i];
    expect_solved(solve(b, 1e-5), 1e-5);
  }
}

TEST(BlockCocg, ColumnsOfVeryDifferentLengthsAreSolvedForToTheirOwnGoals) {
  auto b = random_columns<double>(4);
  for (index_t i = 0; i < n; ++i) b[n + i] = 1e-9 * b[n + i], b[2 * n + i] = 1e6 * b[2 * n + i];
  expect_solved(solve(b, 1e-8), 1e-8);
}

TEST(BlockCocg, GivesTheSameBitsAgain) {
  const auto b = random_columns<float>(6);
  const auto one = solve(b, 1e-5), two = solve(b, 1e-5);
  for (std::size_t i = 0; i < b.size(); ++i) {
    EXPECT_EQ(one.x[i].re, two.x[i].re);
    EXPECT_EQ(one.x[i].im, two.x[i].im);
  }
}

TEST(BlockCocg, SaysThatTheLimitWasReached) {
  const auto s = solve(random_columns<double>(4), 1e-10, 3);
  EXPECT_EQ(s.outcome.end, BlockEnd::iteration_limit);
  EXPECT_EQ(s.outcome.iterations, 3);
}

TEST(BlockCocg, HasNothingToDoForColumnsBelowTheirGoals) {
  const auto s = solve(Columns<double>(2 * n, Complex<double>(0, 0)), 1e-10);
  EXPECT_EQ(s.outcome.end, BlockEnd::converged);
  EXPECT_EQ(s.outcome.iterations, 0);
}

TEST(BlockCocg, EndsWhereAColumnIsNoNumber) {
  auto b = random_columns<double>(3);
  b[n + 7] = Complex<double>(std::nan(""), 0);
  EXPECT_NE(solve(b, 1e-10).outcome.end, BlockEnd::converged);
}

}  // namespace umov::krylov
