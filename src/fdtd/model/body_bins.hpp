// Bodies sorted into bins of space, so that scenes of thousands of them are searched fast.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "fdtd/model/extent.hpp"
#include "shapes/body.hpp"

namespace umov::fdtd {

struct Layer {
  std::unique_ptr<shapes::Body> body;
  int material = 0;
};

class BodyBins {
 public:
  BodyBins(const Extent&, std::vector<Layer>);

  const Layer& operator[](int b) const { return layers_[b]; }
  /// Indices, topmost first, of all bodies that may reach into the box (and perhaps some that do not).
  std::span<const int> near(const Vec3& lo, const Vec3& hi) const;

 private:
  std::vector<int> overlapping(const Vec3& lo, const Vec3& hi) const;

  Extent extent_;
  std::vector<Layer> layers_;
  std::vector<shapes::Bounds> bounds_;
  std::vector<int> all_;
  Int3 bins_{1, 1, 1};
  double margin_;  ///< a box of at most this half extent is found in the bin of its centre
  std::vector<std::vector<int>> lists_;
};

}  // namespace umov::fdtd
