// Quantities declared once: the array and the column of each, and what dipole runs make of them.
#include "results/section.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "../formats/sample_outcome.hpp"
#include "core/error.hpp"
#include "dda/output/result.hpp"
#include "results/csv.hpp"
#include "results/formats.hpp"
#include "support/temp_folder.hpp"

namespace umov::results {
namespace {

using Numbers = std::vector<double>;

const Table& table(const Result& r, const std::string& name) {
  for (const Table& t : r.tables)
    if (t.name == name) return t;
  throw BadInput("no table " + name);
}

CsvColumn column(const Result& r, const std::string& name, const std::string& heading) {
  for (auto& c : csv_columns(r, table(r, name)))
    if (c.name == heading) return c;
  throw BadInput("no column " + heading);
}

TEST(Section, AQuantityIsAnArrayAndAColumnOfOneNameAndUnit) {
  Result r;
  Section s(r, "flux/left/", add_table(r, {"flux-left"}));
  s.add("flux", "W", "power through the plane", Numbers{1, 2}, {.heading = "power"});
  s.add("ratio", "1", "of two fluxes", std::vector<float>{3, 4});
  s.add("empty", "1", "nothing", Numbers{});
  ASSERT_TRUE(r.find("flux/left/flux"));
  EXPECT_EQ(r.find("flux/left/flux")->unit, "W");
  EXPECT_FALSE(r.find("flux/left/empty"));
  const auto columns = csv_columns(r, table(r, "flux-left"));
  ASSERT_EQ(columns.size(), 2u);
  EXPECT_EQ(columns[0].name, "power");
  EXPECT_EQ(columns[0].unit, "W");
  EXPECT_EQ(columns[0].values, (Numbers{1, 2}));
  EXPECT_EQ(columns[1].unit, "") << "1 is no unit";
  EXPECT_EQ(columns[1].values, (Numbers{3, 4}));
}

TEST(Section, ComplexVectorsAreAColumnPerPart) {
  Result r;
  Section s(r, "", add_table(r, {"t"}));
  s.add("E", "V/m", "field", std::vector<cplx>{{1, 2}, {3, 4}, {5, 6}, {7, 8}},
        {.shape = {2, 2}, .parts = {"Ex", "Ey"}});
  EXPECT_EQ(column(r, "t", "Ex_re").values, (Numbers{1, 5}));
  EXPECT_EQ(column(r, "t", "Ex_im").values, (Numbers{2, 6}));
  EXPECT_EQ(column(r, "t", "Ey_re").values, (Numbers{3, 7}));
  EXPECT_EQ(column(r, "t", "Ey_im").values, (Numbers{4, 8}));
}

TEST(Section, AxesRepeatAlongTheRowsOfATwoDimensionalArray) {
  Result r;
  Section s(r, "", add_table(r, {"t"}));
  s.rows(2, 3);
  s.add("f", "1", "outer axis", Numbers{10, 20}, {.along = Along::outer});
  s.add("x", "1", "inner axis", Numbers{1, 2, 3}, {.along = Along::inner});
  s.add("v", "1", "values", Numbers{1, 2, 3, 4, 5, 6}, {.shape = {2, 3}});
  EXPECT_EQ(column(r, "t", "f").values, (Numbers{10, 10, 10, 20, 20, 20}));
  EXPECT_EQ(column(r, "t", "x").values, (Numbers{1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(column(r, "t", "v").values, (Numbers{1, 2, 3, 4, 5, 6}));
}

TEST(Section, OfAStackedTableStandBelowEachOther) {
  Result r;
  const auto all = add_table(r, {"all", {}, true});
  for (const char* name : {"a", "b"}) {
    Section s(r, std::string(name) + "/", all);
    s.texts("which", {name});
    s.add("v", "m", "value", name[0] == 'a' ? 1.0 : 2.0);
  }
  EXPECT_EQ(column(r, "all", "which").texts, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(column(r, "all", "v").values, (Numbers{1, 2}));
}

TEST(Formats, OnlyThoseThatAreWantedAreWritten) {
  const test::TempFolder folder;
  Result r;
  Section(r, "", add_table(r, {"t"})).add("v", "m", "value", 1.0);
  add_table(r, {"empty"});
  write(r, folder.path, {.hdf5 = false, .csv = true});
  EXPECT_TRUE(std::filesystem::exists(folder / "t.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder / "empty.csv")) << "no rows, no file";
  EXPECT_FALSE(std::filesystem::exists(folder / "results.vtkhdf"));
  r.for_paraview = false;
  write(r, folder.path, {.hdf5 = true, .csv = false});
  EXPECT_TRUE(std::filesystem::exists(folder / "results.h5"));
}

TEST(DdaTables, HaveARowPerPolarizationAndPerDirection) {
  const auto outcome = sample_outcome();
  const Result r = to_result(outcome);
  EXPECT_EQ(column(r, "cross_sections", "incidence").texts, (std::vector<std::string>{"Y", "X"}));
  EXPECT_EQ(column(r, "cross_sections", "Cext").values, (Numbers{1.25, 1.25}));
  EXPECT_EQ(column(r, "cross_sections", "Cext").unit, "um^2");
  EXPECT_EQ(column(r, "cross_sections", "g_z").values, (Numbers{0.6, 0.6}));
  EXPECT_EQ(column(r, "scattering_plane", "theta").values.size(), 181u);
  EXPECT_EQ(column(r, "scattering_plane", "S22").values[7], 705) << "element 5 of row 7";
  EXPECT_EQ(column(r, "scattering_plane", "S2_re").values[7], 7);
  EXPECT_EQ(column(r, "scattering_plane", "S2_im").values[7], 2);
}

TEST(DdaTables, OfAnAverageHaveNoAmplitudes) {
  auto outcome = sample_outcome();
  outcome.simulation.orientation.average = true;
  outcome.polarizations.resize(1);
  outcome.polarizations[0].label = dda::average_label;
  const Result r = to_result(outcome);
  EXPECT_EQ(column(r, "cross_sections", "incidence").texts, (std::vector<std::string>{"average"}));
  EXPECT_EQ(csv_columns(r, table(r, "scattering_plane")).size(), 19u)
      << "theta, scattering angle, phi, 16 elements";
}

}  // namespace
}  // namespace umov::results
