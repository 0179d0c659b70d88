// Krylov solvers of an order that their user chooses: what theory says of each, and of order 1.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backend/serial/serial.hpp"
#include "linalg/krylov/drive.hpp"
#include "linalg/krylov/solvers.hpp"
#include "support/dense_systems.hpp"

namespace umov::krylov {
namespace {

using Long = long double;
using Matrix = Dense<Long>;
template <template <class, class, class> class S>
using Of = S<backend::Serial, Long, Matrix>;

struct Course {
  std::vector<double> history{1};
  Outcome outcome;
  double true_residual = 0;
};

template <class Solver, class... Order>
Course course(Matrix m, double epsilon, Order... order) {
  backend::Serial dev;
  const auto b = random_vector<Long>(m.n, 5);
  auto x = zeros<Long>(m.n), r = b;
  Solver solver(dev, m, m.n, order...);
  solver.start(x.data(), r.data(), norm2_of(b));
  DriveOptions options;
  options.epsilon = epsilon;
  options.max_iterations = 1000;
  Course c;
  c.outcome = drive(solver, norm2_of(b), 0, options, c.history);
  c.true_residual = std::sqrt(norm2_of(residual(m, x, b)) / norm2_of(b));
  return c;
}

template <class Solver>
class KrylovOrders : public ::testing::Test {};
using Ordered = ::testing::Types<Of<Mlbicgstab>, Of<MlbicgstabOrig>, Of<MlbicgstabSs>, Of<Rbicgstab>>;
struct Names {
  template <class Solver>
  static std::string GetName(int) {
    return Solver::name;
  }
};
TYPED_TEST_SUITE(KrylovOrders, Ordered, Names);

/// Iterations that are one step of BiCGSTAB.
template <class Solver>
constexpr std::size_t step_of = 2 / Solver::products;

}  // namespace

/// Roundings of long double grow with the iteration: 1e-10 leaves nine digits for ten steps.
TYPED_TEST(KrylovOrders, OfOneIsBicgstab) {
  const auto known = course<Of<Bicgstab>>(near_identity<Long>(65, 0.7), 1e-12);
  const auto found = course<TypeParam>(near_identity<Long>(65, 0.7), 1e-12, 1);
  constexpr std::size_t step = step_of<TypeParam>;
  ASSERT_GT(known.history.size(), 10u);
  for (std::size_t i = 0; i <= 10; ++i)
    EXPECT_NEAR(found.history.at(step * i) / known.history[i], 1, 1e-10) << i;
}

/// In exact arithmetic: N directions, and a step of the polynomial for each s of them (the last one may be
/// spared); BiCGSTAB(L) N steps of Bi-CG whatever L is.
TYPED_TEST(KrylovOrders, EndsAfterTheProductsOfItsOrder) {
  const long n = 12;
  for (const int order : {1, 2, 3, 4, 6, 12}) {
    const auto found = course<TypeParam>(oblique<Long>(n, 2), 1e-11, order);
    EXPECT_EQ(found.outcome.status, Ending::converged) << order << found.outcome.diagnosis.problem;
    const long expected = TypeParam::products == 1 ? n + n / order : n;
    EXPECT_LE(found.outcome.iterations, expected) << order;
    EXPECT_GE(found.outcome.iterations, expected - 1) << order;
    EXPECT_LE(found.true_residual, 2e-11) << order;
  }
}

TYPED_TEST(KrylovOrders, NeedsTheVectorsOfItsOrder) {
  for (const int order : {1, 2, 7, 50}) {
    Counting<backend::Serial> dev;
    Matrix m{8, {}};
    constexpr auto vectors = &TypeParam::vectors_with;
    const auto made = [&]<template <class, class, class> class S>() {
      const S<Counting<backend::Serial>, Long, Matrix> solver(dev, m, 8, order);
    };
    if (std::string(TypeParam::name) == "mlbicgstab") made.template operator()<Mlbicgstab>();
    if (std::string(TypeParam::name) == "mlbicgstab_orig") made.template operator()<MlbicgstabOrig>();
    if (std::string(TypeParam::name) == "mlbicgstab_ss") made.template operator()<MlbicgstabSs>();
    if (std::string(TypeParam::name) == "rbicgstab") made.template operator()<Rbicgstab>();
    EXPECT_EQ(dev.bytes, std::size_t(vectors(order)) * 8 * sizeof(Complex<Long>)) << order;
  }
}

/// The matrix has eigenvalues around the origin, where one starting vector breaks down.
TYPED_TEST(KrylovOrders, MoreThanUnknownsAreNoMore) {
  for (const index_t n : {1, 2, 3}) {
    const auto found = course<TypeParam>(oblique<Long>(n), 1e-12, 50);
    EXPECT_EQ(found.outcome.status, Ending::converged) << n << found.outcome.diagnosis.problem;
    EXPECT_LE(found.true_residual, 2e-12) << n;
  }
}

TEST(KrylovRelations, TheFirstFormsOfMlbicgstabAreOneMethod) {
  const auto one = course<Of<Mlbicgstab>>(near_identity<Long>(65, 0.7), 1e-12, 5);
  const auto two = course<Of<MlbicgstabOrig>>(near_identity<Long>(65, 0.7), 1e-12, 5);
  ASSERT_GT(one.history.size(), 15u);
  for (std::size_t i = 0; i < 15; ++i) EXPECT_NEAR(two.history[i] / one.history[i], 1, 1e-10) << i;
}

TEST(KrylovRelations, MoreStartingVectorsSolveWhatOneCannot) {
  EXPECT_NE(course<Of<Mlbicgstab>>(oblique<Long>(65), 1e-10, 1).outcome.status, Ending::converged);
  const auto two = course<Of<Mlbicgstab>>(oblique<Long>(65), 1e-10, 2);
  const auto eight = course<Of<Mlbicgstab>>(oblique<Long>(65), 1e-10, 8);
  EXPECT_EQ(two.outcome.status, Ending::converged);
  EXPECT_EQ(eight.outcome.status, Ending::converged);
  EXPECT_LT(eight.outcome.iterations, two.outcome.iterations);
}

}  // namespace umov::krylov
