// The header of a DDSCAT shape file: lattice spacings, target axes and origin (Draine and Flatau, "User guide
// for the discrete dipole approximation code DDSCAT", target option FROM_FILE).
#include <fmt/format.h>

#include <cmath>

#include "shapes/list_directed.hpp"
#include "shapes/recipe.hpp"

namespace umov::shapes {
namespace {

constexpr std::size_t axes_line = 2, spacing_line = 4, origin_line = 5;  // from 0
constexpr double written = 1e-5;                                         // DDSCAT writes six decimals

Vec3 three(const TextFile& file, std::size_t i) {
  Vec3 v{};
  ListRecord record(file.line(i));
  for (double& x : v) record.next(x);
  return v;
}

bool same(const Vec3& a, const Vec3& b) {
  for (int c = 0; c < 3; ++c)
    if (!(std::abs(a[c] - b[c]) <= written * std::max(1.0, std::abs(b[c])))) return false;
  return true;
}

/// Edges relative to the first.
Vec3 proportions(const Vec3& v) { return {1, v[1] / v[0], v[2] / v[0]}; }

void check_spacings(const TextFile& file, const Vec3& rectangular, std::vector<std::string>& warnings) {
  const Vec3 d = three(file, spacing_line);
  for (const double edge : d)
    if (!(edge > 0) || !std::isfinite(edge))
      file.refuse(spacing_line, "lattice spacings that are none", "each must be positive",
                  "correct the header");
  if (same(proportions(d), proportions(rectangular))) return;
  const std::string asked = fmt::format("{:g} {:g} {:g}", rectangular[0], rectangular[1], rectangular[2]);
  if (same(proportions(d), {1, 1, 1})) {
    warnings.push_back(fmt::format("{} has cubical dipoles; the rectangular ones asked for, {}, are used",
                                   file.path(), asked));
    return;
  }
  file.refuse(spacing_line, "lattice spacings of rectangular dipoles",
              fmt::format("dipoles of {} would be used", asked),
              fmt::format("ask for them: `shape.rectangular = [{:g}, {:g}, {:g}]`", d[0], d[1], d[2]));
}

void check_axes(const TextFile& file, std::vector<std::string>& warnings) {
  if (same(three(file, axes_line), {1, 0, 0}) && same(three(file, axes_line + 1), {0, 1, 0})) return;
  warnings.push_back(fmt::format(
      "{}:{}: the target axes A_1, A_2 are not x, y; they are not read (the particle is turned by its Euler "
      "angles, the light comes along z unless another propagation is given)",
      file.path(), axes_line + 1));
}

void check_origin(const TextFile& file, const std::array<Vec3, 2>& extent,
                  std::vector<std::string>& warnings) {
  const Vec3 zero = three(file, origin_line), centre = zero + 0.5 * (extent[0] + extent[1]);
  if (same(centre, {0, 0, 0})) return;
  warnings.push_back(fmt::format(
      "{}:{}: the origin is not the centre of the box; it is not read (phases of amplitudes and the centre "
      "of a beam count from the centre of the box, {:g} {:g} {:g} dipoles from that origin)",
      file.path(), origin_line + 1, centre[0], centre[1], centre[2]));
}

}  // namespace

void check_ddscat_header(const TextFile& file, bool has_origin, const Vec3& rectangular,
                         const std::array<Vec3, 2>& extent, std::vector<std::string>& warnings) {
  check_spacings(file, rectangular, warnings);
  check_axes(file, warnings);
  if (has_origin) check_origin(file, extent, warnings);
}

}  // namespace umov::shapes
