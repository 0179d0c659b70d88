#include "fdtd/model/body_bins.hpp"

#include <algorithm>

namespace umov::fdtd {
namespace {

/// Below this many bodies a list is as fast.
constexpr int worth_binning = 16;

}  // namespace

BodyBins::BodyBins(const Extent& extent, std::vector<Layer> layers)
    : extent_(extent), layers_(std::move(layers)), margin_(3 * extent.dx) {
  // larger than what is taken for lying on a surface
  const Vec3 little = 1e-3 * extent.dx * Vec3{1, 1, 1};
  for (const auto& l : layers_) {
    const auto b = l.body->bounds();
    bounds_.push_back({b.low - little, b.high + little});
  }
  for (int b = int(layers_.size()); b-- > 0;) all_.push_back(b);
  if (int(layers_.size()) < worth_binning) return;
  const int dim = dimensions(extent.mode);
  const int per_axis = std::clamp(int(std::lround(2 * std::pow(double(layers_.size()), 1.0 / dim))), 1, 256);
  for (int a = 0; a < dim; ++a) bins_[a] = per_axis;
  Vec3 edge{0, 0, 0};
  for (int a = 0; a < dim; ++a) edge[a] = (extent.high[a] - extent.low[a]) / bins_[a];
  for (int k = 0; k < bins_[2]; ++k)
    for (int j = 0; j < bins_[1]; ++j)
      for (int i = 0; i < bins_[0]; ++i) {
        Vec3 lo = extent.low;
        const Int3 ijk{i, j, k};
        for (int a = 0; a < 3; ++a) lo[a] += ijk[a] * edge[a] - margin_;
        lists_.push_back(overlapping(lo, lo + edge + Vec3{2 * margin_, 2 * margin_, 2 * margin_}));
      }
}

std::vector<int> BodyBins::overlapping(const Vec3& lo, const Vec3& hi) const {
  std::vector<int> found;
  for (int b : all_)
    if (!apart(b, lo, hi)) found.push_back(b);
  return found;
}

std::span<const int> BodyBins::near(const Vec3& lo, const Vec3& hi) const {
  if (lists_.empty()) return all_;
  std::size_t bin = 0;
  for (int a = 2; a >= 0; --a) {
    if (hi[a] - lo[a] > 2 * margin_) return all_;
    const double width = extent_.high[a] - extent_.low[a];
    const double at = width > 0 ? ((lo[a] + hi[a]) / 2 - extent_.low[a]) / width * bins_[a] : 0;
    bin = bin * bins_[a] + std::size_t(std::clamp(int(at), 0, bins_[a] - 1));
  }
  return lists_[bin];
}

}  // namespace umov::fdtd
