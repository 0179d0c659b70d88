// What KLayout and gdspy read in the same layout (tests/data/layout).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "layout/region.hpp"
#include "support/gds_writer.hpp"
#include "support/places.hpp"

namespace umov::layout {
namespace {

const std::string folder = test::data("layout/");

struct Figures {
  std::string program, layer;
  double shapes = 0, polygons = 0, area = 0;
  std::array<double, 4> box{};
};

std::vector<Figures> others() {
  std::ifstream in(folder + "figures.csv");
  std::vector<Figures> all;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#") || line.starts_with("program")) continue;
    std::istringstream words(line);
    Figures f;
    std::string word;
    std::getline(words, f.program, ','), std::getline(words, f.layer, ',');
    for (double* value : {&f.shapes, &f.polygons, &f.area, &f.box[0], &f.box[1], &f.box[2], &f.box[3]})
      std::getline(words, word, ','), *value = std::stod(word);
    all.push_back(f);
  }
  return all;
}

double perimeter(const Loops& loops) {
  double sum = 0;
  for (const auto& l : loops)
    for (std::size_t i = 0; i < l.size(); ++i) {
      const Place &a = l[i], &b = l[(i + 1) % l.size()];
      sum += std::hypot(b[0] - a[0], b[1] - a[1]);
    }
  return sum;
}

TEST(LayoutOthers, TheSamplesAreWhatTheWriterWrites) {
  std::ifstream in(folder + "samples.gds", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  EXPECT_TRUE(bytes == test::gds_samples().bytes) << "write samples.gds and figures.csv anew (others.py)";
}

// Corners that programs put on their grid lie up to half its diagonal off, and the area up to that times the
// perimeter: KLayout's grid is the database unit, gdspy's 1e-4 of it, this one's 1/1024. Where gdspy reads
// the samples otherwise: its arrays have perpendicular steps, round ends 15 corners, and an extension below 0
// leaves a piece.
TEST(LayoutOthers, AreasBoxesAndShapesAreThoseOfKLayoutAndGdspy) {
  const Library l = read_gds(folder + "samples.gds");
  const Hierarchy h(l);
  const std::uint32_t top = h.top("");
  const auto all = others();
  ASSERT_EQ(all.size(), 31u);
  const auto counts = h.counts(top);
  for (const Figures& f : all) {
    SCOPED_TRACE(f.program + " " + f.layer);
    const bool gdspy = f.program.starts_with("gdspy");
    const LayerId on{std::uint16_t(std::stoi(f.layer)),
                     std::uint16_t(std::stoi(f.layer.substr(f.layer.find('/') + 1)))};
    Region r({{-1e5, -1e5}, {1e5, 1e5}});
    h.flatten(top, {on}, {}, [&](const LayerId&, std::span<const Place> p) { r.add(p); });
    const LayerCount& n = counts.at(on);
    if (!(gdspy && on.layer == 11)) {
      EXPECT_EQ(n.polygons + n.boxes + n.paths, f.shapes);
    }
    const bool round = f.layer == "10/1" || f.layer == "11/1", skew = on.layer == 40 || on.layer == 41;
    const double grid = gdspy ? 1.1 / 1024 : 1;
    const double caps =
        round ? gdspy ? 0.1 * 3.15 * 250 * 250 : 3.15 * 250 : 0;  // sagitta of umov: half a unit
    EXPECT_NEAR(r.area(), f.area, std::sqrt(0.5) * grid * perimeter(r.loops()) + caps);
    if (gdspy && (skew || f.layer == "10/4")) continue;
    const Box box = r.box();
    const double place[4] = {box.low[0], box.low[1], box.high[0], box.high[1]};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(place[i], f.box[i], grid + (round ? 1 : 0)) << i;
  }
}

}  // namespace
}  // namespace umov::layout
