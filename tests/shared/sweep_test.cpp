// Axes of a sweep, the cases that they make, and the file that keeps their rows.
#include <gtest/gtest.h>

#include <cmath>

#include "support/adding_family.hpp"
#include "sweep/state.hpp"
#include "sweep/table.hpp"

namespace umov::sweep {
namespace {

TEST(SweepAxis, RangesHaveTheNumbersThatAListHas) {
  EXPECT_EQ(texts(parse_axis("a=0.1:1:4", "--set")), (Words{"0.1", "0.4", "0.7", "1"}));
  EXPECT_EQ(texts(parse_axis("a=1e-3:1e3:7:log", "--set")),
            texts(parse_axis("a=0.001,0.01,0.1,1,10,100,1000", "--set")));
}

TEST(SweepAxis, TakesRangesListsWordsAndBooleans) {
  EXPECT_EQ(texts(parse_axis("a.b=0.4:0.6:3", "--set")), (Words{"0.4", "0.5", "0.6"}));
  EXPECT_EQ(texts(parse_axis("a=1e-2:1e2:3:log", "--set")), (Words{"0.01", "1", "100"}));
  EXPECT_EQ(texts(parse_axis("a=gold, silver", "--set")), (Words{"gold", "silver"}));
  EXPECT_EQ(texts(parse_axis("a=true,false", "--set")), (Words{"true", "false"}));
  EXPECT_EQ(texts(parse_axis("a=[1,0,0]", "--set")), (Words{"[1, 0, 0]"}));
  EXPECT_EQ(texts(parse_axis("a=[1,0],[0,1]", "--set")), (Words{"[1, 0]", "[0, 1]"}));
  EXPECT_TRUE(std::holds_alternative<bool>(parse_axis("a=true", "--set").values[0].data));
  EXPECT_EQ(texts(parse_axis("a=\"1e-9 * (1 + E, x)\", 1,\"0.5\"", "--set")),
            (Words{"1e-9 * (1 + E, x)", "1", "0.5"}));
}

TEST(SweepAxis, RefusesWhatHasNoValues) {
  for (const char* bad :
       {"a", "=1,2", "a=", "a=1:2:0", "a=1:2:x", "a=1,1", "a=-1:2:3:log", "a=[1,2", "a=\"1,2"})
    EXPECT_NE(refusal([&] { parse_axis(bad, "--set"); }), "") << bad;
  EXPECT_NE(refusal([] { parse_axis("a=1:2:0", "--set"); }).find("--set a is the range"), std::string::npos);
  EXPECT_NE(refusal([] { count_cases({{"a", {"a"}, {}}}); }), "");
}

TEST(SweepAxis, TheLastOneRunsFastestAndThoseTogetherRunAsOne) {
  std::vector<Axis> axes{parse_axis("a=1,2", "--set"), parse_axis("b=1,2,3", "--zip"),
                         parse_axis("c=x,y", "--set"), parse_axis("d=7,8,9", "--zip")};
  axes[1].together = axes[3].together = true;
  ASSERT_EQ(count_cases(axes), 12u);
  EXPECT_EQ(places_of_case(axes, 0), (std::vector<std::size_t>{0, 0, 0, 0}));
  EXPECT_EQ(places_of_case(axes, 1), (std::vector<std::size_t>{0, 0, 1, 0}));
  EXPECT_EQ(places_of_case(axes, 2), (std::vector<std::size_t>{0, 1, 0, 1}));
  EXPECT_EQ(places_of_case(axes, 11), (std::vector<std::size_t>{1, 2, 1, 2}));
  EXPECT_EQ((Sweep{"", {}, axes, 12}.describe(2)), "a = 1, b = 2, c = x, d = 8");
  axes[3].values.pop_back();
  EXPECT_NE(refusal([&] { count_cases(axes); }).find("go together"), std::string::npos);
}

TEST(SweepAxis, ComesFromTablesOfTheCaseAndGoesBackThere) {
  Tree base = tree_of_toml(
      "wavelength = 1\n[[vary]]\nparameter = [\"a.b\", \"a.c\"]\nvalues = \"1:4:3\"\nlogarithmic = true\n"
      "[[vary]]\nparameter = \"d\"\nname = \"metal\"\nvalues = [\"gold\", \"silver\"]\ntogether = true\n",
      "case.toml");
  const auto axes = take_axes(base);
  ASSERT_EQ(axes.size(), 2u);
  EXPECT_FALSE(base.contains("vary"));
  EXPECT_EQ(axes[0].paths, (Words{"a.b", "a.c"}));
  EXPECT_EQ(texts(axes[0]), (Words{"1", "2", "4"}));
  EXPECT_EQ(axes[1].name, "metal");
  EXPECT_TRUE(axes[1].together);
  put_axes(base, axes);
  Tree again = tree_of_toml(toml_text(base), "again.toml");
  const auto back = take_axes(again);
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(texts(back[0]), texts(axes[0]));
  EXPECT_EQ(back[1].name, "metal");
  EXPECT_TRUE(back[1].together);
}

TEST(SweepAxis, OfATableThatIsWrongNamesItsLine) {
  const auto refused = [](const std::string& vary) {
    return refusal([&] {
      Tree base = tree_of_toml("[[vary]]\n" + vary, "case.toml");
      auto axes = take_axes(base);
      points_of({}, axes);
    });
  };
  EXPECT_NE(refused("parameter = \"a\"\nvalue = [1]\n").find("did you mean 'values'"), std::string::npos);
  EXPECT_NE(refused("parameter = \"a\"\n").find("case.toml:1: 'a' has no values"), std::string::npos);
  EXPECT_NE(refused("values = [1, 2]\n").find("'parameter'"), std::string::npos);
  EXPECT_NE(refused("parameter = \"a\"\nvalues = [1, 1]\n").find("twice"), std::string::npos);
}

TEST(SweepAxis, OneParameterHasOneAxisHoweverItIsSpelled) {
  const Tree base = tree_of_toml("m = [1.5, 0.02]\n[[body]]\nname = \"slab\"\nsize = [1, 2]\n", "case.toml");
  const auto refused = [&](const char* a, const char* b) {
    return refusal([&] {
      make_sweep("adding", numbers_table(), base, {parse_axis(a, "--set"), parse_axis(b, "--set")});
    });
  };
  const std::pair<const char*, const char*> same[] = {{"m[2]=0,1", "m=[1.5,0.1],[1.6,0.1]"},
                                                      {"m=[1.5,0.1],[1.6,0.1]", "m[2]=0,1"},
                                                      {"body.1.size[1]=0.5,1", "body.slab.size[1]=3,4"},
                                                      {"body[0].size[1]=0.5,1", "body.1.size[1]=3,4"},
                                                      {"body.1.size=[1,2],[3,4]", "body.slab.size[2]=3,4"}};
  for (const auto& [a, b] : same)
    EXPECT_NE(refused(a, b).find("is varied twice"), std::string::npos) << a << b;
  EXPECT_EQ(refused("m[1]=1,2", "m[2]=0,1"), "");
  EXPECT_EQ(refused("body.1.size[1]=0.5,1", "body.slab.size[2]=3,4"), "");
}

TEST(SweepAxis, NamesOfColumnsAreNoNamesOfAxes) {
  for (const char* name : {"", ".", "status", "case"}) {
    Axis axis = parse_axis("a=1,2", "--set");
    axis.name = name;
    EXPECT_NE(refusal([&] {
                make_sweep("adding", numbers_table(), tree_of_toml("a = 1", "case.toml"), {axis});
              }).find("cannot be the name of an axis"),
              std::string::npos)
        << name;
  }
}

TEST(SweepRun, MarksAFailedCaseAndGoesOn) {
  const Sweep s = adding_sweep();
  const Rows rows = computed(s, 2);
  for (std::size_t k = 0; k < 6; ++k) {
    ASSERT_TRUE(rows[k]);
    EXPECT_EQ(rows[k]->status, k % 3 == 2 ? Status::failed : Status::done) << k;
  }
  EXPECT_EQ(rows[2]->message, "three is too many");
  EXPECT_EQ(count_done(rows, Shard{}.cases(6)), 4u);
}

TEST(SweepRun, SaysWhyACaseDidNotConverge) {
  const Sweep s = make_sweep("adding", numbers_table(), tree_of_toml("a = 1", "case.toml"),
                             {parse_axis("b=2,4", "--set")});
  const Rows rows = computed(s, 1);
  EXPECT_EQ(rows[0]->status, Status::done);
  EXPECT_EQ(rows[1]->status, Status::not_converged);
  EXPECT_EQ(rows[1]->message, "four is on the way");
}

TEST(SweepRun, RefusesCasesOfSeveralRanks) {
  const Sweep s =
      make_sweep("adding", numbers_table(), tree_of_toml("a = 1\nmachine.ranks = 2\n", "case.toml"),
                 {parse_axis("b=1,2", "--set")});
  EXPECT_NE(refusal([&] { check_cases(s, adding, {0}); }).find("case.toml:2: 'machine.ranks'"),
            std::string::npos);
}

TEST(SweepRun, EndsAtAFailedCaseWhereThatIsAsked) {
  const Rows rows = computed(adding_sweep(), 1, {false, 100});
  EXPECT_TRUE(rows[2]);
  EXPECT_FALSE(rows[3]);
}

TEST(SweepRun, StopsWhenAsked) {
  const Sweep s = adding_sweep();
  Rows rows(s.cases);
  Watch watch;
  std::size_t finished = 0;
  watch.finished = [&](std::size_t, const Row&) { ++finished; };
  watch.stop = [&] { return finished >= 2; };
  EXPECT_THROW(run(*comm::one_rank(), s, adding, {Machine{}}, Shard{}.cases(6), rows, {true, 100}, watch),
               run::Interrupted);
  EXPECT_TRUE(rows[1]);
  EXPECT_FALSE(rows[3]);
}

TEST(SweepTable, HasAxesWithUnitsScalarsAndStackedArrays) {
  const Sweep s = adding_sweep();
  const auto r = to_result(s, computed(s, 2), Shard{}.cases(6));
  const auto* b = r.find("axes/b");
  ASSERT_TRUE(b);
  EXPECT_EQ(b->unit, "um");
  EXPECT_EQ(std::get<0>(b->data), (std::vector<double>{1, 2, 3, 1, 2, 3}));
  const auto& sum = std::get<0>(r.find("scalars/sum")->data);
  EXPECT_EQ(sum[0], 2);
  EXPECT_EQ(sum[4], 4);
  EXPECT_TRUE(std::isnan(sum[2]));
  EXPECT_EQ(r.find("arrays/both")->shape, (std::vector<std::size_t>{6, 2}));
  EXPECT_FALSE(r.find("arrays/some"));
  EXPECT_EQ(r.find("cases/2/some")->shape, (std::vector<std::size_t>{4}));
  EXPECT_FALSE(r.find("scalars/run/seconds"));
}

TEST(SweepSeats, AreAsManyAsCoresAndAsWishedForAndNoMoreThanMemoryHolds) {
  const auto asking = [](const char* backend, double bytes) {
    Plan plan;
    plan.bytes = bytes, plan.machine.backend = backend;
    return plan;
  };
  EXPECT_EQ(choose_seats(asking("cpu", 0), {3, 2}, 10).size(), 3u);
  EXPECT_EQ(choose_seats(asking("cpu", 0), {3, 2}, 10)[0].threads, 2);
  EXPECT_EQ(choose_seats(asking("cpu", 0), {3, 0}, 2).size(), 2u);
  EXPECT_EQ(choose_seats(asking("cpu", 1e18), {3, 0}, 10).size(), 1u);
  EXPECT_EQ(choose_seats(asking("serial", 0), {1, 0}, 10)[0].backend, "serial");
}

}  // namespace
}  // namespace umov::sweep
