// BMP: what Paint calls a bitmap. 1 to 32 bits a pixel, palettes, bit fields and run lengths.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "shapes/picture_parts.hpp"

namespace umov::shapes {
namespace {

enum Compression : std::uint32_t { none = 0, rle8 = 1, rle4 = 2, bit_fields = 3, alpha_bit_fields = 6 };

using Masks = std::array<std::uint32_t, 4>;  ///< of red, green, blue, alpha; 0: there is none

/// What stands before the pixels (BITMAPFILEHEADER and BITMAPCOREHEADER, BITMAPINFOHEADER or a later one).
struct BmpHeader {
  double width = 0, height = 0;
  bool from_top = false;
  int bits = 0;
  std::uint32_t compression = none;
  std::size_t pixels_at = 0;
  std::size_t palette_at = 0, palette_entry = 4, colors = 0;
  Masks masks{};

  bool runs() const { return compression == rle8 || compression == rle4; }
  std::size_t row_bytes() const { return (std::size_t(bits) * std::size_t(width) + 31) / 32 * 4; }
};

void read_masks(const PictureFile& f, BmpHeader& h, std::uint32_t size) {
  h.masks = h.bits == 16 ? Masks{0x7c00, 0x3e0, 0x1f, 0} : Masks{0xff0000, 0xff00, 0xff, 0};
  if (h.compression != bit_fields && h.compression != alpha_bit_fields) return;
  const bool alpha = size >= 56 || h.compression == alpha_bit_fields;
  for (int c = 0; c < (alpha ? 4 : 3); ++c) {
    h.masks[std::size_t(c)] = f.number(54 + 4 * std::size_t(c), 4);
    const std::uint32_t mask = h.masks[std::size_t(c)];
    const std::uint32_t largest = mask ? mask >> std::countr_zero(mask) : 0;
    if (largest & (largest + 1)) f.refuse_damaged(fmt::format("the bits {:#x} of a channel have gaps", mask));
  }
  if (size == 40) h.palette_at += alpha ? 16 : 12;  // they lie between the header and the palette
}

BmpHeader read_bmp_header(const PictureFile& f) {
  BmpHeader h;
  h.pixels_at = f.number(10, 4);
  const std::uint32_t size = f.number(14, 4);
  h.palette_at = 14 + size;
  if (size == 12) {
    h.width = f.number(18, 2), h.height = f.number(20, 2);
    h.bits = int(f.number(24, 2));
    h.palette_entry = 3;
  } else if (size == 40 || size == 52 || size == 56 || size == 64 || size == 108 || size == 124) {
    const auto height = std::int32_t(f.number(22, 4));
    h.width = std::int32_t(f.number(18, 4)), h.height = std::abs(double(height)), h.from_top = height < 0;
    h.bits = int(f.number(28, 2));
    h.compression = f.number(30, 4);
    h.colors = f.number(46, 4);
  } else {
    f.refuse("a BMP of an unknown kind", fmt::format("its header has {} bytes", size));
  }
  const std::size_t most = std::size_t(1) << std::min(h.bits, 8);
  if (h.colors == 0 || h.colors > most) h.colors = most;
  read_masks(f, h, size);
  return h;
}

void check(const PictureFile& f, const BmpHeader& h) {
  constexpr std::array<int, 6> depths{1, 4, 8, 16, 24, 32};
  if (std::ranges::find(depths, h.bits) == depths.end())
    f.refuse("a BMP of an unknown kind", fmt::format("{} bits a pixel", h.bits));
  const bool fields = h.compression == bit_fields || h.compression == alpha_bit_fields;
  if (!(h.compression == none || (h.compression == rle8 && h.bits == 8) ||
        (h.compression == rle4 && h.bits == 4) || (fields && (h.bits == 16 || h.bits == 32))))
    f.refuse("a BMP of an unknown kind",
             fmt::format("compression {} of {} bits a pixel", h.compression, h.bits));
  if (h.runs() && h.from_top) f.refuse_damaged("run lengths from the top, which the format does not have");
}

class BmpReader {
 public:
  BmpReader(const PictureFile& f, const BmpHeader& h)
      : f_(f), h_(h), p_(blank_picture(f, h.width, h.height, bytes_needed(f, h))) {
    if (h.bits > 8) return;
    for (std::size_t i = 0; i < h.colors; ++i) {
      const std::uint32_t bgr = f.number(h.palette_at + i * h.palette_entry, 3);
      palette_.push_back({std::uint8_t(bgr >> 16), std::uint8_t(bgr >> 8), std::uint8_t(bgr), 255});
    }
  }

