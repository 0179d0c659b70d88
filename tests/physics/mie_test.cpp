// Mie theory against published values, limits that have closed forms, and conservation laws.
#include "mie/mie.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/error.hpp"

namespace umov::mie {
namespace {

struct Published {
  double x;
  cplx m;
  double qext, qsca, g;
};

// Wiscombe 1979, "Mie scattering calculations", NCAR/TN-140+STR, MIEV0 test cases: six decimals printed.
const Published wiscombe[] = {
    {0.099, {0.75, 0}, 0.000007, 0.000007, 0.001448},  {0.101, {0.75, 0}, 0.000008, 0.000008, 0.001507},
    {10, {0.75, 0}, 2.232265, 2.232265, 0.896473},     {1000, {0.75, 0}, 1.997908, 1.997908, 0.844944},
    {10, {1.5, 0}, 2.881999, 2.881999, 0.742913},      {100, {1.5, 0}, 2.094388, 2.094388, 0.818246},
    {1000, {1.5, 0}, 2.013945, 2.013945, 0.827882},    {1, {1.33, 1e-5}, 0.093952, 0.093923, 0.184517},
    {100, {1.33, 1e-5}, 2.101321, 2.096594, 0.868959}, {10000, {1.33, 1e-5}, 2.004089, 1.723857, 0.907840},
    {0.055, {1.5, 1}, 0.101491, 0.000011, 0.000491},   {0.056, {1.5, 1}, 0.103347, 0.000012, 0.000509},
    {1, {1.5, 1}, 2.336321, 0.663454, 0.192136},       {100, {1.5, 1}, 2.097502, 1.283697, 0.850252},
    {10000, {1.5, 1}, 2.004368, 1.236574, 0.846310},   {1, {10, 10}, 2.532993, 2.049405, -0.110664},
    {100, {10, 10}, 2.071124, 1.836785, 0.556215},     {10000, {10, 10}, 2.005914, 1.795393, 0.548194},
};

TEST(Mie, EfficienciesAgreeWithWiscombesTable) {
  for (const auto& p : wiscombe) {
    const auto e = efficiencies({p.x, p.m});
    EXPECT_NEAR(e.qext, p.qext, 6e-7) << "x = " << p.x << ", m = " << p.m;
    EXPECT_NEAR(e.qsca, p.qsca, 6e-7) << "x = " << p.x << ", m = " << p.m;
    EXPECT_NEAR(e.g, p.g, 6e-7) << "x = " << p.x << ", m = " << p.m;
  }
}

TEST(Mie, BohrenHuffmanSampleSphere) {
  // Bohren and Huffman 1983, appendix A: a = 0.525 um, lambda = 0.6328 um, m = 1.55; six digits printed.
  const Sphere s{2 * pi * 0.525 / 0.6328, {1.55, 0}};
  const auto c = coefficients(s);
  const auto e = efficiencies(s);
  EXPECT_NEAR(e.qsca, 3.10543, 6e-6);
  EXPECT_NEAR(e.qext, 3.10543, 6e-6);
  EXPECT_NEAR(e.qback, 2.92534, 6e-6);
  const double forward = mueller(amplitudes(c, 1))[0];
  const auto nine = mueller(amplitudes(c, std::cos(9 * pi / 180)));
  EXPECT_NEAR(nine[0] / forward, 0.785390, 1e-6);
  EXPECT_NEAR(-nine[1] / nine[0], -0.00459811, 1e-8);
  EXPECT_NEAR(nine[10] / nine[0], 0.999400, 1e-6);
  EXPECT_NEAR(nine[11] / nine[0], 0.0343261, 1e-7);
}

TEST(Mie, SmallStrongScatterersOfTheDipoleLiterature) {
  EXPECT_NEAR(efficiencies({1, {2, 0}}).qsca, 0.796830, 6e-7);
  EXPECT_NEAR(efficiencies({2, {2, 0}}).qsca, 4.770440, 6e-7);
  const auto silver = efficiencies({1, {0.05, 3.8898}});
  EXPECT_NEAR(silver.qsca, 3.951756, 6e-7);
  EXPECT_NEAR(silver.qext, 4.002992, 6e-7);
}

TEST(Mie, VoxelisedSpheresOfFifteenDipolesPerWavelength) {
  // Spheres of n dipoles across, m = 1.5: x = 2 pi / 15 (3 N / 4 pi)^(1/3) with N the dipoles inside.
  const std::pair<int, double> cases[] = {{16, 3.807450}, {32, 2.287951}, {48, 2.828138}, {64, 1.926511}};
  for (const auto& [n, qext] : cases) {
    long count = 0;
    const double c = 0.5 * (n - 1), r2 = 0.25 * n * n;
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) count += (i - c) * (i - c) + (j - c) * (j - c) + (k - c) * (k - c) <= r2;
    const double x = 2 * pi / 15 * std::cbrt(3.0 * count / (4 * pi));
    EXPECT_NEAR(efficiencies({x, {1.5, 0}}).qext, qext, 6e-7) << "n = " << n << ", N = " << count;
  }
}

TEST(MieCoated, BohrenHuffmanSampleCoatedSphere) {
  // Bohren and Huffman 1983, appendix B: core 0.171 um, shell 6.265 um, lambda = 3 um; six digits printed.
  const double k = 2 * pi / 3;
  const auto e = efficiencies({k * 6.265, {1.409, 0.1747}, k * 0.171, {1.59, 0.66}});
  EXPECT_NEAR(e.qsca, 1.14341, 6e-6);
  EXPECT_NEAR(e.qext, 2.32803, 6e-6);
  EXPECT_NEAR(e.qback, 0.0285099, 6e-8);
}

void expect_same(const Coefficients& a, const Coefficients& b, double tolerance) {
  ASSERT_EQ(a.a.size(), b.a.size());
  for (std::size_t i = 0; i < a.a.size(); ++i) {
    EXPECT_LE(std::abs(a.a[i] - b.a[i]), tolerance) << "a_" << i + 1;
    EXPECT_LE(std::abs(a.b[i] - b.b[i]), tolerance) << "b_" << i + 1;
  }
}

TEST(MieCoated, CoreOfTheShellsMaterialIsTheHomogeneousSphere) {
  // |a_n| <= 1, and the recurrences run over 700 orders: 1e-12 is a few thousand roundings.
  for (const cplx m : {cplx(1.33, 0), cplx(1.5, 0.02), cplx(3, 4), cplx(0.05, 3.9)})
    for (const double x : {0.1, 1.0, 10.0, pi / 1.33 * 40, 600.0})
      expect_same(coefficients({x, m, 0.6 * x, m}), coefficients({x, m}), 1e-12);
}

TEST(MieCoated, VanishingCoreAndVanishingShellAreHomogeneous) {
  // A core of x = 5e-4 has |a_1| = 2/3 x^3 of order 1e-10 by itself; the shell's relative thickness is 1e-12.
  const cplx m(1.5, 0.01), other(2.5, 0.3);
  expect_same(coefficients({5, m, 5e-4, other}), coefficients({5, m}), 1e-9);
  expect_same(coefficients({5, other, 5 * (1 - 1e-12), m}), coefficients({5, m}), 1e-10);
  expect_same(coefficients({5, m, 0, other}), coefficients({5, m}), 0);
}

TEST(MieCoated, ThickAbsorbingShellHidesItsCore) {
  // exp(-2 Im m (x2 - x1)) = exp(-1500): products of psi and chi of these arguments overflow.
  const Sphere s{1000, {1.5, 1}, 250, {1.2, 0}};
  expect_same(coefficients(s), coefficients({1000, {1.5, 1}}), 1e-12);
}

TEST(MieCoated, ShellOfTheMediumLeavesTheCore) {
  const auto shell = efficiencies({8, {1, 0}, 5, {1.6, 0.1}});
  const auto core = efficiencies({5, {1.6, 0.1}});
  EXPECT_NEAR(shell.qext * 64, core.qext * 25, 1e-11);
  EXPECT_NEAR(shell.g, core.g, 1e-12);
}

TEST(Mie, RayleighLimit) {
  // Bohren and Huffman, eqs. 5.7-5.8; the neglected terms are O(x^2) relative.
  const double x = 1e-3;
  for (const cplx m : {cplx(1.5, 0), cplx(1.33, 0.1), cplx(0.2, 3)}) {
    const cplx factor = (m * m - 1.0) / (m * m + 2.0);
    const auto e = efficiencies({x, m});
    EXPECT_NEAR(e.qsca / (8.0 / 3 * std::pow(x, 4) * std::norm(factor)), 1, 1e-4);
    if (m.imag() > 0) {
      EXPECT_NEAR(e.qabs / (4 * x * factor.imag()), 1, 1e-4);
    }
    EXPECT_NEAR(e.g, 0, 1e-5);
  }
}

TEST(Mie, LosslessSpheresAbsorbNothing) {
  // Compared before `efficiencies(Sphere)` sets Qabs to zero. pi: a zero of sin x, where psi_0 vanishes.
  for (const double x : {0.01, 1.0, pi, 37.3, 1e3, 1e4}) {
    const Sphere s{x, {1.5, 0}}, coated{x, {1.33, 0}, 0.7 * x, {1.9, 0}};
    for (const auto& sphere : {s, coated}) {
      const auto e = efficiencies(x, coefficients(sphere));
      EXPECT_NEAR(e.qabs / e.qext, 0, 1e-11) << "x = " << x;
    }
  }
}

TEST(Mie, OpticalTheorem) {
  // Bohren and Huffman, eq. 4.76: Qext = 4/x^2 Re S(0).
  for (const Sphere& s : {Sphere{3, {1.33, 0}}, Sphere{55, {2, 0.5}}, Sphere{20, {1.4, 0}, 12, {0.1, 4}}}) {
    const auto forward = amplitudes(coefficients(s), 1);
    EXPECT_NEAR(4 / (s.x * s.x) * forward.s1.real(), efficiencies(s).qext, 1e-12);
    EXPECT_LE(std::abs(forward.s1 - forward.s2), 1e-12 * std::abs(forward.s1));
  }
}

TEST(Mie, AmplitudesIntegrateToScatteringAndAsymmetry) {
  // Simpson's rule over theta; the integrand is a trigonometric polynomial of degree 2 * 34.
  const Sphere s{10, {1.5, 0.1}};
  const auto c = coefficients(s);
  const int intervals = 4000;
  double sca = 0, asym = 0;
  for (int i = 0; i <= intervals; ++i) {
    const double theta = pi * i / intervals, w = (i == 0 || i == intervals) ? 1 : (i % 2 ? 4 : 2);
    const double s11 = mueller(amplitudes(c, std::cos(theta)))[0];
    sca += w * s11 * std::sin(theta);
    asym += w * s11 * std::sin(theta) * std::cos(theta);
  }
  const double h = pi / intervals / 3, scale = 2 / (s.x * s.x);
  const auto e = efficiencies(s);
  EXPECT_NEAR(scale * h * sca, e.qsca, 1e-8);
  EXPECT_NEAR(scale * h * asym / e.qsca, e.g, 1e-8);
}

TEST(Mie, MuellerMatrixOfASphereIsPure) {
  const auto m = mueller(amplitudes(coefficients({7, {1.7, 0.2}}), 0.3));
  EXPECT_NEAR(m[0] * m[0], m[1] * m[1] + m[10] * m[10] + m[11] * m[11], 1e-12 * m[0] * m[0]);
}

TEST(Mie, LargeSpheresApproachTheExtinctionParadox) {
  // Van de Hulst: Qext -> 2 with edge corrections 1.99 x^(-2/3).
  const double x = 1e5;
  EXPECT_NEAR(efficiencies({x, {1.5, 0.1}}).qext, 2 + 1.9924 * std::pow(x, -2.0 / 3), 2e-5);
}

TEST(MieInternalField, RayleighSphereHasTheElectrostaticField) {
  const cplx m(1.5, 0.2);
  const InternalField field({1e-3, m});
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{3e-4, 2e-4, -5e-4}}) {
    const auto e = field.at(p);
    EXPECT_LE(std::abs(e[0] - 3.0 / (m * m + 2.0)), 2e-3);
    EXPECT_LE(std::abs(e[1]) + std::abs(e[2]), 2e-3);
  }
}

