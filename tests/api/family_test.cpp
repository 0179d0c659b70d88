// Cases of all families by the library: results that own what they have, places of errors, stops, no word
// said.
#include "api/family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>

#include "api/files.hpp"
#include "api/system.hpp"
#include "dda/command/front.hpp"
#include "dda/run/run.hpp"
#include "support/places.hpp"
#include "support/temp_folder.hpp"

namespace umov {
namespace {

namespace fs = std::filesystem;
using results::Array;
using results::Result;

std::string small_case(const std::string& name) {
  return (test::repository() / "tests" / "memcheck" / name).string();
}

Tree sphere() {
  Tree t;
  t.set("shape.name", "sphere").set("shape.grid", 8).push_back("material", Tree().set("m", {1.5, .1}));
  return t;
}
Tree of_file(const std::string& name) { return tree_of_toml_file(small_case(name)); }

const Machine one_core{.backend = "cpu", .threads = 1};

/// The numbers of an array of a type; the test fails where there is none.
template <class T = double>
std::vector<T> values(const Result& r, const std::string& name) {
  const Array* array = r.find(name);
  EXPECT_TRUE(array) << name;
  return array ? std::get<std::vector<T>>(array->data) : std::vector<T>(1);
}

std::string refusal(const std::function<void()>& f) {
  try {
    f();
    return "accepted";
  } catch (const BadInput& e) {
    return e.what();
  }
}

TEST(Families, AreKnownByTheirNames) {
  EXPECT_EQ(families(),
            (std::vector<std::string>{"dda", "fdtd", "harmonic", "eqs", "mie", "modes", "solve"}));
  for (const auto& name : families()) EXPECT_EQ(family(name).name(), name);
  EXPECT_EQ(
      refusal([] { family("dad"); }),
      "'dad' is no family (there are dda, fdtd, harmonic, eqs, mie, modes, solve); did you mean 'dda'?");
}

TEST(Families, AreToldByTheNamesAtTheTopOfACase) {
  EXPECT_EQ(family_of(sphere()).name(), "dda");
  EXPECT_EQ(family_of(Tree().set("matrix", "A.mtx")).name(), "solve");
  EXPECT_EQ(family_of(of_file("plane_tm.toml")).name(), "fdtd");
  EXPECT_EQ(family_of(of_file("plane_tm.toml").set("modes.count", 2)).name(), "modes");
  EXPECT_NE(refusal([] { family_of(Tree().set("nonsense", 1)); }).find("of no family"), std::string::npos);
  EXPECT_NE(refusal([] { family_of(Tree().set("wavelength", 1)); }).find("dda or mie"), std::string::npos);
}

TEST(Families, ParametersSayWhatTheyChange) {
  for (const std::string name : {"dda", "fdtd", "harmonic", "eqs"}) {
    const ParameterList& table = family(name).parameters();
    for (const char* path : {"machine.backend", "machine.threads", "machine.gpus", "output.folder"})
      EXPECT_EQ(table.find(path)->concern, Concern::machine) << name << " " << path;
    EXPECT_EQ(table.find("output.pictures")->concern, Concern::output) << name;
    if (name != "eqs") {
      EXPECT_EQ(table.find("machine.precision")->concern, Concern::result) << name;
    }
  }
  EXPECT_EQ(family("fdtd").parameters().find("body.disk.radius")->concern, Concern::result);
  EXPECT_FALSE(family("fdtd").parameters().find("body.disk.nothing"));
  const ParameterList& eqs = family("eqs").parameters();
  for (const char* path : {"output.vtk", "output.vtu", "cut.0.pixels"})
    EXPECT_EQ(eqs.find(path)->concern, Concern::record) << path;
  EXPECT_EQ(eqs.find("output.capacitance")->concern, Concern::course);
}

TEST(Families, ASystemOfFilesIsSolved) {
  const test::TempFolder folder;
  std::ofstream(folder / "A.mtx")
      << ("%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 4\n2 1 1\n2 2 3\n");
  std::ofstream(folder / "b.mtx") << ("%%MatrixMarket matrix array real general\n2 1\n9\n5\n");
  Tree system;
  system.set("matrix", std::string(folder / "A.mtx")).set("right_side", std::string(folder / "b.mtx"));
  const Result r = family("solve").run(system, one_core);
  const auto x = values(r, "x");  // 4 x + y = 9, x + 3 y = 5
  EXPECT_NEAR(x[0], 2, 1e-12);
  EXPECT_NEAR(x[1], 1, 1e-12);
  EXPECT_EQ(refusal([&] { family("solve").run(Tree().set("solver.degree", 2)); }),
            "no matrix (a system has one); give the file of A as 'matrix'");
  system.set("solver.precision", "triple");
  EXPECT_NE(refusal([&] { family("solve").check(system); }).find("argument 'solver.precision'"),
            std::string::npos);
}

TEST(Families, ASystemOfArraysIsSolvedAsThatOfFiles) {
  const std::vector<int> start{0, 2, 4}, column{0, 1, 0, 1};
  const std::vector<double> value{4, 1, 1, 3}, b{9, 5};
  const auto x = values(solve_rows({start, column, value}, b, {}, one_core), "x");
  EXPECT_NEAR(x[0], 2, 1e-12);
  EXPECT_NEAR(x[1], 1, 1e-12);
  EXPECT_NE(refusal([&] {
              solve_rows({start, {}, value}, b);
            }).find("are no compressed rows"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              solve_rows({start, column, value}, std::vector<double>{9});
            }).find("has 1 elements"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              solve_rows({start, column, value}, b, Tree().set("matrix", "A.mtx"));
            }).find("leave them out"),
            std::string::npos);
}

