// What a run over directions or time says of itself: integrals that have not converged, checkpoints that do
// not end a run, tables in nm.
#include <gtest/gtest.h>

#include "support/program.hpp"

using namespace umov;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

// kR = 6: some 30 x 30 directions are needed
constexpr const char* sphere_of_integrals =
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
  const auto ended = test::run(folder, std::string(sphere_of_integrals) +
                                           "--csca --asymmetry --integration-file few.dat --output-dir out");
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_NE(ended.err.find("NOT converged"), std::string::npos) << ended.err;
  EXPECT_TRUE(has(folder / "out/CrossSec-Y", "NOT CONVERGED"));
  EXPECT_TRUE(has(folder / "out/log", "NOT converged"));
  EXPECT_TRUE(has(folder / "out/cross_sections.csv", "Csca_error"));
  EXPECT_TRUE(has(folder / "out/results.vtkhdf", "NOT converged"));
}

TEST(DdaIntegrals, OfTheParticlesSizeConverge) {
  TemporaryFolder folder;
  const auto ended = test::run(
      folder, std::string(sphere_of_integrals) + "--csca --asymmetry --epsilon 1e-8 --output-dir out");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_FALSE(has(folder / "out/CrossSec-Y", "CONVERGED"));
  const std::string text = test::text_of(folder / "out/CrossSec-Y");
  const auto number = [&](const std::string& name) {
    return std::stod(text.substr(text.find(name + "\t= ") + name.size() + 3));
  };
  // point dipoles balance their energy to the residual
  EXPECT_NEAR(number("Csca"), number("Cext") - number("Cabs"), 1e-6 * number("Cext"));
}

/// Dipoles that are 2.4 wavelengths / 2 pi in the material long: Cabs is 20 um^2 the other way round.
TEST(DdaUnphysical, ResultsAreNamedAndMarked) {
  TemporaryFolder folder;
  const std::string run =
      "dda --eq-radius 1 --lambda 2.13 --m 6.548,4.583 --shape-grid 20 --backend serial --no-pictures ";
  const auto ended = test::run(folder, run + "--output-dir out");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.err.find("polarization Y is unphysical: Cabs < 0"), std::string::npos) << ended.err;
  EXPECT_NE(ended.out.find("UNPHYSICAL: Cabs < 0"), std::string::npos) << ended.out;
  EXPECT_TRUE(has(folder / "out/CrossSec-Y", "UNPHYSICAL: Cabs < 0"));
  EXPECT_TRUE(has(folder / "out/log", "unphysical: Cabs < 0"));
  EXPECT_TRUE(has(folder / "out/results.vtkhdf", "unphysical_Y"));
}

TEST(DdaUnphysical, IsNothingThatAmplifiesOrAbsorbsNothing) {
  for (const std::string m : {"1.5", "1.5,-0.05", "1.5,1e-12"}) {
    TemporaryFolder folder;
    const auto ended = test::run(folder,
                                 "dda --eq-radius 0.3 --lambda 1 --shape-grid 8 --backend serial "
                                 "--no-pictures --output-dir out --m " +
                                     m);
    EXPECT_EQ(ended.err.find("unphysical"), std::string::npos) << m << ended.err;
    EXPECT_FALSE(has(folder / "out/CrossSec-Y", "UNPHYSICAL")) << m;
  }
}

/// The two differ in their headings alone; Cext was 4.65 um^2 where it is 1.31.
TEST(DdaFieldFiles, OfAnotherFieldThanTheBeamAreRefused) {
  TemporaryFolder folder;
  const std::string run =
      "dda --eq-radius 0.3 --lambda 1 --m 1.5,0.01 --shape-grid 6 --backend serial --no-pictures ";
  ASSERT_EQ(test::run(folder, run + "--internal-fields --incident-field --output-dir a").code, 0);
  const auto refused = test::run(
      folder, run + "--beam read --beam-file-y a/IntField-Y --beam-file-x a/IntField-Y --output-dir b");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("a/IntField-Y:1: its heading has |E|^2"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("IncBeam-Y"), std::string::npos) << refused.err;
  // a start may be any field
  for (const char* field : {"IncBeam-Y", "IntField-Y"}) {
    const auto start = test::run(
        folder, run + "--initial-field read --initial-file-y a/" + field + " --output-dir from_" + field);
    EXPECT_EQ(start.code, 0) << start.err;
  }
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
