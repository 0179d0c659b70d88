// Folders of results as arrays: what commands left, and what is damaged.
#include "view/folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "results/hdf5_writer.hpp"
#include "support/temp_folder.hpp"

namespace umov::view {
namespace {

namespace fs = std::filesystem;

/// A case as any family leaves it: voxels, numbers, a table.
void leave_case(const fs::path& folder) {
  fs::create_directories(folder);
  std::ofstream(folder / "resolved.toml") << "# `umov any resolved.toml` repeats it.\n";
  std::ofstream(folder / "log") << "it ran\n";
  std::ofstream(folder / "flux-left.csv")
      << "# a comment\nfrequency [c/unit],\"flux, total\",note\n1,2,a\n2,nan,b\n";
  std::ofstream(folder / "mueller.csv") << "theta [degree],S11,S12\n0,1,0\n90,0.5,0.1\n";
  std::ofstream(folder / "orders.csv") << "wavelength [um],side,efficiency\n0.5,up,1\n0.6,up,1\n0.5,down,0\n";
  std::ofstream(folder / "cross.csv") << "Cext [um^2],Qext\n2.5,1\n";
  results::Result r;
  r.add("run/seconds", "s", "wall-clock time", 3.5);
  r.voxels.cells = {4, 3, 2};
  r.voxels.origin = {-2, 0, 0};
  r.voxels.spacing = {0.5, 1, 1};
  results::VoxelArray field{"E", "V/m", "a vector", 3, false, {}};
  field.fill = [](int z, std::span<double> slice) {
    for (std::size_t i = 0; i < slice.size(); ++i) slice[i] = double(i) + 100 * z;
  };
  r.voxels.arrays.push_back(field);
  results::write_hdf5(r, (folder / "results.vtkhdf").string());
}

/// Throws where there is none.
const ArrayInfo& array_named(const Shelf& shelf, const std::string& name) {
  for (const auto& a : shelf.catalogue.arrays)
    if (a.name == name) return a;
  throw std::runtime_error("no array " + name);
}

TEST(ViewFolder, CasesAreFoundNewestFirst) {
  test::TempFolder folder;
  leave_case(folder.path / "run001");
  leave_case(folder.path / "run002");
  fs::create_directories(folder.path / "no_case");
  std::ofstream(folder.path / "run002" / "unfinished") << "";
  for (const auto& file : fs::directory_iterator(folder.path / "run001"))
    fs::last_write_time(file.path(), fs::file_time_type::clock::now() - std::chrono::hours(1));
  const auto cases = find_cases(folder.path.string());
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].name, "run002");
  EXPECT_TRUE(cases[0].unfinished);
  EXPECT_EQ(find_cases((folder.path / "run001").string()).size(), 1u);
  leave_case(folder.path / "run001" / "variant_0001");
  const auto batch = find_cases((folder.path / "run001").string());
  ASSERT_EQ(batch.size(), 2u);
  EXPECT_EQ(batch[0].name, "run001");
  EXPECT_EQ(batch[1].name, "variant_0001");
  EXPECT_THROW(find_cases(folder / "absent"), BadInput);
}

TEST(ViewFolder, CasesInFoldersOfFoldersAreFoundByTheirWay) {
  test::TempFolder folder;
  EXPECT_TRUE(find_cases(folder.path.string()).empty());
  for (const char* name :
       {"run001", "sweep/a", "sweep/b", "2026/may/old/run001", ".hidden/run", "1/2/3/4/deep"})
    leave_case(folder.path / name);
  leave_case(folder.path / "run001" / "variant_0001");  // the batch's own
  fs::create_directory_symlink(folder.path / "sweep", folder.path / "link");
  std::vector<std::string> names;
  for (const CaseFolder& c : find_cases(folder.path.string())) names.push_back(c.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"2026/may/old/run001", "run001", "sweep/a", "sweep/b"}));
}

TEST(ViewFolder, AFolderWithoutResultsIsSaidInWords) {
  test::TempFolder folder;
  Hub hub;
  int looks = 0;
  follow(folder.path.string(), hub, [&] { return ++looks > 2; });
  EXPECT_TRUE(hub.catalogue().cases.empty());
  EXPECT_NE(hub.progress().text.find("no results in " + folder.path.string()), std::string::npos);
  EXPECT_NE(hub.progress().text.find("resolved.toml"), std::string::npos);
}

