// A small case for runs of the real program, and the tables they write.
#pragma once

#include <map>
#include <string>

#include "support/program.hpp"

namespace umov::test {

/// A pulse in a small box with a dielectric square, everything that has a state: layers, monitors, a picture
/// now and then.
inline const std::string pulse_case = R"([domain]
size = [6, 5]
resolution = 16
[[material]]
name = "glass"
index = 2
[[body]]
material = "glass"
center = [0.5, 0]
size = [1, 2]
[[source]]
kind = "point"
waveform = "gaussian"
frequency = 1
width = 0.3
center = [-1.5, 0.3]
[[monitor]]
kind = "series"
name = "probe"
center = [1.5, 0.2]
[[monitor]]
kind = "flux"
name = "wall"
center = 1.7
size = [0, 2]
frequency_from = 0.7
frequency_to = 1.3
frequency_count = 5
[[monitor]]
kind = "snapshot"
name = "film"
every = 3
[machine]
backend = "serial"
[output]
pictures = false
hdf5 = false
)";

/// Every CSV file of a folder by name.
inline std::map<std::string, std::string> tables(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".csv") all[entry.path().filename().string()] = text_of(entry.path());
  return all;
}

}  // namespace umov::test
