// What a dry run says of memory, beside what the engine takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "fdtd/run/run.hpp"
#include "support/fdtd_rank_runs.hpp"

namespace umov::fdtd::test {
namespace {

const std::string domain = R"(
[domain]
size = [4, 4]
resolution = 50
polarization = "te"
[[source]]
kind = "point"
component = "Hz"
waveform = "gaussian"
frequency = 0.8
[stop]
steps = 4
)";

struct Case {
  const char* name;
  std::string more;
};
void PrintTo(const Case& c, std::ostream* to) { *to << c.name; }

class FdtdPlan : public testing::TestWithParam<Case> {};

TEST_P(FdtdPlan, SaysTheMemoryThatTheEngineTakes) {
  const Simulation s = simulation(domain + GetParam().more);
  const Plan planned = plan(s);
  const Outcome o = run(s);
  // Surfaces, sources and tables are not foretold: 377 cells of the body's surface take 0.5 kB each of 1.6
  // MB.
  // Layers are counted as whole slabs where they meet, and for all components.
  EXPECT_LE(double(planned.bytes), 1.1 * double(o.device_bytes));
  EXPECT_GE(double(planned.bytes), 0.8 * double(o.device_bytes));
  EXPECT_FALSE(planned.fit.empty());
  for (const int ranks : {1, 3}) {
    const Plan several = plan(s, ranks);
    double sum = 0;
    for (const RankShare& share : several.shares) sum += double(share.bytes);
    if (ranks > 1) {
      EXPECT_GE(sum, double(planned.bytes)) << "copied planes come on top";
    }
    if (ranks > 1) {
      EXPECT_LE(sum, 1.1 * double(planned.bytes));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, FdtdPlan,
                         testing::Values(Case{"Bare", ""}, Case{"FourierMonitor", R"(
[[monitor]]
kind = "fourier"
fields = ["Ex", "Ey", "Hz"]
size = [3, 3]
frequencies = [0.8, 0.9]
)"},
                                         Case{"DispersiveBody", R"(
[[material]]
name = "metal"
eps = 2
[[material.pole]]
kind = "drude"
strength = 90
gamma = 0.6
[[material.pole]]
kind = "lorentz"
strength = 1.2
omega = 7
gamma = 0.8
[[body]]
shape = "cylinder"
material = "metal"
radius = 1.2
center = [0.3, 0.1]
)"}),
                         [](const auto& info) { return std::string(info.param.name); });

std::string monitor(const std::string& keys) {
  return domain + "[[monitor]]\nname = \"m\"\nfrequencies = [0.8]\n" + keys;
}

template <class Act>
std::string refusal(const Act& act) {
  try {
    act();
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

TEST(FdtdPlanOfMonitors, RefusesWhatTheRunRefusesInItsWords) {
  const Simulation s = simulation(monitor("kind = \"orders\"\nsize = [inf, 0]\n"));
  const std::string planned = refusal([&] { plan(s); });
  EXPECT_NE(planned.find("monitor 'm' lies across x, whose walls do not repeat"), std::string::npos)
      << planned;
  EXPECT_EQ(planned, refusal([&] { run(s); }));
}

/// What is guided is known once materials are painted.
TEST(FdtdPlanOfMonitors, SaysThatModesAreLookedForLater) {
  const Simulation s = simulation(monitor("kind = \"mode\"\nsize = [0, 1]\n"));
  const auto notes = plan(s).outcome.notes;
  EXPECT_TRUE(std::ranges::any_of(notes, [](const std::string& note) {
    return note.find("modes are looked for when the run begins") == 0 && note.ends_with("monitor 'm'");
  }));
  EXPECT_NE(refusal([&] { run(s); }).find("no guided mode"), std::string::npos);
}

}  // namespace
}  // namespace umov::fdtd::test
