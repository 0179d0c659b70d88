// What the validation finds in a case, for tests.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "fdtd/model/validate.hpp"
#include "fdtd/sources/plane_wave.hpp"
#include "support/fdtd_cases.hpp"

namespace umov::test {

using fdtd::Finding, fdtd::Grid, fdtd::Simulation, fdtd::WallKind;
using Severity = Finding::Severity;

inline std::vector<Finding> findings(Simulation s) {
  fdtd::apply_picture(s);
  const auto scene = fdtd::make_scene(s);
  const Grid grid = fdtd::make_grid(s, *scene);
  Simulation ready = s;
  ready.bloch_shift = fdtd::bloch_shift(s, *scene, grid);
  return fdtd::validate(ready, *scene, grid);
}

/// The severity of the finding that holds the text, or nothing.
inline std::optional<Severity> found(const std::vector<Finding>& all, const std::string& text) {
  for (const auto& f : all)
    if (f.message.find(text) != std::string::npos) return f.severity;
  return {};
}

inline void expect_finding(const Simulation& s, Severity severity, const std::string& text) {
  const auto all = findings(s);
  std::string list;
  for (const auto& f : all) list += f.message + "\n";
  const auto got = found(all, text);
  ASSERT_TRUE(got) << "no finding with '" << text << "' among:\n" << list;
  EXPECT_EQ(*got, severity) << list;
}

/// 6 x 5 units, absorbing layers of one unit, a source and a monitor in the middle, nothing wrong.
inline Simulation sound_case() {
  Simulation s = glass_case({6, 5, 0}, 20);
  s.walls = all_walls(WallKind::pml);
  s.bodies[0].shape = "cylinder";
  s.bodies[0].radius = 0.5;
  s.sources.emplace_back();
  s.sources[0].name = "lamp";
  s.sources[0].waveform.frequency = 0.8;
  s.sources[0].center = {-1, 0, 0};
  s.monitors.emplace_back();
  s.monitors[0].name = "eye";
  s.monitors[0].center = {1, 0, 0};
  return s;
}

}  // namespace umov::test