TEST(Families, WhatIsSavedIsOpenedToTheSameBits) {
  for (const auto& [name, tree] :
       {std::pair<std::string, Tree>{"dda",
                                     sphere().set("output.internal_fields", true).set("output.hdf5", true)},
        {"fdtd", of_file("plane_tm.toml")},
        {"eqs", of_file("layers.toml").set("output.vtk", true)}}) {
    const test::TempFolder folder;
    const Result r = family(name).run(tree, one_core);
    save(r, folder.path.string());
    const Result again = open_results(folder.path.string());
    EXPECT_EQ(again.arrays.size(), r.arrays.size()) << name;
    EXPECT_TRUE(again.voxels.arrays.empty());
    for (const Array& a : r.arrays) {
      const Array* b = again.find(a.name);
      ASSERT_TRUE(b) << a.name;
      EXPECT_TRUE(a.data == b->data && a.shape == b->shape && a.unit == b->unit) << a.name;
    }
  }
  const test::TempFolder empty;
  EXPECT_NE(refusal([&] { open_results(empty.path.string()); }).find("no results there"), std::string::npos);
}

TEST(Families, CasesOfASeriesAreThoseOfRuns) {
  const auto series = family("dda").series({one_core});
  for (const double x : {0., .5}) {
    Tree t = sphere();
    t.set("source.propagation", {x, 0, 1});
    EXPECT_EQ(values(series[0]->run(t), "cross_sections/Y/Cext"),
              values(family("dda").run(t, one_core), "cross_sections/Y/Cext"));
  }
}

TEST(Families, ASphereIsTheOneOfTheCommandToTheLastBit) {
  const Result by_library = family("dda").run(sphere(), one_core);
  const std::vector<std::string> words{"--shape", "sphere", "--shape-grid", "8", "--m",
                                       "1.5,0.1", "--cpu",  "--threads",    "1", "--quiet"};
  const auto asked = dda::parse(words);
  const auto by_command = dda::run(asked.simulation, asked.given.machine);
  EXPECT_EQ(values(by_library, "cross_sections/Y/Cext")[0], by_command.polarizations[0].cross.cext);
}

