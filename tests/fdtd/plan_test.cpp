// What a dry run says of memory, beside what the engine takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "fdtd/run/run.hpp"
#include "support/fdtd_rank_runs.hpp"
#include "support/machines.hpp"

namespace umov::fdtd::trial {
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

struct PlanCase {
  const char* name;
  std::string more;
};
void PrintTo(const PlanCase& c, std::ostream* to) { *to << c.name; }

class FdtdPlan : public testing::TestWithParam<PlanCase> {};

TEST_P(FdtdPlan, SaysTheMemoryThatTheEngineTakes) {
  const Simulation s = simulation(domain + GetParam().more);
  const Plan planned = plan(s, umov::test::one_thread);
  const Outcome o = run(s, umov::test::one_thread);
  // Surfaces, sources and tables are not foretold: 377 cells of the body's surface take 0.5 kB each of 1.6
  // MB.
  // Layers are counted as whole slabs where they meet, and for all components.
  EXPECT_LE(double(planned.bytes), 1.1 * double(o.device_bytes));
  EXPECT_GE(double(planned.bytes), 0.8 * double(o.device_bytes));
  EXPECT_FALSE(planned.fit.empty());
  for (const int ranks : {1, 3}) {
    const Plan several = plan(s, umov::test::one_thread, ranks);
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
                         testing::Values(PlanCase{"Bare", ""}, PlanCase{"FourierMonitor", R"(
[[monitor]]
kind = "fourier"
fields = ["Ex", "Ey", "Hz"]
size = [3, 3]
frequencies = [0.8, 0.9]
)"},
                                         PlanCase{"DispersiveBody", R"(
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
std::string refusal_of_plan(const Act& act) {
  try {
    act();
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

TEST(FdtdPlanOfMonitors, RefusesWhatTheRunRefusesInItsWords) {
  const Simulation s = simulation(monitor("kind = \"orders\"\nsize = [inf, 0]\n"));
  const std::string planned = refusal_of_plan([&] { plan(s, umov::test::one_thread); });
  EXPECT_NE(planned.find("monitor 'm' lies across x, whose walls do not repeat"), std::string::npos)
      << planned;
  EXPECT_EQ(planned, refusal_of_plan([&] { run(s, umov::test::one_thread); }));
}

/// What is known once materials are painted: modes, media that faces and surfaces meet, also of a reference
/// run, in which the bodies are missing.
struct OnTheGrid {
  const char *name, *text, *why;
};
constexpr const char* block =
    "[[material]]\nname = \"a\"\nindex = 1.5\n"
    "[[body]]\nshape = \"box\"\ncenter = [0.6, 0]\nsize = [1, 1]\nmaterial = \"a\"\n";
const std::string wave_of_plan = "[[source]]\nkind = \"plane_wave\"\nfrequency = 1\nsize = [1.5, 1.5]\n";
const OnTheGrid on_the_grid[] = {
    {"mode", "kind = \"mode\"\nsize = [0, 1]\n", "no guided mode"},
    {"near_to_far", "kind = \"near_to_far\"\nsize = [1.2, 1.2]\nphi = [0]\n", "cuts a body"},
};
class FdtdPlanOnTheGrid : public testing::TestWithParam<OnTheGrid> {};

TEST_P(FdtdPlanOnTheGrid, RefusesWhatTheRunRefuses) {
  std::string text = monitor(GetParam().text);
  if (std::string(GetParam().name) != "mode") text += block;
  const Simulation s = simulation(text);
  const std::string planned = refusal_of_plan([&] { plan(s, umov::test::one_thread); });
  EXPECT_NE(planned.find(GetParam().why), std::string::npos) << planned;
  EXPECT_EQ(planned, refusal_of_plan([&] { run(s, umov::test::one_thread); }));
}

INSTANTIATE_TEST_SUITE_P(Checks, FdtdPlanOnTheGrid, testing::ValuesIn(on_the_grid),
                         [](const auto& info) { return std::string(info.param.name); });

/// A body beside a face, within the cells of its edges: no point of the face lies in it.
TEST(FdtdPlanOfSources, RefusesABodyInTheCellsOfTheTotalFieldsFaces) {
  const std::string beside =
      "[[material]]\nname = \"a\"\nindex = 1.5\n[[body]]\nshape = \"box\"\ncenter = [0.9325, 0]\n"
      "size = [0.335, 0.6]\nmaterial = \"a\"\n";
  const Simulation s = simulation(domain + wave_of_plan + beside);
  const std::string planned = refusal_of_plan([&] { plan(s, umov::test::one_thread); });
  EXPECT_NE(planned.find("total-field box crosses"), std::string::npos) << planned;
  EXPECT_EQ(planned, refusal_of_plan([&] { run(s, umov::test::one_thread); }));
}

}  // namespace
}  // namespace umov::fdtd::trial
