// Runs to an accuracy of boxes, whose grids have no shape errors: error bars against much finer grids.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "dda/run/accuracy.hpp"
#include "support/accuracy_runs.hpp"

using namespace umov;
using namespace umov::test;

// No theory has a number for a cube: what its bars must hold is a grid three times finer than theirs, whose
// own error (cubically shaped: smooth in y, below 1e-3 there) is allowed for.
TEST(ValidateDdaAccuracy, BarsOfACubeHoldAMuchFinerGrid) {
  const std::string cube = "--shape box --size 0.6 --lambda 1.2 --m 1.5,0.01";
  const dda::Outcome coarse = test::run_accurate(flagged(cube + " --accuracy 0.5% --shape-grid 16"));
  const auto far = [&](int n) {
    return test::run(flagged(fmt::format("{} --shape-grid {} --epsilon 1e-7", cube, n)))
        .polarizations[0]
        .cross;
  };
  const auto fine = far(48), finer = far(64);
  const auto expect = [&](const char* name, double a, double b) {
    const double beyond = std::abs(a - b);  // what the next step changes, larger than what is left after it
    const auto& q = quantity(*coarse.extrapolation, name);
    EXPECT_LE(std::abs(q.limit.value - b), q.limit.error + 2 * beyond)
        << name << " " << q.limit.value << " +- " << q.limit.error << " against " << b;
  };
  EXPECT_TRUE(coarse.extrapolation->reached) << coarse.extrapolation->verdict;
  expect("Cext_Y", fine.cext, finer.cext);
  expect("Cabs_Y", fine.cabs, finer.cabs);
}

// What bars of boxes must hold is the limit of much finer grids. Static, where errors grow as a power of y
// between one and two that the edges have, and at sizes of the order of the wavelength.
TEST(ValidateDdaAccuracy, BarsOfBoxesHoldTheLimitOfMuchFinerGrids) {
  struct Boxes {
    const char* flags;
    int to;
    std::vector<int> fine;  ///< dipoles along x
  };
  const Boxes shapes[] = {
      {"--shape box --size 0.05 --lambda 20", 16, {24, 28, 32, 36, 40, 48}},
      {"--shape box --size 0.6 --lambda 1.2", 16, {24, 28, 32, 36, 40, 48}},
      {"--shape box --shape-arguments 2,3 --size 0.05 --lambda 20", 12, {16, 18, 20, 22, 24, 28}},
      {"--shape box --shape-arguments 2,3 --size 0.3 --lambda 1.2", 12, {16, 18, 20, 22, 24, 28}}};
  Held all;
  for (const Boxes& shape : shapes)
    for (const char* m : {"1.3,0.01", "1.5,0.1", "2,0.5", "3,0.2", "0.8,1.5"}) {
      const std::string flags = fmt::format("{} --m {}", shape.flags, m);
      std::vector<double> y, ext, abs;
      for (const int n : shape.fine) {
        const auto row =
            dda::row_of(test::run(flagged(fmt::format("{} --shape-grid {} --epsilon 1e-7", flags, n))));
        y.push_back(row.spacing[0]);
        ext.push_back(row.polarizations[0].cross.cext);
        abs.push_back(row.polarizations[0].cross.cabs);
      }
      const Held held = bars_against(flags, 8, shape.to, dda::extrapolate(y, ext, true).value,
                                     dda::extrapolate(y, abs, true).value);
      std::printf("%s: %d of %d error bars hold\n", flags.c_str(), held.holding, held.bars);
      all.bars += held.bars;
      all.holding += held.holding;
    }
  EXPECT_GE(all.holding, 0.95 * all.bars) << all.holding << " of " << all.bars;
}

// Four grids up to 10 dipoles along an edge have a parabola that the next ones leave: by more than its
// standard error tells.
TEST(DdaAccuracy, ErrorBarsOfASmallCubeHoldItsFinerGrids) {
  const std::string cube = "--shape box --size 0.05 --lambda 20 --m 2,0.5";
  const auto on = [&](int n) {
    return test::run(flagged(fmt::format("{} --shape-grid {} --epsilon 1e-7", cube, n)))
        .polarizations[0]
        .cross.cabs;
  };
  std::vector<double> y, v, fine_y, fine;
  for (const int n : {6, 7, 8, 10}) y.push_back(1.0 / n), v.push_back(on(n));
  for (const int n : {16, 20, 24, 28, 32}) fine_y.push_back(1.0 / n), fine.push_back(on(n));
  const auto x = dda::extrapolate(y, v, true), reference = dda::extrapolate(fine_y, fine, true);
  EXPECT_LE(std::abs(x.value - reference.value), x.error) << x.value / reference.value - 1;
  EXPECT_LE(reference.error, 0.5 * x.error);
  const dda::Outcome o = test::run_accurate(flagged(cube + " --accuracy 0.5% --shape-grid 10"));
  const auto& q = quantity(*o.extrapolation, "Cabs_Y");
  EXPECT_TRUE(o.extrapolation->reached) << o.extrapolation->verdict;
  EXPECT_LE(std::abs(q.limit.value - reference.value), q.limit.error + reference.error);
}

TEST(DdaAccuracy, ACubeIsMoreAccurateThanItsGrids) {
  const dda::Outcome o = test::run_accurate(
      flagged("--shape box --size 0.3 --lambda 1.2 --m 1.5,0.05 --accuracy 1% --shape-grid 12"));
  const auto& e = *o.extrapolation;
  EXPECT_TRUE(e.cubical);
  EXPECT_TRUE(e.reached) << e.verdict;
  // own runs: grids of 40 and 48 extrapolated quadratically from 24 to 48 agree to 1e-4
  const auto fine = test::run(flagged("--shape box --size 0.3 --lambda 1.2 --m 1.5,0.05 --shape-grid 32"));
  const auto& q = quantity(e, "Cext_Y");
  const double reference = fine.polarizations[0].cross.cext;
  EXPECT_NEAR(q.limit.value, reference, q.limit.error + 0.005 * reference);
}
