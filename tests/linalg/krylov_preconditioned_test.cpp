// Krylov solvers with a complex symmetric preconditioner, on small dense matrices.
#include <gtest/gtest.h>

#include <string>

#include "backend/cpu/cpu.hpp"
#include "backend/serial/serial.hpp"
#include "linalg/krylov/drive.hpp"
#include "linalg/krylov/solvers.hpp"
#include "support/dense_systems.hpp"

namespace umov::krylov {
namespace {

/// Inverse by Gauss-Jordan elimination in long double, rows exchanged; symmetric to the rounding of T.
template <class T>
Dense<T> inverse_of(const Dense<T>& m) {
  using Z = std::complex<long double>;
  const index_t n = m.n;
  std::vector<Z> a(n * n), b(n * n, 0);
  for (index_t i = 0; i < n * n; ++i) a[i] = m.a[i].template to_std<long double>();
  for (index_t i = 0; i < n; ++i) b[i * n + i] = 1;
  for (index_t k = 0; k < n; ++k) {
    index_t pivot = k;
    for (index_t i = k; i < n; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    for (index_t j = 0; j < n; ++j) {
      std::swap(a[k * n + j], a[pivot * n + j]);
      std::swap(b[k * n + j], b[pivot * n + j]);
    }
    const Z scale = 1.0L / a[k * n + k];
    for (index_t j = 0; j < n; ++j) {
      a[k * n + j] *= scale;
      b[k * n + j] *= scale;
    }
    for (index_t i = 0; i < n; ++i) {
      const Z f = a[i * n + k];
      if (i == k || f == Z(0)) continue;
      for (index_t j = 0; j < n; ++j) {
        a[i * n + j] -= f * a[k * n + j];
        b[i * n + j] -= f * b[k * n + j];
      }
    }
  }
  Dense<T> out{n, Vector<T>(n * n)};
  for (index_t i = 0; i < n; ++i)
    for (index_t j = 0; j < n; ++j) out.a[i * n + j] = Complex<T>(0.5L * (b[i * n + j] + b[j * n + i]));
  return out;
}

template <class T>
Dense<T> sum(const Dense<T>& a, const Dense<T>& b, T factor) {
  Dense<T> out{a.n, Vector<T>(a.n * a.n)};
  for (index_t i = 0; i < a.n * a.n; ++i) out.a[i] = a.a[i] + factor * b.a[i];
  return out;
}

constexpr index_t n = 60;

/// A hard matrix, in no half plane, and the inverse of one `off` away from it.
template <class T>
struct System {
  Dense<T> a, m;
  Vector<T> b;
  explicit System(double off)
      : a(oblique<T>(n)),
        m(inverse_of(sum(a, near_identity<T>(n, 1.0), T(off)))),
        b(random_vector<T>(n, 7)) {}
};

template <class T>
struct Solved {
  Outcome outcome;
  long products, preconditionings;
  double true_residual, drift;
  Vector<T> x;
};

template <template <class, class, class> class S, class Dev, class T>
Solved<T> solve(System<T> s) {
  Dev dev;
  typename Preconditioned<S>::template type<Dev, T, Dense<T>, Dense<T>> solver(dev, s.a, s.m, n);
  Vector<T> x = zeros<T>(n), r = s.b;
  const double bb = norm2_of(s.b);
  std::vector<double> history{1.0};
  solver.start(x.data(), r.data(), bb);
  DriveOptions options;
  options.epsilon = epsilon_of<T>();
  options.max_iterations = 400;
  Solved<T> out;
  out.outcome = drive(solver, bb, 0, options, history);
  if constexpr (requires { solver.settle(); }) solver.settle();
  out.products = s.a.products;
  out.preconditionings = s.m.products;
  auto exact = residual(s.a, x, s.b);
  out.true_residual = std::sqrt(norm2_of(exact) / bb);
  for (index_t i = 0; i < n; ++i) exact[i] -= r[i];
  out.drift = std::sqrt(norm2_of(exact) / bb);
  out.x = x;
  return out;
}

template <template <class, class, class> class S, class Device, class Number>
struct Case {
  using Dev = Device;
  using T = Number;
  using Solver = typename Preconditioned<S>::template type<Dev, T, Dense<T>, Dense<T>>;
  static auto solve(const System<T>& s) { return krylov::solve<S, Dev, T>(s); }
  static constexpr int products = S<Dev, T, Dense<T>>::products;
  static constexpr bool normal = std::is_same_v<S<Dev, T, Dense<T>>, Cgnr<Dev, T, Dense<T>>>;
};

template <class C>
class KrylovPreconditioned : public ::testing::Test {};

template <template <class, class, class> class... S>
using InAll = ::testing::Types<Case<S, backend::Serial, double>..., Case<S, backend::Cpu, float>...,
                               Case<S, backend::Serial, long double>...>;
using Everything = InAll<Qmr, Qmr2, Bicg, Cocr, Bicgstab, Bcgs2, Gpbicg, Cgs, Tfqmr, Idr4, Idr8, Cgnr>;
TYPED_TEST_SUITE(KrylovPreconditioned, Everything);

}  // namespace

TYPED_TEST(KrylovPreconditioned, WithTheInverseItselfIsThereAtOnce) {
  using T = typename TypeParam::T;
  const auto s = TypeParam::solve(System<T>(0));
  EXPECT_EQ(s.outcome.status, Ending::converged);
  // A M = I but for rounding, of which |A| |M| = 2 makes little: one step, or the first few of a solver whose
  // iteration is not one step of its own polynomial. What rounding leaves costs single precision one more.
  EXPECT_LE(s.outcome.iterations, sizeof(T) == sizeof(float) ? 6 : 5);
  EXPECT_LT(s.true_residual, 3 * epsilon_of<T>());
}

TYPED_TEST(KrylovPreconditioned, NearTheInverseConvergesByTheDistance) {
  using T = typename TypeParam::T;
  const auto s = TypeParam::solve(System<T>(0.1));
  EXPECT_EQ(s.outcome.status, Ending::converged);
  // |A M - I| is about 0.08 (a disc of that radius): a digit for each product, twice as many for the normal
  // equations' short recurrence, and a few to spare.
  const double digits = -std::log10(epsilon_of<T>());
  EXPECT_LE(double(s.outcome.iterations) * TypeParam::products,
            (TypeParam::normal ? 2 : 1) * 1.5 * digits + 6);
  EXPECT_LT(s.true_residual, 3 * epsilon_of<T>());
  // the residual that the solver carries is that of A x = b, not that of a preconditioned system
  EXPECT_LT(s.drift, 2 * epsilon_of<T>());
}

TYPED_TEST(KrylovPreconditioned, ContinuesFromItsState) {
  using T = typename TypeParam::T;
  using Dev = typename TypeParam::Dev;
  using Solver = typename TypeParam::Solver;
  System<T> s(0.5);
  Dev dev;
  Solver whole(dev, s.a, s.m, n);
  Vector<T> x = zeros<T>(n), r = s.b;
  whole.start(x.data(), r.data(), norm2_of(s.b));
  for (int i = 0; i < 3; ++i) whole.iterate();
  Save save;
  whole.state(save);
  Vector<T> x2 = x, r2 = r;
  for (int i = 0; i < 3; ++i) whole.iterate();
  Solver second(dev, s.a, s.m, n);
  second.attach(x2.data(), r2.data());
  Load load{save.bytes};
  second.state(load);
  for (int i = 0; i < 3; ++i) second.iterate();
  if constexpr (requires { whole.settle(); }) {
    whole.settle();
    second.settle();
  }
  // numbers, not bytes: a long double has bytes that belong to none
  for (index_t i = 0; i < n; ++i) {
    EXPECT_TRUE(x[i].re == x2[i].re && x[i].im == x2[i].im) << i;
    EXPECT_TRUE(r[i].re == r2[i].re && r[i].im == r2[i].im) << i;
  }
}

TEST(KrylovPreconditioner, CsymAloneTakesNone) {
  for_each_solver([](auto tag, const char*) {
    EXPECT_EQ(takes_preconditioner(tag), std::string(name_of(tag)) != "csym") << name_of(tag);
  });
}

}  // namespace umov::krylov
