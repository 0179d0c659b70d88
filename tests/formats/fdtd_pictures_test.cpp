// Pictures and the animation of a time-domain run: colours, sizes, what is there and what is not.
#include <gif_lib.h>
#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "core/error.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/fourier.hpp"
#include "fdtd/monitors/near_to_far.hpp"
#include "fdtd/monitors/resonance.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/output/animation.hpp"
#include "fdtd/output/pictures.hpp"
#include "fdtd_sample.hpp"
#include "support/temp_folder.hpp"

namespace umov::fdtd {
namespace {

namespace fs = std::filesystem;
using namespace pictures;

struct Picture {
  int width = 0, height = 0;
  std::vector<png_byte> rgb;
  explicit Picture(const std::string& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_file(&image, path.c_str()), 0) << path;
    image.format = PNG_FORMAT_RGB;
    rgb.resize(PNG_IMAGE_SIZE(image));
    EXPECT_NE(png_image_finish_read(&image, nullptr, rgb.data(), 0, nullptr), 0) << path;
    width = int(image.width);
    height = int(image.height);
  }
  /// Red less blue, 0 for white and greys.
  int warmth(int x, int y) const {
    const auto* p = &rgb[3 * (std::size_t(y) * width + x)];
    return p[0] - p[2];
  }
};

std::set<std::string> names_of(const std::vector<std::string>& paths) {
  std::set<std::string> names;
  for (const auto& path : paths) names.insert(fs::path(path).filename().string());
  return names;
}

double luminance(Color c) {
  const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

TEST(FdtdColors, ZeroOfASignedFieldIsWhiteAndBothSignsDarkenAlike) {
  const ColorScale scale{-2, 2, 1, ColorMap::diverging, false};
  const Color zero = scale(0);
  EXPECT_EQ(zero.r, 1);
  EXPECT_EQ(zero.g, 1);
  EXPECT_EQ(zero.b, 1);
  for (double v = 0.1; v <= 2; v += 0.1) {
    EXPECT_LT(luminance(scale(v)), luminance(scale(v - 0.1)));
    EXPECT_LT(luminance(scale(-v)), luminance(scale(0.1 - v)));
    EXPECT_GT(scale(v).r, scale(v).b);
    EXPECT_LT(scale(-v).r, scale(-v).b);
    // Equal CIELAB lightness (100 (Y^1/3 1.16 - 0.16)) up to what eleven rounded colours allow.
    EXPECT_NEAR(std::cbrt(luminance(scale(v))), std::cbrt(luminance(scale(-v))), 0.02) << v;
  }
}

TEST(FdtdColors, ScaleSaturatesWhereASourceDwarfsTheField) {
  std::vector<double> values(10000, 0.1);
  values[7] = 50;
  const auto scale = symmetric_scale(values);
  EXPECT_TRUE(scale.saturated);
  EXPECT_EQ(scale.high, 0.1);
  values[7] = 0.15;
  EXPECT_FALSE(symmetric_scale(values).saturated);
  EXPECT_EQ(symmetric_scale(values).high, 0.15);
}

TEST(FdtdColors, ScaleOfNothingIsOne) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& values : {std::vector<double>{}, {0, 0}, {nan, nan}}) {
    EXPECT_EQ(symmetric_scale(values).high, 1);
    EXPECT_EQ(intensity_scale(values).high, 1);
  }
}

TEST(FdtdRaster, ReductionKeepsASpikeWithItsSignAndTheMeanOfAPermittivity) {
  Raster r{1000, 700, 0, 10, 0, 7, std::vector<double>(700000, 0.5)};
  r.values[345678] = -5;
  const auto extreme = reduced(r, 100, Reduction::extreme), mean = reduced(r, 100, Reduction::mean);
  EXPECT_EQ(extreme.columns, 100);
  EXPECT_EQ(extreme.rows, 100);
  EXPECT_EQ(extreme.at(678 / 10, 345 / 7), -5);
  EXPECT_EQ(*std::min_element(extreme.values.begin(), extreme.values.end()), -5);
  EXPECT_NEAR(mean.at(67, 49), 0.5 - 5.5 / 70, 1e-12);
}

