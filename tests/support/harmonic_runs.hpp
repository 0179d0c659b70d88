// Runs of time-harmonic cells for tests.
#pragma once

#include <string>
#include <vector>

#include "harmonic/command/command.hpp"
#include "harmonic/run/run.hpp"

namespace umov::test {

/// The case of a file, on the machine that it names.
inline harmonic::Outcome run_file(const std::string& path) {
  const harmonic::Request r = harmonic::parse(std::vector<std::string>{path});
  return harmonic::run(r.simulation, r.given.machine);
}

}  // namespace umov::test
