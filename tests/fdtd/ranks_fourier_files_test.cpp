// Volumes of Fourier monitors on ranks, each writing its planes: files and pictures are those of one rank.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "results/hdf5_reader.hpp"
#include "support/ranked_program.hpp"
#include "support/temp_folder.hpp"

namespace umov::fdtd {
namespace {

namespace fs = std::filesystem;
using test::umov_in;

/// Walls that the points around the nodes lie beside, or behind; 9 x 7 x 11 nodes, and a single plane of
/// them.
std::string case_with(const std::string& walls) {
  return "[domain]\nsize = [1.8, 1.6, 2.2]\nresolution = 10\n[boundary]\n" + walls +
         "\n[[source]]\nkind = \"point\"\ncenter = [0.31, 0.17, 0.33]\ncomponent = \"Ez\"\n"
         "waveform = \"gaussian\"\nfrequency = 1.0\nwidth = 0.4\n"
         "[[monitor]]\nkind = \"fourier\"\nname = \"volume\"\nsize = [0.8, 0.6, 1.0]\n"
         "frequencies = [0.8, 1.0]\nfields = [\"Ez\", \"Hx\"]\n"
         "[[monitor]]\nkind = \"fourier\"\nname = \"plane\"\nsize = [0.5, 0.4, 0]\nfrequencies = [1.0]\n"
         "[stop]\nsteps = 60\n[machine]\nbackend = \"cpu\"\n";
}

void expect_same_image(const fs::path& one, const fs::path& other) {
  const auto x = results::list_hdf5(one.string()), y = results::list_hdf5(other.string());
  ASSERT_EQ(x.cells, y.cells);
  EXPECT_EQ(x.origin, y.origin);
  ASSERT_EQ(x.images.size(), y.images.size());
  ASSERT_FALSE(x.images.empty());
  for (std::size_t i = 0; i < x.images.size(); ++i) {
    EXPECT_EQ(x.images[i].name, y.images[i].name);
    EXPECT_EQ(x.images[i].unit, y.images[i].unit);
    EXPECT_EQ(x.images[i].description, y.images[i].description);
    EXPECT_EQ(results::read_image(one.string(), x.images[i], 0, {0, 0, 0}, x.cells),
              results::read_image(other.string(), y.images[i], 0, {0, 0, 0}, y.cells))
        << x.images[i].name;
  }
}

TEST(FdtdRanksFourierFiles, AreThoseOfOneRank) {
  const test::TempFolder temporary;
  const fs::path& folder = temporary.path;
  for (const std::string walls :
       {"all = \"pec\"", "all = \"pec\"\nx = [\"mirror_even\", \"pec\"]\nz = [\"mirror_odd\", \"pec\"]",
        "all = \"periodic\""}) {
    std::ofstream(folder / "case.toml") << case_with(walls);
    const auto one = umov_in(folder, "fdtd case.toml --output-dir one");
    ASSERT_EQ(one.code, 0) << one.text;
    for (const int ranks : {2, 3, 13}) {  // of 13 some have no plane of the monitors
      SCOPED_TRACE(walls + ", " + std::to_string(ranks) + " ranks");
      fs::remove_all(folder / "ranks");
      const auto on = umov_in(folder, "fdtd case.toml --output-dir ranks --ranks " + std::to_string(ranks));
      ASSERT_EQ(on.code, 0) << on.text;
      int pictures = 0;
      for (const auto& entry : fs::directory_iterator(folder / "one")) {
        const std::string name = entry.path().filename().string();
        ASSERT_TRUE(fs::exists(folder / "ranks" / name)) << name;
        if (!name.starts_with("fourier-")) continue;
        if (name.ends_with(".vtkhdf")) {
          expect_same_image(entry.path(), folder / "ranks" / name);
        } else {
          EXPECT_EQ(test::text_of(entry.path()), test::text_of(folder / "ranks" / name)) << name;
          ++pictures;
        }
      }
      EXPECT_EQ(pictures, 3);
    }
  }
}

}  // namespace
}  // namespace umov::fdtd
