// Bodies of revolution about z given by a contour in a file, which may intersect itself.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"
#include "shapes/recipe.hpp"
#include "shapes/textfile.hpp"

namespace umov::shapes {
namespace {

struct Vertex {
  double rho, z;
};

/// One straight piece, with 1 -> 2 in the order of the file; never vertical.
struct Edge {
  double low, high;  ///< rho
  double slope, offset;
  double zmin, zmax;

  Edge(Vertex a, Vertex b)
      : low(std::min(a.rho, b.rho)),
        high(std::max(a.rho, b.rho)),
        slope((b.z - a.z) / (b.rho - a.rho)),
        offset(a.z - a.rho * slope),
        zmin(std::min(a.z, b.z)),
        zmax(std::max(a.z, b.z)) {}

  bool passes_above(double rho, double z) const {
    if (z < zmin) return true;
    if (z > zmax) return false;
    return z < offset + rho * slope;
  }
};

/// A stretch of the contour along which rho does not turn back: at each rho it has one z. Vertical pieces
/// within are left out.
struct Run {
  double low, high;
  std::vector<Edge> edges;  ///< rho ascending

  bool passes_above(double rho, double z) const {
    // Where two pieces meet, the one on the side of larger rho is asked.
    auto next =
        std::upper_bound(edges.begin(), edges.end(), rho, [](double r, const Edge& e) { return r < e.low; });
    return std::prev(next == edges.begin() ? next + 1 : next)->passes_above(rho, z);
  }
};

std::vector<Vertex> read_contour(const std::string& path) {
  const TextFile file(path);
  std::vector<Vertex> contour;
  for (std::size_t i = file.leading_comments(); i < file.lines(); ++i) {
    std::string_view text = file.line(i);
    if (trim(text).empty()) continue;
    Vertex v;
    if (!take(text, v.rho) || !take(text, v.z) || !std::isfinite(v.rho) || !std::isfinite(v.z))
      file.refuse(i, "broken line", "rho and z of one point are expected", "correct the line");
    if (v.rho < 0) file.refuse(i, "negative rho", "it is the distance from the z axis", "make it positive");
    contour.push_back(v);
  }
  if (contour.size() < 3)
    throw BadInput(fmt::format("{} points in contour file {} (a contour has at least 3); add points",
                               contour.size(), path));
  return contour;
}

/// Starts the contour where rho is smallest and about to grow, and closes it.
std::vector<Vertex> closed(std::vector<Vertex> contour, const std::string& path) {
  const std::size_t n = contour.size();
  const auto smaller = [](Vertex a, Vertex b) { return a.rho < b.rho; };
  const double lowest = std::min_element(contour.begin(), contour.end(), smaller)->rho;
  for (std::size_t i = 0; i < n; ++i)
    if (contour[i].rho == lowest && contour[(i + 1) % n].rho > lowest) {
      std::rotate(contour.begin(), contour.begin() + i, contour.end());
      contour.push_back(contour.front());
      return contour;
    }
  throw BadInput(fmt::format(
      "the contour in {} has no area (all its points have the same rho); correct the file", path));
}

std::vector<Run> split(const std::vector<Vertex>& c) {
  std::vector<Run> runs;
  bool growing = true;
  for (std::size_t i = 0; i + 1 < c.size(); growing = !growing) {
    Run run;
    const std::size_t first = i;
    while (i + 1 < c.size() && (growing ? c[i].rho <= c[i + 1].rho : c[i].rho >= c[i + 1].rho)) {
      if (c[i].rho != c[i + 1].rho) run.edges.emplace_back(c[i], c[i + 1]);
      ++i;
    }
    run.low = std::min(c[first].rho, c[i].rho);
    run.high = std::max(c[first].rho, c[i].rho);
    if (!growing) std::reverse(run.edges.begin(), run.edges.end());
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace

Recipe axisymmetric(const Arguments& a) {
  auto contour = closed(read_contour(a.file()), a.file());
  double low = contour[0].rho, high = low, bottom = contour[0].z, top = bottom;
  for (const auto& v : contour) {
    high = std::max(high, v.rho);
    bottom = std::min(bottom, v.z);
    top = std::max(top, v.z);
  }
  const double scale = 1 / (2 * high), middle = (top + bottom) / 2;
  for (auto& v : contour) v = {v.rho * scale, (v.z - middle) * scale};
  Recipe r;
  r.before =
      fmt::format("axisymmetric, defined by a contour in ro-z plane from file {}; diameter:", a.file());
  r.y_ratio = 1;
  r.z_ratio = (top - bottom) * scale;
  r.size = 2 * high;
  r.symmetry.z = false;
  // Even-odd rule along +z: a point is inside if the contour passes above it an odd number of times.
  r.material = [runs = split(contour), hole2 = low * low * scale * scale](const Point& p) {
    const double rho2 = p.x * p.x + p.y * p.y;
    if (rho2 < hole2 || rho2 > 0.25) return false;
    const double rho = std::sqrt(rho2);
    bool inside = false;
    for (const auto& run : runs)
      if (rho >= run.low && rho <= run.high && run.passes_above(rho, p.z)) inside = !inside;
    return inside;
  };
  return r;
}

}  // namespace umov::shapes
