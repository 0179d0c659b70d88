// Tangential fields on faces of node planes, in the discrete form whose flux is conserved exactly.
#pragma once

#include <vector>

#include "fdtd/observables/region.hpp"
#include "fdtd/observables/transforms.hpp"
#include "fdtd/transform_products.hpp"

namespace umov::fdtd {

/// Part of the plane where the nodes along `axis` have the index `node` in the whole domain. Bounds on the
/// other axes.
struct PlaneFace {
  int axis = 0, node = 0;
  int sign = +1;  ///< of the normal
  Region extent;
};

/// Faces of a monitor: of the box [lo, hi], its corners moved to nodes, outward, or the one plane in which
/// the extent has no thickness, with the monitor's direction. A face of a box on a wall without absorbing
/// layers is left out: no flux passes a conductor or a mirror, and what leaves by a periodic wall enters by
/// the other. Throws BadInput unless the extent is a box (`box`), or a plane (3D), line (2D) or point (1D).
std::vector<PlaneFace> faces_of(const MonitorSpec&, const Region&, bool box, const Whole&);

/// One product of tangential fields on a face, normal x (E x H) = orientation * E H. The samples of both lie
/// above each other: E in the plane, H half a cell below and above it (arithmetic mean of the two). Sample
/// (m0, m1, m2), first index fastest, is at index first + m of the whole domain; its weight is the product of
/// the three.
struct Patch {
  PlaneFace face;
  Component electric = Ez, magnetic = Hy;
  double orientation = +1;  ///< includes the sign of the face
  Int3 first{0, 0, 0}, count{1, 1, 1};
  std::array<std::vector<double>, 3> weight;  ///< lengths; area = product over the tangential axes
  std::size_t e = 0, below = 0, above = 0;    ///< first points among those of the transforms
  std::size_t size() const { return std::size_t(count[0]) * count[1] * count[2]; }
};

/// With plain sums over nodes of a closed box (halves at its rims) summation by parts turns the Yee curl into
/// exactly this mean of H, hence the flux through a box around lossless cells without source vanishes to
/// rounding; the same holds for the reaction of two discrete fields.
class Surface {
 public:
  Surface() = default;
  /// Adds the points to the transforms, which the caller commits.
  Surface(const std::vector<PlaneFace>&, const Whole&, Transforms&);
  const std::vector<Patch>& patches() const { return patches_; }
  /// (1/2) Re of the sum of E x H* over the faces for each of `frequencies` transforms.
  std::vector<double> flux(const TransformValues&, std::size_t frequencies) const;
  /// Makes ready for the same of an engine's transforms, once they are committed: it forms the sums by
  /// itself.
  void prepare_products(const Transforms&);
  std::vector<double> flux(const Engine&, std::size_t frequencies) const;
  /// The same with the magnitude of each face's.
  std::vector<double> gross_flux(const TransformValues&, std::size_t frequencies) const;
  /// The same with the magnitude of each product E H*: what fields of such sizes could carry. Of standing
  /// waves, and of waves that enter and leave a box, the flux itself tells nothing of their size.
  std::vector<double> apparent_flux(const TransformValues&, std::size_t frequencies) const;

 private:
  double flux(const Patch&, const TransformValues&, std::size_t f) const;
  /// Sum over a patch of area times what `of` takes from E H* / 2 there.
  template <class Of>
  static double sum(const Patch&, const TransformValues&, std::size_t f, const Of& of);
  std::vector<Patch> patches_;
  ProductSum products_;
};

/// Mean of H below and above the plane.
inline cplx mean_magnetic(const Patch& p, const TransformValues& v, std::size_t f, std::size_t point) {
  return 0.5 * (v.at(p.magnetic, f, p.below + point) + v.at(p.magnetic, f, p.above + point));
}

}  // namespace umov::fdtd
