// Elements in place of matrices: the same products, sums and potentials as the assembled ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "backend/serial/serial.hpp"
#include "eqs/solve/solver_choice.hpp"
#include "eqs/solve/system.hpp"
#include "eqs/tuned/cpu/fast_elements.hpp"
#include "support/eqs_block.hpp"

namespace umov::eqs::test {
namespace {

using backend::Cpu;
using backend::Serial;

/// Elements of many shapes: every node is moved by up to a fifth of the shortest edge.
void distort(Problem& p) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> draw(-6e-5, 6e-5);
  for (auto& node : p.mesh.nodes)
    for (double& x : node) x += draw(random);
}

std::vector<double> random_potentials(const Problem& p, int seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> draw(-1e3, 1e3);
  std::vector<double> u(p.unknowns);
  for (double& v : u) v = draw(random);
  return u;
}

/// The same problem on two systems: with matrices and without.
struct Pair {
  explicit Pair(const Problem& p)
      : assembled(with(p, OperatorForm::assembled)), free(with(p, OperatorForm::matrix_free)) {}
  static Problem with(Problem p, OperatorForm form) {
    p.linear.form = form;
    return p;
  }
  Problem assembled, free;
  Serial dev;
  System<Serial> a{dev, assembled}, b{dev, free};
  void set_fixed(const std::vector<double>& v) { a.set_fixed(v), b.set_fixed(v); }
};

struct Evaluated {
  std::vector<double> q, i, size;
  explicit Evaluated(int n) : q(n), i(n), size(n) {}
  Evaluation to(Weights w) { return {q.data(), i.data(), size.data(), w}; }
};

constexpr double rounding = 0x1p-53;
/// A row of second order adds some hundred terms of its elements, each rounded a dozen times; the sizes are
/// those of all terms.
constexpr double terms = 1000;

class EqsMatrixFree : public testing::TestWithParam<std::tuple<int, bool, int>> {
 protected:
  int order() const { return std::get<0>(GetParam()); }
  bool nonlinear() const { return std::get<1>(GetParam()); }
  int across() const { return std::get<2>(GetParam()); }
};

TEST_P(EqsMatrixFree, ChargesAndCurrentsEqualThoseOfTheMatrices) {
  for (const bool good : {false, true}) {
    if (good && nonlinear()) continue;
    Problem p = make_problem(block(order(), nonlinear(), good, across()));
    EXPECT_EQ(p.base.empty(), !good);
    distort(p);
    Pair both(p);
    both.set_fixed({700, -300, 0});
    const auto u = random_potentials(p, 1);
    // sizes of charges and of currents, each by itself
    for (const Weights w : {Weights{1, 0}, Weights{0, 1}}) {
      Evaluated a(p.unknowns), b(p.unknowns);
      both.a.evaluate(u.data(), a.to(w));
      both.b.evaluate(u.data(), b.to(w));
      for (int n = 0; n < p.unknowns; ++n) {
        const auto& x = w.charge != 0 ? a.q : a.i;
        const auto& y = w.charge != 0 ? b.q : b.i;
        ASSERT_NEAR(x[n], y[n], terms * rounding * std::max(a.size[n], b.size[n])) << n;
        // both bound what cancels, and elements know no cancellation between them; where nodes have a base,
        // rows take its column for differences that elements form at once
        if (good) continue;
        ASSERT_GE(b.size[n], (1 - 1e-12) * a.size[n]) << n;
      }
      if (w.current == 0) continue;
      std::vector<double> i(p.unknowns), unused(p.unknowns);
      both.b.conduct(u.data(), {unused.data(), i.data(), unused.data(), w});
      for (int n = 0; n < p.unknowns; ++n)
        ASSERT_NEAR(i[n], a.i[n], terms * rounding * std::max(a.size[n], b.size[n])) << n;
    }
  }
}

TEST_P(EqsMatrixFree, NewtonsProductAndItsDiagonalEqualTheMatrix) {
  for (const bool good : {false, true}) {
    if (good && nonlinear()) continue;
    Problem p = make_problem(block(order(), nonlinear(), good, across()));
    distort(p);
    Pair both(p);
    both.set_fixed({700, -300, 0});
    const auto u = random_potentials(p, 1), x = random_potentials(p, 2);
    for (const Weights w : {Weights{1, 0}, Weights{0, 1}, Weights{1, 3e-4}}) {
      both.a.assemble(u.data(), w);
      both.b.assemble(u.data(), w);
      const MatrixSet<Serial> a = both.a.matrices(), b = both.b.matrices();
      EXPECT_EQ(b.a.start, nullptr);
      AssembledForm<Serial, double> rows;
      ElementForm<Serial, double> elements;
      rows.take(both.dev, a, true);
      elements.take(both.dev, b, true);
      std::vector<double> y(p.unknowns), z(p.unknowns), dy(p.unknowns), dz(p.unknowns);
      rows.apply(x.data(), y.data());
      elements.apply(x.data(), z.data());
      rows.inverse_diagonal(dy.data());
      elements.inverse_diagonal(dz.data());
      double most = 0;
      for (int n = 0; n < p.unknowns; ++n) {
        double size = 0;
        for (int e = a.a.start[n]; e < a.a.start[n + 1]; ++e)
          size += std::abs(a.a.value[e] * x[a.a.column[e]]);
        ASSERT_NEAR(y[n], z[n], terms * rounding * size) << n;
        ASSERT_NEAR(dz[n] / dy[n], 1, terms * rounding) << n;
        most += size * size;
      }
      // elements' terms before they cancel between neighbours: never less than the rows'
      EXPECT_GE(both.b.square_of_rounding(b, x.data()), most);
      ElementForm<Serial, float> single;
      single.take(both.dev, b, true);
      const std::vector<float> xf(x.begin(), x.end());
      std::vector<float> zf(p.unknowns);
      double sum = 0;
      single.template then_sum<1>(xf.data(), sparse::StoreDot<float>{xf.data(), zf.data()}, &sum);
      double expected = 0;
      for (int n = 0; n < p.unknowns; ++n) expected += x[n] * y[n];
      EXPECT_NEAR(sum / expected, 1, 1e-5);
    }
  }
}

TEST_P(EqsMatrixFree, ElectrodesHaveTheSameChargesCurrentsAndRates) {
  for (const bool good : {false, true}) {
    if (good && nonlinear()) continue;
    Problem p = make_problem(block(order(), nonlinear(), good, across()));
    distort(p);
    Pair both(p);
    both.set_fixed({700, -300, 0});
    const auto u = random_potentials(p, 1), v = random_potentials(p, 3);
    const auto compare = [](const ElectrodeSums& x, const ElectrodeSums& y) {
      double charge = 0, current = 0;
      for (std::size_t e = 0; e < x.charge.size(); ++e)
        charge = std::max(charge, std::abs(x.charge[e])),
        current = std::max(current, std::abs(x.conduction[e]));
      for (std::size_t e = 0; e < x.charge.size(); ++e) {
        // some hundred nodes' terms, which cancel by three digits at random potentials
        EXPECT_NEAR(x.charge[e], y.charge[e], 1e-10 * charge);
        EXPECT_NEAR(x.conduction[e], y.conduction[e], 1e-10 * current);
      }
    };
    compare(both.a.electrode_sums(u.data()), both.b.electrode_sums(u.data()));
    both.a.assemble(u.data(), {1, 0});
    both.b.assemble(u.data(), {1, 0});
    Evaluated a(p.unknowns), b(p.unknowns);
    const auto x = both.a.evaluate_linearised(v.data(), a.to({1, 0}));
    const auto y = both.b.evaluate_linearised(v.data(), b.to({1, 0}));
    compare(x, y);
    for (int n = 0; n < p.unknowns; ++n)
      ASSERT_NEAR(a.q[n], b.q[n], terms * rounding * std::max(a.size[n], b.size[n])) << n;
  }
}
INSTANTIATE_TEST_SUITE_P(Orders, EqsMatrixFree,
                         testing::Combine(testing::Values(1, 2), testing::Values(false, true),
                                          testing::Values(3)));
// the conductor's row in chunks
INSTANTIATE_TEST_SUITE_P(LongRows, EqsMatrixFree,
                         testing::Combine(testing::Values(1), testing::Values(true), testing::Values(16)));

TEST(EqsLongRows, ChunksGiveTheMatrixOfTheElementsAlsoWhereConductorsMeet) {
  for (const bool two : {false, true})
    for (const Weights w : {Weights{1, 0}, Weights{0, 1}}) {
      Simulation s = block(1, true, false, 16);
      if (two) {  // a second conductor on the film's other side, one layer of elements away: entries between
                  // both
        s.mesh.geometry->layers[2].elements = 1;
        s.mesh.geometry->layers.insert(s.mesh.geometry->layers.begin() + 3, layer("cover", 1e-3, 1));
        s.electrodes.push_back(electrode("cover", ElectrodeSpec::Kind::floating));
      }
      Problem p = make_problem(s);
      distort(p);
      Serial dev;
      System<Serial> system(dev, p);
      system.set_fixed(std::vector<double>(p.electrodes.size(), 0.0));
      const auto u = random_potentials(p, 1), x = random_potentials(p, 2);
      system.assemble(u.data(), w);
      const auto a = system.matrices().a;
      int longest = 0, conductors = 0;
      for (const auto& e : p.electrodes) {
        if (e.unknown < 0) continue;
        ++conductors;
        longest = std::max(longest, a.start[e.unknown + 1] - a.start[e.unknown]);
      }
      EXPECT_EQ(conductors, two ? 2 : 1);
      EXPECT_GT(longest, 254);  // places in the row that a byte cannot hold
      int chunked = 0;
      const auto part = nonlinear_part(p, 1);
      for (std::size_t r = 0; r < part.row.size(); ++r)
        chunked += part.touching.start[r + 1] - part.touching.start[r] > row_of_chunks;
      EXPECT_EQ(chunked, conductors);
      // the linearised sums come from the elements themselves
      Evaluated e(p.unknowns);
      system.evaluate_linearised(x.data(), e.to(w));
      for (int n = 0; n < p.unknowns; ++n) {
        double sum = 0, size = 0;
        for (int k = a.start[n]; k < a.start[n + 1]; ++k) {
          const double v = a.value[k] * x[a.column[k]];
          sum += v, size += std::abs(v);
          const int m = a.column[k];
          const auto* begin = a.column + a.start[m];
          const int back = int(std::lower_bound(begin, a.column + a.start[m + 1], n) - a.column);
          ASSERT_EQ(a.column[back], n);
          ASSERT_NEAR(a.value[back], a.value[k], terms * rounding * std::abs(a.value[k])) << n << " " << m;
        }
        ASSERT_NEAR(sum, w.charge * e.q[n] + w.current * e.i[n], terms * rounding * size) << n;
      }
    }
}

TEST(EqsMatrixFreeHarmonic, ComplexProductsEqualTheMatrices) {
  for (const int order : {1, 2}) {
    Problem p = make_problem(block(order, false));
    distort(p);
    Pair both(p);
    both.set_fixed({700, -300, 0});
    auto x = random_potentials(p, 1);
    const auto more = random_potentials(p, 2);
    x.insert(x.end(), more.begin(), more.end());
    std::vector<double> y(2 * p.unknowns), z(2 * p.unknowns);
    const auto s = both.a.harmonic_product(314, x.data(), y.data());
    const auto t = both.b.harmonic_product(314, x.data(), z.data());
    double most = 0;
    for (const double v : y) most = std::max(most, std::abs(v));
    for (int n = 0; n < 2 * p.unknowns; ++n) ASSERT_NEAR(y[n], z[n], 1e-12 * most);
    for (int k = 0; k < 2; ++k) EXPECT_NEAR(s.v[k], t.v[k], 1e-12 * std::hypot(s.v[0], s.v[1]));
  }
}

/// The tuned product against the simple one, which the tests above hold to the matrix.
TEST(EqsMatrixFreeTuned, PatchesEqualTheTwoPassesForAnyThreads) {
  for (const bool nonlinear : {false, true}) {
    Problem p = make_problem(block(2, nonlinear, false, 10));
    distort(p);
    p.linear.form = OperatorForm::matrix_free;
    const auto u = random_potentials(p, 1), x = random_potentials(p, 2);
    std::vector<double> first;
    for (const int threads : {1, 3}) {
      Cpu dev(threads);
      System<Cpu> system(dev, p);
      system.set_fixed({700, -300, 0});
      ElementProducts<Cpu, double> simple;
      FastElements<Cpu, double> tuned;
      FastElements<Cpu, float> single;
      // a second matrix refills what the first one laid out
      for (const Weights w : {Weights{1, 0}, Weights{1, 3e-4}}) {
        system.assemble(u.data(), w);
        const auto set = system.matrices();
        ASSERT_TRUE(set.elements.tables->patches);
        EXPECT_GT(set.elements.tables->patches->patches.size(), 1u);
        simple.take(dev, set.elements);
        tuned.take(dev, set.elements);
        single.take(dev, set.elements);
        std::vector<double> y(p.unknowns), z(p.unknowns);
        double s = 0, t = 0;
        simple.then_sum<1>(x.data(), sparse::StoreDot<double>{x.data(), y.data()}, &s);
        tuned.then_sum<1>(x.data(), sparse::StoreDot<double>{x.data(), z.data()}, &t);
        EXPECT_NEAR(t / s, 1, 1e-12);
        const double rows = std::sqrt(system.square_of_rounding(set, x.data()));
        for (int n = 0; n < p.unknowns; ++n) ASSERT_NEAR(y[n], z[n], 10 * rounding * rows) << n;
        const std::vector<float> xf(x.begin(), x.end());
        std::vector<float> zf(p.unknowns);
        single.then(xf.data(), sparse::Store<float>{zf.data()});
        for (int n = 0; n < p.unknowns; ++n) ASSERT_NEAR(y[n], zf[n], 10 * 0x1p-24 * rows) << n;
        if (w.current == 0) continue;
        if (first.empty()) first = z;
        EXPECT_EQ(first, z);
      }
    }
  }
}

TEST(EqsMatrixFreeChoice, AutoGoesWithoutTheMatrixWherePMultigridSolves) {
  Problem p;
  p.order = 2;
  EXPECT_TRUE(matrix_free(p));
  p.linear.preconditioner = "amg";  // wants the entries
  EXPECT_FALSE(matrix_free(p));
  p.linear.preconditioner = "auto";
  p.linear.form = OperatorForm::assembled;  // as asked for
  EXPECT_FALSE(matrix_free(p));
  p.linear.form = OperatorForm::automatic;
  p.order = 1;
  EXPECT_FALSE(matrix_free(p));
  p.linear.form = OperatorForm::matrix_free;
  EXPECT_TRUE(matrix_free(p));
}

/// A floating conductor's row has more columns than the bytes of places tell.
TEST(EqsNewtonsMatrix, LongRowsOfFirstOrderAreThoseOfTheElements) {
  Problem p = make_problem(block(1, true, false, 16));
  distort(p);
  Pair both(p);
  both.set_fixed({700, -300, 0});
  const auto u = random_potentials(p, 1), x = random_potentials(p, 2);
  both.a.assemble(u.data(), {1, 3e-4});
  both.b.assemble(u.data(), {1, 3e-4});
  const MatrixSet<Serial> a = both.a.matrices(), b = both.b.matrices();
  const int plate = p.electrodes[2].unknown;
  EXPECT_GT(a.a.start[plate + 1] - a.a.start[plate], 300);
  AssembledForm<Serial, double> rows;
  ElementForm<Serial, double> elements;
  rows.take(both.dev, a, true);
  elements.take(both.dev, b, true);
  std::vector<double> y(p.unknowns), z(p.unknowns);
  rows.apply(x.data(), y.data());
  elements.apply(x.data(), z.data());
  for (int n = 0; n < p.unknowns; ++n) {
    double size = 0;
    for (int k = a.a.start[n]; k < a.a.start[n + 1]; ++k) size += std::abs(a.a.value[k] * x[a.a.column[k]]);
    ASSERT_NEAR(y[n], z[n], terms * rounding * size) << n;
  }
}

/// A floating conductor's row is the sum over thousands of places: its chunks and the rows' own order.
TEST(EqsMatrixFreeRows, LongRowsAreSummedInChunks) {
  Problem p = make_problem(block(2, false, false, 8));
  Pair both(p);
  const auto plan = make_row_sum_plan(touching_elements(p, 2));
  EXPECT_GT(plan.chunk_row.size(), 4u);
  EXPECT_EQ(plan.chunk_row.front(), p.electrodes[2].unknown);
  both.set_fixed({700, -300, 0});
  const auto u = random_potentials(p, 1);
  Evaluated a(p.unknowns), b(p.unknowns);
  both.a.evaluate(u.data(), a.to({1, 0}));
  both.b.evaluate(u.data(), b.to({1, 0}));
  const int n = p.electrodes[2].unknown;
  EXPECT_NEAR(a.q[n], b.q[n], terms * rounding * b.size[n]);
}

}  // namespace
}  // namespace umov::eqs::test
