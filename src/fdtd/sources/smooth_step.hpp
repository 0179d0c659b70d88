// The switch that signals and spectra are faded with.
#pragma once

#include <array>
#include <cmath>

#include "core/types.hpp"

namespace umov::fdtd {

/// From 0 to 1 over 0 <= x <= 1, with its derivative (8/3) sin^4(pi x): four continuous derivatives, so that
/// its spectrum falls as the fifth power of frequency.
inline std::array<double, 2> smooth_step(double x) {
  if (!(x > 0)) return {0, 0};
  if (x >= 1) return {1, 0};
  const double s = std::sin(pi * x);
  return {x - 2 * std::sin(2 * pi * x) / (3 * pi) + std::sin(4 * pi * x) / (12 * pi), 8.0 / 3 * s * s * s * s};
}

}  // namespace umov::fdtd
