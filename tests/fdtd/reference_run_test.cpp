// A reference run that cannot be made is named as such.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/fdtd_runs.hpp"
#include "support/machines.hpp"

namespace umov::fdtd {
namespace {

/// Two guides of 0.4 along x at y = -1 and 1, a mode source in the upper one, a mode monitor in the lower.
Simulation two_guides() {
  Simulation s;
  s.size = {5, 5, 0};
  s.resolution = 10;
  s.normalize = true;
  s.stop.steps = 4;
  s.materials = {test::constant("core", 9)};
  for (const double y : {1.0, -1.0}) {
    s.bodies.push_back(test::body("box", "core", {0, y, 0}));
    s.bodies.back().size = Vec3{0, 0.4, 0};
  }
  s.bodies[0].in_reference = true;
  s.sources.emplace_back();
  s.sources[0].name = "launch";
  s.sources[0].kind = SourceSpec::Kind::mode;
  s.sources[0].center = {-1, 1, 0};
  s.sources[0].size = {0, 1.6, 0};
  s.sources[0].waveform = test::pulse(0.4, 0.1);
  s.monitors = {test::monitor(MonitorSpec::Kind::mode, "drop", {1, -1, 0}, {0, 1.6, 0}, {0.4})};
  return s;
}

std::string refusal_of_reference_run(const Simulation& s) {
  try {
    run(s, umov::test::serial);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

TEST(FdtdReferenceRun, AModeThatOnlyItLacksIsSaidToBeMissingThereWithTheRemedy) {
  Simulation s = two_guides();
  const std::string words = refusal_of_reference_run(s);
  EXPECT_NE(words.find("monitor 'drop': no guided mode 1"), std::string::npos) << words;
  EXPECT_NE(words.find("in the reference run, which the run itself does not meet"), std::string::npos)
      << words;
  EXPECT_NE(words.find("1 of 2"), std::string::npos) << words;
  EXPECT_NE(words.find("in_reference = true, or leave normalize out"), std::string::npos) << words;
  s.bodies[1].in_reference = true;
  EXPECT_EQ(refusal_of_reference_run(s), "");
  s.bodies[1].in_reference = false;
  s.normalize = false;
  EXPECT_EQ(refusal_of_reference_run(s), "");
}

TEST(FdtdReferenceRun, AModeThatTheRunItselfLacksIsNoMatterOfTheReference) {
  Simulation s = two_guides();
  s.monitors[0].center = {1, 0, 0};
  s.monitors[0].size = {0, 0.6, 0};
  const std::string words = refusal_of_reference_run(s);
  EXPECT_NE(words.find("no guided mode 1"), std::string::npos) << words;
  EXPECT_EQ(words.find("reference run"), std::string::npos) << words;
}

}  // namespace
}  // namespace umov::fdtd
