// What a run over directions or time says of itself: integrals that have not converged, checkpoints that do
// not end a run, tables in nm.
#include <gtest/gtest.h>

#include "support/program.hpp"

using namespace umov;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

// kR = 6: some 30 x 30 directions are needed
constexpr const char* sphere =
    "dda --eq-radius 0.6 --lambda 0.6283185 --m 1.2,0.01 --shape-grid 16 --backend serial --no-pictures ";

constexpr const char* few_directions =
    "theta:\nmin=0\nmax=180\nJmin=2\nJmax=3\neps=0\nequiv=false\nperiodic=false\n"
    "phi:\nmin=0\nmax=360\nJmin=2\nJmax=3\neps=0\nequiv=true\nperiodic=true\n";

bool has(const fs::path& file, const std::string& words) {
  return test::text_of(file).find(words) != std::string::npos;
}

}  // namespace

TEST(DdaIntegrals, ThatHaveNotConvergedAreCodeThreeAndMarkedInTheFiles) {
  TemporaryFolder folder;
  folder.write("few.dat", few_directions);
  const auto ended = test::run(
      folder, std::string(sphere) + "--csca --asymmetry --integration-file few.dat --output-dir out");
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_NE(ended.err.find("NOT converged"), std::string::npos) << ended.err;
  EXPECT_TRUE(has(folder / "out/CrossSec-Y", "NOT CONVERGED"));
  EXPECT_TRUE(has(folder / "out/log", "NOT converged"));
  EXPECT_TRUE(has(folder / "out/cross_sections.csv", "Csca_error"));
  EXPECT_TRUE(has(folder / "out/results.vtkhdf", "NOT converged"));
}

TEST(DdaIntegrals, OfTheParticlesSizeConverge) {
  TemporaryFolder folder;
  const auto ended =
      test::run(folder, std::string(sphere) + "--csca --asymmetry --epsilon 1e-8 --output-dir out");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_FALSE(has(folder / "out/CrossSec-Y", "CONVERGED"));
  const std::string text = test::text_of(folder / "out/CrossSec-Y");
  const auto number = [&](const std::string& name) {
    return std::stod(text.substr(text.find(name + "\t= ") + name.size() + 3));
  };
  // point dipoles balance their energy to the residual
  EXPECT_NEAR(number("Csca"), number("Cext") - number("Cabs"), 1e-6 * number("Cext"));
}

TEST(DdaCheckpoints, OfKindAlwaysAreSavedOnTheWayAndAtTheEnd) {
  TemporaryFolder folder;
  const std::string run =
      "dda --eq-radius 0.2 --lambda 0.63 --m 1.5 --shape-grid 8 --backend serial --no-pictures --iter cgnr "
      "--preconditioner none --sectors off --epsilon 1e-10 --checkpoint 0.001 ";
  const auto ended = test::run(folder, run + "--checkpoint-kind always --output-dir a");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(fs::exists(folder / "a/CrossSec-Y")) << ended.out;
  EXPECT_TRUE(fs::exists(folder / "a/checkpoint-Y"));
  const auto regular = test::run(folder, run + "--checkpoint-kind regular --output-dir r");
  EXPECT_EQ(regular.code, 0) << regular.err;
  EXPECT_TRUE(fs::exists(folder / "r/CrossSec-Y"));
  EXPECT_FALSE(fs::exists(folder / "r/checkpoint-Y"));
}

TEST(DdaMaterials, OfATableInNmAreRefusedWithTheRemedy) {
  TemporaryFolder folder;
  folder.write("m.nk", "400 1.5 0.01\n800 1.6 0.02\n");
  const std::string flags = "dda --shape-grid 4 --lambda 0.6 --dry-run --m ";
  const auto refused = test::run(folder, flags + "m.nk");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("look like nm"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("wavelength (nm), n, k"), std::string::npos) << refused.err;
  // the remedy is one
  folder.write("h.nk", "wavelength (nm), n, k\n400 1.5 0.01\n800 1.6 0.02\n");
  EXPECT_EQ(test::run(folder, flags + "h.nk").code, 0);
}
