// What `umov eqs` does where steps in time cannot go on as asked: a tolerance out of reach, a curve that
// jumps, steps that are too long. It ends clearly, and what was reached is kept.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/eqs_runs.hpp"
#include "support/program.hpp"

using namespace umov;
using test::columns;
using test::TemporaryFolder;

namespace {

/// The two layers with another curve: 12 and 4 of permittivity, 2 mm each, 10 kV sin(w t) 2 t / T.
std::string with_curve(const std::string& curve, const std::string& more) {
  std::string text = test::two_layers(more);
  const std::string named = "conductivity = \"microvaristor\"";
  text.replace(text.find(named), named.size(), curve);
  return text;
}

/// Eight powers of ten within 100 V/m.
const char* const jump = "conductivity_table = [[0, 1e-12], [1e6, 1e-12], [1.0001e6, 1e-4], [5e6, 1e-4]]";

double voltage(double t) { return 10e3 * std::sqrt(2.0) * std::sin(2 * M_PI * 50 * t) * t / 0.01; }
/// Below the jump nothing conducts to speak of: permittivities share the voltage.
double insulated(double t) { return voltage(t) / 2e-3 * 4 / 16; }

class EqsSteps : public testing::TestWithParam<std::string> {
 protected:
  std::string scheme() const { return "\n[time]\nend = 0.01\nscheme = \"" + GetParam() + "\"\n"; }
  test::Ended run(const std::string& curve, const std::string& more) {
    folder_.write("case.toml", with_curve(curve, scheme() + more));
    return test::run(folder_, "eqs case.toml --cpu --threads 1 --quiet --no-pictures --output-dir out");
  }
  std::string text(const std::string& name) const { return test::text_of(folder_ / ("out/" + name)); }
  TemporaryFolder folder_;
};

TEST_P(EqsSteps, AToleranceOutOfReachEndsTheRunWithWhatWasReached) {
  // steps of implicit Euler may err by the square of the tolerance over 1e-3: 1e-7 for all schemes
  const std::string tolerance = GetParam() == "implicit_euler" ? "1e-5" : "1e-7";
  const auto end = run(jump, "tolerance = " + tolerance +
                                 "\nfirst_step = 2e-5\nmin_step = 2e-5\n[newton]\ntolerance = 1e-10\n");
  EXPECT_EQ(end.code, 3) << end.err;
  // as the user gave it, whatever a step of the scheme may err by
  const std::string tolerance_word = GetParam() == "implicit_euler" ? "1e-05" : "1e-07";
  for (const std::string& part :
       {std::string("the time step at t = "), std::string("below the smallest (2e-05 s)"),
        "the tolerance " + tolerance_word, std::string("marked as not converged")})
    EXPECT_NE(end.err.find(part), end.err.npos) << end.err;
  EXPECT_NE(text("log").find("converged: no"), std::string::npos);
  EXPECT_NE(text("history.csv").find("NOT CONVERGED"), std::string::npos);
  for (const char* file : {"results.h5", "fields.vtkhdf", "checkpoint", "resolved.toml", "electrodes.csv"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / (std::string("out/") + file))) << file;
  // the field of the insulating layer reaches the jump at 5.877 ms
  const auto history = columns(folder_ / "out/history.csv"), layers = columns(folder_ / "out/materials.csv");
  const auto& time = history.at("time");
  ASSERT_GT(time.size(), 20u);
  EXPECT_TRUE(std::is_sorted(time.begin(), time.end()));
  EXPECT_GT(time.back(), 5.8e-3);
  EXPECT_LT(time.back(), 0.01);
  const auto& peak = layers.at("varistor peak");
  ASSERT_EQ(peak.size(), time.size());
  for (std::size_t k = 0; k < time.size(); ++k) {
    // conduction at 1e-12 S/m moves a millionth; behind the jump the field stays in it
    if (time[k] < 5.8e-3) {
      EXPECT_NEAR(peak[k], insulated(time[k]), 1e-4 * 1e6) << time[k];
    } else {
      EXPECT_LT(peak[k], 1.01e6) << time[k];
    }
  }
}

TEST_P(EqsSteps, ACurveWithAJumpHoldsTheFieldInTheJump) {
  const auto end = run(jump, "");
  ASSERT_EQ(end.code, 0) << end.err;
  const auto layers = columns(folder_ / "out/materials.csv");
  const auto &varistor = layers.at("varistor peak"), &other = layers.at("dielectric peak");
  const double held = *std::max_element(varistor.begin(), varistor.end());
  EXPECT_GT(held, 1e6);
  EXPECT_LT(held, 1.0001e6);
  // the rest of the voltage, at the time of its largest value (2.0288 = -tan 2.0288)
  const double most = voltage(2.028758 / (2 * M_PI * 50)) / 2e-3 - held;
  EXPECT_NEAR(*std::max_element(other.begin(), other.end()), most, 1e-3 * most);  // `tolerance`
}

TEST_P(EqsSteps, StepsThatAreTooLongAreCutAndGoOn) {
  const bool stages = GetParam().starts_with("rk") || GetParam() == "auto";
  const auto end = run("conductivity_formula = \"1e-12 * (1 + (E / 2e5)^14)\"",
                       std::string("step = 5e-3\n") + (stages ? "max_stages = 3\n" : ""));
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.err.find("fixed steps of 5 ms are 4 in a period"), end.err.npos) << end.err;
  const auto layers = columns(folder_ / "out/materials.csv");
  EXPECT_EQ(layers.at("time").back(), 0.01);
  // no field is beyond what the voltage without conduction makes
  for (const char* name : {"varistor peak", "dielectric peak"})
    for (const double e : layers.at(name))
      EXPECT_LE(e, 1.01 * voltage(2.028758 / (2 * M_PI * 50)) / 2e-3) << name;
  if (GetParam().starts_with("rk")) {
    EXPECT_NE(text("log").find("cut short by max_stages = 3"), std::string::npos) << text("log");
  }
}

INSTANTIATE_TEST_SUITE_P(Of, EqsSteps,
                         testing::Values("sdirk3", "esdirk3", "implicit_euler", "rkc", "rkl2", "auto"),
                         [](const auto& info) { return info.param; });

}  // namespace
