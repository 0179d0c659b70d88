// Mie theory to its last digits where differences of near numbers would cost them: g of small spheres,
// absorption of nearly lossless ones, thousands of orders.
#include <gtest/gtest.h>

#include "mie/mie.hpp"

namespace umov::mie {
namespace {

struct Row {
  Sphere sphere;
  double qext, qsca, qabs, g, qback;
};

// The boundary conditions (Bohren and Huffman 1983, eqs. 4.53, 8.2; time dependence exp(-i omega t)) with the
// Bessel functions of half-integer order of mpmath 1.3, 50 digits and 12 more per decade below x = 1. Spheres
// of x >= 1000: downward recurrence of D_n in 50 digits, begun 400 + 20 x^(1/3) orders beyond.
const Row rows[] = {
    {{1e-12, {1.5, 0.0}},
     2.3068050749711648e-49,
     2.3068050749711648e-49,
     0,
     1.9833333333333333e-25,
     3.4602076124567471e-49},
    {{1e-09, {1.5, 0.0}},
     2.3068050749711655e-37,
     2.3068050749711655e-37,
     0,
     1.9833333333333336e-19,
     3.4602076124567483e-37},
    {{9e-09, {1.5, 0.0}},
     1.513494809688581e-33,
     1.513494809688581e-33,
     0,
     1.6064999999999998e-17,
     2.2702422145328714e-33},
    {{1.1e-08, {1.5, 0.0}},
     3.3773933102652817e-33,
     3.3773933102652817e-33,
     0,
     2.399833333333333e-17,
     5.0660899653979222e-33},
    {{1e-07, {1.5, 0.0}},
     2.3068050749711661e-29,
     2.3068050749711661e-29,
     0,
     1.9833333333333316e-15,
     3.4602076124567329e-29},
    {{1e-07, {1.5, 1e-20}},
     2.0161476355248091e-27,
     2.3068050749711661e-29,
     1.9930795847750975e-27,
     1.9833333333333316e-15,
     3.4602076124567329e-29},
    {{1e-05, {1.5, 0.0}},
     2.306805074987449e-21,
     2.306805074987449e-21,
     0,
     1.9833333333175638e-11,
     3.4602076123177748e-21},
    {{1e-05, {1.33, 0.1}},
     2.2478738352029291e-6,
     1.2144250318348325e-21,
     2.2478738352029279e-6,
     1.8291719688764721e-11,
     1.8216375476716118e-21},
    {{0.001, {0.05, 3.9}},
     2.6805739986465563e-5,
     4.0145152546131294e-12,
     2.6805735971950308e-5,
     -3.9207129417888001e-7,
     6.0217772170280611e-12},
    {{1e-06, {1.0001, 0.0}},
     1.1851456740739095e-32,
     1.1851456740739095e-32,
     0,
     1.600058670240104e-13,
     1.7777185111101532e-32},
    {{1e-09, {2.0, 0.5}},
     6.4755480607082635e-10,
     8.3192804946599234e-37,
     6.4755480607082635e-10,
     2.4582508250825086e-19,
     1.2478920741989885e-36},
    {{1e-09, {0.05, 3.9}},
     2.680563498264239e-11,
     4.01450897951184e-36,
     2.680563498264239e-11,
     -3.9207234390384754e-19,
     6.02176346926776e-36},
    {{0.0001, {1000.0, 1000.0}},
     2.672656509970968e-7,
     2.6666678838451088e-16,
     2.6726565073043001e-7,
     -1.268668901880213e-6,
     4.0000119724568327e-16},
    {{1, {1.5, 1e-15}},
     0.21509759604288805,
     0.21509759604288515,
     2.9012629808709309e-15,
     0.19894249463608731,
     0.18658631030033523},
    {{50, {1.33, 1e-06}},
     1.9799046900312453,
     1.9797204648003034,
     0.00018422523094192426,
     0.85074176664065842,
     0.40812521809592011},
    {{1e-09, {1.5, 0.0}, 5e-10, {2.0, 0.0}},
     2.7741779280853456e-37,
     2.7741779280853456e-37,
     0,
     1.8765348011784473e-19,
     4.1612668921280184e-37},
    {{1e-09, {1.5, 0.0}, 7e-10, {2.0, 1.0}},
     5.0863453209982913e-10,
     4.9511082038576341e-37,
     5.0863453209982913e-10,
     1.6302099486172316e-19,
     7.4266623057864512e-37},
    {{1e-05, {1.5, 0.0}, 7e-06, {2.0, 1.0}},
     5.0863453215268093e-6,
     4.9511082040733642e-21,
     5.0863453215268044e-6,
     1.6302099485779151e-11,
     7.4266623058223914e-21},
    {{0.0001, {1.33, 0.0}, 5e-05, {1.6, 0.0}},
     1.3150421663834417e-17,
     1.3150421663834417e-17,
     0,
     1.731894928911196e-9,
     1.972563241320705e-17},
    {{0.001, {2.0, 0.0}, 0.0005, {0.05, 3.9}},
     2.5293389265428917e-5,
     1.4984666982628722e-12,
     2.5293387766962219e-5,
     1.4650166153665401e-7,
     2.2476992695625955e-12},
    {{0.01, {1.5, 0.1}, 0.009, {1.33, 0.0}},
     0.00058172817149607537,
     1.4088335073327536e-9,
     0.00058172676266256804,
     2.0080065253503022e-5,
     2.1131483556100267e-9},
    {{1e-07, {1.0, 0.0}, 5e-08, {1.5, 0.0}},
     3.6043829296424452e-31,
     3.6043829296424452e-31,
     0,
     4.9583333333333319e-16,
     5.4065743944636614e-31},
    {{1000, {1.5, 0.0}}, 2.0139446471491822, 2.0139446471491822, 0, 0.8278819606002375, 10.303087152619669},
    {{1000, {1.33, 1e-05}},
     2.0168754326854496,
     1.9833333402940473,
     0.033542092391402317,
     0.88577236845690602,
     0.54425742276244048},
    {{10000.0, {0.2, 3.4}},
     2.0048939700541599,
     1.9412430613743514,
     0.063650908679808434,
     0.51727207739813177,
     0.93846154253400426},
    {{100000.0, {1.33, 0.0001}},
     2.0009246397489189,
     1.0667635587354988,
     0.9341610810134201,
     0.97178665050039128,
     0.02005931400516375},
};

double relative(double found, double exact) {
  return exact == 0 ? std::abs(found) : std::abs(found / exact - 1);
}

TEST(MieDigits, EveryNumberOfEverySphereHasThem) {
  for (const Row& row : rows) {
    const auto e = efficiencies(row.sphere);
    const auto& s = row.sphere;
    const auto where = testing::Message() << "x = " << s.x << ", m = " << s.m << ", core " << s.core_x;
    // Three hundred roundings (g of a metal sphere is a sum that cancels to a per cent); times the phase x of
    // the farthest ray where it is the phase that is rounded, and 1/|m - 1| where the contrast is.
    const double near = 1.1e-16 * std::max({300.0, s.x, s.core_x > 0 ? 1 : 20 / std::abs(s.m - 1.0)});
    EXPECT_LE(relative(e.qext, row.qext), near) << where;
    EXPECT_LE(relative(e.qsca, row.qsca), near) << where;
    EXPECT_LE(relative(e.qabs, row.qabs), near) << where;
    EXPECT_LE(relative(e.g, row.g), near) << where;
    // backwards x terms of alternating signs cancel
    EXPECT_LE(relative(e.qback, row.qback), near * std::max(1.0, 10 * s.x)) << where;
  }
}

TEST(MieDigits, AbsorptionIsNeverNegative) {
  for (const double x : {1e-9, 1e-7, 1e-3, 1.0, 30.0})
    for (const double absorbing : {0.0, 1e-30, 1e-18, 1e-10})
      for (const double core : {0.0, 0.3, 0.99}) {
        EXPECT_GE(efficiencies({x, {1.5, absorbing}, core * x, {1.2, 0}}).qabs, 0) << x << " " << core;
        EXPECT_GE(efficiencies({x, {1.5, 0}, core * x, {1.2, absorbing}}).qabs, 0) << x << " " << core;
      }
}

TEST(MieDigits, AsymmetryOfSmallSpheresFallsAsTheSquareOfTheSize) {
  for (const cplx m : {cplx(1.5, 0), cplx(1.33, 0.1), cplx(0.05, 3.9)})
    for (const double core : {0.0, 0.5}) {
      const auto per_square = [&](double x) {
        return efficiencies({x, m, core * x, {1.2, 0.3}}).g / (x * x);
      };
      // the next term is x^2 smaller
      for (const double x : {1e-100, 1e-12, 0.9e-8, 1.1e-8, 1e-7, 1e-5})
        EXPECT_NEAR(per_square(x) / per_square(1e-6), 1, 1e-8) << x << m;
    }
}

}  // namespace
}  // namespace umov::mie
