// What is drawn lies where it is drawn: mirrored drawings give mirrored fields, shifted ones the same, and a
// drawn rectangle is the box of the same corners.
#include <gtest/gtest.h>

#include <random>

#include "fdtd/monitors/series.hpp"
#include "fdtd/run/run.hpp"
#include "support/fdtd_cases.hpp"
#include "support/fdtd_runs.hpp"
#include "support/machines.hpp"
#include "support/png_file.hpp"
#include "support/temp_folder.hpp"

namespace umov::fdtd {
namespace {

using test::Drawing;
using test::TempFolder;

/// Pictures from the lowest z up.
using Stack = std::vector<Drawing>;

/// Blotches of every green, two reds and three monitors, anywhere: nothing about it is symmetric.
Stack random_stack(int width, int height, int layers, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](int n) { return int(random() % unsigned(n)); };
  Stack stack(layers, Drawing(width, height));
  const auto blot = [&](auto paint) {
    const int w = 1 + below(width / 2), h = 1 + below(height / 2), d = 1 + below(layers);
    const int x0 = below(width - w + 1), y0 = below(height - h + 1), z0 = below(layers - d + 1);
    for (int z = z0; z < z0 + d; ++z)
      for (int y = y0; y < y0 + h; ++y)
        for (int x = x0; x < x0 + w; ++x) paint(stack[z].at(x, y));
  };
  for (int i = 0; i < 6; ++i) blot([green = 40 * (i + 1)](Drawing::Pixel& p) { p.green = green; });
  for (int red : {255, 200}) blot([red](Drawing::Pixel& p) { p.red = red; });
  for (int blue : {1, 2, 3}) blot([blue](Drawing::Pixel& p) { p.blue = blue; });
  return stack;
}

const Drawing::Pixel& pixel(const Drawing& d, int column, int row) {
  return d.pixels[std::size_t(row) * d.width + column];
}

Stack mirrored(const Stack& stack, int axis) {
  Stack out = stack;
  const int layers = int(stack.size());
  for (int z = 0; z < layers; ++z)
    for (int y = 0; y < stack[0].height; ++y)
      for (int x = 0; x < stack[0].width; ++x) {
        const int u = axis == 0 ? stack[0].width - 1 - x : x, v = axis == 1 ? stack[0].height - 1 - y : y;
        out[z].at(x, y) = pixel(stack[axis == 2 ? layers - 1 - z : z], u, v);
      }
  return out;
}

/// What a test varies beside the drawing.
struct Setting {
  Int3 cells{0, 0, 0};
  bool te = false, averaging = true, tuned = true;
  Precision precision = Precision::double_;
  std::string backend = "serial";
  std::array<std::array<WallKind, 2>, 3> walls = test::all_walls(WallKind::pml);
};

Simulation drawn_case(const Stack& stack, const Setting& setting, const TempFolder& folder) {
  Simulation s;
  s.picture.emplace();
  for (std::size_t z = 0; z < stack.size(); ++z) {
    s.picture->files.push_back(folder / (std::to_string(z) + ".png"));
    stack[z].write(s.picture->files.back());
  }
  s.picture->width = setting.cells[0];
  s.picture->height = setting.cells[1];
  s.picture->depth = stack.size() > 1 ? setting.cells[2] : 0;
  s.picture->eps_max = 6;
  s.resolution = 12;
  s.te = setting.te;
  s.averaging = setting.averaging;
  s.tuned = setting.tuned;
  s.precision = setting.precision;
  s.walls = setting.walls;
  s.pml.layers = 3;
  s.stop.steps = 90;
  s.force = true;  // sources in layers, too
  return s;
}

/// Largest difference of all series of two runs, relative to the largest value.
double difference(const Outcome& a, const Outcome& b) {
  double largest = 0, most = 0;
  EXPECT_EQ(a.of<SeriesResult>().size(), b.of<SeriesResult>().size());
  for (std::size_t m = 0; m < a.of<SeriesResult>().size(); ++m) {
    EXPECT_EQ(a.of<SeriesResult>()[m].name, b.of<SeriesResult>()[m].name);
    EXPECT_EQ(a.of<SeriesResult>()[m].value.size(), b.of<SeriesResult>()[m].value.size());
    for (std::size_t i = 0; i < a.of<SeriesResult>()[m].value.size(); ++i) {
      largest =
          std::max({largest, std::abs(a.of<SeriesResult>()[m].value[i]), a.of<SeriesResult>()[m].rms[i]});
      most = std::max({most, std::abs(a.of<SeriesResult>()[m].value[i] - b.of<SeriesResult>()[m].value[i]),
                       std::abs(a.of<SeriesResult>()[m].rms[i] - b.of<SeriesResult>()[m].rms[i])});
    }
  }
  EXPECT_GT(largest, 0);
  return most / largest;
}

/// The largest difference between a drawing and its images in each axis.
double asymmetry(const Stack& stack, Setting setting) {
  const TempFolder folder;
  const auto walls = setting.walls;
  const Outcome straight = fdtd::run(drawn_case(stack, setting, folder), umov::test::on(setting.backend, 1));
  double worst = 0;
  for (int axes = 1; axes < (stack.size() > 1 ? 8 : 4); ++axes) {
    Stack image = stack;
    setting.walls = walls;
    for (int a = 0; a < 3; ++a)
      if (axes >> a & 1) image = mirrored(image, a), std::swap(setting.walls[a][0], setting.walls[a][1]);
    const Outcome turned = fdtd::run(drawn_case(image, setting, folder), umov::test::on(setting.backend, 1));
    worst = std::max(worst, difference(straight, turned));
  }
  return worst;
}

// Rounding: 90 steps, each of a few operations on numbers of the size of the field.
constexpr double rounding = 1e-12, rounding_in_float = 1e-5;

TEST(FdtdDrawnSymmetry, MirroredDrawingsGiveMirroredFieldsOnEveryGridInTmAndTe) {
  unsigned seed = 1;
  for (const bool te : {false, true})
    for (const auto& [w, h] : {std::pair(15, 12), std::pair(12, 15)}) {
      const Stack stack = random_stack(w, h, 1, ++seed);
      // One, two and three cells a texel, numbers that are no multiples, and cells larger than texels.
      for (const Int3& cells : {Int3{w, h, 0}, Int3{2 * w, 2 * h, 0}, Int3{3 * w, 2 * h, 0},
                                Int3{w + 4, h + 7, 0}, Int3{w - 4, h - 3, 0}}) {
        Setting setting;
        setting.te = te;
        setting.cells = cells;
        EXPECT_LT(asymmetry(stack, setting), rounding) << te << " " << cells[0] << " x " << cells[1];
      }
    }
}

TEST(FdtdDrawnSymmetry, HoldsWithoutAveragingToo) {
  for (const bool te : {false, true})
    for (const Int3& cells : {Int3{15, 12, 0}, Int3{30, 24, 0}, Int3{22, 19, 0}}) {
      Setting setting;
      setting.te = te;
      setting.averaging = false;
      setting.cells = cells;
      EXPECT_LT(asymmetry(random_stack(15, 12, 1, 7), setting), rounding) << te << " " << cells[0];
    }
}

TEST(FdtdDrawnSymmetry, HoldsUpToWallsOfEveryKind) {
  for (const bool te : {false, true})
    for (const auto& walls :
         {std::array{WallKind::pec, WallKind::pec}, std::array{WallKind::pmc, WallKind::pec},
          std::array{WallKind::pml, WallKind::pmc}, std::array{WallKind::periodic, WallKind::periodic}}) {
      Setting setting;
      setting.te = te;
      setting.walls = {walls, walls, walls};
      setting.cells = {19, 23, 0};
      EXPECT_LT(asymmetry(random_stack(15, 12, 1, 11), setting), rounding) << te << " " << int(walls[0]);
    }
}

TEST(FdtdDrawnSymmetry, HoldsInStacksAlongAllAxes) {
  unsigned seed = 20;
  for (const Int3& cells : {Int3{9, 8, 5}, Int3{18, 16, 10}, Int3{13, 11, 12}}) {
    Setting setting;
    setting.cells = cells;
    setting.walls[2] = {WallKind::pmc, WallKind::pec};
    EXPECT_LT(asymmetry(random_stack(9, 8, 5, ++seed), setting), rounding) << cells[0];
  }
}

TEST(FdtdDrawnSymmetry, HoldsOnTheProcessorsSteppersInBothPrecisions) {
  for (const bool te : {false, true})
    for (const bool tuned : {false, true})
      for (const Precision precision : {Precision::single_, Precision::double_}) {
        Setting setting;
        setting.te = te;
        setting.backend = "cpu";
        setting.tuned = tuned;
        setting.precision = precision;
        setting.cells = {31, 26, 0};
        EXPECT_LT(asymmetry(random_stack(15, 12, 1, 5), setting),
                  precision == Precision::double_ ? rounding : rounding_in_float);
      }
  Setting setting;
  setting.backend = "cpu";
  setting.precision = Precision::single_;
  setting.cells = {13, 11, 10};
  EXPECT_LT(asymmetry(random_stack(9, 8, 5, 31), setting), rounding_in_float);
}

/// `stack` within a border of empty pixels.
Stack framed(const Stack& stack, int width, int height, int column, int row) {
  Stack out(stack.size(), Drawing(width, height));
  for (std::size_t z = 0; z < stack.size(); ++z)
    for (int y = 0; y < stack[z].height; ++y)
      for (int x = 0; x < stack[z].width; ++x) out[z].at(column + x, row + y) = pixel(stack[z], x, y);
  return out;
}

// Until the walls are heard of: the domain is a hundred cells wider than what moves, and ends of it.
TEST(FdtdDrawnSymmetry, ADrawingShiftedByTexelsGivesTheSame) {
  const TempFolder folder;
  const Stack stack = random_stack(15, 12, 1, 3);
  for (const bool te : {false, true}) {
    Setting setting;
    setting.te = te;
    setting.cells = {240, 220, 0};
    const auto at = [&](int column, int row) {
      Simulation s = drawn_case(framed(stack, 120, 110, column, row), setting, folder);
      s.stop.steps = 110;  // light goes 110 * 0.9 / sqrt 2 = 70 cells
      return fdtd::run(s, umov::test::on(setting.backend, 1));
    };
    const Outcome first = at(50, 45);
    EXPECT_LT(difference(first, at(47, 45)), rounding);
    EXPECT_LT(difference(first, at(50, 52)), rounding);
  }
}

/// The same in a case, corners in texels from the top left.
void set_box(const Simulation& s, int width, int height, const std::array<int, 4>& box, Vec3& center,
             Vec3& size) {
  const double tx = s.size[0] / width, ty = s.size[1] / height;
  center = {tx * ((box[0] + box[2]) / 2.0 - width / 2.0), ty * (height / 2.0 - (box[1] + box[3]) / 2.0), 0};
  size = {tx * (box[2] - box[0]), ty * (box[3] - box[1]), 0};
}

TEST(FdtdDrawnSymmetry, ADrawnSourceIsTheBoxOfItsCorners) {
  const int width = 24, height = 21;
  const std::array<int, 4> lamp{6, 5, 8, 10};
  const TempFolder folder;
  Drawing d(width, height), empty(width, height);
  const auto fill = [](Drawing& on, const std::array<int, 4>& box, auto paint) {
    for (int y = box[1]; y < box[3]; ++y)
      for (int x = box[0]; x < box[2]; ++x) paint(on.at(x, y));
  };
  fill(d, lamp, [](auto& p) { p.red = 255; });
  for (Drawing* on : {&d, &empty}) on->at(20, 8).blue = 1;
  for (const bool te : {false, true})
    for (const Int3& cells : {Int3{24, 21, 0}, Int3{48, 42, 0}, Int3{31, 27, 0}}) {
      Setting setting;
      setting.te = te;
      setting.cells = cells;
      Simulation drawn = drawn_case({d}, setting, folder);
      const Outcome picture = fdtd::run(drawn, umov::test::on(setting.backend, 1));
      Simulation s = drawn_case({empty}, setting, folder);
      apply_picture(drawn);
      s.sources.emplace_back();
      s.sources[0].kind = SourceSpec::Kind::box;
      s.sources[0].component = te ? Hz : Ez;
      set_box(drawn, width, height, lamp, s.sources[0].center, s.sources[0].size);
      EXPECT_LT(difference(picture, fdtd::run(s, umov::test::on(setting.backend, 1))), 1e-12)
          << te << " " << cells[0];
    }
}

// A disc of pixels against the body: both stand for the same circle, better and better on finer grids.
TEST(FdtdDrawnSymmetry, ADrawnDiscConvergesToTheBodyOfItsShape) {
  const TempFolder folder;
  for (const bool te : {false, true}) {
    std::vector<double> differences;
    for (const int size : {60, 120, 240}) {
      Drawing d(size, size), empty(size, size);
      const double radius = size / 6.0;
      for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x)
          if (std::hypot(x + 0.5 - size / 2.0, y + 0.5 - size / 2.0) < radius) d.at(x, y).green = 255;
      for (Drawing* on : {&d, &empty}) {
        for (int y = size / 3; y < 2 * size / 3; ++y) on->at(size / 4, y).red = 255;
        for (int y = size / 3; y < 2 * size / 3; ++y) on->at(3 * size / 4, y).blue = 1;
      }
      Setting setting;
      setting.te = te;
      const auto finer = [&](const Drawing& drawing) {
        Simulation s = drawn_case({drawing}, setting, folder);
        s.resolution = size / 4.0;
        s.pml.layers = 8;
        s.stop.steps = size * 5 / 2;
        return s;
      };
      const Outcome drawn = fdtd::run(finer(d), umov::test::on(setting.backend, 1));
      Simulation s = finer(empty);
      s.materials = {test::constant("glass", 6)};
      s.bodies = {test::body("cylinder", "glass", {0, 0, 0})};
      s.bodies[0].radius = radius / (size / 4.0);
      differences.push_back(difference(drawn, fdtd::run(s, umov::test::on(setting.backend, 1))));
    }
    // The pixels' circle is off by less than half a pixel, its area by far less: both shrink with the pixel.
    EXPECT_LT(differences[1], 0.7 * differences[0]) << te;
    EXPECT_LT(differences[2], 0.7 * differences[1]) << te;
    EXPECT_LT(differences[2], 0.01) << te;
  }
}

}  // namespace
}  // namespace umov::fdtd