TEST(Families, ALargeSphereOfFewDipolesIsNearMie) {
  Tree t = sphere();
  t.set("shape.grid", 24).set("shape.size", 1.0).set("wavelength", 2.0);
  const Result dipoles = family("dda").run(t, one_core);
  const Result exact =
      family("mie").run(Tree().set("radius", .5).set("wavelength", 2).set("m", {1.5, .1}).set("angles", 90));
  // the ldr polarizability, 24 dipoles across, |m| k d = 0.2: 1e-2 (Yurkin, Maltsev and Hoekstra 2006, second
  // part)
  EXPECT_NEAR(values(dipoles, "cross_sections/Y/Qext")[0] / values(exact, "Qext")[0], 1, 1e-2);
  EXPECT_EQ(values(exact, "theta").size(), 91u);
  EXPECT_NEAR(values(exact, "Cext")[0], pi * .25 * values(exact, "Qext")[0], 1e-12);
}

TEST(Families, TheCallerOwnsFieldsPerDipole) {
  Result r;
  {
    Tree t = sphere();
    t.set("output.internal_fields", true).set("output.incident_field", true).set("output.forces", true);
    r = family("dda").run(t, one_core);
  }
  EXPECT_TRUE(r.voxels.arrays.empty());
  const Array* material = r.find("voxels/material");
  ASSERT_TRUE(material);
  EXPECT_EQ(material->shape, (std::vector<std::size_t>{8, 8, 8}));
  const auto sites = values<float>(r, "voxels/material");
  const double dipoles = std::accumulate(sites.begin(), sites.end(), 0.0);
  EXPECT_EQ(dipoles, values(r, "particle/dipoles_per_material")[0]);
  EXPECT_EQ(values(r, "voxels/E_Y_re").size(), 3 * sites.size());
  EXPECT_EQ(values<cplx>(r, "dipoles/incident_Y").size(), std::size_t(3 * dipoles));
  EXPECT_EQ(values(r, "dipoles/force_Y").size(), std::size_t(3 * dipoles));
  EXPECT_FALSE(family("dda").run(sphere(), one_core).find("voxels/E_Y_re")) << "nobody asked for it";
}

TEST(Families, ModesAreThoseOfACaseOfTheTimeDomain) {
  Tree guide;  // between plates a distance 1 apart the mode m has n^2 = 1 - (m lambda / 2)^2
  guide.set("domain.size", {0, 1}).set("domain.resolution", 40).set("boundary.all", "pec");
  guide.set("modes.wavelengths", 1.5).set("modes.extrapolate", 2);
  const Result r = family("modes").run(guide, one_core);
  EXPECT_NEAR(values(r, "n_extrapolated")[0], std::sqrt(1 - 0.75 * 0.75), values(r, "n_error")[0]);
  EXPECT_LT(values(r, "n_error")[0], 1e-2);
  const Plan plan = family("modes").plan(guide);
  EXPECT_EQ(values<cplx>(family("modes").run(tree_of_toml(plan.resolved, "resolved"), one_core), "n_eff"),
            values<cplx>(r, "n_eff"));
  Observer stops;
  stops.progress = [](double, const std::string&) { return false; };
  EXPECT_THROW(family("modes").run(guide, one_core, stops), Error);
}

TEST(Families, AModelIsWhatACaseDescribes) {
  const Result ball = family("dda").model(sphere());
  EXPECT_EQ(ball.find("material")->shape, (std::vector<std::size_t>{8, 8, 8}));
  EXPECT_EQ(values<float>(ball, "material")[0], 0);
  EXPECT_EQ(values<float>(ball, "material")[4 * 64 + 4 * 8 + 4], 1);
  const Result plane = family("fdtd").model(of_file("plane_tm.toml"));
  EXPECT_EQ(plane.find("permittivity")->size(),
            values(plane, "x").size() * values(plane, "y").size() * values(plane, "z").size());
  EXPECT_NE(refusal([] { family("eqs").model(of_file("layers.toml")); }).find("no model as arrays"),
            std::string::npos);
}

