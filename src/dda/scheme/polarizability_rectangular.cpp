// Polarizability of rectangular dipoles: tabulated lattice sums and Massa's integral.
#include "dda/scheme/polarizability_rectangular.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"

namespace umov::dda {
namespace {

/// Lattice sums for one set of proportions: Gutkowicz-Krusin and Draine 2004, eqs. 45, 47, 48, 49.
/// R3 is symmetric, in the order 11, 22, 33, 12, 13, 23.
struct LatticeSums {
  double edges[3];
  double r0[3];
  double r1;
  double r2[3];
  double r3[6];
};

// Edges ascending; other orders follow by permuting the axes.
constexpr LatticeSums lattice_sums[] = {
    // clang-format off
    {{1, 1, 1}, {0, 0, 0}, 0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}},
    {{1, 1, 1.5}, {0.20426, 0.20426, -0.40851}, -0.53869, {0.52918, 0.52918, -1.59705}, {0.37743, 0.37743, -1.62922, 0.13566, 0.01609, 0.01609}},
    {{1, 1.5, 1.5}, {0.52383, -0.26192, -0.26192}, -0.50962, {1.13457, -0.82209, -0.82209}, {0.80161, -0.80815, -0.80815, 0.16648, 0.16648, -0.18041}},
    {{1, 1, 2}, {0.38545, 0.38545, -0.77090}, -1.76582, {0.88788, 0.88788, -3.54158}, {0.55693, 0.55693, -3.72878, 0.23735, 0.09360, 0.09360}},
    {{1, 1.5, 2}, {0.81199, -0.21028, -0.60172}, -1.21448, {1.55359, -0.50100, -2.26706}, {1.02166, -0.55501, -2.30887, 0.27206, 0.25987, -0.21806}},
    {{1, 2, 2}, {1.19693, -0.59846, -0.59846}, -1.59967, {2.01512, -1.80739, -1.80739}, {1.26456, -1.78732, -1.78732, 0.37528, 0.37528, -0.39535}},
    {{1, 1, 3}, {0.74498, 0.74498, -1.48995}, -5.47612, {1.44677, 1.44677, -8.36967}, {0.81662, 0.81662, -8.83412, 0.39793, 0.23223, 0.23223}},
    {{1, 1.5, 3}, {1.38481, -0.14304, -1.24176}, -3.71651, {2.20875, -0.12162, -5.80365}, {1.34832, -0.40088, -6.06792, 0.43771, 0.42272, -0.15845}},
    {{1, 2, 3}, {1.96224, -0.69714, -1.26510}, -3.48931, {2.73708, -1.49246, -4.73393}, {1.62638, -1.56624, -4.80661, 0.55590, 0.55480, -0.48211}},
    {{1, 3, 3}, {3.11030, -1.55515, -1.55515}, -4.62875, {3.56356, -4.09616, -4.09616}, {2.04073, -3.94766, -3.94766, 0.76142, 0.76142, -0.90991}},
    // clang-format on
};

constexpr int symmetric_index(int i, int j) { return i == j ? i : i + j + 2; }

/// The tabulated sums with axes permuted to the order of `proportions`.
LatticeSums find_lattice_sums(const Vec3& proportions) {
  const double shortest = *std::min_element(proportions.begin(), proportions.end());
  int order[3];  // order[rank] = axis
  std::iota(order, order + 3, 0);
  std::stable_sort(order, order + 3, [&](int a, int b) { return proportions[a] < proportions[b]; });
  for (const LatticeSums& s : lattice_sums) {
    bool same = true;
    for (int r = 0; r < 3; ++r)
      same = same && std::abs(proportions[order[r]] / shortest - s.edges[r]) < 1e-15;
    if (!same) continue;
    LatticeSums out = s;
    for (int r = 0; r < 3; ++r) {
      out.edges[order[r]] = s.edges[r];
      out.r0[order[r]] = s.r0[r];
      out.r2[order[r]] = s.r2[r];
      for (int q = 0; q < 3; ++q) out.r3[symmetric_index(order[r], order[q])] = s.r3[symmetric_index(r, q)];
    }
    return out;
  }
  throw BadInput(
      fmt::format("rectangular dipoles of proportions {:g}:{:g}:{:g} have no tabulated cm or cldr "
                  "polarizability (edges must be in ratios of 1, 1.5, 2, 3 after division by the shortest); "
                  "use polarizability igt_so",
                  proportions[0], proportions[1], proportions[2]));
}

/// Clausius-Mossotti corrected for the lattice: eq. 55.
cplx lattice_clausius_mossotti(cplx m, double volume, double r0) {
  const cplx cm = 3.0 * (m * m - 1.0) / (m * m + 2.0);
  return cm / (1.0 + cm * r0) * volume / (4 * pi);
}

/// Second-order correction of component i: eqs. 62, 63 and 65. c1, c2, c3 as printed after eq. 46.
cplx cldr_correction(const LatticeSums& s, cplx m, const Vec3& a, int i, double nu) {
  constexpr double c1 = -5.9424219, c2 = 0.5178819, c3 = 4.0069747;
  const cplx m2 = m * m;
  const double ai2 = a[i] * a[i], r3ii = s.r3[symmetric_index(i, i)];
  double sum = 0;
  for (int l = 0; l < 3; ++l) sum += a[l] * a[l] * s.r3[symmetric_index(i, l)];
  const cplx big_l = c1 + m2 * c2 * (1 - 3 * ai2) - m2 * c3 * ai2 - cplx(0, 4 * pi * pi * nu / 3) - s.r1 -
                     (m2 - 1.0) * s.r2[i] - 8.0 * m2 * ai2 * r3ii + 4.0 * m2 * sum;
  const double big_k = c3 + s.r1 - 4 * s.r2[i] + 8 * r3ii;
  return -4 * pi * nu * nu * (big_l + m2 * ai2 * (big_k - c3));
}

/// Integral behind the dynamic depolarization of a cuboid with half-edges a, b, c along the field:
/// Massa et al. 2013, supplementary data, eq. 54.
double massa_integral(double a, double b, double c) {
  const double r = std::sqrt(a * a + b * b + c * c);
  auto log_ratio = [r](double t) { return std::log((r + t) / (r - t)); };
  return 2 * (-4 * c * c * std::atan(a * b / (r * c)) - 4 * b * b * std::atan(a * c / (r * b)) +
              2 * a * b * log_ratio(c) + 2 * a * c * log_ratio(b) + 4 * b * c * log_ratio(a));
}

/// Massa et al. 2013, eqs. 9 to 11.
cplx massa_polarizability(cplx m, const Vec3& spacing, double k, int i) {
  const double a = spacing[i] / 2, b = spacing[(i + 1) % 3] / 2, c = spacing[(i + 2) % 3] / 2;
  const double omega = 4 * std::asin(b * c / std::sqrt((a * a + b * b) * (a * a + c * c)));
  const cplx self(-2 * omega + k * k * massa_integral(a, b, c) / 2, 16.0 / 3 * k * k * k * a * b * c);
  return 8 * a * b * c / (4 * pi / (m * m - 1.0) - self);
}

}  // namespace

CVec3 rectangular_polarizability(Polarizability kind, cplx m, const Vec3& spacing, const Vec3& proportions,
                                 double k, const Vec3& prop) {
  CVec3 alpha;
  if (kind == Polarizability::igt_so) {
    for (int i = 0; i < 3; ++i) alpha[i] = massa_polarizability(m, spacing, k, i);
    return alpha;
  }
  const LatticeSums sums = find_lattice_sums(proportions);
  const double volume = spacing[0] * spacing[1] * spacing[2];
  for (int i = 0; i < 3; ++i) {
    alpha[i] = lattice_clausius_mossotti(m, volume, sums.r0[i]);
    if (kind == Polarizability::cldr)
      alpha[i] /=
          1.0 - alpha[i] / volume * cldr_correction(sums, m, prop, i, k / (2 * pi) * std::cbrt(volume));
  }
  return alpha;
}

}  // namespace umov::dda
