// `umov eqs --save-mesh`: the file gives the run that the geometry gives.
#include <gtest/gtest.h>

#include "support/eqs_runs.hpp"
#include "support/program.hpp"

namespace {

using namespace umov;
using test::TemporaryFolder;

const std::string short_time_of_save_mesh = "\n[time]\nend = 0.002\nstep = 5e-4\n";
const std::string run_options = " --cpu --threads 1 --quiet --no-pictures --no-vtk ";

TEST(EqsSaveMesh, RunsOfTheFileAreThoseOfTheGeometryToTheLastDigit) {
  const TemporaryFolder folder;
  folder.write("case.toml", test::two_layers(short_time_of_save_mesh));
  const auto saved = test::run(folder, "eqs case.toml --save-mesh layers.msh");
  ASSERT_EQ(saved.code, 0) << saved.err;
  EXPECT_NE(saved.out.find("layers.msh (metres)"), saved.out.npos) << saved.out;
  EXPECT_EQ(folder.names().size(), 2u);  // the case, the mesh, and no folder of a run
  ASSERT_EQ(test::run(folder, "eqs case.toml --output-dir made" + run_options).code, 0);
  ASSERT_EQ(test::run(folder, "eqs case.toml --mesh layers.msh --output-dir read" + run_options).code, 0);
  const auto table = [&](const char* run) {  // below the line that names the mesh
    const auto text = test::text_of(folder / (std::string(run) + "/history.csv"));
    return text.substr(text.find('\n'));
  };
  EXPECT_GT(table("made").size(), 100u);
  EXPECT_EQ(table("made"), table("read"));
}

TEST(EqsSaveMesh, IsRefusedWhereThereIsNoOneGeometryToMesh) {
  const TemporaryFolder folder;
  folder.write("case.toml", test::two_layers(short_time_of_save_mesh));
  ASSERT_EQ(test::run(folder, "eqs case.toml --save-mesh layers.msh").code, 0);
  for (const auto& [flags, said] : {std::pair{"--mesh layers.msh --save-mesh b.msh", "saved already"},
                                    std::pair{"--dry-run --save-mesh b.msh", "--dry-run"},
                                    std::pair{"--save-mesh missing/b.msh", "missing"}}) {
    const auto end = test::run(folder, std::string("eqs case.toml ") + flags);
    EXPECT_NE(end.code, 0) << flags;
    EXPECT_NE(end.err.find(said), end.err.npos) << end.err;
  }
}

}  // namespace