TEST(Families, AnObserverSeesFieldsOnTheWayAndEndsARun) {
  std::vector<long> steps;
  Observer looks;
  looks.every = 40;
  looks.moment = [&](const Moment& m) {
    steps.push_back(m.step);
    EXPECT_EQ(m.fields().find("Ez")->shape.size(), 3u);
    return steps.size() < 3;
  };
  EXPECT_THROW(family("fdtd").run(of_file("plane_tm.toml"), one_core, looks), Error);
  EXPECT_EQ(steps, (std::vector<long>{40, 80, 120}));
  Observer hears;
  hears.every = 1;
  hears.moment = [&](const Moment& m) {
    steps.push_back(m.step);
    EXPECT_GT(m.fields().find("residual")->size(), 0u);
    return true;
  };
  steps.clear();
  family("dda").run(sphere(), one_core, hears);
  EXPECT_GT(steps.size(), 1u) << "iterations of a solver are moments, too";
}

TEST(Families, APreconditionerIsAboutTheInverse) {
  const std::vector<int> start{0, 2, 4}, column{0, 1, 0, 1};
  const std::vector<double> value{-4, -1, -1, -3};
  const Preconditioner m({start, column, value}, Tree().set("solver.precision", "double"));
  std::vector<double> z{-9, -5};  // of few unknowns it is the inverse; r and z may be one array
  m.apply(z, z);
  EXPECT_NEAR(z[0], 2, 1e-14);
  EXPECT_NEAR(z[1], 1, 1e-14);
  EXPECT_NE(refusal([&] { m.apply(std::vector<double>(3), z); }).find("has 2 rows"), std::string::npos);
}

TEST(Families, RefusalsNameTheirPlace) {
  const auto refused = [](const std::string& name, const Tree& tree, const Machine& machine = {}) {
    return refusal([&] { family(name).plan(tree, machine); });
  };
  for (const auto& name : families())
    EXPECT_EQ(
        refused(name, Tree().set("wavelenghts_of", 1)).rfind("argument 'wavelenghts_of': unknown key", 0), 0u)
        << name;
  EXPECT_EQ(
      refused("dda", sphere().set("wavelength", "red")).rfind("argument 'wavelength': 'wavelength' ", 0), 0u);
  EXPECT_EQ(
      refused("dda", Tree().set("shape.name", "read").set("shape.file", "nowhere.geom")),
      "argument 'shape.file': 'shape.file': no such file 'nowhere.geom' (the shape should be read from it); "
      "check the path");
  EXPECT_EQ(
      refused("dda", sphere(), {.backend = "gpu"}).rfind("Machine: 'machine.backend' 'gpu' is unknown", 0),
      0u);
  EXPECT_EQ(refused("dda", sphere().set("wavelength", {5, 6})),
            "argument 'wavelength': 'wavelength': a list of values is several cases (a run is of one); give "
            "single values");
  EXPECT_EQ(refused("dda", sphere(), {.resume = true}),
            "Machine: resume without a folder (the state to go on from lies in one); set checkpoint");
  EXPECT_EQ(refused("mie", Tree().set("m", 1.5)),
            "a sphere has one size (x, or radius and wavelength); give either");
}

TEST(Families, APlanIsACaseThatReadsBack) {
  for (const auto& [name, tree] : {std::pair<std::string, Tree>{"dda", sphere()},
                                   {"fdtd", of_file("plane_tm.toml")},
                                   {"harmonic", of_file("harmonic.toml")},
                                   {"eqs", of_file("layers.toml")},
                                   {"mie", Tree().set("x", 2)}}) {
    const Plan plan = family(name).plan(tree, one_core);
    EXPECT_EQ(family(name).plan(tree_of_toml(plan.resolved, "resolved")).resolved, plan.resolved) << name;
    EXPECT_EQ(plan.bytes > 0, name != "mie") << name;
  }
}

/// Runs in an empty folder; restores the former one.
struct EmptyFolder {
  test::TempFolder folder;
  fs::path before = fs::current_path();
  EmptyFolder() { fs::current_path(folder.path); }
  ~EmptyFolder() { fs::current_path(before); }
};

