// What the validation says of drawings.
#include <gtest/gtest.h>

#include "support/fdtd_findings.hpp"
#include "support/png_file.hpp"
#include "support/temp_folder.hpp"

namespace umov::fdtd {
namespace {

using test::expect_finding, test::found, test::findings, test::sound_case, test::Severity;

Simulation drawn_case(const test::Drawing& d, const test::TempFolder& folder) {
  d.write(folder / "p.png");
  Simulation s;
  s.picture.emplace();
  s.picture->files = {folder / "p.png"};
  s.resolution = 40;
  return s;
}

TEST(FdtdValidation, StrayPixelsAreNamedByPlace) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  for (int y = 20; y < 30; ++y) d.at(25, y).red = 255;
  for (int y = 20; y < 30; ++y) d.at(40, y).blue = 5;
  d.at(33, 12).blue = 6;
  expect_finding(drawn_case(d, folder), Severity::warning, "monitor-6 at pixel (33, 12)");
  EXPECT_FALSE(found(findings(drawn_case(d, folder)), "monitor-5"));
}

TEST(FdtdValidation, DrawnSourceInTheLayerIsNamedByPixel) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  d.at(4, 1).red = 255;
  expect_finding(drawn_case(d, folder), Severity::stop,
                 "source 'red-255': 1 of 1 pixels lie in an absorbing layer, the first is pixel (4, 1)");
  d.at(30, 20).red = 255;
  expect_finding(drawn_case(d, folder), Severity::warning, "1 of 2 pixels lie in an absorbing layer");
}

TEST(FdtdValidation, LossyNoiseInGreenIsReported) {
  const test::TempFolder folder;
  test::Drawing d(200, 100);
  d.at(100, 50).red = 255;
  for (int y = 40; y < 60; ++y)
    for (int x = 0; x < 200; ++x) d.at(x, y).green = 255;
  EXPECT_FALSE(found(findings(drawn_case(d, folder)), "different greens"));
  for (int i = 0; i < 30; ++i) d.at(7 * i % 200, 39).green = std::uint8_t(3 + 5 * i);
  expect_finding(drawn_case(d, folder), Severity::warning, "32 different greens, 30 of them");
}

TEST(FdtdValidation, ThesisGreensBelowOneAreNamed) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  d.at(30, 20).red = 255;
  d.at(20, 20).green = 28;
  d.at(21, 20).green = 29;
  Simulation s = drawn_case(d, folder);
  s.picture->mapping = PictureSpec::Mapping::thesis;
  expect_finding(s, Severity::warning, "28 (eps 0.988, 1 pixels, first pixel (20, 20)) (waves");
}

TEST(FdtdValidation, StraySourcePixelsAreNamedWithTheirPlace) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  for (int y = 20; y < 33; ++y) d.at(20, y).red = 255;
  EXPECT_FALSE(found(findings(drawn_case(d, folder)), "hang together"));
  d.at(45, 30).red = 255;
  expect_finding(drawn_case(d, folder), Severity::warning,
                 "pixels of a source apart from its others, of which up to 13 hang together: pixel (45, 30) "
                 "(red 255)");
  d.at(45, 30).red = 200;
  d.at(40, 22).red = d.at(41, 23).red = 255;
  expect_finding(drawn_case(d, folder), Severity::warning,
                 "hang together: pixel (40, 22) (red 255, 2 pixels), pixel (45, 30) (red 200)");
  // Points of equal size are an array.
  test::Drawing array(60, 50);
  for (int x = 15; x < 45; x += 5) array.at(x, 25).red = 255;
  EXPECT_FALSE(found(findings(drawn_case(array, folder)), "hang together"));
}

TEST(FdtdValidation, StrayMonitorPixelsAreNamedWithTheirPlace) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  d.at(20, 20).red = 255;
  for (int y = 20; y < 33; ++y) d.at(40, y).blue = 3;
  d.at(12, 30).blue = 3;
  expect_finding(drawn_case(d, folder), Severity::warning,
                 "pixels of monitor-3 apart from its others, of which up to 13 hang together: pixel (12, 30) "
                 "(blue 3)");
}

TEST(FdtdValidation, RedsTooFaintForASourceAreNamed) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  d.at(20, 20).red = 255;
  d.at(30, 25).red = 128;
  expect_finding(drawn_case(d, folder), Severity::warning,
                 "1 pixels have a red of 1 to 128, the first is pixel (30, 25) with 128 (a source has more");
}

// Enlarged three times with interpolation: a third and two thirds of a step on every edge.
TEST(FdtdValidation, SmoothedEdgesAreNamedForEachColour) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  for (int y = 15; y < 35; ++y)
    for (int x = 15; x < 45; ++x) {
      const int depth = std::min({x - 14, 45 - x, y - 14, 35 - y, 3});
      d.at(x, y).green = std::uint8_t(85 * depth);
    }
  for (int y = 20; y < 30; ++y) d.at(20, y).red = 255, d.at(19, y).red = d.at(21, y).red = 170;
  for (int y = 20; y < 30; ++y) d.at(30, y).blue = 4, d.at(29, y).blue = d.at(31, y).blue = 3;
  const Simulation s = drawn_case(d, folder);
  // The rims are 96 and 88 pixels long; at four corners of each the values rise only diagonally.
  expect_finding(s, Severity::warning, "176 pixels have a green between those of their neighbours (85, 170;");
  expect_finding(s, Severity::warning, "20 pixels have a red between those of their neighbours (170;");
  expect_finding(s, Severity::warning, "20 of them are sources of other wavelengths");
  expect_finding(s, Severity::warning, "20 pixels have a blue between those of their neighbours (3;");
}

TEST(FdtdValidation, SharpEdgesAndGradientsAreNotSmoothing) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  d.at(20, 20).red = 255;
  for (int y = 10; y < 40; ++y)
    for (int x = 0; x < 60; ++x) d.at(x, y).green = std::uint8_t(y < 20 ? 0 : y < 30 ? 255 : 4 * x);
  EXPECT_FALSE(found(findings(drawn_case(d, folder)), "smoothed"));
}

TEST(FdtdValidation, CellsThatStretchThePictureAreNamed) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  d.at(20, 20).red = 255;
  Simulation s = drawn_case(d, folder);
  s.picture->width = 120;
  expect_finding(
      s, Severity::warning,
      "120 x 50 cells for 60 x 50 pixels (a pixel becomes 2 cells wide and 1 high, so shapes are "
      "stretched); give width and height in the picture's proportion: height 100 goes with width 120");
  s.picture->height = 100;
  EXPECT_FALSE(found(findings(s), "stretched"));
  s.picture->width = 77, s.picture->height = 64;  // 64.17 would be exact
  EXPECT_FALSE(found(findings(s), "stretched"));
}

}  // namespace
}  // namespace umov::fdtd
