// TIFF by libtiff: one picture a file, with the compressions that drawing programs write.
#include "shapes/picture_parts.hpp"

#ifndef UMOV_TIFF

namespace umov::shapes {

Picture read_tiff(const PictureFile& f) { f.refuse_without_library("TIFF", "libtiff-dev"); }

}  // namespace umov::shapes

#else

#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/error.hpp"

namespace umov::shapes {
namespace {

/// The file as libtiff reads it, and the first thing it said of an error.
struct Source {
  std::span<const std::uint8_t> bytes;
  std::size_t at = 0;
  std::string message;

  static Source& of(thandle_t h) { return *static_cast<Source*>(h); }
  static tmsize_t read(thandle_t h, void* to, tmsize_t count) {
    Source& s = of(h);
    const std::size_t start = std::min(s.at, s.bytes.size()),
                      given = std::min(std::size_t(count), s.bytes.size() - start);
    std::memcpy(to, s.bytes.data() + start, given);
    s.at = start + given;
    return tmsize_t(given);
  }
  static toff_t seek(thandle_t h, toff_t to, int from) {
    Source& s = of(h);
    s.at = std::size_t(to) + (from == SEEK_CUR ? s.at : from == SEEK_END ? s.bytes.size() : 0);
    return s.at;
  }
  static int fail(TIFF*, void* self, const char* part, const char* format, va_list values) {
    char text[256] = "";
    std::vsnprintf(text, sizeof text, format, values);
    auto& message = static_cast<Source*>(self)->message;
    if (message.empty()) message = fmt::format("{}: {}", part ? part : "TIFF", text);
    return 1;
  }
};

using Tiff = std::unique_ptr<TIFF, void (*)(TIFF*)>;

Tiff open(Source& s, tmsize_t most_memory) {
  const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(TIFFOpenOptionsAlloc(),
                                                                             TIFFOpenOptionsFree);
  if (!options) throw MachineFailure("out of memory (reading a picture); close other programs");
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), most_memory);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), Source::fail, &s);
  TIFFOpenOptionsSetWarningHandlerExtR(
      options.get(), [](TIFF*, void*, const char*, const char*, va_list) { return 1; }, nullptr);
  return {
      TIFFClientOpenExt(
          "picture", "rm", &s, Source::read, [](thandle_t, void*, tmsize_t) -> tmsize_t { return 0; },
          Source::seek, [](thandle_t) { return 0; },
          [](thandle_t h) -> toff_t { return Source::of(h).bytes.size(); }, nullptr, nullptr, options.get()),
      TIFFClose};
}

/// Bytes that one byte of the file may become, of a compression that is read: PackBits repeats 128 times,
/// LZW's longest word has 4096 bytes in 12 bits, deflate takes two bits for 258; JPEG see there.
double most_from_a_byte(const PictureFile& f, std::uint16_t compression) {
  switch (compression) {
    case COMPRESSION_NONE:
      return 1;
    case COMPRESSION_PACKBITS:
      return 64;
    case COMPRESSION_LZW:
      return 2731;
    case COMPRESSION_DEFLATE:
    case COMPRESSION_ADOBE_DEFLATE:
      return 1032;
    case COMPRESSION_JPEG:
      return 1536;
    default:
      f.refuse("a TIFF of an unknown kind",
               fmt::format("compression {}; none, LZW, PackBits, ZIP and JPEG are read", compression));
  }
}

std::uint16_t number(TIFF* t, std::uint32_t tag) {
  std::uint16_t value = 0;
  TIFFGetFieldDefaulted(t, tag, &value);
  return value;
}

void check_kind(const PictureFile& f, TIFF* t) {
  const auto kind = number(t, TIFFTAG_PHOTOMETRIC);
  const bool jpeg = number(t, TIFFTAG_COMPRESSION) == COMPRESSION_JPEG;
  if (kind == PHOTOMETRIC_SEPARATED) f.refuse_kind("a picture in CMYK");
  if (kind == PHOTOMETRIC_CIELAB || kind == PHOTOMETRIC_ICCLAB || kind == PHOTOMETRIC_ITULAB)
    f.refuse_kind("a picture in Lab colours");
  if (kind != PHOTOMETRIC_RGB && kind != PHOTOMETRIC_PALETTE && kind != PHOTOMETRIC_MINISBLACK &&
      kind != PHOTOMETRIC_MINISWHITE && !(kind == PHOTOMETRIC_YCBCR && jpeg))
    f.refuse_kind(fmt::format("a TIFF of colours of kind {}", kind));
  if (!TIFFLastDirectory(t))
    f.refuse("a TIFF of several pictures", "one is read of a file; several files, of one size, are a stack");
}

/// libtiff multiplies colours by an alpha that stands beside them; one that is in them already it lets be.
void keep_colors(TIFF* t) {
  std::uint16_t count = 0, *kinds = nullptr;
  if (!TIFFGetField(t, TIFFTAG_EXTRASAMPLES, &count, &kinds) || count == 0) return;
  std::vector<std::uint16_t> all(count, EXTRASAMPLE_ASSOCALPHA);
  TIFFSetField(t, TIFFTAG_EXTRASAMPLES, count, all.data());
}

struct Image {
  TIFFRGBAImage image{};
  bool open = false;
  ~Image() {
    if (open) TIFFRGBAImageEnd(&image);
  }
};

}  // namespace

Picture read_tiff(const PictureFile& f) {
  constexpr double small_change = 1 << 20;
  Source source{f.bytes, 0, {}};
  const Tiff tiff = open(source, tmsize_t(small_change + 1032 * double(f.bytes.size())));
  if (!tiff) f.refuse_damaged(source.message);
  TIFF* t = tiff.get();
  check_kind(f, t);
  std::uint32_t width = 0, height = 0;
  TIFFGetField(t, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(t, TIFFTAG_IMAGELENGTH, &height);
  const auto compression = number(t, TIFFTAG_COMPRESSION);
  const double bits = double(number(t, TIFFTAG_BITSPERSAMPLE)) * number(t, TIFFTAG_SAMPLESPERPIXEL);
  Picture p = blank_picture(f, width, height, bits / 8 * width * height / most_from_a_byte(f, compression));
  p.lossy = compression == COMPRESSION_JPEG;
  keep_colors(t);
  Image i;
  char words[1024] = "";
  if (!TIFFRGBAImageOK(t, words)) f.refuse("a TIFF of an unknown kind", words);
  i.open = TIFFRGBAImageBegin(&i.image, t, 1, words);
  if (!i.open) f.refuse_damaged(words);
  i.image.req_orientation = ORIENTATION_TOPLEFT;
  static_assert(std::endian::native == std::endian::little,
                "libtiff packs red into the lowest byte of a number");
  if (!TIFFRGBAImageGet(&i.image, reinterpret_cast<std::uint32_t*>(p.rgba.data()), width, height))
    f.refuse_damaged(source.message);
  return p;
}

}  // namespace umov::shapes

#endif