TEST(Families, RunsSayNothingAndWriteNothing) {
  const EmptyFolder here;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  for (const auto& [name, tree] : {std::pair<std::string, Tree>{"dda", sphere()},
                                   {"fdtd", of_file("plane_tm.toml")},
                                   {"harmonic", of_file("harmonic.toml")},
                                   {"eqs", of_file("layers.toml")}}) {
    double last = 0;
    int stages = 0;
    Observer observer;
    observer.stage = [&](const std::string&) { ++stages; };
    observer.progress = [&](double fraction, const std::string& text) {
      last = fraction;
      return !text.empty();
    };
    const Result r = family(name).run(tree, one_core, observer);
    EXPECT_GT(r.arrays.size(), 3u) << name;
    EXPECT_GT(stages, 0) << name;
    EXPECT_GT(last, 0.5) << name;
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(fs::is_empty(here.folder.path));
}

TEST(Families, AnObserverEndsARun) {
  Observer observer;
  for (const auto& [name, tree] : {std::pair<std::string, Tree>{"dda", sphere()},
                                   {"fdtd", of_file("plane_tm.toml")},
                                   {"harmonic", of_file("harmonic.toml")},
                                   {"eqs", of_file("layers.toml")}}) {
    int asked = 0;
    observer.progress = [&](double, const std::string&) { return ++asked < 6; };
    try {
      family(name).run(tree, one_core, observer);
      ADD_FAILURE() << name << " came to its end";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Exit::interrupted) << name << ": " << e.what();
    }
  }
}

TEST(Families, AnObserverEndsARunOfSeveralRanks) {
  Machine two = one_core;
  two.ranks = 2;
  for (const auto& [name, tree] : {std::pair<std::string, Tree>{"dda", sphere()},
                                   {"fdtd", of_file("plane_tm.toml")},
                                   {"eqs", of_file("layers.toml")}}) {
    int asked = 0;
    Observer observer;
    observer.progress = [&](double, const std::string& text) {
      return text.find("step") + 1 + text.find("iteration") + 1 == 0 || ++asked < 3;
    };
    try {
      family(name).run(tree, two, observer);
      ADD_FAILURE() << name << " came to its end";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Exit::interrupted) << name << ": " << e.what();
    }
  }
}

TEST(Families, AStoppedRunGoesOnFromItsStateToTheSameBits) {
  const test::TempFolder folder;
  Machine machine = one_core;
  machine.checkpoint = folder / "state";
  const Tree tree = of_file("plane_tm.toml");
  const auto steps = [](const Result& r) { return values(r, "run/steps")[0]; };
  const Result whole = family("fdtd").run(tree, one_core);
  Observer observer;
  observer.progress = [&](double fraction, const std::string&) { return fraction < 0.5; };
  EXPECT_THROW(family("fdtd").run(tree, machine, observer), Error);
  EXPECT_EQ(fs::exists(folder / "state/checkpoint"), true);
  machine.resume = true;
  const Result resumed = family("fdtd").run(tree, machine);
  EXPECT_EQ(steps(resumed), steps(whole));
  for (const auto& array : whole.arrays) {
    if (array.name.starts_with("run/")) continue;
    const Array* other = resumed.find(array.name);
    ASSERT_TRUE(other) << array.name;
    EXPECT_TRUE(array.data == other->data) << array.name;
  }
}

