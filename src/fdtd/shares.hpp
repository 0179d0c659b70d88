// Shares of grid points in what lies between them: places, intervals and drawn cells, with walls and periods
// respected.
#pragma once

#include <utility>
#include <vector>

#include "fdtd/problem.hpp"

namespace umov::fdtd {

/// What the shares are for. A current at a symmetric wall has a mirror image, whose share at a point of the
/// wall counts too; a reading does not. Squares of a field have no sign that an image could turn.
enum class Use { current, reading, squares };

/// Share of one index along one axis; complex where it came round a Bloch period.
struct AxisShare {
  int index = 0;
  cplx weight = 1;
};

/// Shares along one axis of the points of a component in [from, to], coordinates in cells from the low end of
/// the domain (what lies beyond its ends is cut off): integrals of the hat functions 1 - |x - point|, so that
/// the sum is to - from and the centre of mass that of the interval; without extent the values of the hats,
/// of sum 1. Points that are not computed pass their share to their image, with the sign of the component's
/// symmetry at that wall, or round the period; a point where the component vanishes is left out. For readings
/// with a Bloch phase, whose weights are real, the nearest point takes the share of the image.
std::vector<AxisShare> axis_shares(const Problem&, Component, int axis, double from, double to, Use);

/// Indices of the points in [from, to], ends included, or those nearest to its middle, both where it lies
/// halfway. Only computed ones.
std::vector<AxisShare> points_within(const Problem&, Component, int axis, double from, double to);

/// Sums of shares by cell.
class PointWeights {
 public:
  void add(index_t cell, cplx weight);
  /// The weight of a product of shares along the three axes.
  void add(const Layout&, const std::vector<AxisShare>& x, const std::vector<AxisShare>& y,
           const std::vector<AxisShare>& z);
  /// Sorted by cell, each once.
  std::vector<std::pair<index_t, cplx>> take();

 private:
  void merge();

  std::vector<std::pair<index_t, cplx>> list_;
  std::size_t limit_ = std::size_t(1) << 20;  ///< entries at which equal cells are merged
};

/// The cells of a drawing: boxes of a raster of raster[a] along each axis of the whole grid (0: the grid's
/// own cells), in any order; one that is named twice counts once.
struct DrawnCells {
  const std::vector<Int3>& pixels;
  Int3 raster;

  /// The raster with the grid's own numbers where none is given.
  Int3 raster_on(const Grid&) const;
  /// First pixel that lies outside the raster, or nullptr.
  const Int3* outside(const Grid&) const;
};

/// Weights of a component's points in the drawn area (volume in three dimensions), in cells. With `inside`
/// every point on the area, its rim included, weighs 1.
std::vector<std::pair<index_t, cplx>> drawn_weights(const Problem&, Component, const DrawnCells&, Use,
                                                    bool inside = false);
/// Number of the grid's cells that the drawn area has.
double drawn_area(const Grid&, const DrawnCells&);

}  // namespace umov::fdtd
