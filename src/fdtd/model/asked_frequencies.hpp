// Frequencies at which a case asks for results.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fdtd/simulation.hpp"

namespace umov::fdtd {

/// With the words for who asks: a source (its centre) or a monitor.
std::vector<std::pair<double, std::string>> asked_frequencies(const Simulation&);

}  // namespace umov::fdtd
