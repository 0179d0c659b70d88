// Named materials in the discrete update: nothing grows at the step the grid chooses.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "core/error.hpp"
#include "fdtd/model/amplification.hpp"
#include "fdtd/scene.hpp"
#include "materials/library.hpp"

namespace {

using namespace umov;
using namespace umov::fdtd;

Simulation filled_with(const std::string& material, double dx) {
  Simulation s;
  s.size = {40 * dx, 40 * dx, 0};
  s.resolution = 1 / dx;
  s.unit_um = 1;
  s.background = material;
  return s;
}

// Eigenvalues of one step, over all wavelengths of the grid. Static fields have a double eigenvalue 1, which
// comes out with the square root of the rounding, 1e-8.
TEST(MaterialStability, NothingGrowsInAnyNamedMaterialAtTheStepOfTheGrid) {
  for (const auto& entry : materials::library()) {
    if (entry.material.poles.empty()) continue;
    for (const double dx : {0.005, 0.02, 0.05}) {
      const auto s = filled_with(entry.material.name, dx);
      const auto scene = make_scene(s);
      const double dt = make_grid(s, *scene).dt;
      EXPECT_GT(dt, 0.1 * dx) << entry.material.name;
      EXPECT_LE(growth_per_step(scene->materials()[0], dx, 2, dt), 1 + 1e-7)
          << entry.material.name << " " << dx;
    }
  }
}

// The closed form for lossless poles is an independent derivation of the same limit.
TEST(MaterialStability, GrowthSetsInWhereTheLimitOfADrudeMetalSays) {
  materials::Material m;
  const double wp = 40, dx = 0.02;
  m.poles = {{materials::Pole::Kind::drude, wp * wp, 0, 0, 0}};
  const double limit = 2 / std::sqrt(8 / (dx * dx) + wp * wp);  // two dimensions
  EXPECT_LE(growth_per_step(m, dx, 2, 0.999 * limit), 1 + 1e-7);
  EXPECT_GT(growth_per_step(m, dx, 2, 1.001 * limit), 1.01);
}

TEST(MaterialStability, PolesThatAmplifyAreRefusedByName) {
  auto s = filled_with("laser", 0.02);
  MaterialSpec laser;
  laser.name = "laser";
  laser.constants.poles = {{materials::Pole::Kind::lorentz, -0.5, 10, 1, 0}};
  s.materials = {laser};
  try {
    make_scene(s);
    FAIL();
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("'laser'"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("amplify"), std::string::npos) << e.what();
  }
}

TEST(MaterialStability, ASiliconDeclaredFromTheLibraryKeepsItsNegativePoles) {
  auto s = filled_with("cell", 0.005);
  MaterialSpec cell;
  cell.name = "cell";
  cell.library = "c-Si";
  s.materials = {cell};
  const auto scene = make_scene(s);
  const auto& m = scene->materials()[0];
  EXPECT_EQ(m.poles.size(), materials::find("c-Si").material.poles.size());
  EXPECT_LT(std::abs(m.permittivity(2 * pi / 0.6) -
                     materials::find("c-Si").material.permittivity(materials::angular_frequency(0.6))),
            1e-10);
}

}  // namespace
