// Checkpoints of every family with a bit flipped, cut or lengthened: refused by name, never computed with.
#include <gtest/gtest.h>

#include <fstream>

#include "support/eqs_runs.hpp"
#include "support/program.hpp"

using namespace umov;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

/// Puts damaged forms of `file` in place: each is refused with exit code 2 and its name, by `resume`.
void expect_damage_is_found(const TemporaryFolder& folder, const std::string& file,
                            const std::string& resume) {
  const std::string whole = test::text_of(folder / file);
  ASSERT_GT(whole.size(), 100u);
  std::vector<std::string> damaged{whole + '\0', whole + whole, whole.substr(0, whole.size() - 1),
                                   whole.substr(0, 8), ""};
  for (std::size_t i = 0; i < 12; ++i) {
    std::string other = whole;
    const std::size_t at = i < 2 ? 9 * i : i * whole.size() / 12 - 1;
    other[at] = char(other[at] ^ 1 << i % 8);
    damaged.push_back(other);
  }
  for (const auto& bytes : damaged) {
    std::ofstream(folder / file, std::ios::binary) << bytes;
    const auto end = test::run(folder, resume);
    EXPECT_EQ(end.code, 2) << end.err;
    EXPECT_NE(end.err.find(file), end.err.npos) << end.err;
  }
  std::ofstream(folder / file, std::ios::binary) << whole;
}

}  // namespace

TEST(DamagedCheckpoint, OfDdaIsFoundAndTheWholeOneContinues) {
  const TemporaryFolder folder;
  ASSERT_EQ(
      test::run(folder,
                "dda --shape-grid 6 --no-pictures --no-hdf5 --max-iterations 3 --checkpoint-kind always "
                "--output-dir a")
          .code,
      3);
  expect_damage_is_found(folder, "a/checkpoint-Y", "dda --resume a");
  EXPECT_EQ(test::run(folder, "dda --resume a --max-iterations 100").code, 0);
}

TEST(DamagedCheckpoint, OfAnOlderFormatIsRefused) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "c");
  folder.write("c/checkpoint-Y", "UMOVCP02" + std::string(100, '\0'));
  const auto end = test::run(folder, "adda -grid 4 -chp_load -chp_dir c -maxiter 6");
  EXPECT_EQ(end.code, 2) << end.err;
  EXPECT_NE(end.err.find("another version"), end.err.npos) << end.err;
}

TEST(DamagedCheckpoint, OfFdtdIsFoundAndTheWholeOneContinues) {
  const TemporaryFolder folder;
  folder.write(
      "case.toml",
      "[domain]\nsize = [3, 3]\nresolution = 8\n[[source]]\nkind = \"point\"\nwaveform = \"gaussian\"\n"
      "frequency = 1\nwidth = 0.5\n[[monitor]]\nname = \"p\"\nkind = \"series\"\n"
      "center = [0.5, 0.25]\n");
  const auto first = test::run(folder, "fdtd case.toml --no-pictures --max-time 3 --output-dir a");
  ASSERT_EQ(first.code, 3) << first.err;
  expect_damage_is_found(folder, "a/checkpoint", "fdtd --resume a");
  EXPECT_EQ(test::run(folder, "fdtd --resume a --max-time 600").code, 0);
}

TEST(DamagedCheckpoint, OfEqsIsFoundAndTheWholeOneContinues) {
  const TemporaryFolder folder;
  folder.write("case.toml", test::two_layers("\n[time]\nend = 0.02\nstep = 1e-5\n"));
  {
    test::Program program(folder,
                          "eqs case.toml --cpu --threads 1 --quiet --no-vtk --no-pictures --output-dir a");
    ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "a/resolved.toml"); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    program.send(SIGINT);
    ASSERT_EQ(program.wait().code, 130);
  }
  expect_damage_is_found(folder, "a/checkpoint", "eqs --resume a --quiet");
  EXPECT_EQ(test::run(folder, "eqs --resume a --quiet").code, 0);
}
