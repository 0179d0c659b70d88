// PNG written in memory by libpng's simplified interface; rectangles in pixels.
#include "view/picture.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <span>
#include <utility>

#include "core/error.hpp"
#include "shapes/picture.hpp"

namespace umov::view {

namespace {

/// libpng's own record of a picture, given back in any case.
struct Image {
  png_image image{};
  Image() { image.version = PNG_IMAGE_VERSION; }
  ~Image() { png_image_free(&image); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
};

}  // namespace

std::string png_of(const Pixels& p) {
  Image i;
  i.image.width = png_uint_32(p.width);
  i.image.height = png_uint_32(p.height);
  i.image.format = PNG_FORMAT_RGBA;
  png_alloc_size_t size = 0;
  std::string out;
  const auto write = [&](void* to) {
    if (!png_image_write_to_memory(&i.image, to, &size, 0, p.rgba.data(), 0, nullptr))
      throw MachineFailure(fmt::format("a picture of {} x {} cannot be written as PNG ({})", p.width,
                                       p.height, i.image.message));
  };
  write(nullptr);
  out.resize(size);
  write(out.data());
  out.resize(size);
  return out;
}

Pixels pixels_of(const std::string& png) {
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(png.data()), png.size());
  shapes::Picture p = shapes::decode_picture("the picture", bytes, 1 << 26);
  if (p.width > longest_edge || p.height > longest_edge)
    throw BadInput(
        fmt::format("the picture has {} x {} pixels (an edge of {} is the most); send a smaller one", p.width,
                    p.height, longest_edge));
  return {p.width, p.height, std::move(p.rgba)};
}

Pixels painted(Pixels p, const std::vector<std::array<int, 4>>& rects, const std::array<int, 3>& rgb) {
  for (const int c : rgb)
    if (c < 0 || c > 255) throw BadInput(fmt::format("colour {} (0 to 255 is one of 8 bits); mend rgb", c));
  for (const auto& [x, y, width, height] : rects) {
    const auto end = [](int from, int count, int most) {
      return int(std::clamp<std::int64_t>(std::int64_t(from) + count, 0, most));
    };
    for (int row = std::max(0, y); row < end(y, height, p.height); ++row)
      for (int column = std::max(0, x); column < end(x, width, p.width); ++column) {
        std::uint8_t* pixel = p.rgba.data() + 4 * (std::size_t(row) * p.width + column);
        std::copy(rgb.begin(), rgb.end(), pixel);
        pixel[3] = 255;
      }
  }
  return p;
}

}  // namespace umov::view
