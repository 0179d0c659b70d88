// Lists of particles, variants of electrodes and rows of layered cells on several ranks with a viewer: held,
// stepped, stopped; the tables of a run alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include "support/ranked_tables.hpp"
#include "view/ranked_view.hpp"

namespace umov {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::Address, test::address_in, test::Json, test::subscribe, test::wait_for_end;

/// What a family does with a list, and the table that it leaves.
struct List {
  std::string name, words, text, table;
};
void PrintTo(const List& list, std::ostream* out) { *out << list.name; }

const List lists[] = {
    // Stepped by iterations; four cases, two for each of two ranks.
    {"dda", "dda case.toml --cpu --quiet --no-pictures",
     "wavelength = [0.9, 1.0, 1.1, 1.2]\n[shape]\nname = \"sphere\"\ngrid = 12\neq_radius = 0.5\n"
     "[material]\nm = [1.6, 0.01]\n[source]\npropagation = [0.3, 0.2, 1]\n"
     "[solver]\npreconditioner = \"none\"\nneighbours = false\n",
     "cases.csv"},
    // Stepped by variants, each of some hundred time steps.
    {"eqs", "eqs case.toml --cpu --quiet --no-pictures --workers 1",
     "[geometry]\nkind = \"layers\"\nwidth = 1e-3\nelements_across = 2\n"
     "[[layer]]\nregion = \"thin\"\nthickness = 2e-3\nelements = 4\n"
     "[[layer]]\nregion = \"thick\"\nthickness = 2e-3\nelements = 4\n"
     "[[material]]\nname = \"thin\"\npermittivity = [4, 5, 6, 7, 8, 9]\nconductivity = 1e-9\n"
     "[[material]]\nname = \"thick\"\npermittivity = 2\n"
     "[[electrode]]\nname = \"high\"\ngroups = [\"bottom\"]\nrms = 10e3\n"
     "[[electrode]]\nname = \"low\"\ngroups = [\"top\"]\nkind = \"ground\"\n"
     "[time]\nend = 0.02\nstep = 2e-4\n",
     "variants.csv"},
    // Stepped by iterations of the row that is seen; a row a rank at a time.
    {"harmonic", "fdtd case.toml --cpu --quiet --no-pictures",
     "[harmonic]\nwavelengths = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75]\npolarization = \"s\"\n"
     "substrate = \"glass\"\nperiod = 0.8\ncell = 0.02\n"
     "[[material]]\nname = \"glass\"\nindex = 1.5\n"
     "[[layer]]\nname = \"film\"\nmaterial = \"glass\"\nthickness = 0.6\n"
     "[[texture]]\nabove = \"film\"\nkind = \"lamellar\"\nheight = 0.4\n",
     "spectrum.csv"}};

class ViewedLists : public testing::TestWithParam<std::tuple<List, const char*>> {
 protected:
  ViewedLists() { std::ofstream(folder_ / "case.toml") << list().text; }
  static const List& list() { return std::get<0>(GetParam()); }
  static std::string mpi() { return std::get<1>(GetParam()); }
  static bool threads() { return mpi() == "threads"; }
  static std::string before() { return threads() ? "" : test::mpirun(mpi(), 2); }
  static bool absent() { return !threads() && before().empty(); }
  static std::string words(const std::string& more) {
    return list().words + (threads() ? " --ranks 2 " : " ") + more;
  }
  std::string said() const { return test::text_of(folder_ / "said"); }
  test::Viewer viewer() const {
    const Address at = address_in([this] { return said(); });
    return test::Viewer(at.port, at.token);
  }
  static bool same_catalogue_has(test::Viewer& v, const std::string& name) {
    const auto& all = v.catalogue().at("arrays");
    return std::any_of(all.begin(), all.end(), [&](const Json& a) { return a.at("name") == name; });
  }

  test::TemporaryFolder folder_;
};

/// Of a run that is held: the state does not change for as long as several variants or rows take.
Json held_at(test::Viewer& v, long step) {
  Json state = v.text("state");
  while (state.at("state") != "paused" || state.at("step") < step) state = v.text("state");
  const auto began = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - began < 600ms) {
    try {
      const Json later = v.text("state", 0.2);
      if (later.at("state") == "paused") state = later;
    } catch (const std::runtime_error&) {  // nothing is new
    }
  }
  return state;
}

