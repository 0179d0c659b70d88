// What the readers of picture formats share: bytes that know where they end, and the words of refusals.
#pragma once

#include <span>
#include <string>

#include "shapes/picture.hpp"

namespace umov::shapes {

/// The bytes of a picture's file under its name, read as little-endian numbers.
struct PictureFile {
  const std::string& name;
  std::span<const std::uint8_t> bytes;
  double most_pixels;

  /// An unsigned number of 1 to 4 bytes. Throws BadInput beyond the end.
  std::uint32_t number(std::size_t at, int count) const;
  bool begins(std::string_view magic) const;
  bool ends(std::string_view magic) const;

  [[noreturn]] void refuse(const std::string& problem, const std::string& why) const;
  [[noreturn]] void refuse_damaged(const std::string& why) const { refuse("damaged picture", why); }
  /// It ends in a row of so many, counted from 0 in the order of the file.
  [[noreturn]] void refuse_cut(double row, double rows, bool from_top) const;
  /// For what is no picture of colours in red, green and blue.
  [[noreturn]] void refuse_kind(const std::string& kind) const;
  [[noreturn]] void refuse_without_library(const char* format, const char* package) const;
};

/// Refuses a file that ends before the last of so many bytes at `start`, in `rows` of `row_bytes`, of which
/// the last may be shorter.
void check_rows(const PictureFile&, std::size_t start, double row_bytes, double rows, double last,
                bool from_top);

/// A picture of such a size, black: memory is asked for only where `bytes_needed`, which the pixels take at
/// least, are in the file. Throws BadInput for sizes that are none, too large, or too large for the file.
Picture blank_picture(const PictureFile&, double width, double height, double bytes_needed);

/// A channel of fewer bits or more, as the part of 255 that it is of its largest value, rounded.
inline std::uint8_t widened(std::uint64_t value, std::uint64_t largest) {
  return std::uint8_t((value * 255 + largest / 2) / largest);
}

Picture read_png(const PictureFile&);
Picture read_bmp(const PictureFile&);
Picture read_jpeg(const PictureFile&);
Picture read_tiff(const PictureFile&);
Picture read_tga(const PictureFile&);

}  // namespace umov::shapes