TEST(ViewFolder, FilesOfACaseBecomeArraysWithUnits) {
  test::TempFolder folder;
  leave_case(folder.path / "run001");
  std::vector<std::string> complaints;
  const Shelf shelf = shelf_of(find_cases(folder.path.string()), complaints);
  EXPECT_TRUE(complaints.empty());
  EXPECT_EQ(shelf.catalogue.cases.at(0).family, "any");
  const auto find = [&](const std::string& name) -> const ArrayInfo& { return array_named(shelf, name); };
  const auto& flux = find("results/flux-left");
  ASSERT_EQ(flux.columns.size(), 2u) << "words are no curve";
  EXPECT_EQ(flux.columns.at(0).unit, "c/unit");
  EXPECT_EQ(flux.columns.at(1).name, "flux, total");
  EXPECT_EQ(flux.role, "spectrum");
  EXPECT_EQ(find("results/mueller").role, "pattern");
  EXPECT_THROW(find("results/orders"), std::runtime_error) << "one over the other is no curve";
  const auto& one = find("numbers/cross/Cext");
  EXPECT_EQ(one.kind, Kind::scalar);
  EXPECT_EQ(one.unit, "um^2");
  const auto table = shelf.makers.at(flux.id)({});
  const auto& values = std::get<std::vector<double>>(table.parts.at(0).values);
  EXPECT_EQ(values.at(1), 2);
  EXPECT_TRUE(std::isnan(values.at(3)));
  EXPECT_EQ(find("numbers/run/seconds").unit, "s");
  const auto& field = find("results/E_y");
  EXPECT_EQ(field.unit, "V/m");
  EXPECT_EQ(field.shape, (std::vector<long long>{4, 3, 2}));
  EXPECT_EQ(field.origin, (Vec3{-2, 0, 0}));
  Request r{field.id, 2, 1, {1, 0, 1}, {3, 2, 2}, {2, 2, 1}};
  const auto cut = shelf.makers.at(field.id)(r);
  EXPECT_EQ(std::get<std::vector<float>>(cut.parts.at(0).values), (std::vector<float>{104, 107, 116, 119}));
  EXPECT_EQ(shelf.makers.at(find("log").id)({}).text, "it ran\n");
}

TEST(ViewFolder, TheTableOfManyCasesHasTheRolesThatItsFileSays) {
  test::TempFolder folder;
  const fs::path run = folder.path / "run001";
  fs::create_directories(run);
  std::ofstream(run / "resolved.toml") << "# `umov any resolved.toml` repeats it.\n";
  std::ofstream(run / "variants.csv") << "variant,gap [m],tip peak [V/m],energy [J],steps\n"
                                      << "1,2,30,4,5\n2,1,60,8,5\n";
  std::ofstream(run / "other.csv") << "z [m],E [V/m]\n1,2\n2,3\n";
  results::Result r;
  r.for_paraview = false;
  r.attributes = {{"parameters", "gap\n"}, {"responses", "tip peak\n"}, {"counts", "steps\n"}};
  r.add("variants/gap", "m", "varied", std::vector<double>{2, 1});
  results::write_hdf5(r, (run / "results.h5").string());
  std::vector<std::string> complaints;
  const Shelf shelf = shelf_of(find_cases(folder.path.string()), complaints);
  EXPECT_TRUE(complaints.empty());
  const ArrayInfo& table = array_named(shelf, "results/variants");
  EXPECT_EQ(table.role, "batch");
  std::vector<std::string> roles;
  for (const Column& c : table.columns) roles.push_back(c.role);
  EXPECT_EQ(roles, (std::vector<std::string>{"", "parameter", "response", "", "count"}));
  EXPECT_EQ(array_named(shelf, "results/other").role, "spectrum");
}

