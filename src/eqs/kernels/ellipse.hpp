// The ellipse that a field turns through in a period: its longer half axis, the one place that knows |E| of a
// complex field.
#pragma once

#include <cmath>

#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::eqs {

/// The largest |a cos t + b sin t|^2 over t from a . a, b . b and a . b: the greater eigenvalue of
/// ((a.a, a.b), (a.b, b.b)). It is a.a + b.b only where the field stays on a line, half of that where it runs
/// around a circle.
UMOV_HD inline double peak_square(double aa, double bb, double ab) {
  return (aa + bb + sqrt((aa - bb) * (aa - bb) + 4 * ab * ab)) / 2;
}

/// |E| of a field with real part a and imaginary part b: its largest over a period.
inline double peak_of(const Vec3& a, const Vec3& b) {
  return std::sqrt(peak_square(dot(a, a), dot(b, b), dot(a, b)));
}

}  // namespace umov::eqs
