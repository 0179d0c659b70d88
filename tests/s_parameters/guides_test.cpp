// S-parameters of guides whose answers are known: straight ones, a slab in one, a step of width, an open one.
#include "s_parameters/guides.hpp"

#include "support/record.hpp"

namespace umov {
namespace {

using test::Plates;
using test::Scattering;

// Runs end where the transforms change by less than 3e-5 from one passage of the domain to the next: three of
// these are the bound. The mode source and the absorbing layers are no part of out = S in.
constexpr const char* end = "[stop]\nfourier = 3e-5\n";
constexpr double left = 1e-4;

std::string wanted(const std::string& more = "modes = 1\n", const char* frequencies = "0.62, 0.65, 0.7") {
  return fmt::format("[s_parameters]\nfrequencies = [{}]\n{}", frequencies, more);
}

class SParameters : public testing::Test {
 protected:
  test::TemporaryFolder folder;
};

TEST_F(SParameters, OfAStraightGuideAreTheGridsOwnPhase) {
  const Plates p;
  const double at = 1.5;
  const Scattering s = test::scattering_of(folder, p.domain() + p.ports(at) + wanted() + end);
  ASSERT_EQ(s.s.size(), 3u * 4);
  for (std::size_t f = 0; f < 3; ++f) {
    const double beta = p.beta(s.frequency[f]);
    EXPECT_NEAR(s.index[f], beta / (2 * pi * s.frequency[f]), 1e-9);
    const cplx through = std::polar(1.0, beta * 2 * at);
    test::record("S21 off by %.1e, S11 %.1e", std::abs(s.at(f, 1, 0) - through), std::abs(s.at(f, 0, 0)));
    EXPECT_LT(std::abs(s.at(f, 1, 0) - through), left);
    EXPECT_LT(std::abs(s.at(f, 0, 1) - through), left);
    EXPECT_LT(std::abs(s.at(f, 0, 0)), left);
    EXPECT_LT(std::abs(s.at(f, 1, 1)), left);
  }
}

TEST_F(SParameters, ReferToPlanesThatMayLieElsewhere) {
  const Plates p;
  const Scattering s = test::scattering_of(
      folder,
      p.domain() + p.ports(1.5) + wanted("ports = [\"a\", \"b\"]\nreference = [-1.5, 0.5]\n", "0.65") + end);
  ASSERT_EQ(s.s.size(), 4u);
  // from the middle to 0.5 beyond b
  EXPECT_LT(std::abs(s.at(0, 1, 0) - std::polar(1.0, p.beta(0.65) * 2)), left);
}

/// Reflection and transmission of nodes with permittivities eps between planes at nodes first and last, by
/// the difference equation (E_{i+1} - 2 E_i + E_{i-1}) / dx^2 = (across - eps_i time_term) E_i, from the
/// right.
struct Discrete {
  cplx reflection, transmission;
};
Discrete discrete(const Plates& p, double f, const std::vector<double>& eps) {
  const cplx turn = std::polar(1.0, p.beta(f) * p.dx());
  cplx here = 1, beyond = turn;  // beyond the last node a wave goes on
  for (std::size_t i = eps.size(); i-- > 1;) {
    const cplx before =
        2.0 * here - beyond + p.dx() * p.dx() * (p.across(1) - eps[i] * p.time_term(f)) * here;
    beyond = here, here = before;
  }
  // here is E at the first node, beyond at the second: u + v and u turn + v / turn
  const cplx u = (beyond - here / turn) / (turn - 1.0 / turn), v = here - u;
  return {v / u, 1.0 / u};
}

TEST_F(SParameters, OfASlabInAGuideAreThoseOfTheDifferenceEquation) {
  const Plates p;
  // Faces half way between nodes: no node has a mean of both media.
  const std::string slab =
      "[[material]]\nname = \"slab\"\neps = 4\n[[body]]\nshape = \"box\"\nmaterial = \"slab\"\n"
      "center = [0.125, 0]\nsize = [0.8, 0]\n";
  const std::string text = p.domain() + slab + p.ports(1.5) + wanted() + end;
  const Scattering s = test::scattering_of(folder, text);
  ASSERT_EQ(s.s.size(), 3u * 4);
  std::vector<double> eps;
  for (int i = -30; i <= 30; ++i) {
    const double x = i * p.dx();
    eps.push_back(x > 0.125 - 0.4 && x < 0.125 + 0.4 ? 4 : 1);
  }
  const std::vector<double> turned(eps.rbegin(), eps.rend());
  for (std::size_t f = 0; f < 3; ++f) {
    const Discrete from_a = discrete(p, s.frequency[f], eps), from_b = discrete(p, s.frequency[f], turned);
    EXPECT_GT(std::abs(from_a.reflection), 0.1);
    test::record("S11 off by %.1e, S21 by %.1e", std::abs(s.at(f, 0, 0) - from_a.reflection),
                 std::abs(s.at(f, 1, 0) - from_a.transmission));
    EXPECT_LT(std::abs(s.at(f, 0, 0) - from_a.reflection), left);
    EXPECT_LT(std::abs(s.at(f, 1, 0) - from_a.transmission), left);
    EXPECT_LT(std::abs(s.at(f, 1, 1) - from_b.reflection), left);
    EXPECT_LT(std::abs(s.at(f, 0, 1) - from_b.transmission), left);
  }
  EXPECT_LT(test::unitarity(s), left);
}

/// A narrow guide, of height 1, that opens into one of height 2 with two modes, at one side.
std::string step(const std::string& more) {
  Plates p;
  p.height = 2;
  const std::string metal =
      "[[material]]\nname = \"metal\"\nperfect_conductor = true\n[[body]]\nshape = \"box\"\nmaterial = "
      "\"metal\"\ncenter = [-2.5, 0.5]\nsize = [5, 1]\n";
  return p.domain() + metal + Plates::port("narrow", "-x", -1.5, -0.25, 1.5) +
         Plates::port("wide", "+x", 1.5, 0, 2) +
         wanted("ports = [\"narrow\", \"wide\"]\nmodes = [1, 2]\n" + more, "0.6, 0.63, 0.66") +
         "[stop]\nfourier = 1e-5\n";
}

TEST_F(SParameters, OfAStepOfWidthAreUnitaryAndSymmetric) {
  const Scattering s = test::scattering_of(folder, step(""));
  ASSERT_EQ(s.s.size(), 3u * 9);
  test::record("unitarity %.1e, reciprocity %.1e", test::unitarity(s), test::asymmetry(s));
  EXPECT_GT(std::abs(s.at(1, 1, 0)), 0.3);  // both modes of the wide guide take part
  EXPECT_GT(std::abs(s.at(1, 2, 0)), 0.3);
  EXPECT_LT(test::unitarity(s), 10 * left);
  EXPECT_LT(test::asymmetry(s), left);
}

TEST_F(SParameters, OfChosenColumnsAreThoseOfAllAndMakeNoTouchstone) {
  const Scattering all = test::scattering_of(folder, step(""));
  EXPECT_TRUE(test::fs::exists(folder / "out/s_parameters.s3p"));
  const Scattering some = test::scattering_of(folder, step("excite = [\"narrow\", \"wide:2\"]\n"));
  ASSERT_EQ(some.s.size(), 3u * 3 * 2);
  // What absorbing layers send back is solved for only with all columns: they leave less than 1e-2 of an
  // amplitude so near to cutoff.
  for (std::size_t f = 0; f < 3; ++f)
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_LT(std::abs(some.at(f, i, 0) - all.at(f, i, 0)), 1e-2);
      EXPECT_LT(std::abs(some.at(f, i, 1) - all.at(f, i, 2)), 1e-2);
    }
  EXPECT_FALSE(test::fs::exists(folder / "out/s_parameters.s3p"));
  EXPECT_FALSE(test::fs::exists(folder / "out/s_parameters.s2p"));
  EXPECT_NE(test::text_of(folder / "out/log").find("no Touchstone file"), std::string::npos);
}

TEST_F(SParameters, OfAnOpenGuideHaveTheSignsOfTheirModes) {
  // A slab of index 2 in vacuum, two modes, even and odd: both go through with exp(i beta L).
  const std::string text =
      "[domain]\nsize = [6, 5]\nresolution = 16\n[machine]\nprecision = \"double\"\nbackend = \"cpu\"\n"
      "[[material]]\nname = \"core\"\nindex = 2\n[[body]]\nshape = \"box\"\nmaterial = \"core\"\nsize = [0, "
      "0.5]\n" +
      Plates::port("west", "-x", -1, 0, 3.5) + Plates::port("east", "+x", 1.5, 0, 3.5) +
      "[s_parameters]\nwavelengths = [1, 1.05]\nmodes = 2\n[stop]\nfourier = 1e-6\n";
  const Scattering s = test::scattering_of(folder, text);
  ASSERT_EQ(s.s.size(), 2u * 16);
  for (std::size_t f = 0; f < 2; ++f)
    for (std::size_t mode = 0; mode < 2; ++mode) {
      const double beta = 2 * pi * s.frequency[f] * s.index[mode * 2 + f];
      const cplx through = std::polar(1.0, beta * 2.5);
      test::record("mode %d: off by %.1e, back %.1e", int(mode) + 1,
                   std::abs(s.at(f, 2 + mode, mode) - through), std::abs(s.at(f, mode, mode)));
      // The plane's rim is a conductor, at which the second mode has 1e-3 of its field: 1e-6 of its power.
      EXPECT_LT(std::abs(s.at(f, 2 + mode, mode) - through), left);
      EXPECT_LT(std::abs(s.at(f, mode, mode)), left);
      EXPECT_LT(std::abs(s.at(f, 3 - mode, mode)), left);
    }
}

}  // namespace
}  // namespace umov
