// PNG by libpng.
#include <fmt/format.h>
#include <png.h>

#include <csetjmp>
#include <cstdio>
#include <cstring>

#include "core/error.hpp"
#include "shapes/picture_parts.hpp"

namespace umov::shapes {
namespace {

constexpr double most_deflated = 1032;  ///< bytes from one: 258 from two bits (zlib's technical details)

/// libpng's objects and what went wrong. Errors leave libpng by longjmp, so functions that call it own
/// nothing.
struct PngReader {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::span<const std::uint8_t> rest;  ///< of the file
  char message[128] = "";
  double packed = 0;  ///< bytes of all rows before they are widened

  explicit PngReader(std::span<const std::uint8_t> bytes) : rest(bytes) {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, fail, [](png_structp, png_const_charp) {});
    if (png) info = png_create_info_struct(png);
    if (!info) throw MachineFailure("out of memory (reading a picture); close other programs");
  }
  PngReader(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }

  [[noreturn]] static void fail(png_structp png, png_const_charp text) {
    auto* self = static_cast<PngReader*>(png_get_error_ptr(png));
    std::snprintf(self->message, sizeof self->message, "%s", text);
    png_longjmp(png, 1);
  }

  static void give(png_structp png, png_bytep to, std::size_t count) {
    auto& rest = static_cast<PngReader*>(png_get_io_ptr(png))->rest;
    if (count > rest.size()) png_error(png, "the file is cut off");
    std::memcpy(to, rest.data(), count);
    rest = rest.subspan(count);
  }
};

/// Reads the header and asks for 8-bit RGBA; false on an error.
bool start(PngReader& r) {
  if (setjmp(png_jmpbuf(r.png))) return false;
  png_set_read_fn(r.png, &r, PngReader::give);
  png_read_info(r.png, r.info);
  r.packed = double(png_get_rowbytes(r.png, r.info)) * png_get_image_height(r.png, r.info);
  png_set_expand(r.png);
  png_set_scale_16(r.png);
  png_set_gray_to_rgb(r.png);
  png_set_add_alpha(r.png, 255, PNG_FILLER_AFTER);
  png_set_interlace_handling(r.png);
  png_read_update_info(r.png, r.info);
  return true;
}

bool read_rows(PngReader& r, png_bytepp rows) {
  if (setjmp(png_jmpbuf(r.png))) return false;
  png_read_image(r.png, rows);
  png_read_end(r.png, nullptr);
  return true;
}

}  // namespace

Picture read_png(const PictureFile& f) {
  PngReader r(f.bytes);
  if (!start(r)) f.refuse_damaged(r.message);
  Picture p = blank_picture(f, png_get_image_width(r.png, r.info), png_get_image_height(r.png, r.info),
                            r.packed / most_deflated);
  std::vector<png_bytep> rows(std::size_t(p.height));
  for (int y = 0; y < p.height; ++y) rows[y] = p.rgba.data() + 4 * std::size_t(y) * p.width;
  if (!read_rows(r, rows.data())) f.refuse_damaged(r.message);
  return p;
}

}  // namespace umov::shapes
