// Axes of a sweep, the cases that they make, and the file that keeps their rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/error.hpp"
#include "run/observer.hpp"
#include "support/temp_folder.hpp"
#include "sweep/responses.hpp"
#include "sweep/run.hpp"
#include "sweep/state.hpp"
#include "sweep/table.hpp"

namespace umov::sweep {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> texts(const Axis& axis) {
  std::vector<std::string> out;
  for (const Value& v : axis.values) out.push_back(text_of(v));
  return out;
}

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

using Words = std::vector<std::string>;

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

struct Numbers {
  double a = 0, b = 0, threads = 0, plot = 0;
  std::vector<double> cuts;
  std::string precision;
};

const ParameterTable<Numbers>& numbers_table() {
  static const ParameterTable<Numbers> table = [] {
    ParameterTable<Numbers> t;
    ParameterInfo a, b, threads, precision, plot, place;
    a.key = "a", b.key = "b", b.unit = "um";
    threads.section = precision.section = "machine", threads.key = "threads", precision.key = "precision";
    threads.concern = Concern::machine;
    plot.section = "output", plot.key = "plot", place.key = "place", place.concern = Concern::output;
    t.add(
        plot, number(), [](auto& n) -> auto& { return n.plot; });
    ParameterTable<double> cut;
    cut.add(
        place, number(), [](auto& n) -> auto& { return n; });
    t.add_list(
        "cut", "", cut, [](auto& n) -> auto& { return n.cuts; });
    t.add(
        a, number(), [](auto& n) -> auto& { return n.a; });
    t.add(
        b, number(), [](auto& n) -> auto& { return n.b; });
    t.add(
        threads, number(), [](auto& n) -> auto& { return n.threads; });
    t.add(
        precision, text(), [](auto& n) -> auto& { return n.precision; });
    return t;
  }();
  return table;
}

Numbers numbers_of(const Tree& tree) {
  Numbers n;
  Origins origins;
  numbers_table().read(tree, n, origins);
  return n;
}

/// A family that adds two numbers, fails where the second is 3, and does not converge where it is 4.
class Adding : public Family, public Series {
 public:
  std::string name() const override { return "adding"; }
  const ParameterList& parameters() const override { return numbers_table(); }
  void check(const Tree& tree) const override { numbers_of(tree); }
  Plan plan(const Tree&, const Machine&) const override { return {}; }
  results::Result run(const Tree& tree, const Machine&, const Observer& observer) const override {
    const auto n = numbers_of(tree);
    if (n.b == 3) throw BadInput("three is too many");
    if (observer.progress && !observer.progress(0, "adding")) throw run::Interrupted("stopped");
    results::Result r;
    r.add("sum", "1", "of both", n.a + n.b);
    r.add("both", "1", "the numbers", std::vector<double>{n.a, n.b});
    r.add("some", "1", "of another length each", std::vector<double>(std::size_t(n.b) + 2, n.a));
    r.add("run/seconds", "s", "is no result", 1.0);
    r.attributes = {{"converged", n.b == 4 ? "no: four is on the way" : "yes"}};
    return r;
  }
  results::Result run(const Tree& tree, const Observer& observer) override { return run(tree, {}, observer); }
  std::vector<std::unique_ptr<Series>> series(const std::vector<Machine>& seats) const override {
    std::vector<std::unique_ptr<Series>> all;
    for (std::size_t i = 0; i < seats.size(); ++i) all.push_back(std::make_unique<Adding>());
    return all;
  }
};

const Adding adding;

Sweep adding_sweep() {
  return make_sweep("adding", numbers_table(), tree_of_toml("a = 1", "case.toml"),
                    {parse_axis("a=1,2", "--set"), parse_axis("b=1:3:3", "--set")});
}

Rows computed(const Sweep& s, std::size_t workers, const Settings& settings = {true, 100}) {
  Rows rows(s.cases);
  run(s, adding, std::vector<Machine>(workers), Shard{}.cases(s.cases), rows, settings, {});
  return rows;
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
  EXPECT_THROW(run(s, adding, {Machine{}}, Shard{}.cases(6), rows, {true, 100}, watch), run::Interrupted);
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

TEST(SweepCases, AreKnownByWhatTheySayAndNotByTheMachine) {
  const auto key = [](const std::string& text) {
    Sweep s{"adding", tree_of_toml(text, "case.toml"), {parse_axis("a=1,2", "--set")}, 2};
    return Keys("adding", numbers_table()).of(s.case_of(0));
  };
  EXPECT_EQ(key("a = 5"), key("[machine]\nthreads = 3\n"));
  EXPECT_NE(key("a = 5"), key("b = 5"));
  EXPECT_NE(key("a = 5"), key("[machine]\nprecision = \"double\"\n"));
}

TEST(SweepCases, AreKnownByWhatTheirFilesHold) {
  const test::TempFolder folder;
  const auto key = [&](const std::string& text) {
    std::ofstream(folder / "n.csv") << text;
    Sweep s{"adding", {}, {parse_axis("a=1,2", "--set")}, 2};
    s.base.set("file", folder / "n.csv");
    return Keys("adding", numbers_table()).of(s.case_of(1));
  };
  EXPECT_EQ(key("1"), key("1"));
  EXPECT_NE(key("1"), key("2"));
}

TEST(SweepCases, AFileThatIsChangedAfterItWasMetIsNoticed) {
  const test::TempFolder folder;
  const std::string path = folder / "n.csv";
  const auto write = [&](const std::string& text) { std::ofstream(path) << text; };
  write("1");
  Tree tree;
  tree.set("file", path);
  Keys keys("adding", numbers_table());
  keys.of(tree);
  EXPECT_NO_THROW(keys.require_unchanged(tree));
  write("1");
  EXPECT_NO_THROW(keys.require_unchanged(tree)) << "written, but the same";
  write("2");
  fs::last_write_time(path, fs::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_THROW(keys.require_unchanged(tree), BadInput);
  fs::remove(path);
  EXPECT_THROW(keys.require_unchanged(tree), BadInput);
}

TEST(SweepState, IsOfOneSweepInWhicheverFolder) {
  Identity a{"adding", "file = \"/one/n.csv\"\nb = 1\n", {}, 100}, b = a;
  b.text = "file = \"/two/n.csv\"\nb = 1\n";
  EXPECT_TRUE(is_same(a, b));
  b.text = "file = \"/two/m.csv\"\nb = 1\n";
  EXPECT_FALSE(is_same(a, b));
  b.text = "file = \"/two/n.csv\"\nb = 2\n";
  EXPECT_FALSE(is_same(a, b));
}

TEST(SweepState, IsReadUpToTheLastWholeRowWhereverItWasCut) {
  const test::TempFolder folder;
  const Sweep s = adding_sweep();
  const Rows rows = computed(s, 1);
  State state{identity_of(s, 100), {2, 3}, {{"/a/n.csv", 7}}, {}};
  std::vector<std::uintmax_t> ends;
  {
    StateFile file(state_file(folder.path.string()), state);
    ends.push_back(fs::file_size(folder / "sweep.state"));
    for (std::size_t k = 0; k < 3; ++k) {
      file.add({k, 10 + k, *rows[k]});
      ends.push_back(fs::file_size(folder / "sweep.state"));
    }
  }
  for (std::uintmax_t size = ends.back(); size >= ends.front(); --size) {
    fs::resize_file(folder / "sweep.state", size);
    const State back = read_state(folder.path.string());
    const auto whole = std::size_t(std::upper_bound(ends.begin(), ends.end(), size) - ends.begin()) - 1;
    ASSERT_EQ(back.rows.size(), whole) << size;
    EXPECT_EQ(back.shard.number, 2u);
    EXPECT_EQ(back.files, state.files);
    if (whole < 2) continue;
    EXPECT_EQ(back.rows[1].key, 11u);
    EXPECT_EQ(back.rows[1].row.scalars[0].value, 3);
    EXPECT_EQ(std::get<0>(back.rows[1].row.arrays[0].data), (std::vector<double>{1, 2}));
  }
  for (const std::uintmax_t size :
       {ends.front() - 1, std::uintmax_t(20), std::uintmax_t(3), std::uintmax_t(0)}) {
    fs::resize_file(folder / "sweep.state", size);
    EXPECT_THROW(read_state(folder.path.string()), BadInput) << size;
  }
}

TEST(SweepCases, AreKnownWithoutOutputWhereThatIsAsked) {
  const auto key = [](const std::string& text, bool outputs) {
    return Keys("adding", numbers_table(), outputs).of(tree_of_toml(text, "case.toml"));
  };
  EXPECT_EQ(key("a = 1\n[output]\nplot = 1\n", false), key("a = 1\n", false));
  EXPECT_NE(key("a = 1\n[output]\nplot = 1\n", true), key("a = 1\n", true));
  EXPECT_EQ(key("a = 1\n[[cut]]\nplace = 1\n[[cut]]\nplace = 2\n", false), key("a = 1\n", false));
}

TEST(SweepDesign, AHypercubeHasEveryIntervalOfEveryParameterOnce) {
  const auto points = latin_hypercube(12, 3, 7);
  ASSERT_EQ(points.size(), 12u);
  for (int d = 0; d < 3; ++d) {
    std::set<int> intervals;
    for (const auto& x : points) intervals.insert(int(std::floor(12 * x[d])));
    EXPECT_EQ(intervals.size(), 12u);
  }
  EXPECT_EQ(points, latin_hypercube(12, 3, 7));
  EXPECT_NE(points, latin_hypercube(12, 3, 8));
}

Sweep designed(cases::DesignSpec design, std::vector<Axis> axes) {
  return make_sweep("adding", numbers_table(), tree_of_toml("a = 1", "case.toml"), std::move(axes), design);
}

TEST(SweepDesign, AHypercubeSpreadsBetweenTheEndsOfEveryAxis) {
  cases::DesignSpec design;
  design.design = cases::Design::latin_hypercube, design.variants = 4;
  const std::vector<Axis> axes{parse_axis("a=1,3", "--set"), parse_axis("b=1:100:2:log", "--set")};
  const Sweep s = designed(design, axes);
  ASSERT_EQ(s.cases, 4u);
  std::vector<double> a, b;
  for (const auto& point : s.points) a.push_back(point[0]), b.push_back(std::log10(point[1]));
  std::sort(a.begin(), a.end()), std::sort(b.begin(), b.end());
  for (int i = 0; i < 4; ++i) {  // the middles of four intervals
    EXPECT_NEAR(a[std::size_t(i)], 1.25 + 0.5 * i, 1e-15);
    EXPECT_NEAR(b[std::size_t(i)], 0.25 + 0.5 * i, 1e-14);
  }
  const Sweep again = sweep_of(identity_of(s, 0), "state");
  EXPECT_EQ(again.points, s.points) << "the state says the design";
  EXPECT_NE(refusal([&] { designed(design, {parse_axis("a=gold,silver", "--set")}); }).find("no numbers"),
            std::string::npos);
  EXPECT_NE(refusal([&] { designed(design, {parse_axis("a=2", "--set")}); }).find("has one value"),
            std::string::npos);
  design.variants = 1;
  EXPECT_NE(refusal([&] { designed(design, axes); }).find("at least 2"), std::string::npos);
}

TEST(SweepDesign, RowsOfATableAreCasesWhoseFileIsNotNeededAgain) {
  const test::TempFolder folder;
  std::ofstream(folder / "t.csv") << "b [mm],a\n3,1\n5,2\n3,2\n";
  Tree base = tree_of_toml("[[vary]]\nparameter = \"a\"\n[[vary]]\nparameter = \"b\"\n", "case.toml");
  cases::DesignSpec design;
  design.design = cases::Design::table, design.table = folder / "t.csv";
  const Sweep s = designed(design, take_axes(base));
  ASSERT_EQ(s.cases, 3u);
  EXPECT_EQ(s.describe(1), "a = 2, b = 5000") << "b is in um";
  fs::remove(folder / "t.csv");
  const Sweep again = sweep_of(identity_of(s, 0), "state");
  ASSERT_EQ(again.cases, 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(again.describe(k), s.describe(k));
  EXPECT_NE(refusal([&] { designed(design, {parse_axis("a=1,2", "--set")}); }).find("values of its own"),
            std::string::npos);
}

TEST(SweepResponses, ASurfaceOfSumsIsExactAndOneOverWordsIsNone) {
  cases::DesignSpec design;
  design.surface = cases::SurfaceChoice::linear, design.goal = cases::Goal::maximum;
  Sweep s = designed(design, {parse_axis("a=1,2,4", "--set"), parse_axis("b=1,2,5", "--set")});
  const Rows rows = computed(s, 1);
  const auto r = fit_responses(s, rows, {{"sum", "1", ""}});
  ASSERT_EQ(r.size(), 1u);
  ASSERT_TRUE(r[0].surface) << r[0].why_not;
  EXPECT_NEAR(r[0].predicted, 9, 1e-12);  // rounding of least squares
  EXPECT_EQ(r[0].cases[r[0].best], 8u);
  s.axes[1].values = {Value{std::string("gold")}, Value{std::string("silver")}, Value{std::string("iron")}};
  const auto none = fit_responses(s, rows, {{"sum", "1", ""}});
  EXPECT_FALSE(none[0].surface);
  EXPECT_NE(none[0].why_not.find("'b' has values that are no numbers"), std::string::npos) << none[0].why_not;
  EXPECT_NE(refusal([] {
              require_columns({"sun"}, {{"sum", "1", ""}}, "sweep.csv");
            }).find("did you mean 'sum'"),
            std::string::npos);
}

/// Forty points of exp(a) + b^2 + strength * c. The third power of a, which a parabola lacks, leaves an error
/// of 1e-2 or so: 1e-6 * c is less, 0.5 * c more.
TEST(SweepResponses, AHypercubesIdleParameterHasNoPartAndAnActiveOneHas) {
  cases::DesignSpec design;
  design.design = cases::Design::latin_hypercube, design.variants = 40;
  for (const auto choice :
       {cases::SurfaceChoice::quadratic, cases::SurfaceChoice::rbf, cases::SurfaceChoice::automatic})
    for (const double strength : {0.0, 1e-6, 0.5}) {
      design.surface = choice;
      Sweep s = designed(design, {parse_axis("a=0,1", "--set"), parse_axis("b=0,1", "--set")});
      s.axes.push_back(parse_axis("c=0,1", "--set"));
      s.points = points_of(design, s.axes);
      Rows rows;
      for (const auto& x : s.points) {
        Row row;
        row.status = Status::done;
        row.scalars = {{"y", "1", "", std::exp(x[0]) + x[1] * x[1] + strength * x[2]}};
        rows.push_back(row);
      }
      const auto r = fit_responses(s, rows, {{"y", "1", ""}});
      ASSERT_TRUE(r[0].surface) << r[0].why_not;
      EXPECT_GT(r[0].importance[0], 1);
      EXPECT_GT(r[0].importance[1], 0.5);
      if (strength > 0.1) {
        EXPECT_NEAR(r[0].importance[2], strength, 0.1);
      } else {
        EXPECT_EQ(r[0].importance[2], 0) << int(choice) << ' ' << strength;
      }
    }
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
