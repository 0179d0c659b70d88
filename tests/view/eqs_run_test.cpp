// An electroquasistatic run with a viewer: fields agree with the results, orders are followed, bits stay.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <future>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "eqs/command/live_run.hpp"
#include "eqs/run/run.hpp"
#include "support/machines.hpp"
#include "support/places.hpp"
#include "support/program.hpp"
#include "view/folder.hpp"
#include "view/viewed_program.hpp"

namespace umov::eqs {
namespace {

using test::Json;
namespace fs = std::filesystem;

/// Two layers between plates, d = 1 and 2 mm, with a sine of 50 Hz: in each the field is homogeneous.
Simulation layers() {
  Simulation s;
  mesh::Geometry g;
  g.kind = "layers";
  g.width = 1e-3;
  g.elements_across = 1;
  g.layers = {{"thin", 1e-3, 2}, {"thick", 2e-3, 2}};
  s.mesh.geometry = g;
  for (const auto& [name, eps, kappa] : {std::tuple{"thin", 4.0, 1e-9}, {"thick", 2.0, 1e-11}}) {
    MaterialSpec m;
    m.name = name;
    m.regions = {name};
    m.permittivity.value = eps;
    m.conductivity.value = kappa;
    s.materials.push_back(m);
  }
  ElectrodeSpec high, low;
  high.name = "high";
  high.groups = {"bottom"};
  high.kind = ElectrodeSpec::Kind::driven;
  high.waveform.kind = WaveformSpec::Kind::sine;
  high.waveform.amplitude = 1000;
  high.waveform.frequency = 50;
  low.name = "low";
  low.groups = {"top"};
  low.kind = ElectrodeSpec::Kind::ground;
  s.electrodes = {high, low};
  s.time.end = 0.04;
  s.time.tolerance = 1e-5;
  LineSpec line;
  line.name = "across";
  line.points = {{0.4e-3, 0.3e-3, 0}, {0.4e-3, 0.3e-3, 3e-3}};
  line.samples = 13;
  s.outputs.lines = {line};
  s.outputs.pictures = false;
  return s;
}

class ViewedRun {
 public:
  explicit ViewedRun(const Simulation& sim, const run::Machine& machine = umov::test::serial)
      : sim_(sim), machine_(machine), view_({.on = true, .paused = true}, "test") {
    view_.hub().begin_run();
    outcome_ = std::async(std::launch::async, [this] {
      LiveRun live(view_);
      RunObserver o;
      live.listen(o);
      o.watcher = &live;
      o.time = [&](const TimeReport& r) {
        live.report(r);
        return true;
      };
      Outcome out = run(sim_, machine_, o, &live);
      live.end(out);
      return out;
    });
    const std::string url = view_.url();
    port_ = std::stoi(url.substr(url.rfind(':') + 1));
    token_ = url.substr(url.find("token=") + 6);
    while (view_.hub().catalogue().arrays.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ~ViewedRun() {
    if (!outcome_.valid()) return;
    view_.hub().order(view::Order::stop);  // a test that failed leaves the run behind
    outcome_.wait();
  }
  std::unique_ptr<test::Viewer> viewer() const { return std::make_unique<test::Viewer>(port_, token_); }
  Outcome outcome() { return outcome_.get(); }

 private:
  Simulation sim_;
  run::Machine machine_;
  command::LiveView view_;
  std::future<Outcome> outcome_;
  int port_ = 0;
  std::string token_;
};

Json subscribe(int sub, int array, Json more = Json::object()) {
  more["do"] = "subscribe";
  more["sub"] = sub;
  more["array"] = array;
  return more;
}

void expect_same(const Outcome& a, const Outcome& b) {
  ASSERT_EQ(a.history.size(), b.history.size());
  for (std::size_t i = 0; i < a.history.size(); ++i) {
    EXPECT_EQ(a.history[i].time, b.history[i].time);
    EXPECT_EQ(a.history[i].seen.charge, b.history[i].seen.charge);
    EXPECT_EQ(a.history[i].seen.energy, b.history[i].seen.energy);
  }
  EXPECT_EQ(a.lines.at(0).potential, b.lines.at(0).potential);
  EXPECT_EQ(a.lines.at(0).magnitude, b.lines.at(0).magnitude);
}

class ViewedEqsBackends : public testing::TestWithParam<const char*> {};

TEST_P(ViewedEqsBackends, AViewerSeesTheFieldsAndTheResultsAreTheSameBitForBit) {
  const Simulation sim = layers();
  const run::Machine machine = umov::test::on(GetParam(), 1);
  const Outcome alone = run(sim, machine);
  ViewedRun viewed(sim, machine);
  const auto v = viewed.viewer();
  const int potential = v->array("fields/potential"), field = v->array("fields/E");
  v->send(subscribe(1, potential, {{"axis", 1}, {"encoding", "f32"}, {"pixels", {4, 30}}}));
  v->send(subscribe(2, field, {{"axis", 1}, {"encoding", "f32"}, {"pixels", {4, 30}}}));
  // It waits at the start; each step is shown at once.
  v->ask({{"do", "step"}, {"n", 3}});
  auto u = v->frame(1), e = v->frame(2);
  while (u.step < 3) u = v->frame(1);
  while (e.step < 3) e = v->frame(2);
  const Record& third = alone.history.at(3);
  EXPECT_EQ(u.time, third.time);
  ASSERT_EQ(u.shape, (std::vector<std::uint32_t>{4, 30, 1}));
  // In each layer the potential is linear and the field what the results call its largest; floats.
  const double high = third.seen.potential.at(0);
  for (int k = 0; k < 30; ++k) {
    const double z = 3e-3 * (k + 0.5) / 30;
    const double e1 = third.seen.peaks[0].field, e2 = third.seen.peaks[1].field;
    const double drop = std::min(z, 1e-3) * e1 + std::max(0.0, z - 1e-3) * e2;
    EXPECT_NEAR(u.values[std::size_t(4 * k)], high - std::copysign(drop, high), 1e-5 * std::abs(high));
    EXPECT_NEAR(e.values[std::size_t(4 * k + 2)], z < 1e-3 ? e1 : e2, 1e-5 * e1);
  }
  v->ask({{"do", "resume"}});
  expect_same(viewed.outcome(), alone);
}

INSTANTIATE_TEST_SUITE_P(Backends, ViewedEqsBackends, testing::Values("serial", "cpu"),
                         [](const auto& info) { return std::string(info.param); });

/// Adds up what is told within steps.
struct Counting : RunWatcher {
  void begin(const Prepared&) override {}
  Answer look(const Prepared&, const Engine&, const Outcome&) override {
    newton += std::exchange(step_newton, 0);
    linear += std::exchange(step_linear, 0);
    return Answer::go_on;
  }
  void solving(const Effort& e) override {
    EXPECT_GE(e.linear, step_linear) << "within a step counts grow";
    step_newton = e.newton;
    step_linear = e.linear;
    ++told;
  }
  long newton = 0, linear = 0, told = 0;
  int step_newton = 0, step_linear = 0;
};

TEST(ViewedEqs, CountsWithinStepsAddUpToThoseOfTheRun) {
  for (const Analysis analysis : {Analysis::transient, Analysis::harmonic}) {
    Simulation sim = layers();
    sim.analysis = analysis;
    if (analysis == Analysis::harmonic)
      sim.time.end.reset();
    else
      sim.time.step = 1e-3;
    Counting counting;
    RunObserver o;
    o.watcher = &counting;
    const Outcome out = run(sim, umov::test::serial, o);
    ASSERT_EQ(out.rejected, 0) << "a step that is repeated begins to count anew";
    EXPECT_EQ(counting.linear + counting.step_linear, out.linear);
    EXPECT_GT(out.linear, 0);
    EXPECT_GE(counting.told, out.steps);
  }
}

TEST(ViewedEqs, EveryInstantSoFarCanBeAskedFor) {
  ViewedRun viewed(layers());
  const auto v = viewed.viewer();
  v->ask({{"do", "resume"}});
  const Outcome o = viewed.outcome();
  v->send(subscribe(1, v->array("fields/instants"), {{"encoding", "f64"}, {"pixels", {0, 1}}}));
  auto list = v->frame(1);
  while (list.time != o.saved_times.back()) list = v->frame(1);
  const std::size_t n = o.saved_times.size();
  ASSERT_EQ(list.shape[0], n);
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(list.values[n + i], o.saved_times[i]);
  // The field along the path at one of them, and the same through the cut.
  const std::size_t instant = 7;
  const double time = o.saved_times[instant];
  v->send(subscribe(2, v->array("paths/across"), {{"time", time}, {"encoding", "f64"}}));
  const auto path = v->frame(2);
  ASSERT_EQ(path.shape, (std::vector<std::uint32_t>{13, 5, 1}));
  const auto& line = o.lines.at(0);
  for (std::size_t i = 0; i < 13; ++i) {
    EXPECT_EQ(path.values[i], line.length[i]);
    EXPECT_EQ(path.values[13 + i], double(line.magnitude[13 * instant + i]));
    EXPECT_EQ(path.values[4 * 13 + i], double(line.potential[13 * instant + i]));
  }
  v->send(subscribe(3, v->array("fields/potential"),
                    {{"time", time}, {"axis", 0}, {"pixels", {1, 1}}, {"encoding", "f32"}}));
  const auto middle = v->frame(3);
  EXPECT_EQ(middle.time, time);
  // The middle of the path is the middle of the model: z = 1.5 mm.
  EXPECT_NEAR(middle.values.at(0), double(line.potential[13 * instant + 6]), 1e-5 * 1000);
  v->send(subscribe(4, v->array("materials/largest"), {{"time", time}, {"encoding", "f64"}}));
  const auto peaks = v->frame(4);
  ASSERT_EQ(peaks.shape, (std::vector<std::uint32_t>{2, 9, 1}));
  double largest = 0, now = 0;
  for (const Record& r : o.history) {
    if (r.time > time * (1 + 1e-9)) break;
    now = r.seen.peaks[1].field;
    largest = std::max(largest, now);
  }
  EXPECT_EQ(peaks.values[3 * 2 + 1], now);
  EXPECT_EQ(peaks.values[4 * 2 + 1], largest);
  v->send(subscribe(5, v->array("history/iterations"), {{"encoding", "f64"}, {"pixels", {0, 1}}}));
  auto counts = v->frame(5);
  ASSERT_EQ(counts.shape[0], o.history.size());
  double linear = 0;
  for (std::size_t i = 0; i < o.history.size(); ++i) linear += counts.values[2 * o.history.size() + i];
  EXPECT_EQ(linear, double(o.linear));
}

TEST(ViewedEqs, AHeldRunTellsTheIterationsOfTheStepItIsHeldAt) {
  ViewedRun viewed(layers());
  const auto v = viewed.viewer();
  v->ask({{"do", "step"}, {"n", 20}});
  Json state;
  do state = v->text("state");
  while (state.at("state") != "paused" || state.at("step") != 20);
  v->send(subscribe(1, v->array("history/iterations"), {{"encoding", "f64"}, {"pixels", {0, 1}}}));
  test::Frame counts;
  do counts = v->frame(1);
  while (counts.shape[0] < 21);  // with the start
  const auto sum = [&](std::size_t column) {
    const auto begin = counts.values.begin() + std::ptrdiff_t(column * counts.shape[0]);
    return long(std::accumulate(begin, begin + counts.shape[0], 0.0));
  };
  const std::string wanted = fmt::format("Newton {}, CG {}", sum(1), sum(2));
  // Throws where no other state comes.
  while (!state.at("measure").get<std::string>().starts_with(wanted)) state = v->text("state");
  EXPECT_EQ(state.at("state"), "paused");
  v->ask({{"do", "resume"}});
  viewed.outcome();
}

TEST(ViewedEqs, TheModelIsThereBeforeTheSolutionWithRegionsAndElectrodes) {
  ViewedRun viewed(layers());
  const auto v = viewed.viewer();
  Json model;
  for (const auto& a : v->catalogue().at("arrays"))
    if (a.at("name") == "fields/surfaces") model = a;
  std::vector<std::string> names;
  for (const auto& r : model.at("regions")) names.push_back(r.at("name"));
  EXPECT_EQ(names, (std::vector<std::string>{"thin", "thick", "high", "low"}));
  v->send(subscribe(1, model.at("id"), {{"parts", "shape"}}));
  const auto places = v->frame(1), corners = v->frame(1), regions = v->frame(1);
  EXPECT_EQ(regions.shape[0], corners.shape[1]);
  EXPECT_EQ(places.high, float(3e-3));
  for (const double region : {0.0, 1.0, 2.0, 3.0})
    EXPECT_GT(std::count(regions.values.begin(), regions.values.end(), region), 1);
  v->ask({{"do", "stop"}});
  const Outcome o = viewed.outcome();
  EXPECT_FALSE(o.converged);
  EXPECT_EQ(o.why_not, "stopped in the view at t = 0 s");
}

TEST(ViewedEqs, PhasesOfAHarmonicRunAreItsInstants) {
  Simulation sim = layers();
  sim.analysis = Analysis::harmonic;
  sim.time.end.reset();
  ViewedRun viewed(sim);
  const auto v = viewed.viewer();
  v->ask({{"do", "resume"}});
  const Outcome o = viewed.outcome();
  v->send(subscribe(1, v->array("fields/instants"), {{"encoding", "f64"}, {"pixels", {0, 1}}}));
  auto list = v->frame(1);
  while (list.shape[0] < 24) list = v->frame(1);
  EXPECT_EQ(list.shape[0], 24u);
  // At a quarter of the period the sine is at its peak: the plate has the amplitude.
  v->send(subscribe(2, v->array("fields/surfaces"), {{"parts", "values"}, {"time", 0.005 * (1 + 1e-9)}}));
  const auto field = v->frame(2), potential = v->frame(2);
  EXPECT_NEAR(potential.high, 1000, 1e-3);
  EXPECT_GT(field.high, 0);
}

/// Waits until there is an array of this role and returns its id.
int array_of_role(test::Viewer& v, const std::string& role) {
  for (;; v.text("catalogue"))
    for (const auto& a : v.catalogue().at("arrays"))
      if (a.at("role") == role) return a.at("id");
}

constexpr const char* four_variants = R"(
[run]
analysis = "electrostatic"
[geometry]
kind = "layers"
width = 1e-3
[[layer]]
region = "a"
thickness = 1e-3
elements = 2
[[material]]
name = "a"
permittivity = [2, 3, 4, 5]
[[electrode]]
name = "high"
groups = ["bottom"]
waveform = "constant"
amplitude = 100
[[electrode]]
name = "low"
groups = ["top"]
kind = "ground"
)";

TEST(ViewedEqsProgram, ABatchShowsItsTableAsItGrows) {
  test::TemporaryFolder folder;
  folder.write("case.toml", four_variants);
  test::Program program(folder, "eqs case.toml --view-paused --backend serial --output-dir out");
  {
    const auto v = test::viewer_of(program);
    v->send(subscribe(1, array_of_role(*v, "parameter"), {{"encoding", "f64"}}));
    EXPECT_EQ(v->frame(1).values, (std::vector<double>{1, 2, 3, 4, 2, 3, 4, 5}))
        << "variants, permittivities";
    v->ask({{"do", "resume"}});
    v->send(subscribe(2, array_of_role(*v, "batch"), {{"encoding", "f64"}}));
    auto rows = v->frame(2);
    while (rows.shape[0] < 4) rows = v->frame(2);
    EXPECT_EQ(rows.values[3], 4);
    EXPECT_EQ(rows.values[7], 5) << "its permittivity";
  }
  const auto ended = program.wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(fs::exists(folder / "out/variants.csv"));
}

TEST(ViewedEqsProgram, ABatchThatIsStoppedHasTheRowsThatAreFinished) {
  test::TemporaryFolder folder;
  folder.write("case.toml", four_variants);
  test::Program program(folder, "eqs case.toml --view-paused --workers 1 --backend serial --output-dir out");
  {
    const auto v = test::viewer_of(program);
    array_of_role(*v, "parameter");
    v->ask({{"do", "step"}});
    v->send(subscribe(1, array_of_role(*v, "batch"), {{"encoding", "f64"}}));
    // the table as it is now may be the one before the step's variant is there
    auto rows = v->frame(1).shape[0];
    while (rows == 0) rows = v->frame(1).shape[0];
    EXPECT_EQ(rows, 1u);
    v->ask({{"do", "stop"}});
    for (std::string state; state != "finished" && state != "failed";) state = v->text("state").at("state");
  }
  const auto ended = program.wait();
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_TRUE(fs::exists(folder / "out/variants.csv")) << ended.err;
  EXPECT_TRUE(fs::exists(folder / "out/checkpoint-variants")) << "the others can be computed later";
}

TEST(ViewedEqsProgram, StopsWithResultsThatViewOpens) {
  test::TemporaryFolder folder;
  fs::copy_file(test::repository() / "examples/eqs_two_layers/case.toml", folder / "case.toml");
  test::Program program(folder, "eqs case.toml --step 1e-6 --view-paused --backend serial --output-dir out");
  {
    const auto v = test::viewer_of(program);
    array_of_role(*v, "magnitude");
    v->send(subscribe(1, v->array("fields/E"), {{"axis", 1}}));
    v->ask({{"do", "resume"}});
    while (v->frame(1).step < 3) {
    }
    v->ask({{"do", "stop"}});
    while (v->text("state").at("state") != "finished") {
    }
  }
  const auto ended = program.wait();
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_NE(ended.err.find("stopped in the view"), std::string::npos) << ended.err;
  // What the run left can be opened: the model with its electrodes, fields at its saved times.
  std::vector<std::string> complaints;
  const view::Shelf shelf = view::shelf_of(view::find_cases((folder / "out").string()), complaints);
  EXPECT_TRUE(complaints.empty());
  int found = 0;
  for (const auto& a : shelf.catalogue.arrays)
    if (a.name == "fields/surfaces") {
      ++found;
      ASSERT_EQ(a.regions.size(), 4u);
      EXPECT_EQ(a.regions[2].name, "high");
      const auto data = shelf.makers.at(a.id)({});
      EXPECT_EQ(data.parts.size(), 3 + a.columns.size());
    }
  EXPECT_EQ(found, 1);
  // A file that is cut is left out and named.
  fs::resize_file(folder / "out/fields.vtkhdf", fs::file_size(folder / "out/fields.vtkhdf") / 2);
  const view::Shelf cut = view::shelf_of(view::find_cases((folder / "out").string()), complaints);
  ASSERT_EQ(complaints.size(), 1u);
  EXPECT_NE(complaints[0].find("fields.vtkhdf"), std::string::npos);
  EXPECT_LT(cut.catalogue.arrays.size(), shelf.catalogue.arrays.size());
}

TEST(ViewedEqsProgram, ComparisonsAreNotViewed) {
  test::TemporaryFolder folder;
  fs::copy_file(test::repository() / "examples/eqs_two_layers/case.toml", folder / "case.toml");
  const auto ended = test::run(folder, "eqs case.toml --compare --view");
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("--compare is not viewed"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace umov::eqs
