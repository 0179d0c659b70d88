// Fields per dipole that ranks write by themselves: the file is the one that a rank alone would have written.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "results/hdf5_reader.hpp"
#include "support/ranked_program.hpp"
#include "support/temp_folder.hpp"

namespace umov::dda {
namespace {

namespace fs = std::filesystem;
using test::mpirun, test::umov_in;

class DdaRanksFields : public testing::Test {
 protected:
  void SetUp() override { write("ellipsoid", "0.8, 0.6", 9); }
  void write(const std::string& shape, const std::string& arguments, int grid) {
    std::ofstream(folder_ / "case.toml")
        << "wavelength = 1.0\n[shape]\nname = \"" << shape << "\"\narguments = [" << arguments
        << "]\ngrid = " << grid << "\ndpl = 12\n"
        << "[material]\nm = [1.4, 0.02]\n[source]\npropagation = [0.3, 0.2, 0.9]\n"
           "[solver]\nepsilon = 1e-10\n[output]\npictures = false\n[machine]\nbackend = \"cpu\"\n";
  }
  test::TempFolder temporary_;
  const fs::path folder_ = temporary_.path;
};

void expect_same_image(const fs::path& one, const fs::path& other) {
  const std::string a = (one / "results.vtkhdf").string(), b = (other / "results.vtkhdf").string();
  const auto x = results::list_hdf5(a), y = results::list_hdf5(b);
  EXPECT_EQ(x.arrays.size(), y.arrays.size());
  ASSERT_EQ(x.cells, y.cells);
  EXPECT_EQ(x.origin, y.origin);
  EXPECT_EQ(x.spacing, y.spacing);
  ASSERT_EQ(x.images.size(), y.images.size());
  EXPECT_EQ(x.images.size(), 11u);  // the material, five for each polarization
  for (std::size_t i = 0; i < x.images.size(); ++i) {
    EXPECT_EQ(x.images[i].name, y.images[i].name);
    EXPECT_EQ(x.images[i].unit, y.images[i].unit);
    EXPECT_EQ(x.images[i].description, y.images[i].description);
    ASSERT_EQ(x.images[i].components, y.images[i].components);
    for (int c = 0; c < x.images[i].components; ++c)
      EXPECT_EQ(results::read_image(a, x.images[i], c, {0, 0, 0}, x.cells),
                results::read_image(b, y.images[i], c, {0, 0, 0}, y.cells))
          << x.images[i].name << ", component " << c;
  }
}

/// What is asked for as text goes through the first rank, and the other file with it.
TEST_F(DdaRanksFields, AreThoseThatTheFirstRankGathers) {
  for (const auto& [shape, arguments] : {std::pair{"ellipsoid", "0.8, 0.6"}, {"box", "1, 0.2"}})
    for (const int ranks : {2, 3, 4, 11}) {  // of 11 some have no planes
      SCOPED_TRACE(std::string(shape) + " on " + std::to_string(ranks) + " ranks");
      write(shape, arguments, shape[0] == 'b' ? 5 : 9);
      const std::string words = "dda case.toml --split particle --ranks " + std::to_string(ranks);
      const auto gathered = umov_in(folder_, words + " --internal-fields --output-dir gathered"),
                 own = umov_in(folder_, words + " --output-dir own");
      ASSERT_EQ(gathered.code, 0) << gathered.text;
      ASSERT_EQ(own.code, 0) << own.text;
      expect_same_image(folder_ / "gathered", folder_ / "own");
    }
}

TEST_F(DdaRanksFields, OfWavesThatRanksSolveForAreThoseOfOneRank) {
  ASSERT_EQ(umov_in(folder_, "dda case.toml --output-dir one").code, 0);
  ASSERT_EQ(umov_in(folder_, "dda case.toml --ranks 2 --split solves --output-dir two").code, 0);
  expect_same_image(folder_ / "one", folder_ / "two");
}

TEST_F(DdaRanksFields, OfProcessesAreThoseOfThreads) {
  const std::string words = "dda case.toml --split particle --output-dir ";
  ASSERT_EQ(umov_in(folder_, words + "threads --ranks 3").code, 0);
  bool any = false;
  for (const std::string mpi : {"openmpi", "mpich"}) {
    const std::string start = mpirun(mpi, 3);
    if (start.empty()) continue;
    any = true;
    const auto end = umov_in(folder_, words + mpi, start);
    ASSERT_EQ(end.code, 0) << end.text;
    expect_same_image(folder_ / "threads", folder_ / mpi);
  }
  if (!any) GTEST_SKIP() << "there is no mpirun, or umov was built without MPI";
}

TEST_F(DdaRanksFields, ThatOneRankCannotWriteEndTheRunWithOneMessage) {
  const std::string start = mpirun("mpich", 3);
  if (start.empty()) GTEST_SKIP() << "there is no mpirun of MPICH, or umov was built without it";
  // 29 MB in all; a limit of 20 MB for the last rank's writes, which leaves room for what MPI maps
  write("box", "1, 1", 52);
  const auto end = umov_in(
      folder_, "dda case.toml --epsilon 0.5 --split particle --output-dir full",
      start + " sh -c 'trap \"\" XFSZ; if [ $PMI_RANK = 2 ]; then ulimit -f 40000; fi; exec \"$0\" \"$@\"'");
  EXPECT_EQ(end.code, 4) << end.text;
  EXPECT_EQ(end.count("results.vtkhdf: cannot be written"), 1) << end.text;
  EXPECT_EQ(end.messages(), 1) << end.text;
  for (const auto& entry : fs::recursive_directory_iterator(folder_))
    EXPECT_EQ(entry.path().filename().string().find(".part"), std::string::npos) << entry.path();
}

}  // namespace
}  // namespace umov::dda
