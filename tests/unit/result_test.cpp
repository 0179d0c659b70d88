// The Result container, the record of settings and the CSV writer.
#include "dda/output/result.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "../formats/sample_outcome.hpp"
#include "core/error.hpp"
#include "dda/observables/internal_field.hpp"
#include "results/csv.hpp"
#include "support/temp_folder.hpp"

namespace umov::results {
namespace {

TEST(Result, ErrorsOfMeansOverPhiAreAbsolute) {
  auto outcome = sample_outcome();
  dda::Mueller zero{}, two;
  two.fill(2);
  outcome.phi_integrals = {{"mueller_integr_c2", {0, 90}, {5, 0.5}, {zero, two}}};
  const Result r = to_result(outcome);
  const Array* error = r.find("mueller_integr_c2/error");
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(std::get<std::vector<double>>(error->data), (std::vector<double>{0, 1}));
  EXPECT_NE(error->description.find("absolute"), std::string::npos);
  EXPECT_NE(r.find("scattering_plane/scattering_angle"), nullptr);
}

TEST(Result, CarriesEveryCurveWithShapeAndUnit) {
  const auto outcome = sample_outcome();
  const Result r = to_result(outcome);
  const Array* mueller = r.find("scattering_plane/mueller");
  ASSERT_NE(mueller, nullptr);
  EXPECT_EQ(mueller->shape, (std::vector<std::size_t>{181, 4, 4}));
  EXPECT_EQ(std::get<std::vector<double>>(mueller->data)[16 * 7 + 5], 705);
  const Array* cext = r.find("cross_sections/Y/Cext");
  ASSERT_NE(cext, nullptr);
  EXPECT_EQ(cext->unit, "um^2");
  EXPECT_TRUE(cext->shape.empty());
  EXPECT_EQ(std::get<std::vector<double>>(cext->data)[0], 1.25);
  ASSERT_NE(r.find("solver/X/residual"), nullptr);
  EXPECT_EQ(r.find("solver/X/residual")->size(), 40u);
  EXPECT_EQ(r.find("no such array"), nullptr);
}

TEST(Result, EfficiencyIsCrossSectionOverEquivalentArea) {
  const auto outcome = sample_outcome();
  const auto r = to_result(outcome);
  const double q = std::get<std::vector<double>>(r.find("cross_sections/Y/Qext")->data)[0];
  EXPECT_DOUBLE_EQ(q, 1.25 / (pi * 0.16));
}

TEST(Result, RepeatedTimingNamesAreKeptApart) {
  const auto outcome = sample_outcome();
  const auto r = to_result(outcome);
  EXPECT_EQ(std::get<std::vector<double>>(r.find("timings/solve")->data)[0], 1.5);
  EXPECT_EQ(std::get<std::vector<double>>(r.find("timings/solve (2)")->data)[0], 2.5);
  EXPECT_NE(r.find("timings/far field - plane"), nullptr);
}

TEST(Result, InternalFieldFollowsFromThePolarization) {
  // E = P 4 pi / (V (m^2 - 1)): the inverse of how the field makes the dipole.
  auto outcome = sample_outcome();
  auto& pol = outcome.polarizations[0];
  const double volume = outcome.particle.dipole_volume();
  std::size_t i = 0;
  for (const auto material : outcome.particle.material) {
    if (!material) continue;
    const auto& m = outcome.simulation.m[material - 1];
    for (int c = 0; c < 3; ++c)
      pol.polarization[i][c] = pol.internal_field[i][c] * volume * (m[c] * m[c] - 1.0) / (4 * pi);
    ++i;
  }
  const auto derived = dda::internal_field(pol.polarization, outcome.particle, outcome.simulation.m);
  const auto& stored = pol.internal_field;
  ASSERT_EQ(derived.size(), stored.size());
  for (std::size_t k = 0; k < stored.size(); ++k)
    for (int c = 0; c < 3; ++c) EXPECT_LE(std::abs(derived[k][c] - stored[k][c]), 1e-14 * (1 + k));
}

TEST(Result, SettingsAreTheCaseAsItWasRecorded) {
  auto outcome = sample_outcome();
  outcome.settings = "wavelength = 0.5\n";
  const auto attributes = to_result(outcome).attributes;
  const auto settings =
      std::find_if(attributes.begin(), attributes.end(), [](const auto& a) { return a.first == "settings"; });
  ASSERT_NE(settings, attributes.end());
  EXPECT_EQ(settings->second, outcome.settings);
}

TEST(Result, AverageHasItsNameAndNeitherAmplitudesNorFields) {
  auto outcome = sample_outcome();
  outcome.simulation.orientation.average = true;
  outcome.polarizations.resize(1);
  outcome.polarizations[0].label = dda::average_label;
  outcome.orientations = 9;
  outcome.grid = outcome.plane;
  const auto result = to_result(outcome);
  for (const char* name :
       {"cross_sections/average/Cext", "cross_sections/average/g", "solver/average/iterations",
        "orientations", "scattering_plane/mueller", "scattering_grid/mueller"})
    EXPECT_TRUE(result.find(name)) << name;
  for (const char* name : {"scattering_plane/amplitude", "scattering_plane/E_Y", "scattering_grid/E_X"})
    EXPECT_FALSE(result.find(name)) << name;
}

struct CsvFile : testing::Test {
  umov::test::TempFolder own;  // tests run side by side
  std::filesystem::path folder = own.path;
  static std::string read(const std::filesystem::path& path) {
    std::stringstream s;
    s << std::ifstream(path).rdbuf();
    return s.str();
  }
};

TEST_F(CsvFile, HasCommentsHeaderWithUnitsAndExactNumbers) {
  const auto path = folder / "curve.csv";
  write_csv(path, {{"theta", "degree", {0, 1}}, {"a,b", "", {0.1, 1.0 / 3}}}, {"made by a test"});
  EXPECT_EQ(read(path),
            "# made by a test\ntheta [degree],\"a,b\"\n0,0.10000000000000001\n1,0.33333333333333331\n");
  write_csv(path, {{"E", "V/m", {0.1f}, {}, true}});
  EXPECT_EQ(read(path), "E [V/m]\n0.100000001\n");  // nine digits tell every float from the next
}

TEST_F(CsvFile, UnequalColumnsAndUnwritableFoldersAreRefusedAndLeaveNothing) {
  EXPECT_THROW(write_csv(folder / "a.csv", {{"x", "", {1, 2}}, {"y", "", {1}}}), BadInput);
  EXPECT_THROW(write_csv(folder / "absent" / "a.csv", {{"x", "", {1}}}), BadInput);
  std::filesystem::create_directory(folder / "taken.csv");  // a folder stands where the file should go
  EXPECT_THROW(write_csv(folder / "taken.csv", {{"x", "", {1}}}), BadInput);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

}  // namespace
}  // namespace umov::results
