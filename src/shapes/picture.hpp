// Reading pictures as exact numbers: PNG, BMP, JPEG, TIFF and TGA through one door.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace umov::shapes {

/// A picture of 8 bits per channel, rows from the top, pixels red, green, blue, alpha.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
  bool lossy = false;  ///< of a format that changes what was drawn: JPEG, also inside TIFF

  const std::uint8_t* pixel(int column, int row) const {
    return rgba.data() + 4 * (std::size_t(row) * width + column);
  }
};

/// Whether a file's name ends like that of a picture, in capitals too; of one that is refused by what it is,
/// too.
bool has_picture_ending(const std::string& path);
/// Those endings for help and messages: ".png, .bmp, ...".
std::string picture_endings();

/// Reads a picture by what it begins with (TGA, which begins with nothing, by its last bytes or by its name):
/// palettes, gray and fewer bits are widened, 16 bits rounded to 8, a missing alpha is 255. The numbers are
/// those in the file; colour profiles, gamma and marks of orientation other than TIFF's are not applied.
/// Throws BadInput naming the file when it cannot be read, is none of these, is damaged, or when its library
/// was not there when the program was built.
Picture read_picture(const std::string& path);
/// The same of bytes in memory, of at most so many pixels. `name` is for messages and for TGA's ending.
Picture decode_picture(const std::string& name, std::span<const std::uint8_t> bytes,
                       double most_pixels = 4e9);

}  // namespace umov::shapes