  Picture read() {
    if (h_.runs())
      read_runs();
    else
      for (int row = 0; row < p_.height; ++row) read_row(row);
    return std::move(p_);
  }

 private:
  using Color = std::array<std::uint8_t, 4>;

  /// A run of 255 pixels takes two bytes; rows fill four bytes each, but for the last.
  static double bytes_needed(const PictureFile& f, const BmpHeader& h) {
    if (h.runs()) return h.width * h.height / 255 * 2;
    if (h.width >= 1)
      check_rows(f, h.pixels_at, double(h.row_bytes()), h.height, std::ceil(h.bits * h.width / 8),
                 h.from_top);
    return 0;
  }

  /// `row` in the order of the file.
  void put(int column, int row, const Color& c) {
    const int y = h_.from_top ? row : p_.height - 1 - row;
    std::copy(c.begin(), c.end(), p_.rgba.begin() + std::ptrdiff_t(4 * (std::size_t(y) * p_.width + column)));
  }

  const Color& color(std::uint32_t index, int row) const {
    if (index >= palette_.size())
      f_.refuse_damaged(fmt::format("colour {} of a palette of {}, in row {} from the {}", index,
                                    palette_.size(), row + 1, h_.from_top ? "top" : "bottom"));
    return palette_[index];
  }

  Color unpacked(std::uint32_t value) const {
    Color c{0, 0, 0, 255};
    for (std::size_t k = 0; k < 4; ++k)
      if (const std::uint32_t mask = h_.masks[k]) {
        const int shift = std::countr_zero(mask);
        c[k] = widened((value & mask) >> shift, mask >> shift);
      }
    return c;
  }

  void read_row(int row) {
    const std::size_t at = h_.pixels_at + h_.row_bytes() * std::size_t(row);
    for (int x = 0; x < p_.width; ++x) {
      if (h_.bits > 8) {
        put(x, row, unpacked(f_.number(at + std::size_t(x) * std::size_t(h_.bits / 8), h_.bits / 8)));
        continue;
      }
      const std::size_t bit = std::size_t(x) * std::size_t(h_.bits);
      const std::uint32_t byte = f_.bytes[at + bit / 8];
      put(x, row, color(byte >> (8 - h_.bits - int(bit % 8)) & ((1u << h_.bits) - 1), row));
    }
  }

  std::uint32_t next(int row) {
    if (at_ >= f_.bytes.size()) f_.refuse_cut(row, p_.height, false);
    return f_.bytes[at_++];
  }

  void put_run(int& x, int row, std::uint32_t index) {
    if (row >= p_.height || x >= p_.width)
      f_.refuse_damaged(
          fmt::format("more than {} pixels in row {} of {} from the bottom", p_.width, row + 1, p_.height));
    put(x++, row, color(index, row));
  }

  /// Pairs of a count and a value; a count of 0 is an order: end of the row, end, a jump, or so many values.
  void read_runs() {
    at_ = h_.pixels_at;
    for (int row = 0; row < p_.height; ++row)  // what is jumped over has the first colour
      for (int x = 0; x < p_.width; ++x) put(x, row, color(0, row));
    int x = 0, row = 0;
    while (row < p_.height || at_ < f_.bytes.size()) {
      const std::uint32_t count = next(row), value = next(row);
      if (count > 0) {
        for (std::uint32_t k = 0; k < count; ++k) put_run(x, row, half(value, k));
      } else if (value == 0) {
        x = 0, ++row;
      } else if (value == 1) {
        return;
      } else if (value == 2) {
        x += int(next(row));
        row += int(next(row));
      } else {
        read_values(x, row, value);
      }
    }
  }

  std::uint32_t half(std::uint32_t byte, std::uint32_t k) const {
    return h_.bits == 8 ? byte : k % 2 ? byte & 15 : byte >> 4;
  }

  /// Values as they are, filled up to two bytes.
  void read_values(int& x, int row, std::uint32_t count) {
    const std::size_t start = at_;
    std::uint32_t byte = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
      if (h_.bits == 8 || k % 2 == 0) byte = next(row);
      put_run(x, row, half(byte, k));
    }
    at_ += (at_ - start) % 2;
  }

  const PictureFile& f_;
  const BmpHeader& h_;
  Picture p_;
  std::vector<Color> palette_;
  std::size_t at_ = 0;  ///< of the next byte of runs
};

}  // namespace

Picture read_bmp(const PictureFile& f) {
  const BmpHeader h = read_bmp_header(f);
  check(f, h);
  return BmpReader(f, h).read();
}

}  // namespace umov::shapes
