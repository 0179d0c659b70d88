// A film that switches within a step: the errors of runs of every scheme, and what estimates see of it.
#include <gtest/gtest.h>

#include "eqs/run/run.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

/// The field in the film at whole milliseconds, V/m: the two layers' ordinary differential equation by Radau
/// IIA of order 5 (tolerance 1e-11).
struct Film {
  double voltage, thickness, field[12];
};
constexpr Film weak{175,
                    1e-4,
                    {90130.149, 167833.01, 171315.07, 167825.62, 160697.08, 142281.6, 100781.37, 36256.501,
                     -45050.158, -135173.22, -174250.23, -173250.8}};
constexpr Film strong{200,
                      9e-5,
                      {104751.74, 173979.53, 172160.37, 168585.18, 161067.78, 140298.25, 92106.062, 17113.523,
                       -77383.288, -173410.37, -175144.61, -174126.95}};

Simulation layers(const Film& film, Scheme scheme, double tolerance) {
  Simulation s = column({layer("sheet", 0.5e-3, 1), layer("film", film.thickness, 1)},
                        {material("sheet", constant(200), constant(1e-11)),
                         material("film", constant(200), formula("1e-12 * (1 + (E / 1e5)^25)"))},
                        sine(film.voltage, 50), 1e-3);
  s.time.end = 0.04;
  s.time.tolerance = tolerance;
  s.time.scheme = scheme;
  s.outputs.vtk = s.outputs.pictures = false;
  s.outputs.points = {{"film", {0.4e-3, 0.4e-3, 0.5e-3 + 0.47 * film.thickness}}};
  return s;
}

/// Of |E| at the twelve instants, in tolerances of the largest.
double largest_error(const Film& film, Scheme scheme, double tolerance) {
  const Outcome o = run(layers(film, scheme, tolerance), serial);
  EXPECT_TRUE(o.converged) << o.why_not;
  double most = 0;
  int seen = 0;
  for (const Record& r : o.history) {
    const double k = std::round(r.time * 1e3);
    if (k < 1 || k > 12 || std::abs(r.time - k * 1e-3) > 1e-9) continue;
    most = std::max(most, std::abs(r.point_magnitude(0) - std::abs(film.field[int(k) - 1])));
    ++seen;
  }
  EXPECT_EQ(seen, 12);
  return most / (tolerance * 1.744e5);
}

// By its companion alone esdirk3 is off by 133 and 198: one step goes over the rise of the curve, with stages
// that nearly cancel in it. With the second estimate 0.7 and 0.9, as over 300 random cases of layers at
// tolerances of 1e-3 to 1e-6 (2.9 at most, one 5.9).
TEST(EqsSwitchingFilm, IsFollowedByEsdirk3) {
  for (const Film& film : {weak, strong}) EXPECT_LT(largest_error(film, Scheme::esdirk3, 1e-4), 3);
}
// Measured: 1.7 and 1.8.
TEST(EqsSwitchingFilm, IsFollowedBySdirk3) {
  for (const Film& film : {weak, strong}) EXPECT_LT(largest_error(film, Scheme::sdirk3, 1e-4), 9);
}
// Steps of an error of the tolerance each add up to its root: 19 tolerances at 1e-4, 59 at 1e-5. With the
// square of the tolerance over 1e-3 it is 6 whatever the tolerance.
TEST(EqsSwitchingFilm, ErrorsOfEulersMethodGoWithTheTolerance) {
  EXPECT_LT(largest_error(weak, Scheme::implicit_euler, 1e-3), 10);
  EXPECT_LT(largest_error(weak, Scheme::implicit_euler, 1e-4), 10);
}

TEST(EqsSwitchingFilm, ATightToleranceOfEulersMethodIsWarnedOf) {
  const auto tight = [](double tolerance) {
    for (const auto& w : make_problem(layers(weak, Scheme::implicit_euler, tolerance)).warnings)
      if (w.find("tight for a scheme of first order") != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(tight(1e-5));
  EXPECT_FALSE(tight(1e-4));
}

/// What scheme = "auto" takes must be worth it: by the work for the same error of a run, no method alone has
/// less steps by more than the trials.
TEST(EqsSwitchingFilm, AutoTakesNoMoreStepsThanBothOfItsMethods) {
  for (const double tolerance : {1e-3, 1e-4, 1e-6}) {
    const auto steps = [&](Scheme scheme) {
      const Outcome o = run(layers(weak, scheme, tolerance), serial);
      return o.steps + o.rejected;
    };
    const int most = std::max(steps(Scheme::sdirk3), steps(Scheme::rkc));
    // where methods change, controllers begin anew
    EXPECT_LT(steps(Scheme::automatic), 1.05 * most + 10) << tolerance;
  }
}
/// rkc adds its errors up to some 20 tolerances at 1e-6, and is warned of from 1e-5 on.
TEST(EqsSwitchingFilm, AutoStaysImplicitAtTightTolerances) {
  const Outcome implicit = run(layers(weak, Scheme::sdirk3, 1e-6), serial),
                both = run(layers(weak, Scheme::automatic, 1e-6), serial);
  EXPECT_LT(both.steps, implicit.steps + 20);
}

}  // namespace
}  // namespace umov::eqs::test
