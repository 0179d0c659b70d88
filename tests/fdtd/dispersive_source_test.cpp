// Currents in media with poles: the poles must hear of all that a current adds to the field.
#include <gtest/gtest.h>

#include <cmath>

#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/ldos.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/run/run.hpp"
#include "fdtd/sources/waveform.hpp"
#include "support/fdtd_runs.hpp"

namespace umov::fdtd {
namespace {

using materials::Pole;

const std::vector<double> frequencies{0.4, 0.5, 0.6};

/// A domain full of a medium of index 2 or so at 0.5 c / unit.
Simulation filled(const Vec3& size, double resolution, const Pole& pole) {
  Simulation s = test::checked_case(size, resolution, 1e-7);
  MaterialSpec glass;
  glass.name = "glass";
  glass.constants.eps = {2, 2, 2};
  glass.constants.poles = {pole};
  s.materials.push_back(glass);
  s.background = "glass";
  return s;
}

/// Lorentz pole far above the band: eps 4.1 and no loss.
const Pole far_pole{Pole::Kind::lorentz, 2, 4 * pi, 0, 0};

cplx index_at(const Simulation& s, double f) {
  return std::sqrt(s.materials.at(0).constants.permittivity(2 * pi * f));
}

const LdosResult& emission(const Outcome& o) { return o.of<LdosResult>().at(0); }

// A sheet's waves are I / (2 n) and I / 2, so that a plane at a distance d takes |I|^2 / 8 Re(1 / n)
// exp(-2 w Im n d). A step's phase in the medium is |n| w dx, of which the grid's dispersion and the
// interpolation at the plane cost a few times the square / 24: 1.2e-3 at most here, and as much of the decay
// 2 w Im n d < 1.5. A current that poles do not hear of has an error of the first order: up to 3 % here.
TEST(FdtdDispersiveSource, ASheetInAnyMediumSendsWhatTheoryHas) {
  for (const Pole& pole : {far_pole, Pole{Pole::Kind::lorentz, 1, 4, 0.4, 0},
                           Pole{Pole::Kind::drude, 2, 0, 0.6, 0}, Pole{Pole::Kind::debye, 1.5, 0, 0, 0.2}}) {
    const double distance = 0.3, resolution = 60;
    Simulation s = filled({6, 0, 0}, resolution, pole);
    s.sources = {test::point_source(test::pulse(0.5, 0.2), Ez, {0, 0, 0})};
    for (const double side : {-1.0, 1.0})
      s.monitors.push_back(
          test::flux_through(side < 0 ? "low" : "high", {side * distance, 0, 0}, {0, 0, 0}, frequencies));
    const Outcome o = run(s, test::one_thread);
    for (std::size_t f = 0; f < frequencies.size(); ++f) {
      const double w = 2 * pi * frequencies[f];
      const cplx n = index_at(s, frequencies[f]);
      const double exact = test::irradiance(s.sources[0].waveform, frequencies[f]) / 4 * (1.0 / n).real() *
                           std::exp(-2 * w * n.imag() * distance);
      const double phase = std::abs(n) * w / resolution;
      for (const FluxResult& plane : o.of<FluxResult>())
        EXPECT_NEAR(std::abs(plane.flux[f]) / exact, 1, phase * phase / 6 + 5e-4)
            << plane.name << ' ' << int(pole.kind) << ' ' << n << ' ' << frequencies[f];
    }
  }
}

// The Purcell factor in a homogeneous medium is 1 but for the grid's own density of waves, (k dx)^2 / 8 and
// less, and what layers send back (1e-3). At the carrier a medium of that constant permittivity has the same
// equations but for what a step of a pole is off by, (w dt)^2 / 12 of its share: power and flux through a box
// agree to that.
TEST(FdtdDispersiveSource, APointHasTheDensityOfItsMedium) {
  struct Case {
    Vec3 size;
    bool te;
    Component component;
    double resolution;
  };
  for (const Case& c : {Case{{5, 5, 0}, false, Ez, 20}, Case{{5, 5, 0}, true, Ex, 20},
                        Case{{2.4, 2.4, 2.4}, false, Ey, 16}}) {
    Simulation s = filled(c.size, c.resolution, far_pole);
    s.te = c.te;
    s.stop.decay = 1e-6;
    s.sources = {test::point_source(test::pulse(0.5, 0.2), c.component, {0, 0, 0})};
    const double side = c.size[2] > 0 ? 1.2 : 2;
    s.monitors = {
        test::monitor(MonitorSpec::Kind::ldos, "emission", {0, 0, 0}, {0, 0, 0}, frequencies),
        test::flux_through("box", {0, 0, 0}, {side, side, c.size[2] > 0 ? side : 0}, frequencies, true)};
    const Outcome o = run(s, test::one_thread);
    for (std::size_t f = 0; f < frequencies.size(); ++f) {
      const double phase = index_at(s, frequencies[f]).real() * 2 * pi * frequencies[f] / c.resolution;
      EXPECT_NEAR(emission(o).power[f] / emission(o).homogeneous[f], 1, phase * phase / 4 + 5e-3)
          << c.component << ' ' << frequencies[f];
    }
    const double eps = s.materials[0].constants.permittivity(2 * pi * frequencies[1]).real();
    s.materials[0].constants.eps = {eps, eps, eps};
    s.materials[0].constants.poles.clear();
    const Outcome twin = run(s, test::one_thread);
    const double slack = std::pow(pi / c.resolution, 2) / 12;  // dt < dx
    EXPECT_NEAR(emission(o).power[1] / emission(twin).power[1], 1, slack) << c.component;
    EXPECT_NEAR(o.of<FluxResult>()[0].flux[1] / twin.of<FluxResult>()[0].flux[1], 1, slack) << c.component;
  }
}

// A field that is imposed does not follow the poles of its place, beside surfaces of the medium neither.
TEST(FdtdDispersiveSource, AnImposedFieldIsImposedInAMediumWithPoles) {
  for (const bool cut : {false, true}) {
    Simulation s = filled({3, 3, 0}, 20, Pole{Pole::Kind::drude, 20, 0, 0.3, 0});
    s.te = true;
    if (cut) s.background = Simulation{}.background, s.bodies = {test::ball("cylinder", "glass", 0.5)};
    s.sources = {test::point_source(test::pulse(0.5, 0.2), Ex, {0.025, cut ? 0.5 : 0, 0})};
    s.sources[0].hard = true;
    s.stop = {};
    s.stop.time = 8;
    s.monitors = {test::monitor(MonitorSpec::Kind::series, "there", s.sources[0].center, {0, 0, 0}, {})};
    s.monitors[0].fields = {Ex}, s.monitors[0].interval = 1;
    const Outcome o = run(s, test::one_thread);
    const SeriesResult& there = o.of<SeriesResult>().at(0);
    const Signal signal(s.sources[0].waveform, "point");
    ASSERT_GT(there.value.size(), 100u);
    double largest = 0;
    for (std::size_t i = 0; i < there.value.size(); ++i) {
      EXPECT_NEAR(there.value[i], signal(there.time[i]).real(), 1e-12) << cut << ' ' << there.time[i];
      largest = std::max(largest, std::abs(there.value[i]));
    }
    EXPECT_GT(largest, 0.5) << cut;
  }
}

}  // namespace
}  // namespace umov::fdtd
