#include "shapes/png.hpp"

#include <fmt/format.h>
#include <png.h>

#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "core/error.hpp"

namespace umov::shapes {
namespace {

constexpr double most_pixels = 4e9;
constexpr double most_deflated = 1032;  ///< bytes from one: 258 from two bits (zlib's technical details)

/// libpng's objects and what went wrong. Errors leave libpng by longjmp, so functions that call it own
/// nothing.
struct Reader {
  png_structp png = nullptr;
  png_infop info = nullptr;
  char message[128] = "";
  double packed = 0;  ///< bytes of all rows before they are widened

  Reader() {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, fail, [](png_structp, png_const_charp) {});
    if (png) info = png_create_info_struct(png);
    if (!info) throw MachineFailure("out of memory (reading a picture); close other programs");
  }
  Reader(const Reader&) = delete;
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }

  [[noreturn]] static void fail(png_structp png, png_const_charp text) {
    auto* self = static_cast<Reader*>(png_get_error_ptr(png));
    std::snprintf(self->message, sizeof self->message, "%s", text);
    png_longjmp(png, 1);
  }
};

/// Reads the header and asks for 8-bit RGBA; false on an error.
bool start(Reader& r, std::FILE* file) {
  if (setjmp(png_jmpbuf(r.png))) return false;
  png_init_io(r.png, file);
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

bool read_rows(Reader& r, png_bytepp rows) {
  if (setjmp(png_jmpbuf(r.png))) return false;
  png_read_image(r.png, rows);
  png_read_end(r.png, nullptr);
  return true;
}

[[noreturn]] void refuse(const std::string& path, const char* problem, const std::string& why) {
  throw BadInput(path + ": " + problem + " (" + why + "); save the picture as PNG again");
}

}  // namespace

Picture read_png(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file)
    throw BadInput(path + ": cannot be read (" + std::strerror(errno) + "); check the name of the picture");
  png_byte head[8];
  if (std::fread(head, 1, 8, file.get()) != 8 || png_sig_cmp(head, 0, 8) != 0)
    refuse(path, "not a PNG", "it does not begin like one");
  std::rewind(file.get());
  Reader r;
  if (!start(r, file.get())) refuse(path, "damaged picture", r.message);
  Picture p;
  p.width = int(png_get_image_width(r.png, r.info));
  p.height = int(png_get_image_height(r.png, r.info));
  if (double(p.width) * p.height > most_pixels) refuse(path, "picture too large", "more than 4e9 pixels");
  std::error_code no_file;  // a pipe has no size
  const double bytes = double(std::filesystem::file_size(path, no_file));
  if (r.packed > most_deflated * bytes)
    refuse(path, "damaged picture",
           fmt::format("{} x {} pixels do not fit into {:.0f} bytes", p.width, p.height, bytes));
  p.rgba.resize(4 * std::size_t(p.width) * p.height);
  std::vector<png_bytep> rows(p.height);
  for (int y = 0; y < p.height; ++y) rows[y] = p.rgba.data() + 4 * std::size_t(y) * p.width;
  if (!read_rows(r, rows.data())) refuse(path, "damaged picture", r.message);
  return p;
}

}  // namespace umov::shapes
