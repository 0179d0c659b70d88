// Named materials and tables in a case: converted to its unit, staircased, listed.
#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "fdtd/model/materials.hpp"
#include "materials/library.hpp"
#include "support/fdtd_cases.hpp"
#include "support/temp_folder.hpp"

namespace umov::fdtd {
namespace {

TEST(FdtdMaterials, NamedMetalHasItsPermittivityInTheCasesUnit) {
  MaterialSpec spec;
  spec.name = "coin";
  spec.library = "silver";
  const double unit_um = 0.1, wavelength_um = 0.6;
  const auto scaled = make_material(spec, unit_um);
  const auto& silver = materials::find("silver").material;
  const cplx expected = silver.permittivity(materials::angular_frequency(wavelength_um));
  const cplx got = scaled.permittivity(2 * pi / (wavelength_um / unit_um));
  EXPECT_NEAR(std::abs(got - expected), 0, 1e-9 * std::abs(expected));
  EXPECT_LT(got.real(), -5);
  EXPECT_EQ(scaled.name, "coin");
}

TEST(FdtdMaterials, BodiesMayNameTheLibraryDirectly) {
  Simulation s = test::glass_case({1, 1, 0}, 10);
  s.unit_um = 0.1;
  s.bodies[0].material = "silver";
  s.bodies[0].size = Vec3{0.5, 0.5, 0};
  const Problem p = test::painted(s);
  ASSERT_EQ(p.dispersive.size(), 1u);
  EXPECT_EQ(p.dispersive[0].cells.size(), 25u);
  EXPECT_EQ(p.dispersive[0].poles.size(), materials::find("silver").material.poles.size());
}

TEST(FdtdMaterials, TableOfIndicesIsFitted) {
  const test::TempFolder folder;
  std::ofstream file(folder / "slab.csv");
  for (double w = 0.4; w < 0.81; w += 0.02) {
    // Cauchy's form, n from 1.56 to 1.52.
    file << w << ", " << 1.51 + 0.008 / (w * w) << ", 0\n";
  }
  file.close();
  MaterialSpec spec;
  spec.name = "plate";
  spec.nk_file = folder / "slab.csv";
  const auto m = make_material(spec, 1);
  // The fit's own aim is 0.5 % of n.
  EXPECT_NEAR(std::sqrt(m.permittivity(2 * pi / 0.55)).real(), 1.51 + 0.008 / (0.55 * 0.55), 0.008);
}

std::string refusal_of_model_materials(const MaterialSpec& spec) {
  try {
    make_material(spec, 1);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

TEST(FdtdMaterials, UnknownNamesFilesAndDoubleDefinitionsNameTheMaterial) {
  MaterialSpec spec;
  spec.name = "coin";
  spec.library = "sliver";
  EXPECT_NE(refusal_of_model_materials(spec).find("material 'coin': "), std::string::npos)
      << refusal_of_model_materials(spec);
  EXPECT_NE(refusal_of_model_materials(spec).find("silver"), std::string::npos)
      << refusal_of_model_materials(spec);
  spec.index = 2;
  EXPECT_NE(refusal_of_model_materials(spec).find("more than one of"), std::string::npos);
  spec = {};
  spec.name = "coin";
  spec.nk_file = "/nowhere/coin.csv";
  EXPECT_NE(refusal_of_model_materials(spec).find("material 'coin': /nowhere/coin.csv"), std::string::npos)
      << refusal_of_model_materials(spec);
  spec = {};
  spec.name = "coin";
  spec.constants.poles = {{materials::Pole::Kind::lorentz, 1, 0, 0, 0}};
  EXPECT_NE(refusal_of_model_materials(spec).find("pole 1"), std::string::npos);
  spec.constants.poles.clear();
  spec.constants.sigma[2] = -1;
  EXPECT_NE(refusal_of_model_materials(spec).find("conductivity along z"), std::string::npos);
}

}  // namespace
}  // namespace umov::fdtd
