// What monitors divide by, and what they warn of: references, source spectra, frequencies, surroundings of
// boxes.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "core/error.hpp"
#include "fdtd/model/validate.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/fourier.hpp"
#include "fdtd/observables/references.hpp"
#include "support/fdtd_cases.hpp"
#include "support/monitor_runs.hpp"

using namespace umov;
using namespace umov::fdtd;
using Kind = MonitorSpec::Kind;

namespace {

FluxResult flux_of(const std::string& name, std::vector<double> frequency, std::vector<double> flux,
                   std::vector<double> reference = {}) {
  FluxResult f;
  f.name = name;
  f.frequency = std::move(frequency);
  f.flux = std::move(flux);
  f.reference = std::move(reference);
  return f;
}

std::string refusal_of_monitor_options(const Simulation& s) {
  try {
    test::MonitoredRun run(s);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Ez at one place, divided by the source's spectrum.
cplx unit_field(Simulation s, const Vec3& at, double frequency, double time) {
  s.monitors = {test::monitor(Kind::fourier, at, {0, 0, 0}, {frequency})};
  s.monitors[0].fields = {Ez};
  s.monitors[0].own<FourierSpec>().per_source_spectrum = true;
  const FourierResult r = test::run_monitored(s, time).of<FourierResult>().at(0);
  EXPECT_TRUE(r.per_source_spectrum);
  return r.values[0][0];
}

Simulation line_current(const Waveform& w) {
  Simulation s;
  s.size = {4, 4, 0};
  s.resolution = 20;
  s.sources = {test::pulse(Ez, {0, 0, 0}, 1)};
  s.sources[0].waveform = w;
  return s;
}

std::vector<std::string> warnings_of(const Simulation& s) {
  const auto scene = make_scene(s);
  std::vector<std::string> list;
  for (const Finding& f : validate(s, *scene, make_grid(s, *scene)))
    if (f.severity == Finding::Severity::warning) list.push_back(f.message);
  return list;
}

bool any_says(const std::vector<std::string>& list, const std::string& part) {
  return std::any_of(list.begin(), list.end(), [&](const auto& text) { return says(text, part); });
}

}  // namespace

TEST(FdtdPerSource, FieldOfALineCurrentIsHankelsForEveryWaveform) {
  // E = -(k / 4) H0(k r) for a unit line current and exp(-i w t) (Harrington 1961, eq. 5-91).
  const double k = 2 * pi * 1.05, r = 1;
  const cplx exact = -k / 4 * cplx(std::cyl_bessel_j(0, k * r), std::cyl_neumann(0, k * r));
  Waveform pulse = test::pulse(Ez, {0, 0, 0}, 1).waveform;
  const cplx first = unit_field(line_current(pulse), {r, 0, 0}, 1.05, 20);
  EXPECT_LT(std::abs(first / exact - 1.0), 0.03);  // 20 cells per wavelength: 0.4 % of six radians of phase
  Waveform other = pulse;
  other.width = 0.12;
  other.amplitude = -3;
  other.phase = 70;
  other.delay = 6;
  EXPECT_LT(std::abs(unit_field(line_current(other), {r, 0, 0}, 1.05, 40) / first - 1.0), 1e-4);
  Waveform ended;
  ended.kind = Waveform::Kind::continuous;
  ended.frequency = 1.05;
  ended.end = 12;
  EXPECT_LT(std::abs(unit_field(line_current(ended), {r, 0, 0}, 1.05, 30) / first - 1.0), 1e-4);
  Waveform endless = ended;
  endless.end.reset();
  // The wave on its way at the end is missing: one part in the run's periods.
  EXPECT_LT(std::abs(unit_field(line_current(endless), {r, 0, 0}, 1.05, 80) / first - 1.0), 0.03);
}

TEST(FdtdPerSource, PlaneWaveIsOneAtTheOriginAlsoInABlochCell) {
  for (const double angle : {0.0, 25.0}) {
    Simulation s;
    s.size = {4, 1.2, 0};
    s.resolution = 20;
    s.pml.layers = 12;
    s.walls[1] = {WallKind::bloch, WallKind::bloch};
    s.bloch = {0, std::sin(angle * pi / 180), 0};
    SourceSpec wave = test::pulse(Ez, {0, 0, 0}, 1, 0.1);
    wave.kind = SourceSpec::Kind::plane_wave;
    wave.phi = angle;
    wave.waveform.amplitude = 2;
    wave.waveform.phase = 40;
    s.sources = {wave};
    EXPECT_LT(std::abs(unit_field(s, {0, 0, 0}, 1, 40) - 1.0), 1e-5) << angle;
    const cplx aside = unit_field(s, {0.5, 0.3, 0}, 1, 40);
    const double turns = 0.5 * std::cos(angle * pi / 180) + 0.3 * std::sin(angle * pi / 180);
    EXPECT_LT(std::abs(aside - std::polar(1.0, 2 * pi * turns)), 0.02) << angle;  // the grid's wave number
  }
}

TEST(FdtdPerSource, ModeFieldsDoNotDependOnThePulse) {
  Simulation s;
  s.size = {5, 4, 0};
  s.resolution = 16;
  s.pml.layers = 16;
  s.materials = {test::constant("core", 4)};
  s.bodies = {test::body("box", "core", {0, 0, 0})};
  s.bodies[0].size = Vec3{0, 0.5, 0};
  SourceSpec in = test::pulse(Ez, {-1, 0, 0}, 0.8, 0.1);
  in.kind = SourceSpec::Kind::mode;
  in.size = {0, 1.9, 0};
  s.sources = {in};
  const cplx first = unit_field(s, {0.5, 0, 0}, 0.8, 60);
  s.sources[0].waveform.width = 0.06;
  s.sources[0].waveform.amplitude = 0.2;
  EXPECT_LT(std::abs(unit_field(s, {0.5, 0, 0}, 0.8, 90) / first - 1.0), 1e-3);
}

TEST(FdtdPerSource, IsRefusedWithoutASpectrumToDivideBy) {
  Simulation s = line_current(test::pulse(Ez, {0, 0, 0}, 1).waveform);
  s.monitors = {test::monitor(Kind::fourier, {1, 0, 0}, {0, 0, 0}, {3.2})};
  s.monitors[0].own<FourierSpec>().per_source_spectrum = true;
  EXPECT_TRUE(says(refusal_of_monitor_options(s), "no spectrum to divide by"));
  s.monitors[0].frequencies = {1};
  EXPECT_EQ(refusal_of_monitor_options(s), "");
  s.sources.push_back(test::pulse(Ez, {0, 1, 0}, 1));
  s.sources[1].waveform.amplitude = 2;
  EXPECT_EQ(refusal_of_monitor_options(s), "");
  s.sources[1].waveform.width = 0.1;
  EXPECT_TRUE(says(refusal_of_monitor_options(s), "different waveforms"));
}

TEST(FdtdReference, IsCheckedByNameKindAndFrequencies) {
  Simulation s = line_current(test::pulse(Ez, {0, 0, 0}, 1).waveform);
  s.monitors = {test::monitor(Kind::flux, {1, 0, 0}, {0, 1, 0}, {1}),
                test::monitor(Kind::flux, {-1, 0, 0}, {0, 1, 0}, {1}),
                test::monitor(Kind::series, {0, 1, 0}, {0, 0, 0})};
  s.monitors[0].name = "through";
  s.monitors[1].name = "into";
  s.monitors[2].name = "point";
  s.monitors[0].reference = "into";
  EXPECT_EQ(refusal_of_monitor_options(s), "");
  s.monitors[0].reference = "inot";
  EXPECT_TRUE(says(refusal_of_monitor_options(s), "did you mean 'into'?")) << refusal_of_monitor_options(s);
  s.monitors[0].reference = "through";
  EXPECT_TRUE(says(refusal_of_monitor_options(s), "its own reference"));
  s.monitors[0].reference = "point";
  EXPECT_TRUE(says(refusal_of_monitor_options(s), "is a series monitor"));
  s.monitors[0].reference = "into";
  s.monitors[1].frequencies = {1.1};
  EXPECT_TRUE(says(refusal_of_monitor_options(s), "other frequencies"));
  s.monitors[2].reference = "into";
  s.monitors[0].reference.clear();
  EXPECT_TRUE(says(refusal_of_monitor_options(s), "of kind series"));
}

TEST(FdtdReference, IsTheNamedFluxOfTheReferenceRunElseOfThisRun) {
  Outcome out;
  out.of<FluxResult>().resize(2);
  out.of<FluxResult>()[0] = flux_of("through", {1, 2}, {3, 4});
  out.of<FluxResult>()[0].normalized_by = "into";
  out.of<FluxResult>()[1] = flux_of("into", {1, 2}, {5, 6});
  Outcome pair = out;
  apply_references(out);
  EXPECT_EQ(out.of<FluxResult>()[0].incident, (std::vector<double>{5, 6}));
  pair.of<FluxResult>()[1].reference = {7, 8};
  pair.of<FluxResult>()[0].reference = {0.1, 0.1};
  apply_references(pair);
  EXPECT_EQ(pair.of<FluxResult>()[0].incident, (std::vector<double>{7, 8}));
  EXPECT_TRUE(pair.warnings.empty());
}

TEST(FdtdReference, APlaceThatTheReferenceRunDoesNotLightIsMarked) {
  Outcome out;
  out.of<FluxResult>().resize(3);
  out.of<FluxResult>()[0] = flux_of("into", {1}, {4}, {5});
  out.of<FluxResult>()[1] = flux_of("behind the bend", {1}, {3}, {0.01});
  out.of<FluxResult>()[2] =
      flux_of("in the shadow", {1}, {0.001}, {0.01});  // darker than before: a transmission
  apply_references(out);
  EXPECT_FALSE(out.of<FluxResult>()[0].unlit);
  EXPECT_TRUE(out.of<FluxResult>()[1].unlit);
  EXPECT_FALSE(out.of<FluxResult>()[2].unlit);
  EXPECT_TRUE(any_says(out.warnings, "behind the bend"));
}

TEST(FdtdFrequencies, OutsideTheSourcesSpectrumAreWarnedOf) {
  Simulation s = line_current(test::pulse(Ez, {0, 0, 0}, 1, 0.1).waveform);
  for (const Kind kind : {Kind::flux, Kind::fourier}) {
    s.monitors = {test::monitor(kind, {1, 0, 0}, {0, 1, 0}, {0.9, 1.1})};
    EXPECT_FALSE(any_says(warnings_of(s), "outside the spectrum"));
    s.monitors[0].frequencies = {0.9, 1.1, 2};
    EXPECT_TRUE(any_says(warnings_of(s), "1 of 3 frequencies lie outside the spectrum"));
  }
  s.monitors = {test::monitor(Kind::resonance, {1, 0, 0}, {0, 0, 0})};
  s.monitors[0].frequency_from = 2;
  s.monitors[0].frequency_to = 2.4;
  EXPECT_TRUE(any_says(warnings_of(s), "no source excites its band"));
  s.monitors[0].frequency_from = 1.2;
  EXPECT_FALSE(any_says(warnings_of(s), "no source excites its band"));
  s.monitors = {test::monitor(Kind::flux, {1, 0, 0}, {0, 1, 0}, {1})};
  s.sources.push_back(test::pulse(Ez, {0, 0.5, 0}, 0.1, 0.1));
  s.sources[1].name = "slip";
  EXPECT_TRUE(any_says(warnings_of(s), "source 'slip': no monitor looks at its spectrum"));
  s.sources[1].waveform.kind = Waveform::Kind::continuous;
  s.sources[1].waveform.frequency = 1;
  EXPECT_FALSE(any_says(warnings_of(s), "no monitor looks"));
}

TEST(FdtdFarFieldBox, InsideABodyOnASourceOrAtTheLayersIsRefusedOrWarnedOf) {
  Simulation s;
  s.size = {6, 4, 0};
  s.resolution = 15;
  s.materials = {test::constant("g", 2.25)};
  s.bodies = {test::body("cylinder", "g", {0, 0, 0})};
  s.bodies[0].radius = 0.8;
  s.sources = {test::pulse(Ez, {0, 0, 0}, 1)};
  const auto with = [&](const Vec3& center, const Vec3& size) {
    s.monitors = {test::monitor(Kind::near_to_far, center, size, {1})};
    return refusal_of_monitor_options(s);
  };
  EXPECT_TRUE(says(with({0, 0, 0}, {0.6, 0.6, 0}), "lies inside a body of 'g'"));
  EXPECT_EQ(with({0, 0, 0}, {2.4, 2.4, 0}), "");
  s.bodies[0].center = {0, 0.85, 0};
  s.bodies[0].radius = 0.2;
  EXPECT_TRUE(says(with({0.5, 0, 0}, {1, 1, 0}), "on source 'pulse'"));
  const auto warned = [&](const Vec3& center, const Vec3& size, const std::string& part) {
    EXPECT_EQ(with(center, size), "");
    return any_says(test::run_monitored(s, 1).warnings, part);
  };
  EXPECT_TRUE(warned({0, 0, 0}, {1, 1, 0}, "has 'g' outside it"));
  EXPECT_TRUE(warned({1, 0, 0}, {1, 1, 0}, "does not enclose source 'pulse'"));
  EXPECT_TRUE(warned({0, 0, 0}, {infinity, infinity, 0}, "touches the absorbing layers"));
  EXPECT_FALSE(warned({0, 0, 0}, {3, 2.5, 0}, ""));
  // Lines leave out what passes beside them; from layer to layer that is the little beyond.
  EXPECT_TRUE(says(with({0, 1.2, 0}, {2, 0, 0}), "is an open surface from x = -1 to 1"));
  EXPECT_TRUE(warned({0, 1.2, 0}, {infinity, 0, 0}, "is an open surface"));
  // Walls reflect, symmetry planes belong to what is computed.
  s.bodies.clear();
  s.walls[1][0] = WallKind::mirror_even;
  EXPECT_FALSE(warned({0, 0, 0}, {3, 2.5, 0}, ""));
  // One conducting wall is a ground plane, which the far field knows.
  s.walls[1] = {WallKind::pec, WallKind::pml};
  EXPECT_FALSE(warned({0, 0, 0}, {3, 2.5, 0}, ""));
  for (const auto& [low, high, name] :
       {std::tuple(WallKind::pec, WallKind::pec, "a conducting wall at y = -2, a conducting wall at y = 2"),
        std::tuple(WallKind::pmc, WallKind::pml, "a magnetic wall"),
        std::tuple(WallKind::periodic, WallKind::periodic,
                   "a periodic wall at y = -2, a periodic wall at y = 2")}) {
    s.walls[1] = {low, high};
    EXPECT_TRUE(warned({0, 0, 0}, {3, 2.5, 0}, name)) << name;
  }
}
