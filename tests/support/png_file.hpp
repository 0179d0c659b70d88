// Writing small PNG pictures for tests.
#pragma once

#include <png.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace umov::test {

/// Rows of packed bytes as the kind of PNG asks for them; palettes have entries (0,10,20) and (30,40,50).
inline void write_png(const std::string& path, int width, int height, int depth, int color,
                      const std::vector<std::uint8_t>& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_IHDR(png, info, width, height, depth, color, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  const png_color palette[2] = {{0, 10, 20}, {30, 40, 50}};
  if (color == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette, 2);
  png_write_info(png, info);
  for (int y = 0; y < height; ++y) png_write_row(png, bytes.data() + bytes.size() / height * y);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

/// A black picture to draw on; rows from the top.
struct Drawing {
  struct Pixel {
    std::uint8_t red = 0, green = 0, blue = 0, alpha = 255;
  };
  int width, height;
  std::vector<Pixel> pixels;

  Drawing(int w, int h) : width(w), height(h), pixels(std::size_t(w) * h) {}
  Pixel& at(int column, int row) { return pixels[std::size_t(row) * width + column]; }
  void write(const std::string& path) const {
    std::vector<std::uint8_t> bytes;
    for (const Pixel& p : pixels) bytes.insert(bytes.end(), {p.red, p.green, p.blue, p.alpha});
    write_png(path, width, height, 8, PNG_COLOR_TYPE_RGBA, bytes);
  }
};

}  // namespace umov::test
