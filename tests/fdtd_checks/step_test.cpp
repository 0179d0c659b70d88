// The step from permittivity 1 to 9 of Lively's thesis (2016) at normal incidence: amplitudes and powers.
#include <gtest/gtest.h>

#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/fourier.hpp"
#include "support/fdtd_runs.hpp"
#include "support/machines.hpp"
#include "support/record.hpp"

using namespace umov;
using namespace umov::fdtd;
using namespace umov::test;

namespace {

struct Amplitudes {
  double reflected = 0, transmitted = 0;
};

/// Fields E_j = exp(ikj) + r exp(-ikj) for j < 0 and t exp(iKj) for j >= 0, where nodes from 0 on have eps 9,
/// on the grid of Courant number S per axis: both media have sin(k/2) = n sin(wS/2) / S, w = 2 pi / N per
/// cell, and the equations of nodes -1 and 0 couple them as if both continued: 1 + r = t and
/// exp(-ik) + r exp(ik) = t exp(-iK).
Amplitudes discrete_step(double cells, double courant) {
  const double sine = std::sin(pi / cells * courant) / courant;
  const double k = 2 * std::asin(sine), inside = 2 * std::asin(3 * sine);
  const cplx r =
      (std::polar(1.0, -inside) - std::polar(1.0, -k)) / (std::polar(1.0, k) - std::polar(1.0, -inside));
  return {std::abs(r), std::abs(1.0 + r)};
}

/// The same by a run: transforms left of the total field, where only the reflected wave is, and in the
/// medium. `place` is that of the interface, in cells right of a node.
Amplitudes measured_step(int cells, bool averaging, double place) {
  const double dx = 1.0 / cells;
  // At 10 cells outside, 3.3 are left in the medium: deep and gently rising layers absorb even such waves, to
  // an amplitude of 1e-5.
  Simulation s = checked_case({200 * dx, 4 * dx, 0}, cells, 1e-12);
  s.walls[1] = {WallKind::periodic, WallKind::periodic};
  s.pml.layers = 60;
  s.pml.sigma_scale = 0.2;
  s.force = true;
  s.averaging = averaging;
  s.materials = {constant("dense", 9)};
  s.bodies = {layer("dense", place * dx, 1000 * dx)};
  // Narrow: nothing of the pulse is near the wavelength that the grid no longer carries in the medium.
  s.sources = {plane_wave(pulse(1, 0.01))};
  const auto at = [&](const char* name, int node) {
    return monitor(MonitorSpec::Kind::fourier, name, {node * dx, 0, 0}, {0, 0, 0}, {1});
  };
  s.monitors = {at("left", -39), at("right", 20)};
  const Outcome out = fdtd::run(s, umov::test::one_thread);
  const double incident = std::abs(spectrum(s.sources[0].waveform, 1));
  return {std::abs(out.of<FourierResult>()[0].values[0][0]) / incident,
          std::abs(out.of<FourierResult>()[1].values[0][0]) / incident};
}

constexpr int resolutions[] = {10, 20, 40, 80};

}  // namespace

// The published digits of the four cases round to 1e-4 of these.
TEST(FdtdStep, DiscreteFormulaGivesThePublishedAmplitudes) {
  const double r[] = {0.780, 0.541, 0.5095, 0.5023}, t[] = {0.593, 0.514, 0.5032, 0.5008};
  for (int i = 0; i < 4; ++i) {
    const auto a = discrete_step(resolutions[i], 0.9 / std::sqrt(2.0));
    const double digits = i < 2 ? 5e-4 : 5e-5;
    EXPECT_NEAR(a.reflected, r[i], digits);
    EXPECT_NEAR(a.transmitted, t[i], digits);
  }
}

// What is left is the reflection of the layers and the cut of the transforms, far below 1e-4.
TEST(FdtdStep, StaircasedAmplitudesAreThoseOfTheDiscreteFormula) {
  for (const int cells : resolutions) {
    const auto exact = discrete_step(cells, 0.9 / std::sqrt(2.0));
    // Between nodes -1 and 0: all that matters without averaging is that node 0 is inside.
    const auto found = measured_step(cells, false, -0.25);
    EXPECT_NEAR(found.reflected, exact.reflected, 1e-4) << cells << " cells per wavelength";
    EXPECT_NEAR(found.transmitted, exact.transmitted, 1e-4) << cells << " cells per wavelength";
    test::record("step: %d cells: r %.6f (formula %.6f), t %.6f (formula %.6f)", cells, found.reflected,
                 exact.reflected, found.transmitted, exact.transmitted);
  }
}

TEST(FdtdStep, AveragedAmplitudesApproachOneHalfWithSecondOrder) {
  for (const double place : {0.0, 0.3}) {
    double r[3], t[3];
    for (int i = 0; i < 3; ++i) {
      const auto a = measured_step(20 << i, true, place);
      r[i] = a.reflected - 0.5;
      t[i] = a.transmitted - 0.5;
      test::record("step averaged, place %.1f: %d cells: r - 1/2 = %.6f, t - 1/2 = %.6f", place, 20 << i,
                   r[i], t[i]);
    }
    for (int i = 0; i < 2; ++i) {
      EXPECT_GT(order_of(r[i], r[i + 1]), 1.8) << "interface at " << place;
      EXPECT_GT(order_of(t[i], t[i + 1]), 1.8) << "interface at " << place;
    }
  }
}

namespace {

struct StepPowers {
  double reflected = 0, transmitted = 0;
};

StepPowers step_powers(int cells) {
  const double height = 4.0 / cells;
  Simulation s = checked_case({1.5, height, 0}, cells);
  s.walls[1] = {WallKind::periodic, WallKind::periodic};
  s.materials = {constant("dense", 9)};
  s.bodies = {layer("dense", 0, 10)};
  s.sources = {plane_wave(pulse(1, 0.1))};
  s.monitors = {flux_through("reflected", {-0.2, 0, 0}, {0, height, 0}, {1}),
                flux_through("transmitted", {0.3, 0, 0}, {0, height, 0}, {1})};
  s.normalize = true;
  const Outcome out = fdtd::run(s, umov::test::one_thread);
  const StepPowers p{-out.of<FluxResult>()[0].scattered[0] / out.of<FluxResult>()[0].reference[0],
                     out.of<FluxResult>()[1].flux[0] / out.of<FluxResult>()[1].reference[0]};
  test::record("step powers at %d cells: R %.5f, T %.5f", cells, p.reflected, p.transmitted);
  return p;
}

}  // namespace

// Amplitudes 1/2 are powers 1/4 and 3/4, since the medium's admittance is 3. At 80 cells an amplitude is off
// by 0.0023, as found above; what second order leaves out of both resolutions is of the fourth, a tenth of
// that.
TEST(FdtdStep, PowersAreOneAndThreeQuarters) {
  const StepPowers coarse = step_powers(40), fine = step_powers(80);
  EXPECT_NEAR(fine.reflected, 0.25, 3e-3);
  EXPECT_NEAR(fine.transmitted, 0.75, 3e-3);
  EXPECT_NEAR((4 * fine.reflected - coarse.reflected) / 3, 0.25, 3e-4);
  EXPECT_NEAR((4 * fine.transmitted - coarse.transmitted) / 3, 0.75, 3e-4);
  // Energy is conserved by the grid itself; only the layers are not perfect.
  EXPECT_NEAR(fine.reflected + fine.transmitted, 1, 1e-5);
}
