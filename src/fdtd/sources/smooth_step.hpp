// The switch that signals and spectra are faded with.
#pragma once

#include <array>
#include <cmath>

#include "core/types.hpp"

namespace umov::fdtd {

/// From 0 to 1 over 0 <= x <= 1, with its derivative (16/5) sin^6(pi x): six continuous derivatives, so that
/// its spectrum falls as the seventh power of frequency.
inline std::array<double, 2> smooth_step(double x) {
  if (!(x > 0)) return {0, 0};
  if (x >= 1) return {1, 0};
  const double s = std::sin(pi * x), s2 = s * s, a = 2 * pi * x;
  return {x - (45 * std::sin(a) - 9 * std::sin(2 * a) + std::sin(3 * a)) / (60 * pi),
          16.0 / 5 * s2 * s2 * s2};
}

}  // namespace umov::fdtd
