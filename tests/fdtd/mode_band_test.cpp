// Modes at many frequencies against those solved one by one.
#include "fdtd/sources/mode_band.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/source_problems.hpp"
#include "support/waveguides.hpp"

namespace umov::fdtd {
namespace {

using support::empty_problem;
using support::paint_eps;
using support::slab_eps;

/// A slab along x in the plane, of 120 cells across.
Problem slab(Mode mode) {
  support::Setting s;
  s.mode = mode;
  s.dx = 0.05;
  s.layers = 0;
  s.cells[0] = 14, s.cells[1] = 120;
  auto p = empty_problem(s);
  paint_eps(p, slab_eps(1, 4, s.dx));
  return p;
}

ModePlane across(const Problem& p, double x) { return mode_plane(p.grid, {x, 0, 0}, {0, 6, 0}, "test"); }

/// Without an order or a spacing.
std::vector<double> uneven(int count) {
  std::vector<double> list;
  for (int i = 0; i < count; ++i) list.push_back(0.52 + 0.16 * std::fmod(0.618034 * i, 1.0));
  return list;
}

double apart(const ModeProfile& a, const ModeProfile& b) {
  double most = 0, largest = 0;
  for (const auto side : {&ModeProfile::electric, &ModeProfile::magnetic})
    for (std::size_t q = 0; q < (a.*side).size(); ++q) {
      EXPECT_EQ((a.*side)[q].cells, (b.*side)[q].cells);
      for (std::size_t i = 0; i < (a.*side)[q].values.size(); ++i) {
        most = std::max(most, std::abs((a.*side)[q].values[i] - (b.*side)[q].values[i]));
        largest = std::max(largest, std::abs((b.*side)[q].values[i]));
      }
    }
  return most / largest;
}

// The polynomial is taken where it meets a solved mode to 1e-8 of the largest value; elsewhere it is off by
// as much, and propagation constants, which are stationary in the mode, by less.
TEST(FdtdModeBand, InterpolatedModesAreTheSolvedOnes) {
  for (const Mode mode : {Mode::tm, Mode::te})
    for (const int number : {1, 2}) {
      const Problem p = slab(mode);
      const auto frequencies = uneven(61);
      int solved = 0;
      ModeWork work{2, [&](int done, int) { solved = done; }};
      const auto band = solve_modes(p, across(p, 0), frequencies, number, "test", work);
      ASSERT_EQ(band.size(), frequencies.size());
      EXPECT_LT(solved, 31) << "half of them";
      for (std::size_t i = 0; i < frequencies.size(); i += 3) {
        const auto one = solve_mode(p, across(p, 0), frequencies[i], number, {}, "test");
        EXPECT_EQ(band[i].frequency, frequencies[i]);
        EXPECT_NEAR(band[i].n_eff, one.n_eff, 1e-9);
        EXPECT_LT(apart(band[i], one), 3e-8) << frequencies[i];
      }
    }
}

TEST(FdtdModeBand, FewFrequenciesAreSolvedEach) {
  const Problem p = slab(Mode::tm);
  const auto frequencies = uneven(7);
  const auto band = solve_modes(p, across(p, 0), frequencies, 1, "test", {2, {}});
  for (std::size_t i = 0; i < frequencies.size(); ++i)
    EXPECT_EQ(apart(band[i], solve_mode(p, across(p, 0), frequencies[i], 1, {}, "test")), 0);
}

/// Two slabs whose modes have one index at about 0.33: the odd mode of the pair is more in the wider one
/// below, in the narrower one above.
Problem unequal_pair() {
  Problem p = slab(Mode::tm);
  paint_eps(p, [](const Vec3& r) {
    if (r[1] > -1 && r[1] < -0.6) return 9.0;
    return r[1] > -0.2 && r[1] < 1 ? 6.0 : 1.0;
  });
  return p;
}

/// E in the middle of the narrower slab.
double in_narrower(const Problem& p, const ModeProfile& m) {
  const int node = int(std::lround((-0.8 - p.grid.origin[1]) / p.grid.dx));
  return m.electric[0].values[std::size_t(node - 1)];  // the plane's first node is a conductor
}

// Which of two lobes is the larger one changes within the band, and the sign must not.
TEST(FdtdModeBand, TheSignIsOneOverTheBand) {
  const Problem p = unequal_pair();
  for (const int count : {9, 41}) {
    std::vector<double> frequencies;
    for (int i = 0; i < count; ++i) frequencies.push_back(0.42 - 0.14 * i / (count - 1));
    const auto single = [&](double f) {
      return in_narrower(p, solve_mode(p, across(p, 0), f, 2, {}, "test"));
    };
    EXPECT_LT(single(0.28) * single(0.42), 0) << "the lobes change places";
    const auto band = solve_modes(p, across(p, 0), frequencies, 2, "test", {2, {}});
    for (const ModeProfile& m : band) EXPECT_GT(in_narrower(p, m) * single(0.28), 0) << m.frequency;
  }
}

TEST(FdtdModeBand, PlanesWithTheSameCrossSectionAreSolvedOnce) {
  Problem p = slab(Mode::te);
  int solved = 0;
  SolvedModes modes({1, [&](int, int) { ++solved; }});
  const auto frequencies = uneven(5);
  const auto first = modes.get(p, across(p, -0.2), frequencies, 1, "first");
  EXPECT_EQ(solved, 5);
  const auto second = modes.get(p, across(p, 0.2), frequencies, 1, "second");
  EXPECT_EQ(solved, 5);
  EXPECT_EQ(apart(second[3], solve_mode(p, across(p, 0.2), frequencies[3], 1, {}, "test")), 0);
  modes.get(p, across(p, 0.2), frequencies, 2, "another mode");
  EXPECT_EQ(solved, 10);
  modes.get(p, across(p, 0.2), uneven(4), 1, "other frequencies");
  EXPECT_EQ(solved, 14);
  // So are those of other problems of the process, as of the runs for a matrix of S-parameters.
  const auto third = SolvedModes({1, [&](int, int) { ++solved; }})
                         .get(slab(Mode::te), across(p, 0), frequencies, 1, "third");
  EXPECT_EQ(solved, 14);
  EXPECT_EQ(apart(third[3], solve_mode(p, across(p, 0), frequencies[3], 1, {}, "test")), 0);
  Problem coarser = p;
  coarser.grid.dx *= 1.25, coarser.grid.dt *= 1.25;
  SolvedModes({1, [&](int, int) { ++solved; }}).get(coarser, across(p, 0.2), frequencies, 1, "coarser");
  EXPECT_EQ(solved, 19);
  paint_eps(p, slab_eps(1, 5, p.grid.dx));
  modes.get(p, across(p, 0.2), frequencies, 1, "another slab");
  EXPECT_EQ(solved, 24);
}

TEST(FdtdModeBand, AModeThatIsNotThereIsRefusedByItsOwner) {
  const Problem p = slab(Mode::tm);
  for (const int count : {3, 40}) try {
      solve_modes(p, across(p, 0), uneven(count), 9, "monitor 'out'", {2, {}});
      FAIL();
    } catch (const BadInput& e) {
      EXPECT_NE(std::string(e.what()).find("monitor 'out': no guided mode 9"), std::string::npos) << e.what();
    }
}

}  // namespace
}  // namespace umov::fdtd