TEST(MieInternalField, DissipationEqualsAbsorption) {
  // Cabs = k Im(eps) integral |E|^2 dV. Midpoints on a 60^3 grid: the staircase surface leaves about 1 %.
  const Sphere s{3, {1.5, 0.3}};
  const InternalField field(s);
  const int n = 60;
  const double h = 2 * s.x / n;
  double sum = 0, volume = 0;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const Vec3 p{(i + 0.5) * h - s.x, (j + 0.5) * h - s.x, (k + 0.5) * h - s.x};
        if (norm(p) > s.x) continue;
        const auto e = field.at(p);
        sum += std::norm(e[0]) + std::norm(e[1]) + std::norm(e[2]);
        volume += h * h * h;
      }
  const double exact = 4 * pi / 3 * std::pow(s.x, 3);
  const double qabs = (s.m * s.m).imag() * sum * h * h * h * (exact / volume) / (pi * s.x * s.x);
  EXPECT_NEAR(qabs / efficiencies(s).qabs, 1, 0.01);
}

TEST(MieInternalField, TangentialFieldIsContinuousForwardAtIndexNearOne) {
  // m -> 1: the internal field is the incident wave exp(i z); what remains is O(|m - 1| x).
  const InternalField field({4, {1 + 1e-7, 0}});
  for (const Vec3& p : {Vec3{0.3, 0.8, 2.1}, Vec3{-2, 1, -1.5}, Vec3{0, 0, 3.9}}) {
    const auto e = field.at(p);
    EXPECT_LE(std::abs(e[0] - std::polar(1.0, p[2])), 1e-5);
    EXPECT_LE(std::abs(e[1]) + std::abs(e[2]), 1e-5);
  }
}

TEST(MieInput, WhatHasNoAnswerIsRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const Sphere bad[] = {{nan, {1.5, 0}},
                        {-1, {1.5, 0}},
                        {0, {1.5, 0}},
                        {inf, {1.5, 0}},
                        {1, {nan, 0}},
                        {1, {1.5, -1}},
                        {1, {1, 0}},
                        {1, {-1.5, 0}},
                        {1, {0, 0}},
                        {1e9, {2, 0}},
                        {1, {1.5, 0}, 2, {2, 0}},
                        {1, {1.5, 0}, -1, {2, 0}},
                        {1, {1, 0}, 0.5, {1, 0}}};
  for (const auto& s : bad) EXPECT_THROW(coefficients(s), BadInput) << "x = " << s.x << ", m = " << s.m;
}

}  // namespace
}  // namespace umov::mie
