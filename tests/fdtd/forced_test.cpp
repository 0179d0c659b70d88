// What `force` goes on in spite of, what it cannot, and that messages offer it where it helps only.
#include <gtest/gtest.h>

#include <limits>

#include "core/error.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/observables/normalized_flux.hpp"
#include "support/fdtd_runs.hpp"
#include "support/machines.hpp"

namespace umov::fdtd {
namespace {

using KindOfSource = SourceSpec::Kind;

Simulation short_case() {
  Simulation s = test::checked_case({4, 4, 0}, 10);
  s.pml.layers = 5;
  s.stop = {};
  s.stop.steps = 20;
  s.materials = {test::constant("glass", 4)};
  s.sources = {test::point_source(test::pulse(1, 0.2), Ez, {0.5, 0.2, 0})};
  s.monitors = {test::monitor(MonitorSpec::Kind::series, "eye", {0.3, 0.2, 0}, {0, 0, 0}, {})};
  return s;
}

/// What stops a run; empty: it ran.
std::string stopped(Simulation s, bool force) {
  s.force = force;
  try {
    fdtd::run(s, umov::test::serial);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

bool offers_force(const std::string& text) { return text.find("`run.force`") != std::string::npos; }

std::vector<std::pair<std::string, Simulation>> doubtful_cases() {
  std::vector<std::pair<std::string, Simulation>> list;
  const auto add = [&](const std::string& name, auto&& change) {
    list.emplace_back(name, short_case());
    change(list.back().second);
  };
  add("too coarse", [](Simulation& s) {
    s.walls = test::all_walls(WallKind::pec);
    s.resolution = 5;
    s.bodies = {test::body("box", "glass", {0, 0, 0})};
  });
  add("body uneven about a mirror", [](Simulation& s) {
    s.walls[1][0] = WallKind::mirror_even;
    s.bodies = {test::body("box", "glass", {0, 0.3, 0})};
    s.bodies[0].size = {1, 1, 0};
  });
  add("source in a layer", [](Simulation& s) { s.sources[0].center = {1.8, 0, 0}; });
  add("no source", [](Simulation& s) { s.sources.clear(); });
  add("line with its middle in a conductor", [](Simulation& s) {
    s.bodies = {test::body("box", "pec", {0.5, 0.2, 0})};
    s.bodies[0].size = {0.5, 0.5, 0};
    s.sources[0].kind = KindOfSource::line;
    s.sources[0].size = {0, 1.5, 0};
  });
  add("mode in a layer", [](Simulation& s) {
    s.bodies = {test::body("box", "glass", {0, 0, 0})};
    s.bodies[0].size = {0, 0.4, 0};
    s.sources[0].kind = KindOfSource::mode;
    s.sources[0].center = {-1.8, 0, 0};
    s.sources[0].size = {0, 2, 0};
  });
  return list;
}

std::vector<std::pair<std::string, Simulation>> impossible_cases() {
  std::vector<std::pair<std::string, Simulation>> list;
  const auto add = [&](const std::string& name, auto&& change) {
    list.emplace_back(name, short_case());
    change(list.back().second);
  };
  add("source outside", [](Simulation& s) { s.sources[0].center = {5, 0, 0}; });
  add("box beyond the domain", [](Simulation& s) {
    s.sources[0].kind = KindOfSource::box;
    s.sources[0].size = {6, 6, 0};
  });
  add("cells outside", [](Simulation& s) {
    s.sources[0].kind = KindOfSource::shape;
    s.sources[0].pixels = {{500, 3, 0}};
  });
  add("mode outside", [](Simulation& s) {
    s.sources[0].kind = KindOfSource::mode;
    s.sources[0].center = {-5, 0, 0};
    s.sources[0].size = {0, 2, 0};
  });
  add("point in a conductor", [](Simulation& s) {
    s.bodies = {test::body("box", "pec", {0.5, 0.2, 0})};
    s.bodies[0].size = {1, 1, 0};
  });
  add("flux monitor outside", [](Simulation& s) {
    s.monitors = {test::flux_through("eye", {9, 0, 0}, {0, 1, 0}, {1})};
  });
  add("series outside", [](Simulation& s) { s.monitors[0].center = {9, 0, 0}; });
  return list;
}

TEST(FdtdForced, GoesOnWhereItIsOffered) {
  for (const auto& [name, s] : doubtful_cases()) {
    EXPECT_TRUE(offers_force(stopped(s, false))) << name << ": " << stopped(s, false);
    EXPECT_EQ(stopped(s, true), "") << name;
  }
}

TEST(FdtdForced, IsNotOfferedWhereNothingCanGoOn) {
  for (const auto& [name, s] : impossible_cases())
    for (const bool force : {false, true}) {
      EXPECT_NE(stopped(s, force), "") << name;
      EXPECT_FALSE(offers_force(stopped(s, force))) << name << ": " << stopped(s, force);
    }
}

TEST(FdtdForced, BoxesWithoutNetIncidentFluxHaveNoTransmission) {
  Simulation s = short_case();
  s.stop.steps = 600;
  s.normalize = true;
  s.sources = {test::plane_wave(test::pulse(1, 0.2))};
  s.bodies = {test::body("box", "glass", {0, 0, 0})};
  s.bodies[0].size = {0.4, 0.4, 0};
  s.monitors = {test::flux_through("box", {0, 0, 0}, {1, 1, 0}, {0.9, 1}, true)};
  auto out = fdtd::run(s, umov::test::serial);
  EXPECT_TRUE(out.of<FluxResult>().at(0).balanced);
  bool said = false;
  for (const auto& w : out.warnings)
    said |= w.find("as much flux leaves its box as enters it") != std::string::npos;
  EXPECT_TRUE(said);
  // Around a source it is what the source radiates, with and without a body.
  s.sources = {test::point_source(test::pulse(1, 0.2), Ez, {0.3, 0.1, 0})};
  out = fdtd::run(s, umov::test::serial);
  EXPECT_FALSE(out.of<FluxResult>().at(0).balanced);
}

TEST(FdtdForced, MonitorsThatTheIncidentWaveDoesNotReachHaveNoTransmission) {
  for (const Precision precision : {Precision::single_, Precision::double_}) {
    Simulation s = short_case();
    s.precision = precision;
    s.stop.steps = 600;
    s.normalize = true;
    s.walls[1] = {WallKind::periodic, WallKind::periodic};
    s.sources = {test::plane_wave(test::pulse(1, 0.2))};
    s.bodies = {test::body("box", "glass", {0.3, 0, 0})};
    s.bodies[0].size = {0.4, 0, 0};
    const auto Flux = MonitorSpec::Kind::flux;
    const double inf = std::numeric_limits<double>::infinity();
    s.monitors = {test::monitor(Flux, "before", {-1.4, 0, 0}, {0, inf, 0}, {0.9, 1}),
                  test::monitor(Flux, "along", {0, 0.5, 0}, {1, 0, 0}, {0.9, 1}),
                  test::monitor(Flux, "behind", {1, 0, 0}, {0, inf, 0}, {0.9, 1}),
                  test::monitor(Flux, "named", {-1.4, 0, 0}, {0, inf, 0}, {0.9, 1}),
                  test::monitor(Flux, "misnamed", {1, 0, 0}, {0, inf, 0}, {0.9, 1})};
    s.monitors[3].reference = "behind";
    s.monitors[4].reference = "before";
    const auto out = fdtd::run(s, umov::test::on("cpu"));
    std::string text;
    for (const auto& w : out.warnings) text += w + '\n';
    for (const bool left_out : {out.of<FluxResult>().at(0).balanced, out.of<FluxResult>()[1].balanced,
                                out.of<FluxResult>()[4].balanced})
      EXPECT_TRUE(left_out) << text;
    EXPECT_FALSE(out.of<FluxResult>()[2].balanced || out.of<FluxResult>()[3].balanced);
    EXPECT_NE(text.find("monitor 'before' at x = -1.4"), std::string::npos) << text;
    EXPECT_EQ(text.find("monitor 'behind' at"), std::string::npos) << text;
    // What the slab sends back, in units of what comes.
    const double back = normalized(out.of<FluxResult>()[3]).transmission.at(0);
    EXPECT_LT(back, 0);
    EXPECT_GT(back, -1);
  }
}

}  // namespace
}  // namespace umov::fdtd
