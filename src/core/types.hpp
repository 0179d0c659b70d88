// Small host types shared by all families: vectors in space and complex numbers.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace umov {

using cplx = std::complex<double>;
using Vec3 = std::array<double, 3>;
using CVec3 = std::array<cplx, 3>;
using Int3 = std::array<int, 3>;
using index_t = std::int64_t;

inline constexpr double pi = 3.14159265358979323846264338327950288, degree = pi / 180;
inline constexpr double infinity = std::numeric_limits<double>::infinity(),
                        nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr cplx i_unit{0, 1};

inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
/// Unconjugated product of a complex and a real vector.
inline cplx dot(const CVec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }
inline Vec3 operator*(double s, const Vec3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec3 unit(const Vec3& a) { return (1 / norm(a)) * a; }

}  // namespace umov