/// Steps until there is something to go on with: of a cell a row, whose iterations nobody counts here.
void step_to_a_row(test::Viewer& v, const std::string& name) {
  for (long step = 1;; step += 5) {
    v.ask({{"do", "step"}, {"n", step == 1 ? 1 : 5}});
    Json state = v.text("state");
    while (state.at("state") != "paused" || state.at("step") < step) state = v.text("state");
    if (name != "harmonic" || state.at("fraction") > 0.0) return;
  }
}

TEST_P(ViewedLists, AreHeldOnAllRanksSteppedAndHaveTheTableOfARunAlone) {
  if (absent()) GTEST_SKIP() << "no mpirun of " << mpi() << ", or no module of umov for it";
  const auto alone = test::umov_in(folder_.path(), words("--output-dir alone"), before());
  ASSERT_EQ(alone.code, 0) << alone.text;
  test::RankedRun ranked(folder_, words("--output-dir out --view-paused"), before());
  {
    test::Viewer v = viewer();
    const bool variants = list().name == "eqs";
    EXPECT_EQ(held_at(v, 0).at("step"), 0) << "nothing begins before somebody says so";
    v.ask({{"do", "step"}, {"n", variants ? 1 : 3}});
    const Json held = held_at(v, variants ? 1 : 3);
    if (variants) {
      // The other rank may have finished its variant at the same time.
      EXPECT_LE(held.at("step"), 2) << held;
    } else {
      EXPECT_EQ(held.at("step"), 3) << held;
    }
    if (list().name == "dda") {
      EXPECT_NE(held.dump().find("case 1 of 4"), std::string::npos) << held;
    }
    EXPECT_FALSE(fs::exists(folder_ / ("out/" + list().table)));
    v.ask({{"do", "resume"}});
    wait_for_end(v);
    if (list().name == "dda") {
      ASSERT_TRUE(same_catalogue_has(v, "results/cases"));
      v.send(subscribe(1, v.array("results/cases")));
      EXPECT_EQ(v.frame(1).shape.at(0), 4u) << "the cases of both ranks";
    }
    if (list().name == "harmonic") {
      ASSERT_TRUE(same_catalogue_has(v, "results/spectrum"));
      v.send(subscribe(1, v.array("results/spectrum")));
      EXPECT_EQ(v.frame(1).shape.at(0), 6u);
    }
    ranked.send_to_rank(0, SIGINT);
  }
  test::expect_end(ranked, 0);
  EXPECT_NE(test::table_without_times(folder_ / "out" / list().table), "");
  EXPECT_EQ(test::table_without_times(folder_ / "out" / list().table),
            test::table_without_times(folder_ / "alone" / list().table));
}

TEST_P(ViewedLists, AViewersStopEndsAllRanksAndTheRestIsComputedLater) {
  if (absent()) GTEST_SKIP() << "no mpirun of " << mpi() << ", or no module of umov for it";
  test::RankedRun ranked(folder_, words("--output-dir out --view-paused"), before());
  {
    test::Viewer v = viewer();
    step_to_a_row(v, list().name);
    v.ask({{"do", "stop"}});
    wait_for_end(v);
    ranked.send_to_rank(0, SIGINT);
  }
  // a batch ends with the rows that there are
  test::expect_end(ranked, list().name == "eqs" ? 3 : 130);
  const auto resumed = test::umov_in(folder_.path(), list().words.substr(0, list().words.find(' ')) +
                                                         (list().name == "harmonic" ? " --harmonic" : "") +
                                                         " --cpu --quiet --resume out");
  EXPECT_EQ(resumed.code, 0) << resumed.text;
  EXPECT_NE(test::table_without_times(folder_ / "out" / list().table), "");
}

TEST_P(ViewedLists, ASignalToAnotherProcessEndsAPause) {
  if (absent() || threads()) GTEST_SKIP() << "one process, or no mpirun of " << mpi();
  test::RankedRun ranked(folder_, words("--output-dir out --view-paused"), before());
  {
    test::Viewer v = viewer();
    step_to_a_row(v, list().name);
    ranked.send_to_rank(1, SIGINT);
  }
  const auto ended = test::expect_end(ranked, 130);
  EXPECT_EQ(ended.count("--resume out"), 1) << ended.text;
}

INSTANTIATE_TEST_SUITE_P(Of, ViewedLists,
                         testing::Combine(testing::ValuesIn(lists),
                                          testing::Values("threads", "openmpi", "mpich")),
                         [](const auto& info) {
                           return std::get<0>(info.param).name + "_" + std::get<1>(info.param);
                         });

}  // namespace
}  // namespace umov
