// Metals and conductors that run into absorbing layers: energy leaves, or the run says that it does not.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/machines.hpp"
#include "support/metal_shapes.hpp"

namespace umov::fdtd {
namespace {

/// A film along x through the layers, lit from above; shape 1 a half space.
Simulation film_of_metal_in_layers(const std::string& medium, bool te, bool half_space) {
  Simulation s = test::metal_box_case(2, te);
  s.size = {0.6, 0.6, 0};
  s.walls = test::all_walls(WallKind::pml);
  auto good = test::constant("good", 1);
  good.constants.sigma = {1000, 1000, 1000};  // sigma dt / 2 = 3
  s.materials.push_back(good);
  s.bodies = {half_space ? test::box_of({0, 10, 0}, {0, -5.0037, 0})
                         : test::box_of({0, 0.055, 0}, {0, 0.003, 0})};
  s.bodies[0].material = medium;
  s.sources = {test::point_source(test::pulse(1.5, 0.5), te ? Ex : Ez, {0.083, 0.09, 0})};
  return s;
}

double energy(const Engine& e) {
  const auto w = e.watch();
  return w.electric_energy + w.magnetic_energy;
}

// 25 um / c after the pulse. What stays is charge at rest on the conductors, 2e-5 of the energy at most.
TEST(FdtdMetalInLayers, EnergyOfFilmsAndSubstratesLeaves) {
  for (const char* medium : {"silver", "gold", "c-Si", "sea", "good"})
    for (const bool te : {false, true})
      for (const bool half_space : {false, true}) {
        const Simulation s = film_of_metal_in_layers(medium, te, half_space);
        auto run = test::stepped(s, long(4 / test::walled(s).grid.dt));
        const double early = energy(*run.engine);
        run.engine->advance(long(25 / run.problem->grid.dt));
        EXPECT_LT(energy(*run.engine), 1e-4 * early)
            << medium << " te " << te << " half space " << half_space;
      }
}

// Waves of films whose permittivity is small and negative run backwards, which layers amplify.
TEST(FdtdMetalInLayers, GrowthIsSaid) {
  Simulation s = film_of_metal_in_layers("ITO", true, false);
  s.stop = {.time = 40};
  bool said = false;
  try {
    for (const auto& w : fdtd::run(s, umov::test::one_thread).warnings)
      said |= w.find("grew more than tenfold") != w.npos;
  } catch (const std::exception& e) {
    said = std::string(e.what()).find("absorbing layer") != std::string::npos;
  }
  EXPECT_TRUE(said);
}

}  // namespace
}  // namespace umov::fdtd
