// Mie theory from x = 1e-300 to |m| = 1e20 against sums in many digits, and what is refused.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "mie/mie.hpp"

namespace umov::mie {
namespace {

struct Exact {
  double x;
  cplx m;
  double core_x;
  cplx core_m;
  double qext, qsca, g, qback;
};

// The sums of Bohren and Huffman 1983 (eqs. 4.53, 4.61, 4.62, 8.2; time dependence exp(-i omega t)) in
// mpmath 1.3 with psi_n and chi_n by upward recurrence from sine and cosine, in 60 digits and as many more as
// the recurrence and the shell's growing waves lose. Zeros stand for numbers below 1e-308.
const Exact exact[] = {
    {1e-300, {1.5, 0}, 0, {1, 0}, 0, 0, 0, 0},
    {1e-300, {1.5, 0.1}, 0, {1, 0}, 1.9925169917421242e-301, 0, 0, 0},
    {1e-100, {0.05, 3.9}, 0, {1, 0}, 2.6805634982642389e-102, 0, -3.920723439038475e-201, 0},
    {1e-12,
     {1e12, 0},
     0,
     {1, 0},
     2.670289970483039e-48,
     2.670289970483039e-48,
     3.6811059478893472e-2,
     3.7105463469365269e-48},
    {1e-9,
     {1.33, 1e-9},
     0,
     {1, 0},
     2.2471582302908327e-18,
     1.109888176907921e-37,
     1.8327783260423999e-19,
     1.6648322653618815e-37},
    {1e-9,
     {1e9, 1000000000},
     0,
     {1, 0},
     2.5690711425098294e-10,
     2.6780641463531971e-36,
     -1.2153618984299038e-2,
     4.114740733280662e-36},
    {9e-9,
     {3, 4},
     0,
     {1, 0},
     4.3128119800332805e-9,
     1.8631347753743758e-32,
     -9.4683711340206276e-18,
     2.7947021630615638e-32},
    {1.1e-8,
     {3, 4},
     0,
     {1, 0},
     5.2712146422629e-9,
     4.1576217415418741e-32,
     -1.4144109965635759e-17,
     6.2364326123128113e-32},
    {9.9e-9,
     {0.001, 1.4142135623730951},
     0,
     {1, 0},
     4.2002137552213728e-5,
     2.881788310174121e-26,
     1.5027790329636916e-22,
     4.3226824652611815e-26},
    {1e-6,
     {1.5, 0},
     0,
     {1, 0},
     2.3068050749713274e-25,
     2.3068050749713274e-25,
     1.9833333333331755e-13,
     3.460207612455357e-25},
    {1e-6,
     {1.5, 1e-10},
     0,
     {1, 0},
     1.9930795870830086e-16,
     2.3068050749713274e-25,
     1.9833333333331755e-13,
     3.460207612455357e-25},
    {0.001,
     {1.5, 1e-6},
     0,
     {1, 0},
     1.9933113823803514e-9,
     2.3068052378137562e-13,
     1.9833331756347376e-7,
     3.4602062227339101e-13},
    {0.001,
     {1000, 1000},
     0,
     {1, 0},
     2.5691310768156963e-4,
     2.6780673326868965e-12,
     -1.2153496606662002e-2,
     4.1147443680529628e-12},
    {1e-5,
     {1.0000001, 0},
     0,
     {1, 0},
     1.1851851470155818e-34,
     1.1851851470155818e-34,
     1.6000000586758134e-11,
     1.7777777204522616e-34},
    {1,
     {1.0000001, 0},
     0,
     {1, 0},
     8.0899398395799689e-15,
     8.0899398395799689e-15,
     1.6693248152411723e-1,
     7.5828491286902132e-15},
    {0.5,
     {1e-6, 0},
     0,
     {1, 0},
     3.1729259217967369e-2,
     3.1729259217967369e-2,
     3.5903360311324761e-2,
     4.3153680294200301e-2},
    {2,
     {1e-8, 0.001},
     0,
     {1, 0},
     1.1925253429290653,
     1.1925253428791916,
     4.5795741352869447e-1,
     4.220435418359133e-1},
    {3,
     {1e+20, 0},
     0,
     {1, 0},
     2.1725173033217629,
     2.1725173033217629,
     3.9118476674552389e-1,
     5.2076542835364155e-1},
    {3,
     {1e9, 0},
     0,
     {1, 0},
     2.1725172984909602,
     2.1725172984909602,
     3.9118476699698855e-1,
     5.2076545427587764e-1},
    {3,
     {1e+20, 1e+20},
     0,
     {1, 0},
     2.1725173033217629,
     2.1725173033217629,
     3.9118476674552389e-1,
     5.2076542835364155e-1},
    {3,
     {1e8, 10},
     0,
     {1, 0},
     2.1725173335728859,
     2.1725172612266842,
     3.9118477655285836e-1,
     5.2076541642935282e-1},
    {10,
     {1000000, 1000000},
     0,
     {1, 0},
     2.0624074833242636,
     2.0624045132164948,
     4.8837566620286506e-1,
     9.2922744925393348e-1},
    {10,
     {0, 10000000},
     0,
     {1, 0},
     2.0624060388226246,
     2.0624060388226246,
     4.8837507169998677e-1,
     9.2923010955607029e-1},
    {0.1,
     {300000000, 29},
     0,
     {1, 0},
     3.3415218484540371e-4,
     3.3413224542947949e-4,
     -3.9731584513283385e-1,
     8.9833659690741868e-4},
    {0.1,
     {300000000, 310},
     0,
     {1, 0},
     3.3415228647764249e-4,
     3.3413224547074506e-4,
     -3.9731584520627902e-1,
     8.9833659709227183e-4},
    {100,
     {200, 3},
     0,
     {1, 0},
     2.0123769302562482,
     1.9859011961756821,
     5.0588313787659926e-1,
     9.79312582969228e-1},
    {50,
     {1000000, 0.5},
     0,
     {1, 0},
     2.0145410144445337,
     2.0145355563192359,
     5.0077077920084384e-1,
     9.959136133639347e-1},
    {300,
     {1.5, 0.001},
     0,
     {1, 0},
     2.0548587733824106,
     1.4290296504607473,
     9.0550811148898302e-1,
     2.5028162358740078e-1},
    {100,
     {20, 0},
     0,
     {1, 0},
     2.0611247051430753,
     2.0611247051430753,
     4.7191436710701862e-1,
     2.1834001839588046e+1},
    {30,
     {1e7, 100000},
     0,
     {1, 0},
     2.0228269354085253,
     2.0228263814244101,
     4.9987999874384891e-1,
     1.01609977701655},
    {1e-300, {1.5, 0}, 5e-301, {2.5, 0.3}, 4.6353873700151757e-302, 0, 0, 0},
    {1e-9,
     {1.5, 0.1},
     7e-10,
     {0.05, 3.9},
     2.2862824721544737e-10,
     1.5805442042737891e-36,
     -3.5755432924579814e-20,
     2.3708163064106837e-36},
    {1e-9,
     {1.5, 0},
     7e-10,
     {1e10, 10000000000},
     1.2600027560115988e-10,
     1.0567062760362019e-36,
     -2.0882394889459587e-1,
     2.2470561462050505e-36},
    {1e-9,
     {1e10, 1000000000},
     7e-10,
     {1.5, 0},
     4.5934928674507672e-10,
     2.954388775739981e-36,
     -2.7777607312405733e-1,
     6.8935587014305009e-36},
    {9e-9,
     {2, 0},
     3e-9,
     {1e9, 0},
     5.2630007258053972e-33,
     5.2630007258053972e-33,
     2.0937354540435421e-1,
     4.5887017244253993e-33},
    {1e-5,
     {1.5, 0},
     7e-6,
     {2, 1},
     5.0863453215268093e-6,
     4.9511082040733642e-21,
     1.6302099485779151e-11,
     7.4266623058223914e-21},
    {3,
     {1e+20, 0},
     1,
     {1.5, 0},
     2.1725173033217629,
     2.1725173033217629,
     3.9118476674552389e-1,
     5.2076542835364155e-1},
    {3,
     {1.5, 0},
     1,
     {1e+20, 0},
     3.1058071160969944,
     3.1058071160969944,
     5.2788696993725106e-1,
     6.7281174379911336e-1},
    {3,
     {100, 100},
     2,
     {2, 0},
     2.198349716987172,
     2.1623946855712089,
     3.9739073176504534e-1,
     5.0742260018555706e-1},
    {3,
     {1.5, 0},
     1e-40,
     {2, 0},
     3.4180561732047166,
     3.4180561732047166,
     7.3433752156367806e-1,
     5.3440035445300774e-1},
    {3,
     {1.5, 0},
     1e-5,
     {2, 0},
     3.4180561732047167,
     3.4180561732047167,
     7.3433752156367803e-1,
     5.3440035445300841e-1},
    {20,
     {1.5, 0.1},
     15,
     {1000000, 4},
     2.283951652675738,
     1.2865680296139467,
     8.6277735099111044e-1,
     6.9676876391148499e-2},
    {5,
     {1, 0},
     3,
     {1.5, 0.2},
     1.0141329521943114,
     5.6871592487835939e-1,
     8.0113657446176166e-1,
     1.4537113958581695e-2},
};

// The conditions of the problem, in roundings of 1.1e-16: |m - 1| and |m^2 + 2| are known to one of them, and
// the phase of a real m x of 1e8 to 1e8; for the rest a hundred, measured.
double allowed(const Exact& s) {
  const cplx eps = s.m * s.m;
  const double contrast =
      s.core_x > 0 ? 1 : std::min({1.0, std::abs(s.m - 1.0), std::abs(eps + 2.0) / std::abs(eps)});
  const double phase =
      s.m.imag() * s.x < 30 ? std::min(1e8, std::abs(s.m) * s.x) / std::max(1.0, std::abs(s.m)) : 1;
  return 1.1e-16 * std::max({200.0, 20 / contrast, 20 * phase});
}

TEST(MieSweep, AgreesWithSumsInManyDigits) {
  for (const auto& s : exact) {
    const Sphere sphere{s.x, s.m, s.core_x, s.core_m};
    const auto e = efficiencies(sphere);
    const double near = allowed(s);
    const auto where = testing::Message() << "x = " << s.x << ", m = " << s.m << ", core " << s.core_x;
    EXPECT_NEAR(e.qext, s.qext, near * s.qext) << where;
    EXPECT_NEAR(e.qsca, s.qsca, near * s.qsca) << where;
    EXPECT_NEAR(e.qback, s.qback, 10 * near * s.qback) << where;
    // g of small spheres is a difference of terms of order 1 that cancel to x^2
    EXPECT_NEAR(e.g, s.g, near) << where;
    EXPECT_NEAR(e.qpr, s.qext - s.g * s.qsca, near * s.qext) << where;
    for (const cplx a : coefficients(sphere).a)
      EXPECT_TRUE(std::isfinite(a.real()) && std::isfinite(a.imag())) << where;
  }
}

TEST(MieSweep, IsFiniteAndPassiveOverEverySizeAndIndex) {
  for (double x = 1e-300; x < 3e3; x *= x < 1e-12 ? 1e17 : 7.3)
    for (double size = 1e-15; size <= 1e50; size *= size < 1e-5 || size > 1e5 ? 3.1e9 : 3.7)
      for (const cplx phase : {cplx(1, 0), cplx(1, 1e-9), cplx(0.7, 0.7), cplx(1e-3, 1), cplx(0, 1)}) {
        const cplx m = size * phase;
        if (std::abs(m) > largest_m || std::abs(m) < smallest_m) continue;
        for (const double core : {0.0, 0.5 * x, 1e-40 * x}) {
          const auto e = efficiencies({x, m, core, {1.5, 0.01}});
          const auto where = testing::Message() << "x = " << x << ", m = " << m << ", core " << core;
          for (const double q : {e.qext, e.qsca, e.qabs, e.g, e.qpr, e.qback})
            ASSERT_TRUE(std::isfinite(q)) << where;
          ASSERT_GE(e.qsca, 0) << where;
          // a coated sphere that absorbs next to nothing: 6 x times a rounding of numbers of order 1
          ASSERT_GE(e.qabs, -1e-11 * e.qext - 1e-14 * x - 1e-320) << where;
          ASSERT_LE(std::abs(e.g), 1) << where;
        }
      }
}

TEST(MieSweep, SmallSphereSeriesMeetsTheSumAtItsLimit) {
  // a_1 grows as x^3 and both sides are right to x^2 = 1e-16: continuity to rounding.
  for (const cplx m :
       {cplx(1.5, 0), cplx(1.33, 0.1), cplx(0.05, 3.9), cplx(1e3, 1e3), cplx(1e8, 1e8), cplx(1e9, 0)})
    for (const double core : {0.0, 0.6}) {
      const double x = small_x, below = x * (1 - 1e-9);
      const auto a = coefficients({below, m, core * below, {2, 0.5}}),
                 b = coefficients({x, m, core * x, {2, 0.5}});
      // over the step of 1e-9 in x the functions of m x move by that much times |m| x
      const double near = 3e-9 * (1 + std::abs(m) * x) * 2;
      EXPECT_LE(std::abs(a.a[0] - b.a[0]), near * std::abs(b.a[0])) << m << core;
      EXPECT_LE(std::abs(a.b[0] - b.b[0]),
                near * std::max(std::abs(b.b[0]), 1e-16 * std::abs(b.a[0])) + 1e-15 * std::abs(b.a[0]))
          << m << core;
    }
}

TEST(MieSweep, AbsorptionOfSmallSpheresHasItsSign) {
  // 12 x Im(m^2) / |m^2 + 2|^2 (Bohren and Huffman 1983, eq. 5.11), to x^2.
  for (const double x : {1e-300, 1e-50, 1e-9})
    for (const cplx m : {cplx(1.5, 1e-12), cplx(1.5, 0.1), cplx(0.05, 3.9)}) {
      const cplx eps = m * m;
      EXPECT_NEAR(efficiencies({x, m}).qabs / (12 * x * eps.imag() / std::norm(eps + 2.0)), 1, 1e-13)
          << x << m;
    }
}

TEST(MieSweep, RefusesWhatHasNoAnswer) {
  const Sphere bad[] = {{1, {1.5, -0.1}},
                        {1, {-1.5, 0.1}},
                        {1, {1 + 1e-12, 0}},
                        {1, {1e51, 0}},
                        {1, {1e-16, 0}},
                        {1, {0, 0}},
                        {0, {1.5, 0}},
                        {2e7, {1.5, 0}},
                        {1, {1.5, INFINITY}},
                        {1, {1.5, 0}, 0.5, {2, -1}},
                        {1, {1.5, 0}, 0.5, {1e60, 0}}};
  for (const auto& s : bad) EXPECT_THROW(efficiencies(s), BadInput) << s.x << s.m;
}

}  // namespace
}  // namespace umov::mie
