// Lists, averages and pairs of runs on several ranks that are stopped by a signal go on on another number of
// ranks.
#include <gtest/gtest.h>

#include "support/rank_runs.hpp"

namespace umov {
namespace {

using test::Family, test::RankedEnd, test::RankedRun;
namespace fs = std::filesystem;

const Family courses[] = {
    // residuals of 1e-10
    {"dda_list",
     "dda case.toml --cpu --quiet --no-pictures --no-hdf5",
     "wavelength = [0.9, 0.95, 1.0, 1.05, 1.1, 1.15, 1.2, 1.25]\n"
     "[shape]\nname = \"ellipsoid\"\narguments = [0.7, 1.3]\ngrid = 12\nsize = 1.2\n"
     "[material]\nm = [1.9, 0.05]\n[source]\npropagation = [1, 2, 3]\n"
     "[solver]\nname = \"bicgstab\"\nepsilon = 1e-10\n",
     "cases.csv",
     "checkpoint-cases",
     {},
     {},
     1e-7,
     {"wavelength", "Cext", "Qabs_Y"}},
    // nothing is summed over ranks
    {"fdtd_pair",
     "fdtd case.toml --cpu --quiet --no-pictures --split runs",
     "[domain]\nsize = [3, 2.3]\nresolution = 40\n"
     "[[material]]\nname = \"glass\"\nindex = 1.5\n"
     "[[body]]\nshape = \"box\"\nmaterial = \"glass\"\nsize = [0.4, 1]\n"
     "[[source]]\nkind = \"point\"\nwaveform = \"gaussian\"\nfrequency = 1\nwidth = 0.3\ncenter = [-0.6, "
     "0.3]\n"
     "[[monitor]]\nkind = \"flux\"\nname = \"wall\"\ncenter = 0.8\nsize = [0, 1]\nfrequencies = [0.8, 1, "
     "1.2]\n"
     "[run]\nnormalize = true\n[stop]\nsteps = 10000\n[output]\ncsv = true\n",
     "flux-wall.csv",
     "checkpoint",
     {},
     {},
     0,
     {}},
    // solves to 1e-12 of the fluxes, Newton to 1e-8, in steps of one length
    {"eqs_variants",
     "eqs case.toml --cpu --quiet --no-pictures",
     "[mesh]\norder = 1\n"
     "[geometry]\nkind = \"layers\"\nwidth = 0.002\nelements_across = 4\n"
     "[[layer]]\nregion = \"gas\"\nthickness = 0.002\nelements = 5\n"
     "[[layer]]\nregion = \"film\"\nthickness = 0.001\nelements = 4\n"
     "[[material]]\nname = \"gas\"\nconductivity = 1e-12\n"
     "[[material]]\nname = \"film\"\npermittivity = 12\nconductivity_formula = \"1e-10 * (1 + (E / "
     "5e5)^4)\"\n"
     "[[electrode]]\nname = \"bottom\"\namplitude = 2000\n[[electrode]]\nname = \"top\"\nkind = \"ground\"\n"
     "[time]\nperiods = 1\nstep = 1e-4\n"
     "[[vary]]\nparameter = \"layer.film.thickness\"\nname = \"film\"\nvalues = [0.6e-3, 0.8e-3, 1e-3, "
     "1.2e-3, 1.4e-3, 1.6e-3]\n",
     "variants.csv",
     "checkpoint-variants",
     {},
     {},
     1e-6,
     {"film", "gas peak"}}};

class RankCourses : public test::RankRuns {};
INSTANTIATE_TEST_SUITE_P(Of, RankCourses,
                         testing::Combine(testing::ValuesIn(courses),
                                          testing::Values("threads", "openmpi", "mpich")),
                         test::name_of_rank_run);

/// By Ctrl-C on three ranks, to one of them that does not talk, then by SIGTERM on two; one rank goes on.
TEST_P(RankCourses, StoppedTwiceAndContinuedOnOtherRanksHaveTheResultsOfOneRank) {
  for (const auto& [ranks, signal] : {std::pair(3, SIGINT), std::pair(2, SIGTERM)}) {
    RankedRun run(folder_, on(ranks, ranks == 3 ? cut() : resume()), before(ranks));
    ASSERT_TRUE(saves()) << run.wait().text;
    run.send_to_rank(threads() ? 0 : 1, signal);
    const RankedEnd stopped = run.wait();
    EXPECT_EQ(stopped.code, 128 + signal) << stopped.text;
    EXPECT_EQ(stopped.messages(), 1) << stopped.text;
    EXPECT_EQ(stopped.count("--resume cut"), 1) << stopped.text;
    EXPECT_TRUE(run.leaves_no_orphan());
    EXPECT_FALSE(fs::exists(folder_ / ("cut/" + family().file)));
  }
  const RankedEnd last = finish(1, resume() + (threads() ? " --ranks 0" : ""));
  ASSERT_EQ(last.code, 0) << last.text;
  expect_undisturbed();
}

class RankAverage : public test::RankRuns {};
INSTANTIATE_TEST_SUITE_P(
    Of, RankAverage,
    testing::Combine(testing::Values(Family{
                         "dda_average",
                         "dda case.toml --cpu --quiet --no-pictures --no-hdf5",
                         "wavelength = 1.0\n"
                         "[shape]\nname = \"ellipsoid\"\narguments = [0.7, 1.3]\ngrid = 20\ndpl = 10\n"
                         "[material]\nm = [1.9, 0.05]\n[orientation]\naverage = true\n"
                         "[solver]\nepsilon = 1e-10\nblock = 1\n",
                         "mueller",
                         "",
                         {},
                         {},
                         1e-7,
                         {}}),
                     testing::Values("threads", "openmpi", "mpich")),
    test::name_of_rank_run);

/// It has no state to save.
TEST_P(RankAverage, StoppedEndsOnAllRanksAndSaysThatNothingIsKept) {
  RankedRun run(folder_, on(3, family().words + " --output-dir cut"), before(3));
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder_ / "cut/resolved.toml"); })) << run.wait().text;
  run.send_to_rank(threads() ? 0 : 1, SIGINT);
  const RankedEnd stopped = run.wait();
  EXPECT_EQ(stopped.code, 130) << stopped.text;
  EXPECT_EQ(stopped.messages(), 1) << stopped.text;
  EXPECT_EQ(stopped.count("nothing is kept"), 1) << stopped.text;
  EXPECT_TRUE(run.leaves_no_orphan());
  EXPECT_FALSE(fs::exists(folder_ / ("cut/" + family().file)));
}

}  // namespace
}  // namespace umov
