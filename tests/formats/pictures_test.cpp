// The pictures are there, have their size, and show something.
#include "dda/output/pictures.hpp"

#include <cairo.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "core/error.hpp"
#include "dda/output/picture_parts.hpp"
#include "pictures/plot.hpp"
#include "pictures/polar_plot.hpp"
#include "sample_outcome.hpp"

namespace umov::dda {

using namespace pictures;
namespace {

struct DrawnPicture {
  int width = 0, height = 0;
  std::set<std::uint32_t> colors;
  double ink = 0;  ///< fraction of pixels that are not white
  std::vector<std::uint32_t> pixels;
};

DrawnPicture load(const std::string& path) {
  DrawnPicture p;
  cairo_surface_t* s = cairo_image_surface_create_from_png(path.c_str());
  EXPECT_EQ(cairo_surface_status(s), CAIRO_STATUS_SUCCESS) << path;
  p.width = cairo_image_surface_get_width(s);
  p.height = cairo_image_surface_get_height(s);
  for (int y = 0; y < p.height; ++y) {
    const auto* row = reinterpret_cast<const std::uint32_t*>(
        cairo_image_surface_get_data(s) + std::size_t(y) * cairo_image_surface_get_stride(s));
    for (int x = 0; x < p.width; ++x) {
      const std::uint32_t pixel = row[x] & 0xffffff;
      if (p.pixels.empty() || pixel != p.pixels.back()) p.colors.insert(pixel);
      p.pixels.push_back(pixel);
      p.ink += pixel != 0xffffff;
    }
  }
  p.ink /= double(p.pixels.size());
  cairo_surface_destroy(s);
  return p;
}

struct Pictures : testing::Test {
  std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("umov_pictures_" + std::to_string(::getpid()));
  void SetUp() override {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
};

MieComparison sample_comparison() {
  MieComparison mie;
  for (int i = 0; i <= 180; ++i) {
    mie.theta.push_back(i);
    mie.s11.push_back(std::exp(-0.03 * i));
    mie.s12.push_back(0);
  }
  mie.qext = 2;
  mie.intensity = [](const Vec3& r) { return 1 + r[2]; };
  return mie;
}

TEST_F(Pictures, SixAreWrittenAndNoneIsBlank) {
  const auto outcome = sample_outcome({6, 8, 7});
  const auto paths = draw_pictures(outcome, folder);
  ASSERT_EQ(paths.size(), 6u);
  for (const auto& path : paths) {
    const auto p = load(path);
    EXPECT_GE(p.width, 1500) << path;
    EXPECT_GE(p.height, 1000) << path;
    EXPECT_GT(p.colors.size(), 50u) << path;
    EXPECT_GT(p.ink, 0.01) << path;
    EXPECT_EQ(p.pixels.front(), 0xffffffu) << path;  // white paper
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 6);
}

TEST_F(Pictures, ShapeShowsBothMaterials) {
  const auto outcome = sample_outcome({6, 8, 7});
  const auto p = load(draw_pictures(outcome, folder)[0]);
  // Shades of blue (material 1) and of orange (material 2).
  std::size_t blue = 0, orange = 0;
  for (const auto c : p.pixels) {
    const int r = c >> 16 & 255, b = c & 255;
    blue += b > r + 60;
    orange += r > b + 60;
  }
  EXPECT_GT(blue, p.pixels.size() / 100);
  EXPECT_GT(orange, p.pixels.size() / 100);
}

TEST_F(Pictures, MieCurveAndFieldAreDrawnWhenGiven) {
  const auto outcome = sample_outcome({6, 8, 7});
  const auto mie = sample_comparison();
  const auto alone = draw_pictures(outcome, folder);
  const auto before = load(alone[1]);
  const auto field_before = load(alone[3]);
  const auto both = draw_pictures(outcome, folder, &mie);
  const auto after = load(both[1]);
  EXPECT_NE(before.pixels, after.pixels);
  EXPECT_GT(load(both[3]).height, field_before.height);
}

TEST_F(Pictures, WhatHasNoDataIsLeftOut) {
  auto outcome = sample_outcome();
  outcome.plane.clear();
  for (auto& pol : outcome.polarizations) {
    pol.polarization.clear();
    pol.internal_field.clear();
    pol.cuts = {};
  }
  const auto paths = draw_pictures(outcome, folder);
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_NE(paths[0].find("shape.png"), std::string::npos);
  EXPECT_NE(paths[1].find("convergence.png"), std::string::npos);
}

TEST_F(Pictures, SingleDipoleConstantFieldAndObliqueIncidenceAreDrawn) {
  auto outcome = sample_outcome({1, 1, 1});
  outcome.particle.material = {1};
  outcome.particle.dipoles_per_material = {1, 0};
  outcome.propagation_particle = {1, 0, 0};
  for (auto& pol : outcome.polarizations) {
    pol.polarization = {CVec3{}};
    pol.internal_field = {CVec3{}};
    pol.cuts = {std::vector<double>{0}, std::vector<double>{0}};
    pol.solve.history = {1, 0};
  }
  for (auto& row : outcome.plane) row.mueller = {};
  EXPECT_EQ(draw_pictures(outcome, folder).size(), 6u);
}

TEST_F(Pictures, NearlyUniformFieldUsesTheWholeColorMap) {
  auto outcome = sample_outcome({6, 8, 7});
  auto& field = outcome.polarizations[0].internal_field;
  for (std::size_t i = 0; i < field.size(); ++i)
    field[i] = {cplx(1 + 0.1 * double(i) / double(field.size())), 0, 0};
  auto& pol = outcome.polarizations[0];
  pol.cuts = dda::cuts_of(outcome.particle, {0, 7, 0, pol.polarization, pol.internal_field},
                          dda::cut_planes(outcome.particle, outcome.simulation));
  const auto p = load(draw_pictures(outcome, folder)[3]);
  // A colour bar from zero would leave black to its own lowest pixels.
  std::size_t black = 0;
  for (const auto c : p.pixels) black += (c >> 16 & 255) < 12 && (c >> 8 & 255) < 8 && (c & 255) < 30;
  EXPECT_GT(black, 3000u);
}

TEST_F(Pictures, LargeParticleIsDrawnCoarser) {
  auto outcome = sample_outcome({340, 20, 20});
  const auto paths = draw_pictures(outcome, folder);
  EXPECT_GT(load(paths[0]).colors.size(), 50u);
}

TEST_F(Pictures, MissingFolderIsBadInput) {
  const auto outcome = sample_outcome();
  EXPECT_THROW(draw_pictures(outcome, folder / "absent"), BadInput);
}

TEST(Plot, PolarPatternOfAConstantIsADisk) {
  const auto path =
      (std::filesystem::path(testing::TempDir()) / ("umov_polar_" + std::to_string(::getpid()) + ".png"))
          .string();
  Series constant;
  for (int angle = 0; angle <= 360; ++angle) {
    constant.x.push_back(angle);
    constant.y.push_back(100);
  }
  Canvas c(400, 400);
  draw(c, {200, 170}, 120, PolarPlot{"S", {constant}, rgb(0x123456)});
  c.write_png(path);
  const auto p = load(path);
  std::filesystem::remove(path);
  // Between spokes and rings, in all four quadrants.
  for (const auto& [x, y] : {std::pair{250, 157}, {150, 157}, {250, 183}, {150, 183}})
    EXPECT_EQ(p.pixels[std::size_t(2 * y) * p.width + 2 * x], 0x123456u) << x << " " << y;
  EXPECT_EQ(p.pixels[std::size_t(2 * 100) * p.width + 2 * 330], 0xffffffu);
}

TEST(Plot, LinearTicksAreRoundNumbersInside) {
  const auto ticks = linear_ticks(-0.37, 1.92, 5);
  ASSERT_EQ(ticks.size(), 4u);  // 0, 0.5, 1, 1.5
  for (std::size_t i = 0; i < ticks.size(); ++i) EXPECT_NEAR(ticks[i].value, 0.5 * double(i), 1e-12);
  EXPECT_EQ(linear_ticks(0, 180, 3, 30).size(), 7u);
}

TEST(Plot, LogTicksAreDecades) {
  std::vector<std::string> labels;
  for (const auto& t : log_ticks(1e-3, 1e1, 8))
    if (t.major) labels.push_back(t.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"10⁻³", "10⁻²", "10⁻¹", "10⁰", "10¹"}));
}

TEST(Plot, NumbersAreWrittenAsPeopleDo) {
  EXPECT_EQ(pretty_number(0), "0");
  EXPECT_EQ(pretty_number(-0.25), "−0.25");
  EXPECT_EQ(pretty_number(1e-5), "10⁻⁵");
  EXPECT_EQ(pretty_number(2.5e-7), "2.5 × 10⁻⁷");
  EXPECT_EQ(pretty_number(1500), "1500");
}

TEST(Plot, ColorMapsRunFromDarkToBrightMonotonically) {
  for (const auto map : {ColorMap::viridis, ColorMap::inferno}) {
    double last = -1;
    for (int i = 0; i <= 20; ++i) {
      const auto c = color_at(map, i / 20.0);
      const double luminance = 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
      EXPECT_GT(luminance, last);
      last = luminance;
    }
  }
}

}  // namespace
TEST_F(Pictures, HeadingsNameTheBeamItsWidthAndItsCentre) {
  Outcome o = sample_outcome();
  EXPECT_EQ(light_name(o), "light");
  EXPECT_EQ(beam_caption(o), "");
  EXPECT_FALSE(beam_centre(o).has_value());
  EXPECT_EQ(efficiency_caption(o, nullptr).find("power"), std::string::npos);
  o.simulation.beam = {BeamKind::barton5, 0.8, {0.5, 0.2, 0}, "", ""};
  EXPECT_EQ(light_name(o), "a Gaussian beam");
  EXPECT_NE(particle_caption(o).find("beam barton5, waist 0.8 µm, centre (0.5, 0.2, 0) µm"),
            std::string::npos)
      << particle_caption(o);
  EXPECT_NE(efficiency_caption(o, nullptr).find("intensity at the beam's centre"), std::string::npos);
  o.simulation.orientation.beta = 90;  // the particle is turned, the beam is not
  const Vec3 centre = *beam_centre(o);
  EXPECT_NEAR(norm(centre), norm(o.simulation.beam.center), 1e-12);
  EXPECT_GT(std::abs(centre[2]), 0.1);
  o.simulation.beam.kind = BeamKind::dipole;
  EXPECT_NE(beam_caption(o).find("point dipole"), std::string::npos);
  o.simulation.beam.kind = BeamKind::read;
  EXPECT_NE(beam_caption(o).find("from a file"), std::string::npos);
}

}  // namespace umov::dda
