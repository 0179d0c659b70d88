// Reading PNG pictures as exact numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace umov::shapes {

/// A picture of 8 bits per channel, rows from the top, pixels red, green, blue, alpha.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;

  const std::uint8_t* pixel(int column, int row) const {
    return rgba.data() + 4 * (std::size_t(row) * width + column);
  }
};

/// Reads any PNG: palettes, gray and fewer bits are widened, 16 bits rounded to 8, a missing alpha is 255.
/// The numbers are those in the file; colour profiles and gamma are not applied. Throws BadInput naming the
/// file when it cannot be read, is no PNG or is damaged.
Picture read_png(const std::string& path);

}  // namespace umov::shapes
