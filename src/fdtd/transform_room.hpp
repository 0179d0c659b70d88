// How many samples of a running Fourier transform wait before they are added to its sums.
#pragma once

#include <algorithm>
#include <cstddef>

namespace umov::fdtd {

/// As many as there are frequencies, so that what waits takes half the memory of the sums, and more where
/// that is little. At most 64: then sums are read and written so rarely that other costs are larger.
inline int transform_room(std::size_t points, std::size_t frequencies, std::size_t value_bytes) {
  constexpr std::size_t little = std::size_t(16) << 20;
  const std::size_t fit = little / std::max<std::size_t>(1, points * value_bytes);
  return int(std::clamp<std::size_t>(std::max(frequencies, fit), 2, 64));
}

}  // namespace umov::fdtd
