// Grids of sectors of tubes: transfinite curves, surfaces and volumes.
#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "mesh/gmsh/steps.hpp"
#include "mesh/part_shape.hpp"

namespace umov::mesh {

namespace {

namespace gm = gmsh::model::mesh;

std::vector<int> boundary(int dim, int tag) {
  gmsh::vectorpair ends;
  gmsh::model::getBoundary({{dim, tag}}, ends, false, false, false);
  std::vector<int> out;
  for (const auto& end : ends) out.push_back(end.second);
  return out;
}

/// One sector of a tube: which of its eight corners a point is. Bit 0: outer radius, 1: the end of the
/// sector, 2: top.
class GridCorners {
 public:
  GridCorners(const Part& p, const Pieces::Grid& grid, const std::vector<int>& points)
      : part_(p), grid_(grid), frame_(frame_of(p, grid.copy)) {
    for (const int point : points) {
      const double z = local(point)[2];
      low_ = std::min(low_, z);
      high_ = std::max(high_, z);
    }
  }

  int operator()(int point) const {
    const Vec3 x = local(point);
    const bool outer = std::hypot(x[0], x[1]) > (part_.radius + part_.inner_radius) / 2;
    const double past =
        std::remainder(std::atan2(x[1], x[0]) * 180 / pi - grid_.start - grid_.angle / 2, 360);
    return outer | (past > 0) << 1 | (x[2] > (low_ + high_) / 2) << 2;
  }
  /// Elements along the edge between two corners.
  int cells(int corner, int other) const {
    const auto count = [](double length, double size) {
      return std::max(1, int(std::ceil(length / size - 1e-6)));
    };
    if ((corner ^ other) == 1) return part_.across;
    if ((corner ^ other) == 2) return count(part_.radius * grid_.angle * pi / 180, part_.mesh_size);
    return count(high_ - low_, part_.mesh_size * part_.stretch);
  }

 private:
  Vec3 local(int point) const {
    std::vector<double> at;
    gmsh::model::getValue(0, point, {}, at);
    return frame_.local({at[0], at[1], at[2]});
  }
  const Part& part_;
  const Pieces::Grid& grid_;
  Frame frame_;
  double low_ = 1e300, high_ = -1e300;
};

}  // namespace

void set_grid(const Geometry& g, const Pieces::Grid& grid, std::set<int>& done) {
  const auto faces = boundary(3, grid.volume);
  std::map<int, std::vector<int>> curve_ends;
  std::vector<std::vector<int>> face_curves;
  std::vector<int> points;
  for (const int f : faces) {
    face_curves.push_back(boundary(2, f));
    for (const int c : face_curves.back()) {
      curve_ends[c] = boundary(1, c);
      points.insert(points.end(), curve_ends[c].begin(), curve_ends[c].end());
    }
  }
  const GridCorners corner(g.parts[grid.part], grid, points);
  std::map<int, std::pair<int, int>> curves;
  std::vector<int> point(8, -1);
  for (const int p : points) point[corner(p)] = p;
  for (const auto& [c, ends] : curve_ends)
    if (ends.size() == 2) curves[c] = {corner(ends[0]), corner(ends[1])};
  if (faces.size() != 6 || curves.size() != 12 || std::count(point.begin(), point.end(), -1) > 0)
    throw BadInput(
        fmt::format("{} has {} faces and {} edges where a structured tube's sector has 6 and 12 (another "
                    "part ends on it); leave "
                    "`across` out or move what touches it",
                    describe(g, grid.part), faces.size(), curves.size()));
  for (const auto& [c, ends] : curves) gm::setTransfiniteCurve(c, corner.cells(ends.first, ends.second) + 1);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (!done.insert(faces[i]).second)
      continue;  // shared with the last sector; Gmsh would add corners to corners
    int all = 7, any = 0;
    for (const int c : face_curves[i])
      for (const int k : {curves[c].first, curves[c].second}) {
        all &= k;
        any |= k;
      }
    const int base = all, free = any & ~all, low = free & -free, high = free & ~low;
    gm::setTransfiniteSurface(faces[i], "Left",
                              {point[base], point[base | low], point[base | free], point[base | high]});
  }
  gm::setTransfiniteVolume(grid.volume,
                           {point[0], point[1], point[3], point[2], point[4], point[5], point[7], point[6]});
}

}  // namespace umov::mesh
