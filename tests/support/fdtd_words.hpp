// Parameters of tests of the time domain in words, for the names of the tests.
#pragma once

#include <ostream>
#include <string>

#include "fdtd/problem.hpp"

namespace umov::fdtd {

inline const char* word(Mode m) {
  const char* const words[] = {"one", "tm", "te", "full"};
  return words[int(m)];
}
inline const char* word(Precision p) { return p == Precision::single_ ? "single" : "double"; }
inline const char* word(Closure c) {
  return c == Closure::pec ? "pec" : c == Closure::pmc ? "pmc" : "periodic";
}

/// "tm 597 x 43 x 1"
inline std::string words(Mode m, const Int3& cells) {
  return word(m) + (" " + std::to_string(cells[0])) + " x " + std::to_string(cells[1]) + " x " +
         std::to_string(cells[2]);
}

}  // namespace umov::fdtd