TEST(ViewFolder, AFlatImageHasOneLayer) {
  // Files have a second one, void or repeated, for VTK's readers.
  test::TempFolder folder;
  fs::create_directories(folder.path / "run001");
  std::ofstream(folder.path / "run001" / "resolved.toml") << "# `umov any resolved.toml` repeats it.\n";
  results::Result r;
  r.voxels.cells = {4, 3, 1};
  r.voxels.spacing = {0.5, 1, 1};
  results::VoxelArray field{"Ez", "1", "a field", 1, false, {}};
  field.fill = [](int, std::span<double> slice) {
    for (std::size_t i = 0; i < slice.size(); ++i) slice[i] = double(i);
  };
  r.voxels.arrays.push_back(field);
  results::write_hdf5(r, (folder.path / "run001" / "results.vtkhdf").string());
  std::vector<std::string> complaints;
  const Shelf shelf = shelf_of(find_cases(folder.path.string()), complaints);
  EXPECT_TRUE(complaints.empty());
  const ArrayInfo& info = array_named(shelf, "results/Ez");
  EXPECT_EQ(info.shape, (std::vector<long long>{4, 3, 1}));
  const auto all = shelf.makers.at(info.id)({info.id, 2, 0, {0, 0, 0}, {4, 3, 1}, {4, 3, 1}});
  EXPECT_EQ(std::get<std::vector<float>>(all.parts.at(0).values).at(11), 11);
}

TEST(ViewFolder, WhereAFileHasNoLabelThereIsNoField) {
  test::TempFolder folder;
  fs::create_directories(folder.path / "run001");
  std::ofstream(folder.path / "run001" / "resolved.toml") << "# `umov any resolved.toml` repeats it.\n";
  results::Result r;
  r.voxels.cells = {4, 2, 2};
  results::VoxelArray label{"material", "1", "0 = void", 1, true, {}};
  label.fill = [](int z, std::span<double> slice) {
    for (std::size_t i = 0; i < slice.size(); ++i) slice[i] = z == 0 && i % 4 > 0 ? 2 : 0;
  };
  results::VoxelArray field{"E_squared", "1", "0 where there is no material", 1, false, {}};
  field.fill = [](int z, std::span<double> slice) {
    for (std::size_t i = 0; i < slice.size(); ++i) slice[i] = z == 0 && i % 4 > 0 ? double(i) : 0;
  };
  r.voxels.arrays = {label, field};
  results::write_hdf5(r, (folder.path / "run001" / "results.vtkhdf").string());
  std::vector<std::string> complaints;
  const Shelf shelf = shelf_of(find_cases(folder.path.string()), complaints);
  ASSERT_TRUE(complaints.empty()) << complaints[0];
  const auto cut = [&](const std::string& name, const Int3& size) {
    const int id = array_named(shelf, name).id;
    const auto data = shelf.makers.at(id)({id, 2, 0, {0, 0, 0}, {4, 2, 1}, size});
    return std::get<std::vector<float>>(data.parts.at(0).values);
  };
  const auto whole = cut("results/E_squared", {4, 2, 1});
  for (std::size_t i = 0; i < whole.size(); ++i)
    if (i % 4 == 0) {
      EXPECT_TRUE(std::isnan(whole[i])) << i;
    } else {
      EXPECT_EQ(whole[i], float(i));
    }
  // Boxes of two by two cells: the left one has the values 1 and 5, and two sites of nothing.
  EXPECT_EQ(cut("results/E_squared", {2, 1, 1}), (std::vector<float>{3, 4.5f}));
  EXPECT_TRUE(std::isnan(cut("results/material", {4, 2, 1})[4]));
}

TEST(ViewFolder, DamagedFilesAreLeftOutAndNamed) {
  test::TempFolder folder;
  leave_case(folder.path / "run001");
  const auto file = folder.path / "run001" / "results.vtkhdf";
  fs::resize_file(file, fs::file_size(file) / 2);
  std::ofstream(folder.path / "run001" / "empty.h5") << "";
  std::vector<std::string> complaints;
  const Shelf shelf = shelf_of(find_cases(folder.path.string()), complaints);
  EXPECT_EQ(complaints.size(), 2u);
  EXPECT_FALSE(shelf.catalogue.arrays.empty()) << "the others are there";
}

}  // namespace
}  // namespace umov::view
