// Pictures of every format give the numbers that were drawn, or say why not.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/error.hpp"
#include "fdtd/model/picture.hpp"
#include "fdtd/model/validate.hpp"
#include "fdtd/scene.hpp"
#include "support/fdtd_cases.hpp"
#include "support/places.hpp"
#include "support/png_file.hpp"
#include "support/temp_folder.hpp"

namespace umov::fdtd {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Written by another program: see tests/data/README.md.
std::string sample(const std::string& name) { return test::data("pictures/" + name); }

template <class F>
std::string refusal_of_picture_formats(const F& call) {
  try {
    call();
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What the samples of 7 x 5 pixels show.
void expect_sample(const std::string& name, bool alpha = false) {
  const shapes::Picture p = shapes::read_picture(sample(name));
  ASSERT_EQ(p.width, 7) << name;
  ASSERT_EQ(p.height, 5) << name;
  EXPECT_FALSE(p.lossy) << name;
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x) {
      const int k = (x + 2 * y) % 8;
      const std::uint8_t* c = p.pixel(x, y);
      const Bytes drawn{std::uint8_t(k == 1 ? 200 : 0), std::uint8_t(30 * k), std::uint8_t(k == 5 ? 7 : 0)};
      EXPECT_EQ(Bytes(c, c + 3), drawn) << name << ": " << x << ", " << y;
      EXPECT_EQ(c[3], alpha ? 40 * x : 255) << name << ": " << x << ", " << y;
    }
}

TEST(FdtdPictureFormats, TrueColoursPalettesAndRunsGiveTheDrawnNumbers) {
  for (const char* name :
       {"rgb.bmp", "palette.bmp", "rgb.tga", "rgb_runs.tga", "palette.tga", "palette_runs.tga", "rgb.tif",
        "palette.tif", "lzw.tif", "packbits.tif", "adobe_deflate.tif"})
    expect_sample(name);
  for (const char* name : {"rgba.tga", "rgba_runs.tga"}) expect_sample(name, true);
  // Of four bytes without a mask the last is not said to be an alpha.
  expect_sample("rgba.bmp");
}

// libtiff's own way multiplies colours by the alpha beside them: a source of red 200 under alpha 40 would
// be 31.
TEST(FdtdPictureFormats, AlphaChangesNoColour) { expect_sample("rgba.tif", true); }

TEST(FdtdPictureFormats, TheContentsAndNotTheNameSayWhichFormatItIs) {
  const test::TempFolder folder;
  std::filesystem::copy_file(sample("rgb.bmp"), folder / "a.png");
  EXPECT_EQ(shapes::read_picture(folder / "a.png").rgba, shapes::read_picture(sample("rgb.bmp")).rgba);
}

void put(Bytes& b, std::initializer_list<std::uint32_t> numbers, int bytes) {
  for (const std::uint32_t n : numbers)
    for (int k = 0; k < bytes; ++k) b.push_back(std::uint8_t(n >> (8 * k)));
}

/// A BMP with the header of 40 bytes, then what stands between it and the pixels, then these.
std::string bmp(const std::string& path, std::int32_t width, std::int32_t height, int bits, int compression,
                const Bytes& between, const Bytes& pixels, std::uint32_t colors = 0) {
  Bytes b{'B', 'M'};
  put(b,
      {std::uint32_t(54 + between.size() + pixels.size()), 0, std::uint32_t(54 + between.size()), 40,
       std::uint32_t(width), std::uint32_t(height)},
      4);
  put(b, {1, std::uint32_t(bits)}, 2);
  put(b, {std::uint32_t(compression), 0, 0, 0, colors, 0}, 4);
  b.insert(b.end(), between.begin(), between.end());
  b.insert(b.end(), pixels.begin(), pixels.end());
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(b.data()), std::streamsize(b.size()));
  return path;
}

/// Blue, green, red and nothing: black, green 255, blue 9, red 255.
const Bytes four_colors{0, 0, 0, 0, 0, 255, 0, 0, 9, 0, 0, 0, 0, 0, 255, 0};

std::string text_of(const shapes::Picture& p) {
  std::string text;
  for (int y = 0; y < p.height; ++y) {
    for (int x = 0; x < p.width; ++x) {
      const std::uint8_t* c = p.pixel(x, y);
      text += c[0] ? 'r' : c[1] ? 'g' : c[2] ? 'b' : '.';
    }
    text += '\n';
  }
  return text;
}

// Rows from the bottom; what a jump passes over has the first colour.
TEST(FdtdPictureFormats, RunLengthsOfBmpAreReadRowByRow) {
  const test::TempFolder folder;
  const Bytes eight{3, 1, 2, 2, 0, 0,              // ggg bb, end of the row
                    0, 3, 3, 3, 3, 0, 2, 0, 0, 0,  // rrr as they are, filled up; two of 0
                    0, 2, 2, 1, 1, 1, 0, 1};       // a jump by 2 and 1, one g, the end
  EXPECT_EQ(text_of(shapes::read_picture(bmp(folder / "8.bmp", 5, 4, 8, 1, four_colors, eight, 4))),
            "..g..\n.....\nrrr..\ngggbb\n");
  const Bytes four{5, 0x12, 0, 0, 0, 3, 0x31, 0x20, 2, 0x30, 0, 0, 0, 1};
  EXPECT_EQ(text_of(shapes::read_picture(bmp(folder / "4.bmp", 5, 2, 4, 2, four_colors, four, 4))),
            "rgbr.\ngbgbg\n");
}

TEST(FdtdPictureFormats, BmpOfFewBitsFromTheTopAndWithBitFieldsAreRead) {
  const test::TempFolder folder;
  EXPECT_EQ(text_of(shapes::read_picture(bmp(folder / "1.bmp", 3, -2, 1, 0,
                                             Bytes(four_colors.begin(), four_colors.begin() + 8),
                                             {0b01000000, 0, 0, 0, 0b10100000, 0, 0, 0}))),
            ".g.\ng.g\n");
  Bytes masks;
  put(masks, {0xf800, 0x7e0, 0x1f}, 4);
  const auto p = shapes::read_picture(bmp(folder / "16.bmp", 2, 1, 16, 3, masks, {0x1f, 0xf8, 0xe0, 0x07}));
  EXPECT_EQ(p.rgba, (Bytes{255, 0, 255, 255, 0, 255, 0, 255}));
}

TEST(FdtdPictureFormats, DamagedFilesAreRefusedWithThePlace) {
  const test::TempFolder folder;
  const auto cut = [&](const std::string& name, std::size_t bytes) {
    const std::string path = folder / name;
    std::ofstream(path, std::ios::binary) << contents(sample(name)).substr(0, bytes);
    return refusal_of_picture_formats([&] { shapes::read_picture(path); });
  };
  const auto says = [](const std::string& text, const char* words) {
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  says(cut("rgb.bmp", 0), "the file is empty (it has no bytes)");
  says(cut("rgb.bmp", 100), "damaged picture (it ends after 100 bytes, in row 2 of 5 from the bottom)");
  says(cut("rgb.bmp", 20), "damaged picture (it ends after 20 bytes, within its header)");
  says(cut("rgb_runs.tga", 100), "damaged picture (it ends after 100 bytes, in row 4 of 5 from the top)");
  says(cut("rgb.tga", 70), "damaged picture (it ends after 70 bytes, in row 3 of 5 from the");
  says(cut("drawing.jpg", 900), "damaged picture (Premature end of JPEG file, in row");
  says(cut("rgb.tif", 60), "damaged picture (");
  says(refusal_of_picture_formats([&] {
         shapes::read_picture(bmp(folder / "long.bmp", 3, 1, 8, 1, four_colors, {4, 1, 0, 1}, 4));
       }),
       "more than 3 pixels in row 1 of 1 from the bottom");
  says(refusal_of_picture_formats([&] {
         shapes::read_picture(bmp(folder / "color.bmp", 1, 1, 8, 0, four_colors, {4, 0, 0, 0}, 4));
       }),
       "colour 4 of a palette of 4, in row 1");
}

// Memory is asked for as far as the file can fill it: runs are 255 pixels in two bytes at most.
TEST(FdtdPictureFormats, MorePixelsThanTheFileCanHoldAreRefused) {
  const test::TempFolder folder;
  for (const int compression : {0, 1}) {
    const std::string file = bmp(folder / "a.bmp", 30000, 30000, 8, compression, four_colors, {0, 1}, 4);
    EXPECT_NE(refusal_of_picture_formats([&] { shapes::read_picture(file); }).find("damaged picture ("),
              std::string::npos);
  }
  std::string tga = contents(sample("rgb_runs.tga"));
  tga[13] = tga[15] = char(0xff);
  std::ofstream(folder / "a.tga", std::ios::binary) << tga;
  const std::string said = refusal_of_picture_formats([&] { shapes::read_picture(folder / "a.tga"); });
  EXPECT_NE(said.find("65287 x 65285 pixels"), std::string::npos) << said;
}

TEST(FdtdPictureFormats, OtherKindsOfPicturesAreRefusedByName) {
  const auto refused = [](const char* name) {
    return refusal_of_picture_formats([&] { shapes::read_picture(sample(name)); });
  };
  EXPECT_NE(refused("cmyk.tif").find("a picture in CMYK"), std::string::npos);
  EXPECT_NE(refused("cmyk.jpg").find("a picture in CMYK"), std::string::npos);
  EXPECT_NE(refused("pages.tif").find("a TIFF of several pictures"), std::string::npos);
  const test::TempFolder folder;
  std::ofstream(folder / "a.bmp") << "GIF89a and so on";
  EXPECT_NE(refusal_of_picture_formats([&] { shapes::read_picture(folder / "a.bmp"); }).find("a GIF picture"),
            std::string::npos);
  std::ofstream(folder / "b.tif") << "text";
  EXPECT_NE(refusal_of_picture_formats([&] { shapes::read_picture(folder / "b.tif"); }).find("not a TIFF"),
            std::string::npos);
}

Simulation drawn(const std::string& file) {
  Simulation s;
  s.picture.emplace();
  s.picture->files = {file};
  return s;
}

// In every format, and though the file could hold colours.
TEST(FdtdPictureFormats, GreyModelsAreRefusedWithTheReason) {
  for (const char* name : {"grey.png", "grey.bmp", "grey.tga", "grey.tif", "grey.jpg"}) {
    Simulation s = drawn(sample(name));
    const std::string said = refusal_of_picture_formats([&] { apply_picture(s); });
    EXPECT_NE(said.find("a grey picture (red, green and blue are equal"), std::string::npos) << name << said;
  }
  const test::TempFolder folder;
  test::Drawing(4, 4).write(folder / "black.png");
  Simulation empty = drawn(folder / "black.png");
  EXPECT_EQ(refusal_of_picture_formats([&] { apply_picture(empty); }), "accepted")
      << "an empty layer of a stack";
}

std::vector<Finding> validate_all(const Simulation& s) {
  const auto scene = make_scene(s);
  return validate(s, *scene, make_grid(s, *scene));
}

// Drawn were four colours; the JPEG has 227, and a monitor for each blue of its noise.
TEST(FdtdPictureFormats, JpegIsWarnedOfWithTheColoursItAdded) {
  const auto lossy = [](const std::string& name) {
    Simulation s = drawn(sample(name));
    apply_picture(s);
    for (const Finding& f : validate_all(s))
      if (f.message.find("lossy:") != std::string::npos) return f.message;
    return std::string();
  };
  const std::string said = lossy("drawing.jpg");
  EXPECT_NE(said.find("drawing.jpg is a JPEG, which is lossy: it has 227 different colours"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("(0, 255, 0)"), std::string::npos) << said;
  EXPECT_NE(said.find("monitors of their own: "), std::string::npos) << said;
  EXPECT_NE(lossy("drawing_progressive.jpg"), "");
  EXPECT_NE(lossy("drawing_jpeg.tif"), "");
  EXPECT_EQ(lossy("drawing.png"), "");
}

}  // namespace
}  // namespace umov::fdtd
