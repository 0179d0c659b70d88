// Fourier transforms of whole planes of a cell, along x and y.
#pragma once

#include <optional>

#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::harmonic {

/// Unnormalised transforms of `planes` planes [ny][nx], one after the other in memory; an axis of one cell is
/// left alone. A device with transforms of planes has its own.
template <class Dev, class T>
class LateralTransform {
 public:
  LateralTransform(Dev& dev, int nx, int ny, index_t planes) : planes_(planes), plane_(index_t(nx) * ny) {
    if (nx > 1) along_x_.emplace(dev, nx, 1, planes * ny, nx);
    if (ny > 1) along_y_.emplace(dev, ny, nx, nx, 1);
  }
  void run(Complex<T>* f, int sign) {
    if (along_x_) along_x_->run(f, sign);
    if (along_y_)
      for (index_t p = 0; p < planes_; ++p) along_y_->run(f + p * plane_, sign);
  }
  /// Bytes of memory beside the planes.
  std::size_t bytes() const { return 0; }

 private:
  index_t planes_, plane_;
  std::optional<typename Dev::template Lines<T>> along_x_, along_y_;
};

}  // namespace umov::harmonic
