// Interaction terms against independent integrals, limits and symmetries.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <functional>

#include "core/error.hpp"
#include "core/types.hpp"
#include "dda/kernels/visit_interaction.hpp"
#include "dda/scheme/interaction_table.hpp"

namespace umov::dda {
namespace {

using Tensor = std::array<cplx, 6>;

template <class Term>
Tensor at_lag(const Term& term, long x, long y, long z) {
  Complex<double> g[6];
  term(x, y, z, g);
  Tensor t;
  for (int c = 0; c < 6; ++c) t[c] = g[c].template to_std<double>();
  return t;
}

double magnitude(const Tensor& t) {
  double s = 0;
  for (auto& c : t) s += std::norm(c);
  return std::sqrt(s);
}

double relative_difference(const Tensor& a, const Tensor& b) {
  Tensor d;
  for (int c = 0; c < 6; ++c) d[c] = a[c] - b[c];
  return magnitude(d) / magnitude(b);
}

/// delta a + nn b for the direction of r.
Tensor isotropic(const Vec3& r, cplx a, cplx b) {
  const Vec3 n = (1 / norm(r)) * r;
  Tensor t;
  for (int c = 0; c < 6; ++c) {
    t[c] = n[tensor_row(c)] * n[tensor_column(c)] * b;
    if (tensor_row(c) == tensor_column(c)) t[c] += a;
  }
  return t;
}

/// k^2 g + grad grad g for g = exp(ikr)/r, from its radial derivatives in long double.
Tensor green_from_derivatives(double k, const Vec3& p) {
  using L = std::complex<long double>;
  const long double r = norm(p);
  const L g = std::exp(L(0, k * r)) / r, q = L(-1 / r, k);
  const L g1 = g * q, g2 = g * (q * q + 1 / (r * r));
  return isotropic(p, cplx((long double)(k)*k * g + g1 / r), cplx(g2 - g1 / r));
}

template <class Action>
void for_some_lags(Action&& action) {
  for (long x : {0, 1, 3, 17})
    for (long y : {0, 1, 2, 11})
      for (long z : {0, 1, 5})
        if (x || y || z) action(x, y, z);
}

const LatticeSteps<double> cubic{1.3, {0.4, 0.4, 0.4}};

TEST(Interaction, PointDipoleIsTheDerivativeOfTheScalarWave) {
  const PointDipole<double> term{{1.3, {0.2, 0.3, 0.4}}};
  for_some_lags([&](long x, long y, long z) {
    const Tensor expected = green_from_derivatives(1.3, {x * 0.2, y * 0.3, z * 0.4});
    EXPECT_LT(relative_difference(at_lag(term, x, y, z), expected), 1e-14);  // rounding of kr
  });
}

TEST(Interaction, AllTermsAreReciprocalSymmetricAndZeroAtZero) {
  auto check = [](const auto& term) {
    EXPECT_EQ(magnitude(at_lag(term, 0, 0, 0)), 0);
    for_some_lags([&](long x, long y, long z) {
      const Tensor g = at_lag(term, x, y, z), back = at_lag(term, -x, -y, -z),
                   mirror = at_lag(term, -x, y, z);
      for (int c = 0; c < 6; ++c) EXPECT_EQ(g[c], back[c]);
      const double scale = magnitude(g);
      for (int c = 0; c < 6; ++c)
        EXPECT_LT(std::abs(mirror[c] - (c == 1 || c == 2 ? -g[c] : g[c])), 1e-15 * scale);
    });
  };
  for (auto kind : {Interaction::point, Interaction::fcd, Interaction::fcd_st, Interaction::igt,
                    Interaction::igt_so, Interaction::nloc, Interaction::nloc_av})
    visit_interaction<double>(kind, {0.5}, 1.3, {0.4, 0.4, 0.4}, check);
}

TEST(Interaction, SinglePrecisionIsTheRoundedDouble) {
  const FilteredCoupledDipole<double> wide{cubic};
  const FilteredCoupledDipole<float> narrow{{1.3, {0.4, 0.4, 0.4}}};
  Complex<double> a[6];
  Complex<float> b[6];
  wide(3, 1, 2, a);
  narrow(3, 1, 2, b);
  for (int c = 0; c < 6; ++c) EXPECT_EQ(b[c].re, float(a[c].re));
}

// Values: Abramowitz and Stegun, table 5.1 and 5.2 continued with a multiple-precision program.
TEST(Interaction, CosineAndSineIntegralsHaveAllDigits) {
  const auto one = cosine_sine_integral(1.0), ten = cosine_sine_integral(10.0);
  EXPECT_NEAR(one.ci, 0.33740392290096813466, 3e-16);
  EXPECT_NEAR(pi / 2 - one.si_complement, 0.94608307036718301494, 3e-16);
  EXPECT_NEAR(ten.ci, -0.04545643300445537263, 3e-16);
  EXPECT_NEAR(pi / 2 - ten.si_complement, 1.65834759421887404933, 3e-16);
  for (long double x = 2; x < 6; x += 0.25L) {
    const auto series = cosine_sine_series(x), fraction = cosine_sine_fraction(x);
    // The series loses about e^x / x of its digits to cancellation.
    EXPECT_NEAR(double(series.ci - fraction.ci), 0, 1e-17);
    EXPECT_NEAR(double(series.si_complement - fraction.si_complement), 0, 1e-17);
  }
}

/// Principal value of (2/pi) int_0^K F(q)/(q^2 - k^2) dq: the pole is taken off and integrated in closed
/// form.
double filtered_integral(double k, double cutoff, const std::function<double(double)>& f) {
  const double at_pole = f(k);
  const GaussRule& rule = gauss_rule(20);
  const int panels = 400;
  double sum = at_pole / (2 * k) * std::log((cutoff - k) / (cutoff + k));
  for (int p = 0; p < panels; ++p)
    for (std::size_t i = 0; i < rule.node.size(); ++i) {
      const double half = cutoff / panels / 2, q = (2 * p + 1 + rule.node[i]) * half;
      sum += half * rule.weight[i] * (f(q) - at_pole) / (q * q - k * k);
    }
  return 2 / pi * sum;
}

// The scalar wave (2/(pi r)) PV int q sin(qr)/(q^2-k^2) dq cut at pi/d; G = (k^2 + grad grad) g plus the
// contact term 4 pi/3 of the filtered delta, which the method leaves unfiltered and hence off the lattice.
TEST(Interaction, FilteredCoupledDipoleIsTheGreensTensorCutAtTheLatticesFrequency) {
  const double k = cubic.k, d = cubic.step[0], cutoff = pi / d;
  const FilteredCoupledDipole<double> term{cubic};
  for (const Int3& lag : {Int3{1, 0, 0}, Int3{1, 1, 0}, Int3{2, 1, 3}, Int3{7, 4, 2}}) {
    const Vec3 p{lag[0] * d, lag[1] * d, lag[2] * d};
    const double r = norm(p);
    const double g0 = filtered_integral(k, cutoff, [&](double q) { return q * std::sin(q * r) / r; });
    const double g1 = filtered_integral(
        k, cutoff, [&](double q) { return q * (q * std::cos(q * r) / r - std::sin(q * r) / (r * r)); });
    const double g2 = filtered_integral(k, cutoff, [&](double q) {
      return q * (-q * q * std::sin(q * r) / r - 2 * q * std::cos(q * r) / (r * r) +
                  2 * std::sin(q * r) / (r * r * r));
    });
    const double delta =
        (std::sin(cutoff * r) - cutoff * r * std::cos(cutoff * r)) / (2 * pi * pi * r * r * r);
    const Tensor real = isotropic(p, k * k * g0 + g1 / r + 4 * pi / 3 * delta, g2 - g1 / r);
    const Tensor full = green_from_derivatives(k, p);
    const Tensor g = at_lag(term, lag[0], lag[1], lag[2]);
    for (int c = 0; c < 6; ++c) {
      EXPECT_NEAR(g[c].real(), real[c].real(), 1e-11 * magnitude(full));  // quadrature
      EXPECT_NEAR(g[c].imag(), full[c].imag(), 1e-14 * magnitude(full));  // q = k lies below the cut
    }
  }
}

TEST(Interaction, StaticFilterIsTheLongWavelengthLimitOfTheDynamicOne) {
  const LatticeSteps<double> slow{1e-4, {0.4, 0.4, 0.4}};
  for_some_lags([&](long x, long y, long z) {
    const Tensor dynamic = at_lag(FilteredCoupledDipole<double>{slow}, x, y, z);
    // They differ by order (kr)^2, here below 1e-6.
    EXPECT_LT(relative_difference(at_lag(FilteredCoupledDipoleStatic<double>{slow}, x, y, z), dynamic), 1e-6);
  });
}

/// Mean over the cell by composite five-point Gauss quadrature, independent of the code under test.
Tensor mean_over_cell(double k, const Vec3& d, const Vec3& p, const Int3& cells) {
  const double a = std::sqrt(5 - 2 * std::sqrt(10.0 / 7)) / 3, b = std::sqrt(5 + 2 * std::sqrt(10.0 / 7)) / 3;
  const double wa = (322 + 13 * std::sqrt(70.0)) / 900, wb = (322 - 13 * std::sqrt(70.0)) / 900;
  const double node[5] = {-b, -a, 0, a, b}, weight[5] = {wb, wa, 128.0 / 225, wa, wb};
  auto place = [&](int i, int c) { return d[c] * ((2 * (i / 5) + 1 + node[i % 5]) / cells[c] - 1) / 2; };
  Tensor sum{};
  for (int x = 0; x < 5 * cells[0]; ++x)
    for (int y = 0; y < 5 * cells[1]; ++y)
      for (int z = 0; z < 5 * cells[2]; ++z) {
        const Tensor t =
            green_from_derivatives(k, {p[0] - place(x, 0), p[1] - place(y, 1), p[2] - place(z, 2)});
        const double w = weight[x % 5] * weight[y % 5] * weight[z % 5] / 8 / cells[0] / cells[1] / cells[2];
        for (int c = 0; c < 6; ++c) sum[c] += w * t[c];
      }
  return sum;
}

TEST(Interaction, IntegratedGreenIsTheMeanOverTheCell) {
  for (const Vec3& d : {Vec3{0.4, 0.4, 0.4}, Vec3{0.2, 0.3, 0.6}}) {
    const IntegratedGreen<double> term{{1.3, {d[0], d[1], d[2]}}, -1};
    for (const Int3& lag : {Int3{1, 0, 0}, Int3{0, 1, 1}, Int3{1, 1, 1}, Int3{4, 2, 1}}) {
      const Vec3 p{lag[0] * d[0], lag[1] * d[1], lag[2] * d[2]};
      const double h2 = *std::min_element(d.begin(), d.end()) / 8;
      // Cells of edge 2 h at a distance of at least 8 h from the pole: an error of 16^-10 = 1e-12.
      const Int3 cells{int(d[0] / h2 + 0.5), int(d[1] / h2 + 0.5), int(d[2] / h2 + 0.5)};
      EXPECT_LT(relative_difference(at_lag(term, lag[0], lag[1], lag[2]), mean_over_cell(1.3, d, p, cells)),
                1e-11);
    }
  }
}

TEST(Interaction, SecondOrderIntegrationConvergesToTheMeanOverTheCell) {
  auto error = [](double kd) {
    const LatticeSteps<double> l{1, {kd, 1.5 * kd, 0.8 * kd}};
    return relative_difference(at_lag(IgtSecondOrder<double>{l}, 1, 2, 1),
                               at_lag(IntegratedGreen<double>{l, -1}, 1, 2, 1));
  };
  // The static and k^2 parts are exact; what is left is of order (kd)^4 or higher relative to them.
  EXPECT_LT(error(0.4), 1e-3);
  EXPECT_GT(error(0.4) / error(0.2), 12);
  EXPECT_GT(error(0.2) / error(0.1), 12);
}

TEST(Interaction, SecondOrderIntegrationIsAccurateInItsFarRangeToo) {
  // Beyond kr = 5 with kd = 0.4 the neglected terms are of relative order (kd)^4/2000.
  const LatticeSteps<double> l{1, {0.4, 0.4, 0.4}};
  EXPECT_LT(relative_difference(at_lag(IgtSecondOrder<double>{l}, 14, 3, 2),
                                at_lag(IntegratedGreen<double>{l, -1}, 14, 3, 2)),
            3e-5);
}

TEST(Interaction, NonLocalDipolesLookLikePointsFromAfar) {
  const LatticeSteps<double> still{1e-6, {0.4, 0.4, 0.4}};
  for (double rp : {0.0, 0.02}) {
    const Tensor point = at_lag(PointDipole<double>{still}, 2, 1, 1);
    EXPECT_LT(relative_difference(at_lag(NonLocal<double>{still, rp}, 2, 1, 1), point), 1e-10);
    EXPECT_LT(relative_difference(at_lag(NonLocalAveraged<double>{still, rp}, 2, 1, 1), point), 1e-10);
  }
}

TEST(Interaction, NonLocalSeriesAndRecursionMeet) {
  // u = r^2/(2 rp^2) crosses 1 between these widths; the term itself changes by 1e-12 of its value.
  const double rp = 0.4 / std::sqrt(2.0);
  const Tensor series = at_lag(NonLocal<double>{cubic, rp * (1 + 1e-12)}, 1, 0, 0);
  const Tensor recursion = at_lag(NonLocal<double>{cubic, rp * (1 - 1e-12)}, 1, 0, 0);
  EXPECT_LT(relative_difference(series, recursion), 2e-11);
}

// The trace of the dipolar part is zero: what remains is -4 pi h, h the normalised Gaussian or its mean.
TEST(Interaction, NonLocalTraceIsTheGaussianOrItsMeanOverTheCube) {
  const double rp = 0.35, d = 0.4;
  auto h = [&](const Vec3& r) {
    return std::exp(-dot(r, r) / (2 * rp * rp)) / std::pow(std::sqrt(2 * pi) * rp, 3);
  };
  double mean = 0;
  const GaussRule& rule = gauss_rule(12);
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j)
      for (int l = 0; l < 12; ++l)
        mean += rule.weight[i] * rule.weight[j] * rule.weight[l] / 8 *
                h({d + rule.node[i] * d / 2, 2 * d + rule.node[j] * d / 2, rule.node[l] * d / 2});
  auto trace = [](const Tensor& t) { return (t[0] + t[3] + t[5]).real(); };
  EXPECT_NEAR(trace(at_lag(NonLocal<double>{cubic, rp}, 1, 2, 0)), -4 * pi * h({d, 2 * d, 0}), 1e-13);
  EXPECT_NEAR(trace(at_lag(NonLocalAveraged<double>{cubic, rp}, 1, 2, 0)), -4 * pi * mean, 1e-13);
}

TEST(Interaction, TableGivesIntegratedTermsWithinTheLimitAndPointsBeyond) {
  const Vec3 d{0.3, 0.4, 0.5};
  const InteractionTable table = make_igt_table({2}, 1.3, d, {8, 8, 8});
  const LatticeSteps<double> l{1.3, {d[0], d[1], d[2]}};
  const TabulatedInteraction<double> tabulated{
      l, table.terms.data(), {table.extent[0], table.extent[1], table.extent[2]}};
  const IntegratedGreen<double> direct{l, 2};
  for (long x = -5; x <= 5; ++x)
    for (long y : {-2, 0, 1, 4})
      for (long z : {-1, 0, 2, 3})
        if (x || y || z) {
          EXPECT_LT(relative_difference(at_lag(tabulated, x, y, z), at_lag(direct, x, y, z)), 1e-15);
        }
  EXPECT_EQ(relative_difference(at_lag(tabulated, 4, 0, 0), at_lag(PointDipole<double>{l}, 4, 0, 0)), 0);
  EXPECT_GT(relative_difference(at_lag(tabulated, 3, 0, 0), at_lag(PointDipole<double>{l}, 3, 0, 0)), 1e-6);
}

// Two flat dipoles, one atop the other: the singularity is 0.01 edges away and a single Gauss rule misses it
// by 30 %.
TEST(Interaction, IntegratedTermOfFlatDipolesIsTheSameHoweverTheyAreCut) {
  const Vec3 d{1, 1, 0.01};
  const IntegratedGreen<double> flat{{0.25, {d[0], d[1], d[2]}}, -1};
  const Tensor whole = at_lag(flat, 0, 0, 1);
  // The same mean from 100 x 100 cubes, each integrated on its own.
  const IntegratedGreen<double> cubes{{0.25, {0.01, 0.01, 0.01}}, -1};
  Tensor sum{};
  for (int i = 0; i < 100; ++i)
    for (int j = 0; j < 100; ++j) {
      Complex<double> g[6];
      cubes.at(0.01 * (i - 49.5), 0.01 * (j - 49.5), 0.01, g);
      for (int c = 0; c < 6; ++c) sum[c] += 1e-4 * g[c].to_std<double>();
    }
  EXPECT_LT(relative_difference(whole, sum), 1e-11);
}

TEST(Interaction, NonLocalWithoutItsWidthIsRefused) {
  EXPECT_THROW(visit_interaction<double>(Interaction::nloc, {}, 1, {1, 1, 1}, [](const auto&) {}), BadInput);
}

}  // namespace
}  // namespace umov::dda