TEST(FdtdRaster, OutlineOfADiskLiesOnItsEdge) {
  const int n = 200;
  Raster r{n, n, -1, 1, -1, 1, {}};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      r.values.push_back(std::hypot(-1 + 2 * (i + 0.5) / n, -1 + 2 * (j + 0.5) / n) < 0.6 ? 4 : 1);
  const auto levels = outline_levels(r);
  EXPECT_EQ(levels, (std::vector<double>{2.5}));
  const auto points = contours(r, levels);
  ASSERT_GT(points.size(), 400u);
  // Within the diagonal of a cell.
  for (const auto& p : points) EXPECT_NEAR(std::hypot(p.x, p.y), 0.6, std::sqrt(2) * 2 / n);
}

TEST(FdtdRaster, UniformPermittivityHasNoOutline) {
  const Raster r{20, 20, 0, 1, 0, 1, std::vector<double>(400, 2.25)};
  EXPECT_TRUE(outline_levels(r).empty());
}

TEST(FdtdRaster, NoLineIsDrawnBesideVoid) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const int n = 9;
  Raster r{n, n, 0, n, 0, n, {}};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) r.values.push_back(i == 4 && j == 4 ? nan : i);
  const auto points = contours(r, {1.5, 4.25});
  // 8 squares in each of the two columns that a level crosses, less the two of one of them that touch the
  // void.
  EXPECT_EQ(points.size(), 2u * (8 + 8 - 2));
  for (const auto& p : points) EXPECT_TRUE(std::isfinite(p.x) && std::isfinite(p.y));
}

TEST(FdtdRaster, PositiveIsRedAndTheFirstRowLiesBelow) {
  const test::TempFolder folder;
  Canvas c(60, 60);
  const Raster r{2, 2, 0, 1, 0, 1, {-1, 1, 0, 1}};  // lower left negative, upper left zero, right positive
  paint(c, {10, 10, 40, 40}, {0, 1, 0, 1, "", ""}, r, {-1, 1, 1, ColorMap::diverging, false});
  c.write_png(folder / "p.png");
  const Picture p(folder / "p.png");
  const int s = Canvas::resolution;
  EXPECT_LT(p.warmth(14 * s, 46 * s), -60);
  EXPECT_GT(p.warmth(46 * s, 46 * s), 60);
  EXPECT_GT(p.warmth(46 * s, 14 * s), 60);
  EXPECT_EQ(p.warmth(11 * s, 11 * s), 0);
  EXPECT_EQ(p.warmth(4 * s, 30 * s), 0);  // outside
}

TEST(FdtdPictures, EveryKindOfResultHasItsPicture) {
  const test::TempFolder folder;
  const auto paths = draw_pictures(sample_fdtd(Mode::tm, {40, 32, 1}), folder.path);
  EXPECT_EQ(
      names_of(paths),
      (std::set<std::string>{
          "model.png", "field-Ez.png", "fourier-steady-0.1475.png", "fourier-steady-0.1758.png",
          "snapshot-movie-Ez-000000.png", "snapshot-movie-Ez-000050.png", "snapshot-movie-Ez-000100.png",
          "snapshot-movie-Ez-000150.png", "series-probe.png", "spectrum.png", "flux.png",
          "resonances-probe.png", "far_field-outside.png", "cross_sections-outside.png", "overview.png"}));
  EXPECT_EQ(std::size_t(std::distance(fs::directory_iterator(folder.path), {})), paths.size());
  for (const auto& path : paths) {
    const Picture p(path);
    std::array<bool, 256> seen{};
    for (const auto byte : p.rgb) seen[byte] = true;
    EXPECT_GT(std::count(seen.begin(), seen.end(), true), 20) << path;  // not blank
    EXPECT_EQ(p.rgb[0], 255) << path;                                   // white paper
  }
}

TEST(FdtdPictures, FieldOfZeroIsWhite) {
  const test::TempFolder folder;
  auto o = sample_fdtd(Mode::tm, {64, 64, 1});
  std::fill(o.final_fields[0].second.real.begin(), o.final_fields[0].second.real.end(), 0.0);
  field_picture(o, Ez, folder / "f.png");
  const Picture p(folder / "f.png");
  // Left of the colour bar, which ends the picture, nothing but paper and ink.
  for (int y = 0; y < p.height; ++y)
    for (int x = 0; x < p.width * 3 / 4; ++x) ASSERT_LT(std::abs(p.warmth(x, y)), 40) << x << " " << y;
}