/// Users of the library have no command line.
TEST(Families, ErrorsAndWarningsNameKeysAndNoFlags) {
  const auto expect = [](const std::string& text, const std::string& named) {
    EXPECT_NE(text.find("`" + named + "`"), std::string::npos) << text;
    EXPECT_EQ(text.find("--"), std::string::npos) << text;
  };
  const auto refused = [](const std::string& name, const Tree& tree, const Machine& machine = one_core) {
    return refusal([&] { family(name).run(tree, machine); });
  };
  expect(refused("dda", sphere().set("shape.name", "read")), "shape.file");
  expect(refused("dda", sphere().set("method.polarizability", "nloc")), "method.pol_nloc_rp");
  expect(refused("dda", sphere().set("solver.sectors", "on").set("solver.block", 4)), "solver.block");
  expect(refused("dda", sphere(), {.backend = "cpu", .ranks = 2, .gpus = 2}), "machine.ranks");
  expect(refused("fdtd", of_file("plane_tm.toml").set("domain.resolution", 2)), "run.force");

  std::string said;
  Observer observer;
  observer.warning = [&](const std::string& text) { said += text; };
  const Tree gold = Tree()
                        .set("shape.grid", 8)
                        .set("shape.size", .1)
                        .set("wavelength", .6)
                        .push_back("material", Tree().set("m", {.2, 3.3}));
  family("dda").run(gold, one_core, observer);
  expect(said, "accuracy = '1%'");
}

TEST(Families, AStopSaysHowToGoOnWithoutFlags) {
  const test::TempFolder folder;
  Machine machine = one_core;
  machine.checkpoint = folder / "state";
  Observer observer;
  observer.progress = [](double fraction, const std::string&) { return fraction < 0.5; };
  try {
    family("fdtd").run(of_file("plane_tm.toml"), machine, observer);
    ADD_FAILURE() << "it was not stopped";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("continue with `resume = '"), std::string::npos) << e.what();
    EXPECT_EQ(std::string(e.what()).find("--"), std::string::npos) << e.what();
  }
}

TEST(Families, TwoRanksOfThisProcessShareACase) {
  const Result one = family("dda").run(sphere(), one_core);
  Machine two = one_core;
  two.ranks = 2;
  const Result both = family("dda").run(sphere(), two);
  // sums in another order, iterated to 1e-5
  EXPECT_NEAR(values(both, "cross_sections/Y/Cext")[0] / values(one, "cross_sections/Y/Cext")[0], 1, 1e-4);
}

TEST(Families, FieldsOverTimeComeBackWhereTheCaseAsksForThem) {
  const Tree quiet = of_file("layers.toml");
  EXPECT_FALSE(family("eqs").run(quiet, one_core).find("fields/potential"));
  Tree asked = quiet;
  asked.set("output.vtk", true);
  const Result r = family("eqs").run(asked, one_core);
  const std::size_t times = values(r, "fields/time").size(), nodes = values(r, "mesh/nodes").size() / 3;
  EXPECT_EQ(times, values(r, "saved_times").size());
  EXPECT_EQ(values(r, "fields/potential").size(), times * nodes);
  EXPECT_EQ(values<float>(r, "fields/E").size(), times * values(r, "mesh/elements").size() / 4 * 3);
  for (const double node : values(r, "mesh/elements")) EXPECT_LT(node, double(nodes));
}

TEST(Families, FieldsOfACellComeBackWhereTheCaseAsksForThem) {
  Tree tree = of_file("harmonic.toml");
  tree.set("harmonic.fields_at", {.65}).set("output.fields", true);
  const Result r = family("harmonic").run(tree, one_core);
  const Array* e = r.find("fields/0.65um-p/E");
  ASSERT_TRUE(e);
  const auto intensity = values(r, "fields/0.65um-p/intensity");
  EXPECT_EQ(e->size(), 3 * intensity.size());
  EXPECT_GT(*std::max_element(intensity.begin(), intensity.end()), 0.1);
}

TEST(Families, VolumesOfFourierMonitorsComeBack) {
  const Result r = family("fdtd").run(of_file("plane_tm.toml"), one_core);
  const Array* ez = r.find("fourier/plane/Ez");
  ASSERT_TRUE(ez);
  ASSERT_EQ(ez->shape.size(), 4u);
  EXPECT_EQ(ez->shape[0], 1u);
  EXPECT_EQ(values<cplx>(r, "fourier/plane/Ez").size(), ez->size());
}

}  // namespace
}  // namespace umov
