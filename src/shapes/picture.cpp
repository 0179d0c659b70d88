// Which reader a picture goes to, and what all of them say of a bad one.
#include "shapes/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "core/given_arrays.hpp"
#include "core/input_file.hpp"
#include "shapes/picture_parts.hpp"

namespace umov::shapes {
namespace {

using namespace std::literals;

struct Format {
  const char* name;
  std::vector<std::string> endings;
};
const std::vector<Format>& formats() {
  static const std::vector<Format> all{{"PNG", {".png"}},
                                       {"BMP", {".bmp", ".dib"}},
                                       {"JPEG", {".jpg", ".jpeg", ".jpe", ".jfif"}},
                                       {"TIFF", {".tif", ".tiff"}},
                                       {"TGA", {".tga"}}};
  return all;
}

/// In small letters.
std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return ending;
}

/// The format that a file's name promises; "" where it promises none.
std::string promised(const std::string& path) {
  const std::string ending = ending_of(path);
  for (const Format& f : formats())
    if (std::ranges::count(f.endings, ending)) return f.name;
  return "";
}

/// Formats of other pictures, by what they begin with and how names end.
struct Relative {
  std::string_view magic;
  const char *name, *ending;
};
constexpr Relative relatives[] = {{"GIF8"sv, "GIF", ".gif"},
                                  {"8BPS"sv, "PSD", ".psd"},
                                  {"RIFF"sv, "WebP", ".webp"},
                                  {"\0\0\1\0"sv, "ICO", ".ico"}};

/// A name says more than "not a PNG".
void refuse_relatives(const PictureFile& f) {
  for (const auto& [magic, name, ending] : relatives)
    if (f.begins(magic)) f.refuse(fmt::format("a {} picture", name), "PNG, BMP, JPEG, TIFF and TGA are read");
}

/// What is left when no format was recognised.
[[noreturn]] void refuse_unknown(const PictureFile& f) {
  const std::string promise = promised(f.name);
  const std::string format = promise.empty() ? "PNG" : promise;
  f.refuse(fmt::format("not a {}", format),
           fmt::format("it does not begin like one, nor like {}BMP, JPEG or TIFF",
                       format == "PNG" ? "" : "PNG, "));
}

std::vector<std::uint8_t> bytes_of(const std::string& path) {
  check_input_file(path, "picture");
  std::ifstream in(path, std::ios::binary);
  std::vector<std::uint8_t> bytes;
  std::size_t got = 0;
  do {
    bytes.resize(got + std::max<std::size_t>(got, 1 << 16));
    in.read(reinterpret_cast<char*>(bytes.data() + got), std::streamsize(bytes.size() - got));
    got += std::size_t(in.gcount());
  } while (in);
  bytes.resize(got);
  return bytes;
}

}  // namespace

std::uint32_t PictureFile::number(std::size_t at, int count) const {
  if (at + std::size_t(count) > bytes.size())
    refuse_damaged(fmt::format("it ends after {} bytes, within its header", bytes.size()));
  std::uint32_t value = 0;
  for (int k = 0; k < count; ++k) value |= std::uint32_t(bytes[at + std::size_t(k)]) << (8 * k);
  return value;
}

bool PictureFile::begins(std::string_view magic) const {
  return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin(),
                                                    [](char a, auto b) { return std::uint8_t(a) == b; });
}

bool PictureFile::ends(std::string_view magic) const {
  return bytes.size() >= magic.size() &&
         PictureFile{name, bytes.last(magic.size()), most_pixels}.begins(magic);
}

void PictureFile::refuse(const std::string& problem, const std::string& why) const {
  throw BadInput(fmt::format("{}: {} ({}); save the picture as PNG again", name, problem, why));
}

void PictureFile::refuse_cut(double row, double rows, bool from_top) const {
  refuse_damaged(fmt::format("it ends after {} bytes, in row {:.0f} of {:.0f} from the {}", bytes.size(),
                             row + 1, rows, from_top ? "top" : "bottom"));
}

void PictureFile::refuse_kind(const std::string& kind) const {
  throw BadInput(fmt::format(
      "{}: {} (a model is drawn in red, green and blue of up to 16 bits each); convert it to RGB of 8 "
      "bits and save it as PNG",
      name, kind));
}

