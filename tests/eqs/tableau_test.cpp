// Order conditions of the time integrators, in rational numbers where the coefficients are.
#include "eqs/integrators/tableau.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numeric>

namespace umov::eqs::test {
namespace {

/// A fraction of whole numbers; the coefficients stay far below its limits.
struct Rational {
  __int128 n = 0, d = 1;
  Rational() = default;
  Rational(long long num, long long den = 1) : n(num), d(den) { reduce(); }
  void reduce() {
    __int128 a = n < 0 ? -n : n, b = d;
    while (b) {
      const __int128 r = a % b;
      a = b;
      b = r;
    }
    if (a) n /= a, d /= a;
    if (d < 0) n = -n, d = -d;
  }
  friend Rational operator+(Rational a, const Rational& b) {
    a.n = a.n * b.d + b.n * a.d, a.d *= b.d;
    a.reduce();
    return a;
  }
  friend Rational operator*(Rational a, const Rational& b) {
    a.n *= b.n, a.d *= b.d;
    a.reduce();
    return a;
  }
  bool operator==(const Rational& b) const { return n == b.n && d == b.d; }
  double value() const { return double(n) / double(d); }
};

/// The fraction with a denominator up to 3600 that a double stands for.
Rational rational(double v) {
  for (long long d = 1; d <= 3600; ++d) {
    const double n = std::round(v * double(d));
    if (std::abs(v - n / double(d)) < 1e-15) return {(long long)n, d};
  }
  throw std::runtime_error("no small fraction");
}

struct TableauExact {
  std::vector<Rational> c, b, embedded;
  std::vector<std::vector<Rational>> a;
};
TableauExact exact(const Tableau& t) {
  TableauExact e;
  for (int s = 0; s < t.stages; ++s) {
    e.c.push_back(rational(t.c[s]));
    e.b.push_back(rational(t.b[s]));
    e.embedded.push_back(rational(t.embedded[s]));
    e.a.emplace_back();
    for (int j = 0; j < t.stages; ++j) e.a[s].push_back(rational(t.a[s][j]));
  }
  return e;
}

Rational sum(const std::vector<Rational>& b, const std::vector<Rational>& v) {
  Rational s;
  for (std::size_t i = 0; i < b.size(); ++i) s = s + b[i] * v[i];
  return s;
}
std::vector<Rational> times(const std::vector<Rational>& u, const std::vector<Rational>& v) {
  std::vector<Rational> w;
  for (std::size_t i = 0; i < u.size(); ++i) w.push_back(u[i] * v[i]);
  return w;
}
std::vector<Rational> apply(const std::vector<std::vector<Rational>>& a, const std::vector<Rational>& v) {
  std::vector<Rational> w;
  for (const auto& row : a) w.push_back(sum(row, v));
  return w;
}

TEST(EqsTableau, Sdirk3HasOrderThreeAndItsCompanionOrderTwoExactly) {
  const Tableau t = tableau(Scheme::sdirk3);
  const TableauExact e = exact(t);
  const std::vector<Rational> one(4, Rational(1));
  for (int s = 0; s < 4; ++s) {
    EXPECT_TRUE(sum(e.a[s], one) == e.c[s]) << s;   // c = A 1
    EXPECT_TRUE(e.a[s][s] == Rational(1, 4)) << s;  // one gamma
    EXPECT_TRUE(e.a[3][s] == e.b[s]) << s;          // stiffly accurate
  }
  EXPECT_TRUE(sum(e.b, one) == Rational(1));
  EXPECT_TRUE(sum(e.b, e.c) == Rational(1, 2));
  EXPECT_TRUE(sum(e.b, times(e.c, e.c)) == Rational(1, 3));
  EXPECT_TRUE(sum(e.b, apply(e.a, e.c)) == Rational(1, 6));
  EXPECT_TRUE(sum(e.embedded, one) == Rational(1));
  EXPECT_TRUE(sum(e.embedded, e.c) == Rational(1, 2));
  // order two only, with all four stages in use
  EXPECT_FALSE(sum(e.embedded, times(e.c, e.c)) == Rational(1, 3) &&
               sum(e.embedded, apply(e.a, e.c)) == Rational(1, 6));
  for (const auto& v : e.embedded) EXPECT_FALSE(v == Rational(0));
}

/// R(z) = 1 + z b (I - z A)^-1 1, by forward substitution.
std::complex<double> stability(const Tableau& t, const std::array<double, 4>& b, std::complex<double> z) {
  std::array<std::complex<double>, 4> k{};
  std::complex<double> r = 1;
  for (int s = 0; s < t.stages; ++s) {
    k[s] = 1;
    for (int j = 0; j < s; ++j) k[s] += z * t.a[s][j] * k[j];
    k[s] /= 1.0 - z * t.a[s][s];
    r += z * b[s] * k[s];
  }
  return r;
}

TEST(EqsTableau, AllSchemesAreStableOnTheImaginaryAxisAndDampWhatIsStiff) {
  for (const Scheme s : {Scheme::sdirk3, Scheme::implicit_euler, Scheme::esdirk3}) {
    const Tableau t = tableau(s);
    for (double y = 1e-3; y < 1e4; y *= 1.01) {
      EXPECT_LE(std::abs(stability(t, t.b, {0, y})), 1 + 1e-12) << y;
    }
    // L-stable: R vanishes like 1 / z
    EXPECT_LT(std::abs(stability(t, t.b, -1e9)), 1e-6);
  }
  // the companion of sdirk3 is not: this is what the filter of the error estimate is for
  const Tableau t = tableau(Scheme::sdirk3);
  EXPECT_GT(std::abs(stability(t, t.embedded, -1e9)), 1e-3);
  for (double y = 1e-3; y < 1e4; y *= 1.01)
    EXPECT_LE(std::abs(stability(t, t.embedded, {0, y})), 1 + 1e-12) << y;
}

TEST(EqsTableau, Esdirk3HasOrderThreeStageOrderTwoAndACompanionOfOrderTwo) {
  const Tableau t = tableau(Scheme::esdirk3);
  double b1 = 0, bc = 0, bcc = 0, bac = 0, e1 = 0, ec = 0, ecc = 0;
  for (int s = 0; s < 4; ++s) {
    double row = 0, ac = 0;
    for (int j = 0; j < 4; ++j) row += t.a[s][j], ac += t.a[s][j] * t.c[j];
    EXPECT_NEAR(row, t.c[s], 1e-15);
    EXPECT_NEAR(ac, t.c[s] * t.c[s] / 2, 1e-15) << "stage order two, stage " << s;
    EXPECT_EQ(t.a[s][s], s ? t.gamma : 0);
    EXPECT_EQ(t.a[3][s], t.b[s]);
    b1 += t.b[s], bc += t.b[s] * t.c[s], bcc += t.b[s] * t.c[s] * t.c[s], bac += t.b[s] * ac;
    e1 += t.embedded[s], ec += t.embedded[s] * t.c[s], ecc += t.embedded[s] * t.c[s] * t.c[s];
  }
  // rounding of a few products of numbers of size 1
  EXPECT_NEAR(b1, 1, 2e-15);
  EXPECT_NEAR(bc, 1.0 / 2, 2e-15);
  EXPECT_NEAR(bcc, 1.0 / 3, 2e-15);
  EXPECT_NEAR(bac, 1.0 / 6, 2e-15);
  // published as fractions with thirteen digits
  EXPECT_NEAR(e1, 1, 1e-12);
  EXPECT_NEAR(ec, 1.0 / 2, 1e-12);
  EXPECT_GT(std::abs(ecc - 1.0 / 3), 1e-3);
  const double g = t.gamma;
  EXPECT_NEAR(6 * g * g * g - 18 * g * g + 9 * g - 1, 0, 1e-14);
}

TEST(EqsTableau, WhatWatchesEsdirk3IsTheThirdDifferenceOfItsStages) {
  const Tableau t = tableau(Scheme::esdirk3);
  for (int power = 0; power <= 3; ++power) {
    double sum = 0;
    for (int s = 0; s < 4; ++s) sum += t.watch[s] * std::pow(t.c[s], power);
    EXPECT_NEAR(sum, power == 3 ? 0.018 : 0, 1e-15 * 40) << power;  // rounding of weights up to 0.6
  }
  // a current that switches off anywhere within the step is seen: by the companion 0.027 to 0.076 of it
  for (double theta = 0.01; theta < 1; theta += 0.01) {
    double seen = 0, companion = 0;
    for (int s = 0; s < 4; ++s)
      if (t.c[s] < theta) seen += t.watch[s], companion += t.b[s] - t.embedded[s];
    EXPECT_GT(std::max(std::abs(seen), std::abs(companion)), 0.03) << theta;
  }
  EXPECT_EQ(tableau(Scheme::implicit_euler).watch, (std::array<double, 4>{}));
}

TEST(EqsTableau, WhatWatchesSdirk3IsAThirdDifferenceOfTheStartAndItsStages) {
  const Tableau t = tableau(Scheme::sdirk3);
  for (int power = 0; power <= 3; ++power) {
    double sum = power == 0 ? t.watch_start : 0;
    for (int s = 0; s < 4; ++s) sum += t.watch[s] * std::pow(t.c[s], power);
    EXPECT_NEAR(sum, power == 3 ? 0.04 : 0, power == 3 ? 1e-4 : 1e-15) << power;  // rounding of weights of 1
  }
  // where layers relax at once the stages' currents are those of A k = f, of f = t^2 / 2 not c: what they are
  // off by is none of the step's error, and the companion does not see it either
  double seen_of_stages = 0;
  std::array<double, 4> k{};
  for (int s = 0; s < 4; ++s) {
    k[s] = t.c[s] * t.c[s] / 2;
    for (int j = 0; j < s; ++j) k[s] -= t.a[s][j] * k[j];
    k[s] /= t.a[s][s];
    seen_of_stages += t.watch[s] * (k[s] - t.c[s]);
  }
  EXPECT_NEAR(k[3], 1, 1e-15);
  EXPECT_NEAR(seen_of_stages, 0, 1e-15);
  // a current that switches off anywhere within the step: its error beside what is seen of it
  for (double theta = 0.01; theta < 1; theta += 0.01) {
    double seen = t.watch_start, companion = 0, weight = 0;
    for (int s = 0; s < 4; ++s)
      if (t.c[s] < theta) seen += t.watch[s], companion += t.b[s] - t.embedded[s], weight += t.b[s];
    EXPECT_LT(std::abs(weight - theta), 4.1 * std::max(std::abs(seen), std::abs(companion))) << theta;
  }
}

/// One step of y' = z (y - f) + f', f = t^k / k!, from the exact 0: error and filtered estimate.
struct OfStep {
  double error, estimate;
};
OfStep stiff_step(const Tableau& t, int k, double z) {
  const auto f = [k](double x) { return k == 2 ? x * x / 2 : x * x * x / 6; };
  const auto slope = [k](double x) { return k == 2 ? x : x * x / 2; };
  std::array<double, 4> rate{};
  double end = 0, estimate = 0;
  for (int s = 0; s < t.stages; ++s) {
    double before = 0;
    for (int j = 0; j < s; ++j) before += t.a[s][j] * rate[j];
    rate[s] = (z * (before - f(t.c[s])) + slope(t.c[s])) / (1 - z * t.a[s][s]);
    end += t.b[s] * rate[s];
    estimate += (t.b[s] - t.embedded[s]) * rate[s];
  }
  return {end - f(1), estimate / (1 - z * t.gamma)};
}

/// Stiff equations with smooth solutions (Prothero and Robinson): what an estimate says of an error that
/// comes from the stages' own order. sdirk3's stages have order 1, those of esdirk3 order 2.
TEST(EqsTableau, EstimatesOfSmoothSolutionsOfStiffEquations) {
  const Tableau s = tableau(Scheme::sdirk3), e = tableau(Scheme::esdirk3);
  for (double z = -10; z > -1e7; z *= 2) {
    const OfStep one = stiff_step(s, 2, z);
    EXPECT_LT(std::abs(one.error), 5 * std::abs(one.estimate)) << z;
  }
  // esdirk3's estimate has another sign at -10 and -20, and a fiftieth of the error far beyond: its
  // companion's stability function is bounded, so that the filter is one power of z too much (its second
  // estimate sees these)
  EXPECT_LT(stiff_step(e, 3, -10).estimate * stiff_step(e, 3, -20).estimate, 0);
  for (const double z : {-1e4, -1e6}) {
    const OfStep one = stiff_step(e, 3, z);
    EXPECT_NEAR(one.error / one.estimate, 50, 2) << z;
    // where its error is none to speak of: that of the interpolation of the drive falls as 1 / z
    EXPECT_NEAR(one.error * z, stiff_step(e, 3, 10 * z).error * 10 * z, 1e-2 * std::abs(one.error * z));
  }
}

}  // namespace
}  // namespace umov::eqs::test
