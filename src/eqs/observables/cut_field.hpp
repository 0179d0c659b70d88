// A plane cut through the model: which element each pixel lies in, and the field there.
#pragma once

#include <vector>

#include "eqs/observables/sampler.hpp"
#include "eqs/outcome.hpp"

namespace umov::eqs {

/// One cut, rasterised once and evaluated at every saved time.
class CutField {
 public:
  /// Throws BadInput when the plane misses the mesh.
  CutField(const CutSpec&, const Problem&);

  /// The picture at one time; `imaginary` as for a path.
  CutResult sample(const Sampler&, const double* u, const double* imaginary, double time) const;
  /// Where it lies, without values.
  const CutResult& frame() const { return frame_; }

 private:
  void paint(const Problem&, int tet);
  Vec3 position(int column, int row) const;

  CutResult frame_;
  int u_axis_ = 0, v_axis_ = 2;
  std::vector<mesh::Place> places_;  ///< per pixel
};

/// What is drawn when a case names none: of the planes of symmetry across y and x, and those through 0 and
/// the middle of the model, the first that cuts most materials. A face of the model that is all electrode
/// cuts none.
CutSpec middle_cut(const Problem&, const std::vector<std::string>& symmetry);

}  // namespace umov::eqs
