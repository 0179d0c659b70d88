// Interpolation between frequencies.
#pragma once

#include <algorithm>
#include <vector>

namespace umov::fdtd {

/// Lagrange's weights of points, ascending, at f; held constant beyond the outermost.
inline std::vector<double> lagrange_weights(const std::vector<double>& points, double f) {
  f = std::clamp(f, points.front(), points.back());
  std::vector<double> weights(points.size(), 1.0);
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < points.size(); ++j)
      if (j != i) weights[i] *= (f - points[j]) / (points[i] - points[j]);
  return weights;
}

}  // namespace umov::fdtd
