// Pictures as models: reading PNG, and what pixels become.
#include "fdtd/model/picture.hpp"

#include <gtest/gtest.h>
#include <png.h>
#include <zlib.h>

#include <fstream>
#include <tuple>

#include "core/error.hpp"
#include "fdtd/scene.hpp"
#include "support/fdtd_cases.hpp"
#include "support/png_file.hpp"
#include "support/temp_folder.hpp"

namespace umov::fdtd {
namespace {

using test::Drawing;
using test::TempFolder;

std::string refusal_of_picture(const std::function<void()>& f) {
  try {
    f();
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

TEST(FdtdPng, EveryKindOfPngGivesItsExactNumbers) {
  const TempFolder folder;
  // One pixel row of values per kind: 8-bit RGB, RGBA, gray, gray with alpha, palette, 16-bit RGB, 2-bit
  // gray.
  test::write_png(folder / "rgb.png", 2, 1, 8, PNG_COLOR_TYPE_RGB, {1, 2, 3, 250, 251, 252});
  test::write_png(folder / "rgba.png", 1, 1, 8, PNG_COLOR_TYPE_RGBA, {1, 2, 3, 4});
  test::write_png(folder / "gray.png", 2, 1, 8, PNG_COLOR_TYPE_GRAY, {7, 200});
  test::write_png(folder / "graya.png", 1, 1, 8, PNG_COLOR_TYPE_GRAY_ALPHA, {7, 9});
  test::write_png(folder / "palette.png", 2, 1, 8, PNG_COLOR_TYPE_PALETTE, {1, 0});
  test::write_png(folder / "deep.png", 1, 1, 16, PNG_COLOR_TYPE_RGB, {0x10, 0x10, 0xff, 0xff, 0x00, 0x00});
  test::write_png(folder / "two.png", 4, 1, 2, PNG_COLOR_TYPE_GRAY, {0b00011011});
  const auto bytes = [&](const char* name) { return shapes::read_picture(folder / name).rgba; };
  using Bytes = std::vector<std::uint8_t>;
  EXPECT_EQ(bytes("rgb.png"), (Bytes{1, 2, 3, 255, 250, 251, 252, 255}));
  EXPECT_EQ(bytes("rgba.png"), (Bytes{1, 2, 3, 4}));
  EXPECT_EQ(bytes("gray.png"), (Bytes{7, 7, 7, 255, 200, 200, 200, 255}));
  EXPECT_EQ(bytes("graya.png"), (Bytes{7, 7, 7, 9}));
  EXPECT_EQ(bytes("palette.png"), (Bytes{30, 40, 50, 255, 0, 10, 20, 255}));  // the palette of write_png
  EXPECT_EQ(bytes("deep.png"), (Bytes{16, 255, 0, 255}));
  EXPECT_EQ(bytes("two.png"), (Bytes{0, 0, 0, 255, 85, 85, 85, 255, 170, 170, 170, 255, 255, 255, 255, 255}));
}

/// Memory is asked for only as far as the file can fill it: 95 bytes announced 32776 x 4104 pixels and got
/// half a GB.
TEST(FdtdPng, MorePixelsThanTheFileCanHoldAreRefused) {
  const TempFolder folder;
  const std::string file = folder / "a.png";
  test::write_png(file, 64, 64, 8, PNG_COLOR_TYPE_RGBA, std::vector<std::uint8_t>(64 * 64 * 4));
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  std::string head(33, '\0');
  bytes.read(head.data(), 33);
  head[18] = head[22] = 0x40;  // 16448 x 16448, in the header with its checksum
  const auto sum = std::uint32_t(crc32(0, reinterpret_cast<const Bytef*>(head.data()) + 12, 17));
  for (int k = 0; k < 4; ++k) head[29 + k] = char(sum >> (24 - 8 * k));
  bytes.seekp(0);
  bytes << head;
  bytes.close();
  const std::string said = refusal_of_picture([&] { shapes::read_picture(file); });
  EXPECT_NE(said.find("16448 x 16448 pixels do not fit into"), std::string::npos) << said;
}

/// Nothing compresses better than one value: deflate's limit is not crossed by pictures that are what they
/// say.
TEST(FdtdPng, ABlankPictureIsReadHoweverSmallItsFile) {
  const TempFolder folder;
  for (const auto& [depth, color, packed] :
       {std::tuple{1, PNG_COLOR_TYPE_GRAY, 3000 / 8}, {8, PNG_COLOR_TYPE_RGBA, 3000 * 4}}) {
    test::write_png(folder / "blank.png", 3000, 3000, depth, color,
                    std::vector<std::uint8_t>(std::size_t(packed) * 3000));
    EXPECT_EQ(shapes::read_picture(folder / "blank.png").width, 3000) << depth;
  }
}

TEST(FdtdPng, OtherFilesAreRefusedByName) {
  const TempFolder folder;
  EXPECT_NE(
      refusal_of_picture([&] { shapes::read_picture(folder / "none.png"); }).find("none.png: no such file"),
      std::string::npos);
  std::ofstream(folder / "text.png") << "this is no picture";
  EXPECT_NE(
      refusal_of_picture([&] { shapes::read_picture(folder / "text.png"); }).find("text.png: not a PNG"),
      std::string::npos);
  std::ofstream(folder / "short.png") << "x";
  EXPECT_NE(refusal_of_picture([&] { shapes::read_picture(folder / "short.png"); }).find("not a PNG"),
            std::string::npos);
  test::write_png(folder / "whole.png", 64, 64, 8, PNG_COLOR_TYPE_RGB,
                  std::vector<std::uint8_t>(64 * 64 * 3, 77));
  std::filesystem::resize_file(folder / "whole.png", 60);
  EXPECT_NE(
      refusal_of_picture([&] { shapes::read_picture(folder / "whole.png"); }).find("whole.png: damaged"),
      std::string::npos);
}

Simulation picture_case(const std::string& file) {
  Simulation s;
  s.picture.emplace();
  s.picture->files = {file};
  return s;
}

TEST(FdtdPicture, PixelsBecomeSourcesMonitorsAndSize) {
  const TempFolder folder;
  Drawing d(20, 10);
  d.at(3, 2) = {255, 0, 0, 255};
  d.at(4, 2) = {255, 0, 0, 255};
  d.at(5, 9) = {204, 255, 0, 255};
  d.at(6, 0) = {128, 0, 7, 255};  // not a source yet, but a monitor
  d.at(6, 1) = {0, 0, 7, 255};
  d.write(folder / "p.png");
  Simulation s = picture_case(folder / "p.png");
  s.picture->wavelength = 2;
  apply_picture(s);
  ASSERT_EQ(s.sources.size(), 2u);
  EXPECT_EQ(s.sources[0].name, "red-204");
  EXPECT_DOUBLE_EQ(s.sources[0].waveform.frequency, 1 / 1.6);
  EXPECT_EQ(s.sources[0].pixels, (std::vector<Int3>{{5, 0, 0}}));  // the bottom row is y = 0
  EXPECT_DOUBLE_EQ(s.sources[1].waveform.frequency, 0.5);
  EXPECT_EQ(s.sources[1].pixels, (std::vector<Int3>{{3, 7, 0}, {4, 7, 0}}));
  ASSERT_EQ(s.monitors.size(), 1u);
  EXPECT_EQ(s.monitors[0].name, "monitor-7");
  EXPECT_EQ(s.monitors[0].pixels, (std::vector<Int3>{{6, 8, 0}, {6, 9, 0}}));
  // Ten cells in the wavelength of a full red, whatever else is drawn.
  EXPECT_DOUBLE_EQ(s.resolution, 5);
  const auto scene = make_scene(s);
  const Grid g = make_grid(s, *scene);
  EXPECT_EQ(g.cells, (Int3{20, 10, 1}));
  EXPECT_NEAR(g.dx, 0.2, 1e-15);
  EXPECT_NEAR(g.dt, 0.9 * 0.2 / std::sqrt(2.0), 1e-15);
  apply_picture(s);
  EXPECT_EQ(s.sources.size(), 2u);
}

TEST(FdtdPicture, GreenIsPermittivityInBothMappings) {
  PictureSpec spec;
  EXPECT_EQ(green_permittivity(spec, 0), 1);
  EXPECT_EQ(green_permittivity(spec, 255), 9);
  EXPECT_DOUBLE_EQ(green_permittivity(spec, 28), 1 + 8 * 28 / 255.0);
  spec.mapping = PictureSpec::Mapping::thesis;
  EXPECT_EQ(green_permittivity(spec, 0), 1);
  EXPECT_EQ(green_permittivity(spec, 255), 9);
  EXPECT_DOUBLE_EQ(green_permittivity(spec, 28), 9 * 28 / 255.0);
}

// Hz of te lies in the middle of its pixel, Ez of tm on the corner of four.
TEST(FdtdPicture, WithoutAveragingNodesHaveTheMeanOfThePixelsThatMeetThere) {
  const TempFolder folder;
  Drawing d(7, 5);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x) d.at(x, y) = {0, std::uint8_t(30 * x + 3 * y), 0, 255};
  d.write(folder / "p.png");
  Simulation s = picture_case(folder / "p.png");
  s.averaging = false;
  apply_picture(s);
  const Problem p = test::painted(s);
  const Layout layout(p.grid);
  for (int j = 1; j < 5; ++j)
    for (int i = 1; i < 7; ++i) {
      const double eps = 1 + 8 * (30 * (i - 0.5) + 3 * (4 - (j - 0.5))) / 255.0;
      EXPECT_NEAR(p.coefficients[p.material[Ez][layout.at(i, j, 0)]].drive, p.grid.dt / p.grid.dx / eps,
                  1e-9);
    }
}

TEST(FdtdPicture, AnAddedRedChangesNoScale) {
  const TempFolder folder;
  Drawing d(30, 20);
  d.at(9, 9) = {255, 0, 0, 255};
  d.write(folder / "one.png");
  d.at(20, 3) = {140, 0, 0, 255};
  d.write(folder / "two.png");
  Simulation one = picture_case(folder / "one.png"), two = picture_case(folder / "two.png");
  two.sources.emplace_back();  // one of the case, faster still
  two.sources[0].waveform.frequency = 3;
  apply_picture(one);
  apply_picture(two);
  EXPECT_EQ(one.resolution, two.resolution);
  EXPECT_EQ(one.size, two.size);
}

TEST(FdtdPicture, CoarserCellsHaveTheMeanOverTheirAreaWithAveraging) {
  const TempFolder folder;
  Drawing d(40, 20);
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 40; ++x) d.at(x, y) = {0, std::uint8_t(x >= 21 ? 255 : 0), 0, 255};
  d.write(folder / "p.png");
  Simulation s = picture_case(folder / "p.png");
  s.picture->width = 10;
  s.picture->height = 5;
  apply_picture(s);
  const Problem p = test::painted(s);
  const Layout layout(p.grid);
  const double ratio = p.grid.dt / p.grid.dx;
  // The node at cell 5 reads texels 18 to 22: one of four is vacuum... 21 and 22 - of 18 .. 21 the last is
  // glass.
  EXPECT_NEAR(p.coefficients[p.material[Ez][layout.at(5, 2, 0)]].drive, ratio / (1 + 8 * 0.25), 1e-9);
  EXPECT_NEAR(p.coefficients[p.material[Ez][layout.at(4, 2, 0)]].drive, ratio, 1e-9);
  EXPECT_NEAR(p.coefficients[p.material[Ez][layout.at(6, 2, 0)]].drive, ratio / 9, 1e-9);
}

TEST(FdtdPicture, DrawnSlopeHasTheSlopesNormal) {
  const TempFolder folder;
  Drawing d(40, 40);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 40; ++x) d.at(x, y) = {0, std::uint8_t(x + y < 40 ? 255 : 0), 0, 255};
  d.write(folder / "p.png");
  Simulation s = picture_case(folder / "p.png");
  apply_picture(s);
  const auto scene = make_scene(s);
  // The dense side is up and to the left in the picture, so towards -x and +y.
  const Vec3 n = scene->normal({0, 0, 0});
  EXPECT_NEAR(n[0], std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(n[1], -std::sqrt(0.5), 1e-6);
}

TEST(FdtdPicture, StackBecomesThreeDimensions) {
  const TempFolder folder;
  Drawing low(6, 4), high(6, 4);
  low.at(2, 1) = {255, 255, 0, 255};
  high.at(2, 1) = {0, 255, 0, 255};
  high.at(5, 3) = {0, 0, 9, 255};
  low.write(folder / "0.png");
  high.write(folder / "1.png");
  Simulation s = picture_case(folder / "0.png");
  s.picture->files.push_back(folder / "1.png");
  s.picture->depth = 6;
  s.averaging = false;
  apply_picture(s);
  const Problem p = test::painted(s);
  EXPECT_EQ(p.grid.cells, (Int3{6, 4, 6}));
  EXPECT_EQ(s.sources[0].pixels, (std::vector<Int3>{{2, 2, 0}}));
  EXPECT_EQ(s.monitors[0].pixels, (std::vector<Int3>{{5, 0, 1}}));
  EXPECT_EQ(s.sources[0].raster, (Int3{6, 4, 2}));
  const Layout layout(p.grid);
  const double ratio = p.grid.dt / p.grid.dx;
  // Ez lies on the edges of four texels, of which one is glass in both layers.
  EXPECT_NEAR(p.coefficients[p.material[Ez][layout.at(2, 2, 2)]].drive, ratio / (1 + 8 * 0.25), 1e-9);
  EXPECT_NEAR(p.coefficients[p.material[Ez][layout.at(1, 2, 3)]].drive, ratio, 1e-9);
}

TEST(FdtdPicture, ThesisMappingLowersTheStepForPermittivityBelowOne) {
  const TempFolder folder;
  Drawing d(8, 8);
  d.at(4, 4) = {0, 10, 0, 255};
  d.write(folder / "p.png");
  Simulation s = picture_case(folder / "p.png");
  s.picture->mapping = PictureSpec::Mapping::thesis;
  apply_picture(s);
  const auto scene = make_scene(s);
  const double eps = 9 * 10 / 255.0;
  EXPECT_NEAR(make_grid(s, *scene).dt, 0.98 * std::sqrt(eps) * 0.1 / std::sqrt(2.0), 1e-12);
}

TEST(FdtdPicture, BadPicturesAreRefused) {
  const TempFolder folder;
  Drawing(4, 4).write(folder / "a.png");
  Drawing(4, 5).write(folder / "b.png");
  Simulation s = picture_case(folder / "a.png");
  s.picture->files.push_back(folder / "b.png");
  EXPECT_NE(refusal_of_picture([&] { apply_picture(s); }).find("b.png: 4 x 5 pixels"), std::string::npos);
  s = picture_case(folder / "a.png");
  s.walls[0][0] = WallKind::mirror_even;
  EXPECT_NE(refusal_of_picture([&] { apply_picture(s); }).find("mirror with a picture"), std::string::npos);
  s = picture_case(folder / "a.png");
  s.picture->eps_max = 0.5;
  EXPECT_NE(refusal_of_picture([&] { apply_picture(s), make_scene(s); }).find("eps_max: 0.5"),
            std::string::npos);
  s = picture_case(folder / "a.png");
  EXPECT_NE(refusal_of_picture([&] { make_scene(s); }).find("apply_picture"), std::string::npos);
}

}  // namespace
}  // namespace umov::fdtd