void PictureFile::refuse_without_library(const char* format, const char* package) const {
  throw BadInput(
      fmt::format("{}: a {} picture (this program was built without the library that reads them); "
                  "install {} and build again (tools/setup.sh), or save the picture as PNG",
                  name, format, package));
}

void check_rows(const PictureFile& f, std::size_t start, double row_bytes, double rows, double last,
                bool from_top) {
  if (!(rows >= 1 && row_bytes > 0)) return;  // no size: refused with that
  const double there = double(f.bytes.size()) - double(start);
  if (row_bytes * (rows - 1) + last > there)
    f.refuse_cut(std::max(0.0, std::floor(there / row_bytes)), rows, from_top);
}

Picture blank_picture(const PictureFile& f, double width, double height, double bytes_needed) {
  constexpr double longest = 1 << 30;
  if (!(width >= 1 && height >= 1 && width <= longest && height <= longest))
    f.refuse_damaged(fmt::format("{:.0f} x {:.0f} pixels", width, height));
  if (width * height > f.most_pixels)
    f.refuse("picture too large",
             fmt::format("{:.0f} x {:.0f} pixels, {:.3g} are the most", width, height, f.most_pixels));
  if (bytes_needed > double(f.bytes.size()))
    f.refuse_damaged(
        fmt::format("{:.0f} x {:.0f} pixels do not fit into {} bytes", width, height, f.bytes.size()));
  Picture p;
  p.width = int(width), p.height = int(height);
  p.rgba.resize(4 * std::size_t(p.width) * std::size_t(p.height));
  return p;
}

bool has_picture_ending(const std::string& path) {
  const std::string ending = ending_of(path);
  return !promised(path).empty() ||
         std::ranges::any_of(relatives, [&](const Relative& r) { return ending == r.ending; });
}

std::string picture_endings() {
  std::string text;
  for (const Format& f : formats())
    for (const auto& ending : f.endings) text += (text.empty() ? "" : ", ") + ending;
  return text;
}

Picture decode_picture(const std::string& name, std::span<const std::uint8_t> bytes, double most_pixels) {
  const PictureFile f{name, bytes, most_pixels};
  if (bytes.empty()) f.refuse("the file is empty", "it has no bytes");
  if (f.begins("\x89PNG\r\n\x1a\n"sv)) return read_png(f);
  if (f.begins("BM"sv)) return read_bmp(f);
  if (f.begins("\xff\xd8\xff"sv)) return read_jpeg(f);
  if (f.begins("II*\0"sv) || f.begins("MM\0*"sv) || f.begins("II+\0"sv) || f.begins("MM\0+"sv))
    return read_tiff(f);
  refuse_relatives(f);
  if (promised(name) == "TGA" || f.ends("TRUEVISION-XFILE.\0"sv)) return read_tga(f);
  refuse_unknown(f);
}

namespace {

/// uint8 [row][column], grey, or [row][column][3], the top row first.
Picture picture_of(const GivenArrays& given) {
  const GivenArray& a = given.arrays.front();
  const bool grey = a.shape.size() == 2;
  if (a.kind != NumberKind::u8 || !(grey || (a.shape.size() == 3 && a.shape[2] == 3)) || a.size() == 0)
    throw BadInput(given.said +
                   ": no picture (wanted is uint8 [row][column], grey, or [row][column][3], the top row "
                   "first); give one");
  Picture p;
  p.height = int(a.shape[0]), p.width = int(a.shape[1]);
  p.rgba.resize(4 * a.shape[0] * a.shape[1]);
  const auto* from = reinterpret_cast<const std::uint8_t*>(a.data);
  for (std::size_t i = 0; i < a.shape[0] * a.shape[1]; ++i) {
    for (std::size_t c = 0; c < 3; ++c) p.rgba[4 * i + c] = from[grey ? i : 3 * i + c];
    p.rgba[4 * i + 3] = 255;
  }
  return p;
}

}  // namespace

Picture read_picture(const std::string& path) {
  if (const auto given = given_arrays(path)) return picture_of(*given);
  return decode_picture(path, bytes_of(path));
}

}  // namespace umov::shapes