TEST(FdtdPictures, AnyShapeOfDomainGivesSheetsOfReasonableSize) {
  struct Case {
    Mode mode;
    Int3 cells;
  };
  for (const auto& [mode, cells] :
       {Case{Mode::tm, {43, 597, 1}}, Case{Mode::te, {4000, 12, 1}}, Case{Mode::tm, {1, 300, 1}},
        Case{Mode::tm, {900, 1700, 1}}, Case{Mode::one, {500, 1, 1}}, Case{Mode::full, {31, 7, 90}}}) {
    const test::TempFolder folder;
    auto o = sample_fdtd(mode, cells);
    o.of<FourierResult>().clear();
    o.snapshots.clear();
    for (const auto& path : draw_pictures(o, folder.path)) {
      const Picture p(path);
      EXPECT_GE(p.width, 1200) << path << cells[0];
      EXPECT_GE(p.height, 500) << path << cells[0];
      EXPECT_LE(p.width, 3300) << path << cells[0];
      EXPECT_LE(p.height, 2400) << path << cells[0];
    }
  }
}

TEST(FdtdPictures, NotANumberIsDrawnAsPaperAndStopsNothing) {
  const test::TempFolder folder;
  auto o = sample_fdtd(Mode::tm, {40, 32, 1});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (auto& v : o.final_fields[0].second.real) v = nan;
  for (auto& v : o.of<SeriesResult>()[0].value) v = nan;
  for (auto& f : o.of<FluxResult>()) std::fill(f.flux.begin(), f.flux.end(), nan);
  for (auto& v : o.of<FourierResult>()[0].values[0]) v = nan;
  for (auto& v : o.of<FarFieldResult>()[0].intensity) v = nan;
  for (auto& v : o.permittivity.real) v = nan;
  for (auto& s : o.snapshots) std::fill(s.values.begin(), s.values.end(), float(nan));
  EXPECT_GT(draw_pictures(o, folder.path).size(), 10u);
  field_picture(o, Ez, folder / "f.png");
  const Picture p(folder / "f.png");
  EXPECT_LT(std::abs(p.warmth(p.width / 3, p.height / 2)), 10);
}

TEST(FdtdPictures, ReflectionAndTransmissionAreToldApartByTheScatteredFlux) {
  const auto o = sample_fdtd(Mode::tm, {20, 16, 1});
  const auto plots = plots_of(o);
  const auto plot = std::ranges::find(plots, "spectrum", &Plot::file);
  ASSERT_NE(plot, plots.end());
  ASSERT_EQ(plot->curves.size(), 3u);
  EXPECT_EQ(plot->curves[0].name, "R (front)");
  EXPECT_EQ(plot->curves[1].name, "T (behind)");
  for (const double rest : plot->curves[2].y) EXPECT_NEAR(rest, 0, 1e-12);
}

TEST(FdtdPictures, SpectrumOfASeriesPeaksAtItsResonances) {
  const auto o = sample_fdtd(Mode::tm, {20, 16, 1});
  const auto plot = spectrum_plot(o.of<SeriesResult>()[0], "probe");
  ASSERT_TRUE(plot.has_value());
  const auto& s = plot->plot.series.back();
  const auto peak = std::max_element(s.y.begin(), s.y.end()) - s.y.begin();
  // Half the distance of the frequencies that the length of the record tells apart.
  EXPECT_NEAR(s.x[std::size_t(peak)], 0.1475, 0.5 / o.of<SeriesResult>()[0].time.back());
}

TEST(FdtdPictures, ResonancesWithoutASeriesAreShownByTheirOwnSpectrum) {
  auto o = sample_fdtd(Mode::tm, {20, 16, 1});
  o.of<SeriesResult>().clear();
  o.of<ResonanceResult>()[0].modes = {{0.15, 1000, 2, 30, 0}};
  const auto plot = resonance_plot(o, o.of<ResonanceResult>()[0]);
  ASSERT_TRUE(plot.has_value());
  const auto& s = plot->plot.series.back();
  const auto peak = std::max_element(s.y.begin(), s.y.end());
  EXPECT_EQ(s.x[std::size_t(peak - s.y.begin())], 0.15);
  // The integral of (A / 2) exp(-pi f t / Q) over time.
  EXPECT_NEAR(*peak, 1000 / (pi * 0.15), 1e-9 * *peak);
  EXPECT_EQ(plot->plot.series[0].name, "resonances");
}

TEST(FdtdPictures, OverviewShowsTheStrongestFrameOnceTheFieldHasDiedAway) {
  auto o = sample_fdtd(Mode::tm, {20, 16, 1});
  EXPECT_EQ(main_field(o)->time, o.time);
  for (auto& v : o.final_fields[0].second.real) v *= 1e-6;
  for (auto& v : o.frames[7].values) v *= 2;
  EXPECT_EQ(main_field(o)->time, o.frames[7].time);
}

