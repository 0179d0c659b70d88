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
  std::span<const Layer> layers() const { return layers_; }
  /// Indices, topmost first, of all bodies that may reach into the box (and perhaps some that do not).
  std::span<const int> near(const Vec3& lo, const Vec3& hi) const;
  /// Whether a body surely has nothing in the box, nor a surface.
  bool apart(int b, const Vec3& lo, const Vec3& hi) const {
    const auto& [low, high] = bounds_[b];
    return low[0] > hi[0] || high[0] < lo[0] || low[1] > hi[1] || high[1] < lo[1] || low[2] > hi[2] ||
           high[2] < lo[2];
  }

 private:
  std::vector<int> overlapping(const Vec3& lo, const Vec3& hi) const;

  Extent extent_;
  std::vector<Layer> layers_;
  std::vector<shapes::Bounds> bounds_;  ///< of each, and a little more
  std::vector<int> all_;
  Int3 bins_{1, 1, 1};
  double margin_;  ///< a box of at most this half extent is found in the bin of its centre
  std::vector<std::vector<int>> lists_;
};

}  // namespace umov::fdtd
