// Small electroquasistatic cases for tests of the front and of files.
#pragma once

#include <string>

namespace umov::test {

/// Two layers of 2 mm between plates: a field-grading material on a dielectric, 10 kV with a ramp.
inline std::string two_layers(const std::string& more = "") {
  return R"([geometry]
kind = "layers"
width = 0.001
elements_across = 1

[[layer]]
region = "varistor"
thickness = 0.002
elements = 3

[[layer]]
region = "dielectric"
thickness = 0.002
elements = 3

[[material]]
name = "varistor"
permittivity = 12
conductivity = "microvaristor"

[[material]]
name = "dielectric"
permittivity = 4

[[electrode]]
name = "bottom"
rms = 10e3
ramp = "linear"

[[electrode]]
name = "top"
kind = "ground"
)" + more;
}

}  // namespace umov::test