TEST(FdtdPictures, MetalHasAColorOfItsOwn) {
  auto o = sample_fdtd(Mode::tm, {20, 16, 1});
  o.permittivity.real[5] = -20;
  const auto scale = permittivity_scale(o);
  EXPECT_EQ(scale.low, 1);
  EXPECT_EQ(scale.high, 9);
  EXPECT_GT(scale(-20).r - scale(-20).b, 0.2);        // gold
  EXPECT_LE(std::abs(scale(9).r - scale(9).b), 0.2);  // slate
}

TEST(FdtdPictures, MissingFolderIsBadInput) {
  const test::TempFolder folder;
  EXPECT_THROW(draw_pictures(sample_fdtd(Mode::tm, {20, 16, 1}), folder / "absent"), BadInput);
}

/// An animation, unpacked.
struct Animation {
  GifFileType* gif;
  explicit Animation(const std::string& path) {
    int error = 0;
    gif = DGifOpenFileName(path.c_str(), &error);
    EXPECT_NE(gif, nullptr);
    EXPECT_EQ(DGifSlurp(gif), GIF_OK);
  }
  ~Animation() {
    int error = 0;
    DGifCloseFile(gif, &error);
  }
  GifColorType color(int frame, int x, int y) const {
    const auto& image = gif->SavedImages[frame];
    return gif->SColorMap->Colors[image.RasterBits[y * image.ImageDesc.Width + x]];
  }
};

TEST(FdtdAnimation, HasAllFramesLoopsAndStaysSmall) {
  const test::TempFolder folder;
  const auto o = sample_fdtd(Mode::tm, {64, 48, 1});
  ASSERT_TRUE(write_animation(o, folder / "a.gif"));
  const Animation a(folder / "a.gif");
  EXPECT_EQ(a.gif->ImageCount, 20);
  EXPECT_EQ(a.gif->SWidth, 512);  // eight times 64
  EXPECT_LE(a.gif->SHeight, 8 * 48 + 40);
  ASSERT_GT(a.gif->SavedImages[0].ExtensionBlockCount, 0);
  const auto& block = a.gif->SavedImages[0].ExtensionBlocks[0];
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(block.Bytes), 11), "NETSCAPE2.0");
}

TEST(FdtdAnimation, LargeDomainsAreReduced) {
  const test::TempFolder folder;
  auto o = sample_fdtd(Mode::tm, {10, 10, 1});
  o.grid = sample_grid(Mode::tm, {2000, 500, 1});
  o.permittivity = {};
  o.frames.clear();
  add_frames(o, 2);
  ASSERT_TRUE(write_animation(o, folder / "a.gif"));
  const Animation a(folder / "a.gif");
  EXPECT_EQ(a.gif->SWidth, 800);
  EXPECT_LE(a.gif->SHeight, 200 + 40);
  EXPECT_EQ(a.gif->ImageCount, 2);
}

TEST(FdtdAnimation, ZeroIsWhiteSignsAreRedAndBlueAndTheScaleIsCommon) {
  const test::TempFolder folder;
  auto o = sample_fdtd(Mode::tm, {64, 48, 1});
  o.permittivity = {};
  o.frames.resize(3);
  for (std::size_t f = 0; f < 3; ++f)
    std::fill(o.frames[f].values.begin(), o.frames[f].values.end(), float(f) - 1);
  o.frames[1].values[0] = 0.5;  // lower left
  ASSERT_TRUE(write_animation(o, folder / "a.gif"));
  const Animation a(folder / "a.gif");
  const auto blue = a.color(0, 100, 100), white = a.color(1, 100, 100), red = a.color(2, 100, 100),
             half = a.color(1, 2, 8 * 48 - 3);
  EXPECT_GT(int(blue.Blue), int(blue.Red) + 60);
  EXPECT_EQ(std::min({white.Red, white.Green, white.Blue}), 255);
  EXPECT_GT(int(red.Red), int(red.Blue) + 60);
  // Paler than the full value of the other frame.
  EXPECT_GT(int(half.Green), int(red.Green) + 40);
  EXPECT_GT(int(half.Red), int(half.Blue) + 40);
}

TEST(FdtdAnimation, NoFramesNoFile) {
  const test::TempFolder folder;
  auto o = sample_fdtd(Mode::tm, {64, 48, 1});
  o.frames.clear();
  EXPECT_FALSE(write_animation(o, folder / "a.gif"));
  EXPECT_TRUE(fs::is_empty(folder.path));
}

}  // namespace
}  // namespace umov::fdtd
