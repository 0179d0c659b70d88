// Fields of a run in time and of the files that it leaves lie at the same places.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "fdtd/output/results.hpp"
#include "results/hdf5_writer.hpp"
#include "support/temp_folder.hpp"
#include "view/folder.hpp"
#include "view/viewed_run.hpp"

namespace umov::fdtd {
namespace {

/// Arrays that a run offers, and those of the files that it leaves.
void expect_same_places(const Simulation& sim,
                        const std::vector<std::pair<std::string, std::string>>& names) {
  ViewedRun viewed(sim);
  const auto v = viewed.viewer();
  const Json live = v->catalogue();
  v->ask({{"do", "resume"}});
  Outcome o = viewed.outcome();
  o.simulation.outputs.pictures = false;
  test::TempFolder folder;
  std::ofstream(folder.path / "resolved.toml") << "# `umov fdtd resolved.toml` repeats it.\n";
  write_results(o, folder.path.string());
  std::vector<std::string> complaints;
  const view::Shelf shelf = view::shelf_of(view::find_cases(folder.path.string()), complaints);
  ASSERT_TRUE(complaints.empty()) << complaints[0];
  for (const auto& [file, run] : names) {
    const auto stored = std::find_if(shelf.catalogue.arrays.begin(), shelf.catalogue.arrays.end(),
                                     [&](const auto& a) { return a.name == file; });
    ASSERT_NE(stored, shelf.catalogue.arrays.end()) << file;
    Json shown;
    for (const auto& a : live.at("arrays"))
      if (a.at("name") == run) shown = a;
    ASSERT_FALSE(shown.is_null()) << run;
    for (int a = 0; a < dimensions(o.grid.mode); ++a) {
      // A plane holds one layer of the grid.
      const bool layer = stored->shape[std::size_t(a)] < shown.at("shape")[std::size_t(a)];
      const double at =
          shown.at("origin")[std::size_t(a)].get<double>() + (layer ? o.grid.dx * (o.grid.cells[a] / 2) : 0);
      EXPECT_NEAR(stored->origin[a], at, 1e-12) << file << " along " << a;
    }
  }
}

TEST(ViewedFiles, FieldsOfAFinishedRunLieWhereTheyWere) {
  Simulation te = lit_box(true);
  te.te = true;
  te.sources[0].component = Hz;
  te.outputs.fields = {Ex, Ey, Hz};
  te.monitors.clear();
  te.stop.steps = 20;
  expect_same_places(te, {{"results/Ex", "fields/Ex"},
                          {"results/Ey", "fields/Ey"},
                          {"results/Hz", "fields/Hz"},
                          {"results/permittivity", "model/permittivity"}});
}

TEST(ViewedFiles, PlanesOfThreeDimensionsLieWhereTheyWere) {
  Simulation s = lit_box(true);
  s.size = {3, 3, 3};
  s.resolution = 8;
  s.bodies.clear();
  s.sources[0].center = {0, 0, 0};
  s.monitors.clear();
  s.outputs.fields = {Ex, Ey, Ez, Hx, Hy, Hz};
  s.stop.steps = 5;
  std::vector<std::pair<std::string, std::string>> names{{"results/permittivity", "model/permittivity"}};
  for (const char* field : {"Ex", "Ey", "Ez", "Hx", "Hy", "Hz"})
    for (const char axis : {'x', 'y', 'z'})
      names.emplace_back(fmt::format("plane-{}/{}", axis, field), fmt::format("fields/{}", field));
  expect_same_places(s, names);
}

TEST(ViewedFiles, FilesThatSayItInWordsAreRead) {
  test::TempFolder folder;
  std::ofstream(folder.path / "resolved.toml") << "# `umov fdtd resolved.toml` repeats it.\n";
  results::Result r;
  r.voxels.cells = {4, 3, 1};
  r.voxels.repeat_flat = true;
  r.voxels.origin = {-2, 0, 0};
  r.voxels.spacing = {0.5, 1, 1};
  const auto add = [&](const char* name, const char* text) {
    results::VoxelArray a{name, "1", text, 1, false, {}};
    a.fill = [](int, std::span<double>) {};
    r.voxels.arrays.push_back(a);
  };
  add("Ex", "Ex after the last step, t = 3; it sits (0.5, 0, 0) cells off the point");
  add("permittivity", "relative permittivity of the cell above the point");
  results::write_hdf5(r, (folder.path / "results.vtkhdf").string());
  r.voxels.arrays.erase(r.voxels.arrays.begin());
  results::write_hdf5(r, (folder.path / "alone.vtkhdf").string());
  std::vector<std::string> complaints;
  const view::Shelf shelf = view::shelf_of(view::find_cases(folder.path.string()), complaints);
  const auto origin = [&](const std::string& name) {
    for (const auto& a : shelf.catalogue.arrays)
      if (a.name == name) return a.origin;
    return Vec3{};
  };
  EXPECT_EQ(origin("results/Ex"), (Vec3{-1.75, 0, 0}));
  EXPECT_EQ(origin("results/permittivity"), (Vec3{-1.75, 0.5, 0}));
  EXPECT_EQ(origin("alone/permittivity"), (Vec3{-2, 0, 0})) << "without fields its points are its own";
}

}  // namespace
}  // namespace umov::fdtd
