// Stabilised steps against implicit ones on small models of every kind of geometry, curve and order.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "eqs/run/run.hpp"
#include "support/eqs_block.hpp"

namespace umov::eqs::test {
namespace {

struct Model {
  const char* name;
  Simulation sim;
};
void PrintTo(const Model& m, std::ostream* os) { *os << m.name; }

Model model(const char* name, Simulation s, const Vec3& at) {
  s.time.end = 10e-3;
  s.outputs.vtk = s.outputs.pictures = false;
  s.outputs.interval = 1e-3;
  s.outputs.points = {{"p", at}};
  return {name, std::move(s)};
}

Simulation round(const char* kind, int order) {
  Simulation s = sector(kind, 10e-3, 30, {layer("film", 2e-3, 2), layer("solid", 8e-3, 3, 2)},
                        {material("film", constant(12), formula("1e-9 * (1 + (E / 8e5)^3)")),
                         material("solid", constant(3), constant(1e-11))},
                        sine(15e3, 50, 0, WaveformSpec::Ramp::linear), 2);
  s.mesh.geometry->width = 2e-3;
  s.mesh.order = order;
  return s;
}

class EqsStabilisedModels : public testing::TestWithParam<Model> {};

TEST_P(EqsStabilisedModels, PotentialsAgreeWithImplicitOnesWithinTheTolerance) {
  const double tolerance = 1e-4;
  Simulation s = GetParam().sim;
  s.time.tolerance = 1e-6;
  const Outcome exact = run(s, one_thread);
  ASSERT_TRUE(exact.converged) << exact.why_not;
  const auto potentials = [](const Outcome& o) {
    std::vector<double> out;
    for (const double t : o.saved_times)
      for (const Record& r : o.history)
        if (std::abs(r.time - t) < 1e-9 * o.end) {
          out.push_back(r.point_potential[0]);
          break;
        }
    return out;
  };
  const auto wanted = potentials(exact);
  double size = 0;
  for (const double v : wanted) size = std::max(size, std::abs(v));
  ASSERT_GT(size, 0);
  for (const Scheme scheme : {Scheme::rkc, Scheme::rkl2}) {
    s.time.scheme = scheme;
    s.time.tolerance = tolerance;
    const Outcome o = run(s, one_thread);
    ASSERT_TRUE(o.converged) << o.why_not;
    EXPECT_TRUE(
        std::any_of(o.history.begin(), o.history.end(), [](const Record& r) { return r.stages > 0; }));
    const auto found = potentials(o);
    ASSERT_EQ(found.size(), wanted.size());
    // a step's error is controlled; those of the some 40 steps add up while a curve switches
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_NEAR(found[k], wanted[k], 5 * tolerance * size) << int(scheme) << " at " << o.saved_times[k];
  }
}

INSTANTIATE_TEST_SUITE_P(All, EqsStabilisedModels,
                         testing::Values(model("coaxial", round("coaxial", 1), {12e-3, 1e-3, 1e-3}),
                                         model("coaxial2", round("coaxial", 2), {12e-3, 1e-3, 1e-3}),
                                         model("spherical", round("spherical", 1), {0.5e-3, 0.3e-3, 12.2e-3}),
                                         model("spherical2", round("spherical", 2),
                                               {0.5e-3, 0.3e-3, 12.2e-3}),
                                         model("linear", block(1, false), {1e-3, 1e-3, 3.5e-3}),
                                         model("linear2", block(2, false), {1e-3, 1e-3, 3.5e-3}),
                                         model("curves", block(1, true), {1e-3, 1e-3, 3.5e-3}),
                                         model("curves2", block(2, true), {1e-3, 1e-3, 3.5e-3})));

/// Nothing decays: there is no rho, no loss, and the potential is that of two capacitances in series at any
/// time.
TEST(EqsWithoutConductivity, EverySchemeHasTheFieldOfElectrostatics) {
  const Model m =
      model("two layers",
            column({layer("film", 2e-3, 2), layer("air", 1e-3, 2)},
                   {material("film", constant(12), constant(0)), material("air", constant(4), constant(0))},
                   sine(8e3, 50, 0, WaveformSpec::Ramp::linear)),
            {5e-4, 5e-4, 2e-3});
  Simulation s = m.sim;
  for (const Scheme scheme : {Scheme::sdirk3, Scheme::esdirk3, Scheme::implicit_euler, Scheme::rkc,
                              Scheme::rkl2, Scheme::automatic})
    for (const SpectralRadius radius :
         {SpectralRadius::bound, SpectralRadius::power, SpectralRadius::rayleigh, SpectralRadius::richter}) {
      s.time.scheme = scheme;
      s.time.spectral_radius = radius;
      const Outcome o = run(s, one_thread);
      ASSERT_TRUE(o.converged) << int(scheme) << " " << int(radius) << ": " << o.why_not;
      for (const Record& r : o.history) {
        const double voltage = 8e3 * std::min(1.0, 100 * r.time) * std::sin(100 * M_PI * r.time);
        // solves are to 1e-12 of the fluxes
        EXPECT_NEAR(r.point_potential[0], voltage * (1.0 / 4) / (1.0 / 4 + 2.0 / 12), 1e-9 * 8e3)
            << int(scheme) << " " << int(radius) << " at " << r.time;
      }
    }
}

}  // namespace
}  // namespace umov::eqs::test
