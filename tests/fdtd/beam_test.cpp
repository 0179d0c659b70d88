// Gaussian beams: their fields against the integral over their plane waves in space, in two dimensions and
// three.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/error.hpp"
#include "fdtd/monitors/fourier.hpp"
#include "fdtd/sources/beam_source.hpp"
#include "fdtd/sources/kind.hpp"
#include "support/fdtd_runs.hpp"

namespace umov::fdtd {
namespace {

using Kind = MonitorSpec::Kind;

constexpr double radius = 1.2, ahead = 2;  // of the waist, in wavelengths of vacuum

SourceSpec beam(const Waveform& w, const Vec3& center, const Vec3& size, double phi, double theta = 90) {
  SourceSpec s;
  s.name = "beam";
  s.kind = SourceSpec::Kind::beam;
  s.waveform = w;
  s.center = center, s.size = size;
  s.phi = phi, s.theta = theta;
  s.own<BeamSpec>() = {radius, ahead};
  return s;
}

/// E of a beam in two dimensions, or H z of one in te, at a place `along` the axis from the middle of the
/// plane and `across`: r / (2 sqrt(pi)) times the integral of exp(-q^2 r^2 / 4 + i q across + i k_z (along -
/// waist)) over q, with the phase of the carrier at the plane taken out. Of te the polarization made
/// perpendicular to k is shorter by k_z / k, and H is n times E.
cplx beam_in_plane(double along, double across, double f, double index, bool te) {
  const double k = 2 * pi * f * index;
  cplx sum = 0;
  constexpr int count = 4000;
  for (int i = 0; i < count; ++i) {
    const double q = k * (2 * (i + 0.5) / count - 1), kz = std::sqrt(k * k - q * q);
    sum += std::exp(-q * q * radius * radius / 4) * std::polar(1.0, q * across + kz * (along - ahead)) *
           (te ? index * kz / k : 1.0);
  }
  return sum * 2.0 * k / double(count) * radius / (2 * std::sqrt(pi)) * std::polar(1.0, k * ahead);
}

double flux_of_outcome(const Outcome& o, const std::string& name, std::size_t f) {
  for (const FluxResult& r : o.of<FluxResult>())
    if (r.name == name) return r.flux[f];
  return std::nan("");
}

// The grid's waves are slower by (k dx)^2 / 24, 0.4 % at 20 cells in the wavelength, along its axes more than
// at 45 degrees, by which a beam turns and spreads otherwise: three times that is allowed. The mean of H over
// the four edges around a node is smaller by (k dx / 2)^2 / 2. Layers send 1e-4 back, the rim cuts off what
// is 1e-3 there.
TEST(FdtdBeam, InTwoDimensionsItIsTheSumOfItsPlaneWaves) {
  for (const auto& [te, phi] : {std::pair(false, 0.0), {false, 35.0}, {true, 180.0}, {true, 35.0}}) {
    Simulation s = test::checked_case({11, 14, 0}, 30, 1e-6);
    s.te = te;
    MaterialSpec glass;
    glass.name = "glass";
    glass.index = 1.5;
    s.materials.push_back(glass);
    s.background = "glass";
    const double side = phi == 180 ? -1 : 1;
    s.sources = {
        beam(test::pulse(1, 0.1), {-3 * side, phi == 35 ? -1.5 : 0, 0}, {0, phi == 35 ? 9.8 : 11.2, 0}, phi)};
    const std::vector<double> frequencies{0.9, 1, 1.12};
    auto field = test::monitor(Kind::fourier, "field", {0, 0, 0}, {7, 9, 0}, frequencies);
    field.own<FourierSpec>().per_source_spectrum = true;
    s.monitors = {field, test::flux_through("behind", {-4 * side, 0, 0}, {0, 10, 0}, frequencies),
                  test::flux_through("before", {3 * side, 0, 0}, {0, 10, 0}, frequencies)};
    const Outcome o = run(s, test::one_thread);
    const FourierResult& r = o.of<FourierResult>().at(0);
    const Component c = te ? Hz : Ez;
    const std::size_t which = std::size_t(std::ranges::find(r.components, c) - r.components.begin());
    ASSERT_LT(which, r.components.size());
    const double cosine = std::cos(phi * pi / 180), sine = std::sin(phi * pi / 180);
    for (std::size_t f = 0; f < frequencies.size(); ++f) {
      double worst = 0, largest = 0;
      for (int j = 0; j < r.size[1]; j += 3)
        for (int i = 0; i < r.size[0]; i += 3) {
          const double x = r.origin[0] + i * o.grid.dx - s.sources[0].center[0],
                       y = r.origin[1] + j * o.grid.dx - s.sources[0].center[1];
          if (x * side < 0.1) continue;
          const cplx wave =
                         beam_in_plane(x * cosine + y * sine, y * cosine - x * sine, frequencies[f], 1.5, te),
                     found = r.values[which][(f * r.size[1] + j) * r.size[0] + i];
          const double exact = std::abs(wave), there = std::abs(found);
          if (std::hypot(x, y) < 0.5) {
            EXPECT_NEAR(std::arg(found / wave), 0, 0.05) << x << ' ' << y;
          }
          worst = std::max(worst, std::abs(there - exact)), largest = std::max(largest, exact);
        }
      const double phase = 2 * pi * 1.5 * frequencies[f] * o.grid.dx;
      EXPECT_LT(worst, (te ? 2 : 1) * phase * phase / 8 * largest)
          << te << ' ' << phi << ' ' << frequencies[f];
      EXPECT_GT(largest, te ? 1.4 : 0.95) << "1 in the waist, H n times that";
      EXPECT_LT(std::abs(flux_of_outcome(o, "behind", f)), 2e-5 * std::abs(flux_of_outcome(o, "before", f)))
          << te << ' ' << phi << ' ' << frequencies[f];
    }
  }
}

// The power of the plane waves: (r / (2 sqrt(pi)))^4 (2 pi)^2 / 2 times the integral of exp(-q^2 r^2 / 2)
// |e|^2 k_z / k over both parts of q, |e|^2 being 1 - (p k)^2 / k^2. A flux on the grid is smaller by (k
// dx)^2 / 8, as the mean of H on both sides of a plane is. A beam is weaker than a paraxial one by 2 / (k
// r)^2.
TEST(FdtdBeam, InSpaceItCarriesThePowerOfItsPlaneWaves) {
  for (const double angle : {0.0, 90.0}) {
    Simulation s = test::checked_case({6, 6, 4.4}, 14, 1e-4);
    s.precision = Precision::single_;
    auto source = beam(test::pulse(1, 0.1), {0, 0, -1.1}, {4.4, 4.4, 0}, 0, 0);
    source.polarization_angle = angle;
    source.own<BeamSpec>() = {0.9, 1};
    s.sources = {source};
    s.monitors = {test::flux_through("before", {0, 0, 0.9}, {4.5, 4.5, 0}, {1}),
                  test::flux_through("behind", {0, 0, -1.3}, {4.5, 4.5, 0}, {1})};
    const Outcome o = run(s, test::one_thread);
    const double k = 2 * pi, step = 0.02 * k, r = 0.9;
    double power = 0;
    for (double a = -k; a < k; a += step)
      for (double b = -k; b < k; b += step)
        if (const double q2 = a * a + b * b; q2 < k * k)
          power +=
              std::exp(-q2 * r * r / 2) * (1 - a * a / (k * k)) * std::sqrt(1 - q2 / (k * k)) * step * step;
    // the norm's square over that of each plane wave's share of the plane, (2 pi)^2
    power *= std::pow(r * r / (4 * pi), 2) * 4 * pi * pi / 2;
    const double unit = std::norm(spectrum(source.waveform, 1));
    const double phase = k * o.grid.dx;
    EXPECT_NEAR(flux_of_outcome(o, "before", 0) / unit, (1 - phase * phase / 8) * power, 0.005 * power)
        << angle;
    EXPECT_NEAR(power, pi * r * r / 4 * (1 - 2 / (k * k * r * r)), 0.005 * power);
    EXPECT_LT(std::abs(flux_of_outcome(o, "behind", 0)), 1e-4 * flux_of_outcome(o, "before", 0));
  }
}

std::string refusal_of_beam(const std::function<void(SourceSpec&)>& change) {
  Simulation s = test::checked_case({8, 8, 0}, 16);
  s.sources = {beam(test::pulse(1, 0.1), {-2, 0, 0}, {0, 5, 0}, 0)};
  change(s.sources[0]);
  s.stop.decay = 0, s.stop.steps = 4;
  try {
    run(s, test::one_thread);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST(FdtdBeam, WhatCannotBeABeamIsRefused) {
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), text.npos) << text;
    EXPECT_NE(text.find("'beam'"), text.npos) << text;
  };
  SourceSpec without = beam(test::pulse(1, 0.1), {0, 0, 0}, {0, 5, 0}, 0);
  without.own<BeamSpec>().waist_radius = 0;
  EXPECT_NE(kind_of(without).problem(without).find("waist_radius = "), std::string::npos);
  has(refusal_of_beam([](SourceSpec& s) { s.own<BeamSpec>().waist_radius = 0.05; }), "no beam is so narrow");
  has(refusal_of_beam([](SourceSpec& s) { s.phi = 88; }), "along its plane");
  has(refusal_of_beam([](SourceSpec& s) { s.size = {1, 5, 0}; }), "exactly one of them as 0");
  has(refusal_of_beam([](SourceSpec& s) { s.size = {0, 7.9, 0}; }), "absorbing layers");
  has(refusal_of_beam([](SourceSpec& s) { s.center = {0, 3, 0}; }), "absorbing layers");
}

TEST(FdtdBeam, ABeamThatItsPlaneCutsOffIsWarnedOf) {
  for (const double size : {2.0, 6.2}) {
    Simulation s = test::checked_case({8, 9, 0}, 16);
    s.sources = {beam(test::pulse(1, 0.1), {-2, 0, 0}, {0, size, 0}, 0)};
    s.stop.decay = 0, s.stop.steps = 4;
    const Outcome o = run(s, test::one_thread);
    const bool said = std::ranges::any_of(
        o.warnings, [](const std::string& w) { return w.find("at the rim of its plane") != w.npos; });
    EXPECT_EQ(said, size < 3) << size;
  }
}

}  // namespace
}  // namespace umov::fdtd
