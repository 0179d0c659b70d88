// The sites that every shape occupies, against counts printed by ADDA 1.5.0-alpha3.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "shapes/particle.hpp"
#include "support/adda_inputs.hpp"
#include "support/temp_folder.hpp"

namespace umov::shapes {
namespace {

struct Case {
  std::string shape;
  std::vector<double> arguments;
  Int3 grid;
  int jagged;
  Vec3 rectangular;
  std::size_t dipoles;
  Int3 box;
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.shape << " " << c.grid[0]; }

// "Total number of occupied dipoles" and "box dimensions" of ADDA 1.5.0-alpha3, `-shape ... -grid ...`.
const std::vector<Case> cases{
#include "../data/shape_sites.inc"
};

class ShapeSites : public testing::TestWithParam<Case> {};

TEST_P(ShapeSites, AreAsManyAsInAdda) {
  const Case& c = GetParam();
  Request q;
  q.shape = c.shape;
  q.arguments = c.arguments;
  q.grid = c.grid;
  q.jagged = c.jagged;
  q.rectangular = c.rectangular;
  const Particle p = make_particle(q);
  EXPECT_EQ(p.box, c.box);
  EXPECT_EQ(p.dipoles(), c.dipoles);
}

INSTANTIATE_TEST_SUITE_P(Adda, ShapeSites, testing::ValuesIn(cases));

TEST(ShapeSites, CoverEveryShapeWithoutFile) {
  for (const auto& help : shape_list()) {
    if (help.name == "read" || help.name == "axisymmetric") continue;
    bool found = false;
    for (const auto& c : cases) found = found || c.shape == help.name;
    EXPECT_TRUE(found) << help.name;
  }
}

/// Occupied dipoles and box of `-shape axisymmetric|read FILE`, ADDA 1.5.0-alpha3.
TEST(ShapeSites, OfFilesAreAsManyAsInAdda) {
  struct FileCase {
    std::string shape, file;
    int grid;
    std::size_t dipoles;
    Int3 box;
  };
  const test::TempFolder inputs;
  test::write_adda_inputs(inputs.path);
  for (const auto& c : {FileCase{"axisymmetric", "196.txt", 8, 168, {8, 8, 4}},
                        FileCase{"read", "ellipsoid.geom", 0, 200, {8, 4, 12}},
                        FileCase{"read", "coated.geom", 0, 2176, {16, 16, 16}},
                        FileCase{"read", "ell_ddscat6.dat", 0, 280, {16, 8, 4}},
                        FileCase{"read", "ell_ddscat7.dat", 0, 280, {16, 8, 4}}}) {
    Request q;
    q.shape = c.shape;
    q.file = inputs / c.file;
    q.grid[0] = c.grid;
    const Particle p = make_particle(q);
    EXPECT_EQ(p.box, c.box) << c.file;
    EXPECT_EQ(p.dipoles(), c.dipoles) << c.file;
    if (c.shape == "read") {
      EXPECT_FALSE(p.symmetry.x || p.symmetry.y || p.symmetry.z || p.symmetry.rotation_z);
    }
  }
}

TEST(ShapeScale, VolumeCorrectionKeepsTheAnalyticVolume) {
  Request q;
  q.grid[0] = 9;
  q.size = 3;
  const Particle p = make_particle(q);
  EXPECT_NEAR(p.eq_radius, 1.5, 1e-14);  // rounding
  EXPECT_NEAR(p.dipoles() * p.dipole_volume(), 4 * pi / 3 * 1.5 * 1.5 * 1.5, 1e-12);
}

TEST(ShapeScale, WithoutVolumeCorrectionTheExtentIsKept) {
  Request q;
  q.grid[0] = 9;
  q.size = 3;
  q.volume_correction = false;
  const Particle p = make_particle(q);
  EXPECT_NEAR(p.spacing[0], 3.0 / 9, 1e-15);
  EXPECT_NEAR(p.dpl, 2 * pi / (3.0 / 9), 1e-12);
}

TEST(ShapeScale, DefaultIsSixteenDipolesAndTenPerWavelengthInside) {
  Request q;
  const Particle p = make_particle(q);
  EXPECT_EQ(p.box, (Int3{16, 16, 16}));
  EXPECT_EQ(p.dipoles(), 2176u);
  EXPECT_DOUBLE_EQ(p.dpl, 15);
  // ADDA prints "shape: sphere; diameter: 6.734551818" for a run without options.
  EXPECT_EQ(p.description, "sphere; diameter: 6.734551818");
}

TEST(ShapeScale, AutomaticGridIsAtLeastSixteen) {
  Request q;
  q.size = 0.01;
  EXPECT_EQ(make_particle(q).box[0], 16);
  q.size = 2 * pi * 2;
  EXPECT_EQ(make_particle(q).box[0], 30);
  q.jagged = 4;
  EXPECT_EQ(make_particle(q).box[0], 32);
}

TEST(ShapeSymmetry, FollowsTheShape) {
  const auto symmetry = [](std::string shape, std::vector<double> arguments, Int3 grid) {
    Request q;
    q.shape = shape;
    q.arguments = arguments;
    q.grid = grid;
    const auto s = make_particle(q).symmetry;
    return std::string(s.x ? "X" : "-") + (s.y ? "Y" : "-") + (s.z ? "Z" : "-") + (s.rotation_z ? "R" : "-");
  };
  EXPECT_EQ(symmetry("sphere", {}, {9, 0, 0}), "XYZR");
  EXPECT_EQ(symmetry("ellipsoid", {0.5, 1.5}, {8, 0, 0}), "XYZ-");
  EXPECT_EQ(symmetry("egg", {0.9, 0.3}, {12, 0, 0}), "XY-R");
  EXPECT_EQ(symmetry("prism", {5, 1}, {12, 0, 0}), "-YZ-");
  EXPECT_EQ(symmetry("prism", {8, 1}, {12, 0, 0}), "XYZR");
  EXPECT_EQ(symmetry("coated", {0.4, 0.1, 0.15, 0.2}, {16, 0, 0}), "----");
  EXPECT_EQ(symmetry("chebyshev", {0.3, 5}, {16, 0, 0}), "XY-R");
  EXPECT_EQ(symmetry("sphere", {}, {8, 10, 12}), "XYZR");
  EXPECT_EQ(symmetry("sphere", {}, {8, 9, 8}), "X-Z-");
}

TEST(Granules, FillTheFractionAskedForWithoutOverlap) {
  Request q;
  q.grid[0] = 32;
  q.size = 3.2;
  q.granules = Request::Granules{0.2, 0.6, 1};
  const Particle p = make_particle(q);
  EXPECT_EQ(p.materials, 2);
  const double volume = double(p.granule_positions.size()) * pi / 6 * std::pow(p.granule_diameter, 3);
  EXPECT_NEAR(volume / (p.dipoles() * p.dipole_volume()), 0.2, 1e-12);
  // Each granule is a voxelised sphere of about 110 dipoles: its volume scatters by some percent.
  EXPECT_NEAR(p.granule_fraction, 0.2, 0.02);
  for (std::size_t i = 0; i < p.granule_positions.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_GE(norm(p.granule_positions[i] - p.granule_positions[j]), p.granule_diameter);
  EXPECT_EQ(make_particle(q).material, p.material);
  EXPECT_FALSE(p.symmetry.x);
}

}  // namespace
}  // namespace umov::shapes
