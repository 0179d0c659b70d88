// Fields to be marched in pseudo-time and how far apart they are, for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "harmonic/incident.hpp"
#include "harmonic/pseudo_time.hpp"

namespace umov::harmonic {

struct Marched {
  Problem problem;
  std::vector<cplx> layered;
  IncidentWave wave;
  Fields fields;
  PseudoTimeReport report;
};

inline Marched prepare(const Problem& problem, Polarization polarization) {
  Marched out;
  out.problem = problem;
  out.layered = layered_field(problem, polarization, out.wave);
  return out;
}

/// Largest difference over the largest value.
inline double apart(const Fields& a, const Fields& b) {
  double most = 0, size = 0;
  for (std::size_t i = 0; i < b.values.size(); ++i) {
    most = std::max(most, std::abs(a.values[i] - b.values[i]));
    size = std::max(size, std::abs(b.values[i]));
  }
  return most / size;
}

}  // namespace umov::harmonic
