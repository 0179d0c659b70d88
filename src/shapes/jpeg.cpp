// JPEG by libjpeg: what is drawn comes back changed, which Picture::lossy says.
#include "shapes/picture_parts.hpp"

#ifndef UMOV_JPEG

namespace umov::shapes {

Picture read_jpeg(const PictureFile& f) { f.refuse_without_library("JPEG", "libjpeg-dev"); }

}  // namespace umov::shapes

#else

#include <fmt/format.h>
#include <jpeglib.h>

#include <csetjmp>
#include <cstdio>

namespace umov::shapes {
namespace {

/// A block of 8 x 8 pixels takes a bit at least (Huffman's codes; arithmetic ones are not read).
constexpr double most_pixels_per_byte = 512;
constexpr int most_scans = 100;  ///< of a progressive file: each goes over the whole picture

/// libjpeg's objects and what went wrong. Errors leave it by longjmp, so functions that call it own nothing.
struct Decoder {
  jpeg_decompress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf out;
  char message[JMSG_LENGTH_MAX] = "";

  Decoder() {
    jpeg.err = jpeg_std_error(&errors);
    jpeg.client_data = this;
    errors.error_exit = fail;
    errors.emit_message = [](j_common_ptr j, int level) {
      if (level < 0) fail(j);  // damage that libjpeg would fill with grey
    };
    progress.progress_monitor = [](j_common_ptr j) {
      auto* self = static_cast<Decoder*>(j->client_data);
      if (self->jpeg.input_scan_number <= most_scans) return;
      std::snprintf(self->message, sizeof self->message, "more than %d scans", most_scans);
      std::longjmp(self->out, 1);
    };
  }
  Decoder(const Decoder&) = delete;
  ~Decoder() { jpeg_destroy_decompress(&jpeg); }

  [[noreturn]] static void fail(j_common_ptr j) {
    auto* self = static_cast<Decoder*>(j->client_data);
    j->err->format_message(j, self->message);
    std::longjmp(self->out, 1);
  }
};

bool read_header(Decoder& d, const PictureFile& f) {
  if (setjmp(d.out)) return false;
  jpeg_create_decompress(&d.jpeg);
  d.jpeg.progress = &d.progress;
  jpeg_mem_src(&d.jpeg, f.bytes.data(), static_cast<unsigned long>(f.bytes.size()));
  jpeg_read_header(&d.jpeg, TRUE);
  return true;
}

bool read_rows(Decoder& d, Picture& p) {
  if (setjmp(d.out)) return false;
  d.jpeg.out_color_space = JCS_EXT_RGBA;
  d.jpeg.dct_method = JDCT_ISLOW;
  jpeg_start_decompress(&d.jpeg);
  while (d.jpeg.output_scanline < d.jpeg.output_height) {
    JSAMPROW row = p.rgba.data() + 4 * std::size_t(d.jpeg.output_scanline) * std::size_t(p.width);
    jpeg_read_scanlines(&d.jpeg, &row, 1);
  }
  jpeg_finish_decompress(&d.jpeg);
  return true;
}

}  // namespace

Picture read_jpeg(const PictureFile& f) {
  Decoder d;
  if (!read_header(d, f)) f.refuse_damaged(d.message);
  if (d.jpeg.num_components == 4) f.refuse_kind("a picture in CMYK");
  if (d.jpeg.arith_code) f.refuse("a JPEG of an unknown kind", "arithmetic coding");
  const double width = d.jpeg.image_width, height = d.jpeg.image_height;
  Picture p = blank_picture(f, width, height, width * height / most_pixels_per_byte);
  p.lossy = true;
  if (!read_rows(d, p))
    f.refuse_damaged(
        fmt::format("{}, in row {} of {} from the top", d.message, d.jpeg.output_scanline + 1, p.height));
  return p;
}

}  // namespace umov::shapes

#endif
