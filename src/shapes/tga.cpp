// TGA (Truevision, 1991): palettes, true colour and grey, plain or in runs.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "shapes/picture_parts.hpp"

namespace umov::shapes {
namespace {

enum Kind { palette = 1, color = 2, grey = 3 };

struct TgaHeader {
  int kind = 0;
  bool runs = false, from_top = false, from_right = false;
  int width = 0, height = 0, bits = 0;
  int first_color = 0, colors = 0, color_bits = 0;
  std::size_t palette_at = 0, pixels_at = 0;

  static int bytes(int bits) { return (bits + 7) / 8; }
};

TgaHeader read_tga_header(const PictureFile& f) {
  TgaHeader h;
  const auto kind = int(f.number(2, 1)), has_palette = int(f.number(1, 1)), places = int(f.number(17, 1));
  h.kind = kind & 7, h.runs = kind & 8;
  h.first_color = int(f.number(3, 2)), h.colors = int(f.number(5, 2)), h.color_bits = int(f.number(7, 1));
  h.width = int(f.number(12, 2)), h.height = int(f.number(14, 2)), h.bits = int(f.number(16, 1));
  h.from_right = places & 16, h.from_top = places & 32;
  h.palette_at = 18 + f.number(0, 1);
  h.pixels_at =
      h.palette_at + (has_palette ? std::size_t(h.colors) * std::size_t(TgaHeader::bytes(h.color_bits)) : 0);
  const auto one_of = [](int bits, std::initializer_list<int> known) {
    return std::find(known.begin(), known.end(), bits) != known.end();
  };
  const bool known =
      (h.kind == palette && has_palette == 1 && h.bits == 8 && one_of(h.color_bits, {15, 16, 24, 32})) ||
      (h.kind == color && one_of(h.bits, {15, 16, 24, 32})) || (h.kind == grey && h.bits == 8);
  if ((kind & ~11) || has_palette > 1 || (places & 0xc0) || !known)
    f.refuse("not a TGA that is read",
             fmt::format("kind {} of {} bits a pixel, palette of {} bits", kind, h.bits, h.color_bits));
  return h;
}

class TgaReader {
 public:
  TgaReader(const PictureFile& f, const TgaHeader& h)
      : f_(f),
        h_(h),
        size_(TgaHeader::bytes(h.bits)),
        p_(blank_picture(f, h.width, h.height, bytes_needed())),
        at_(h.pixels_at) {
    for (int i = 0; h.kind == palette && i < h.colors; ++i) {
      const int bytes = TgaHeader::bytes(h.color_bits);
      palette_.push_back(
          unpacked(f.number(h.palette_at + std::size_t(i) * std::size_t(bytes), bytes), h.color_bits));
    }
  }

  Picture read() {
    const long count = long(p_.width) * p_.height;
    for (long n = 0; n < count;) {
      if (!h_.runs) {
        put(n, pixel(n));
        ++n;
        continue;
      }
      const std::uint32_t head = next(n, 1);
      const long run = std::min<long>(head % 128 + 1, count - n);
      Color c{};
      for (long k = 0; k < run; ++k, ++n) {
        if (k == 0 || head < 128) c = pixel(n);
        put(n, c);
      }
    }
    return std::move(p_);
  }

 private:
  using Color = std::array<std::uint8_t, 4>;

  /// A run of 128 pixels is its length and one of them.
  double bytes_needed() const {
    if (h_.runs) return double(h_.width) * h_.height / 128 * (1 + size_);
    const double row = double(h_.width) * size_;
    check_rows(f_, h_.pixels_at, row, h_.height, row, h_.from_top);
    return 0;
  }

  std::uint32_t next(long n, int bytes) {
    if (at_ + std::size_t(bytes) > f_.bytes.size())
      f_.refuse_cut(double(n / p_.width), p_.height, h_.from_top);
    const std::uint32_t value = f_.number(at_, bytes);
    at_ += std::size_t(bytes);
    return value;
  }

  Color pixel(long n) {
    const std::uint32_t value = next(n, size_);
    if (h_.kind != palette) return unpacked(value, h_.bits);
    const long index = long(value) - h_.first_color;
    if (index < 0 || index >= long(palette_.size()))
      f_.refuse_damaged(fmt::format("colour {} of a palette of {} from {} on, in row {} of {} from the {}",
                                    value, palette_.size(), h_.first_color, n / p_.width + 1, p_.height,
                                    h_.from_top ? "top" : "bottom"));
    return palette_[std::size_t(index)];
  }

  static Color unpacked(std::uint32_t v, int bits) {
    if (bits == 8) return {std::uint8_t(v), std::uint8_t(v), std::uint8_t(v), 255};
    if (bits <= 16) return {widened(v >> 10 & 31, 31), widened(v >> 5 & 31, 31), widened(v & 31, 31), 255};
    return {std::uint8_t(v >> 16), std::uint8_t(v >> 8), std::uint8_t(v),
            std::uint8_t(bits == 32 ? v >> 24 : 255)};
  }

  /// The n-th pixel in the order of the file.
  void put(long n, const Color& c) {
    const long row = n / p_.width, column = n % p_.width;
    const long y = h_.from_top ? row : p_.height - 1 - row,
               x = h_.from_right ? p_.width - 1 - column : column;
    std::copy(c.begin(), c.end(), p_.rgba.begin() + 4 * (y * p_.width + x));
  }

  const PictureFile& f_;
  const TgaHeader& h_;
  int size_;  ///< bytes of a pixel
  Picture p_;
  std::vector<Color> palette_;
  std::size_t at_;
};

}  // namespace

Picture read_tga(const PictureFile& f) {
  const TgaHeader h = read_tga_header(f);
  return TgaReader(f, h).read();
}

}  // namespace umov::shapes
