// A dipole run with a viewer: particle, residuals and fields as they are, orders, and the results of a run
// alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <future>
#include <memory>
#include <string>

#include "dda/command/live_run.hpp"
#include "dda/command/shown_particle.hpp"
#include "dda/output/result.hpp"
#include "dda/run/run.hpp"
#include "support/dda_case.hpp"
#include "support/program.hpp"
#include "view/folder.hpp"
#include "view/viewed_program.hpp"

namespace umov::dda {
namespace {

using test::Json;
namespace fs = std::filesystem;

/// A coated sphere of 16 dipoles across that takes some dozen iterations.
test::DipoleCase coated_sphere(SectorUse sectors, InnerPrecision inner) {
  test::DipoleCase s;
  s.shape.shape = "coated";
  s.shape.arguments = {0.5};
  s.shape.grid = {16, 0, 0};
  s.shape.eq_radius = 0.6;
  s.wavelength = s.shape.wavelength = 1;
  s.m = {{cplx(1.6, 0.01), cplx(1.6, 0.01), cplx(1.6, 0.01)}, {cplx(1.3), cplx(1.3), cplx(1.3)}};
  s.symmetry = SymmetryUse::none;
  s.propagation = {0.3, 0.2, 1};
  s.solver.sectors = sectors;
  s.solver.inner = inner;
  s.solver.preconditioner = PreconditionerChoice::none;
  s.machine.backend = "cpu";
  s.machine.threads = 1;
  s.outputs.mueller = true;
  return s;
}

/// A run in a thread of its own behind a view that begins paused.
class DdaViewedRun {
 public:
  explicit DdaViewedRun(const test::DipoleCase& sim)
      : sim_(sim), view_({.on = true, .paused = true}, "test") {
    view_.hub().begin_run();
    outcome_ = std::async(std::launch::async, [this] {
      LiveRun live(view_, "test", "umov dda");
      RunObserver o;
      live.listen(o);
      Outcome out = test::run(sim_, o);
      live.show(to_result(out));
      return out;
    });
    const std::string url = view_.url();
    port_ = std::stoi(url.substr(url.rfind(':') + 1));
    token_ = url.substr(url.find("token=") + 6);
    while (view_.hub().catalogue().arrays.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ~DdaViewedRun() {
    if (!outcome_.valid()) return;
    view_.hub().order(view::Order::stop);  // a test that failed leaves the run behind
    outcome_.wait();
  }
  std::unique_ptr<test::Viewer> viewer() const { return std::make_unique<test::Viewer>(port_, token_); }
  Outcome outcome() { return outcome_.get(); }
  std::string measure() { return view_.hub().progress().measure; }

 private:
  test::DipoleCase sim_;
  command::LiveView view_;
  std::future<Outcome> outcome_;
  int port_ = 0;
  std::string token_;
};

Json subscribe_of_dda(int sub, int array, Json more = Json::object()) {
  more["do"] = "subscribe";
  more["sub"] = sub;
  more["array"] = array;
  return more;
}

/// The component (real or imaginary part) of a field in the results, on the layer z of the lattice.
std::vector<double> layer_of(const Outcome& o, const std::vector<CVec3>& field, int z, int c,
                             bool imaginary) {
  std::vector<double> out;
  std::size_t site = 0, dipole = 0;
  for (int k = 0; k < o.particle.box[2]; ++k)
    for (int j = 0; j < o.particle.box[1]; ++j)
      for (int i = 0; i < o.particle.box[0]; ++i, ++site) {
        const bool there = o.particle.material[site] != 0;
        if (k == z)
          out.push_back(!there      ? std::nan("")
                        : imaginary ? field[dipole][c].imag()
                                    : field[dipole][c].real());
        dipole += there;
      }
  return out;
}

/// Largest difference over largest value; voids must be voids.
double difference(const std::vector<double>& seen, const std::vector<double>& known) {
  EXPECT_EQ(seen.size(), known.size());
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < std::min(seen.size(), known.size()); ++i) {
    EXPECT_EQ(std::isnan(seen[i]), std::isnan(known[i]));
    if (std::isnan(known[i])) continue;
    most = std::max(most, std::abs(seen[i] - known[i]));
    largest = std::max(largest, std::abs(known[i]));
  }
  return most / largest;
}

struct Way {
  const char* name;
  SectorUse sectors;
  const char* backend;
};
void PrintTo(const Way& way, std::ostream* to) { *to << way.name; }
class ViewedDipoles : public testing::TestWithParam<Way> {};

TEST_P(ViewedDipoles, FieldAndResidualAreThoseOfTheIterationAndTheResultsTheSameBitForBit) {
  test::DipoleCase sim = coated_sphere(GetParam().sectors, InnerPrecision::double_);
  sim.machine.backend = GetParam().backend;
  try {
    make_engine({.backend = sim.machine.backend});
  } catch (const Error& e) {
    if (sim.machine.backend != "cuda") throw;
    GTEST_SKIP() << e.what();
  }
  const Outcome alone = test::run(sim);
  const auto& history = alone.polarizations.at(0).solve.history;
  const long iterations = alone.polarizations.at(0).solve.iterations;
  ASSERT_GT(iterations, 12);
  DdaViewedRun viewed(sim);
  const auto v = viewed.viewer();
  const Json all = {{"encoding", "f32"}, {"index", 8}};
  v->send(subscribe_of_dda(1, v->array("results/E_Y_re_x"), all));
  EXPECT_TRUE(std::isnan(v->frame(1).values.at(8 * 16 + 8)))
      << "there is no field before the first iteration";
  v->ask({{"do", "step"}, {"n", iterations - 1}});
  test::Frame seen = v->frame(1);
  while (seen.step < double(iterations - 1)) seen = v->frame(1);
  EXPECT_EQ(seen.step, double(iterations - 1));
  v->send(subscribe_of_dda(3, v->array("solver/Y/residual"), {{"encoding", "f64"}, {"pixels", {100000, 1}}}));
  test::Frame curve = v->frame(3);
  while (curve.shape.at(0) < std::uint32_t(iterations - 1)) curve = v->frame(3);
  for (std::size_t i = 0; i + 1 < std::size_t(iterations); ++i) {
    EXPECT_EQ(curve.values[i], double(i + 1));
    EXPECT_NEAR(curve.values[std::size_t(iterations - 1) + i], history[i + 1], 1e-12 * history[i + 1])
        << "iteration " << i + 1;
  }
  v->send(subscribe_of_dda(2, v->array("results/E_Y_im_y"), all));
  const auto seen_im = v->frame(2);
  v->ask({{"do", "resume"}});
  const Outcome o = viewed.outcome();
  ASSERT_EQ(o.polarizations.size(), 2u);
  const auto& last = o.polarizations[1].solve.history;
  EXPECT_EQ(viewed.measure(), fmt::format("residual {:.2e} -> {:.0e}", last.back(), sim.solver.epsilon))
      << "what is told last is the end of the last solve";
  for (int p = 0; p < 2; ++p) {
    EXPECT_EQ(o.polarizations[p].cross.cext, alone.polarizations[p].cross.cext);
    EXPECT_EQ(o.polarizations[p].internal_field, alone.polarizations[p].internal_field);
  }
  // One iteration before the end the error is that of the residual times |A^-1|, at most some ten of it for
  // a sphere that is no resonator: in another unit, of another sign of S or in another order of the dipoles
  // the fields would differ by their own size.
  const double error = 30 * history[std::size_t(iterations - 1)];
  ASSERT_LT(error, 0.01);
  const auto& field = o.polarizations[0].internal_field;
  EXPECT_LT(difference(seen.values, layer_of(o, field, 8, 0, false)), error);
  EXPECT_LT(difference(seen_im.values, layer_of(o, field, 8, 1, true)), error);
  // At the end it is the field of the results, as floats.
  v->send(subscribe_of_dda(4, v->array("results/E_X_re_y"), all));
  EXPECT_LT(difference(v->frame(4).values, layer_of(o, o.polarizations[1].internal_field, 8, 1, false)),
            1e-6);
}

INSTANTIATE_TEST_SUITE_P(Ways, ViewedDipoles,
                         testing::Values(Way{"Whole", SectorUse::off, "cpu"},
                                         Way{"Sectors", SectorUse::on, "cpu"},
                                         Way{"Gpu", SectorUse::off, "cuda"}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ViewedDipoles, IterationsInFloatAndBlocksGiveTheSameResultsUnderAViewer) {
  // Their field is that of the last refresh, or of the end of a block: it is only there to be seen.
  for (const bool block : {false, true}) {
    test::DipoleCase sim =
        coated_sphere(SectorUse::off, block ? InnerPrecision::double_ : InnerPrecision::single);
    if (block) sim.solver.block = 2, sim.polarizability = Polarizability::cm;
    const Outcome alone = test::run(sim);
    DdaViewedRun viewed(sim);
    const auto v = viewed.viewer();
    v->send(subscribe_of_dda(1, v->array("results/E_Y_squared"), {{"encoding", "f32"}, {"index", 8}}));
    v->ask({{"do", "step"}, {"n", 4}});
    while (v->text("state").at("step") != 4) {
    }
    v->ask({{"do", "resume"}});
    const Outcome o = viewed.outcome();
    for (int p = 0; p < 2; ++p)
      EXPECT_EQ(o.polarizations[p].internal_field, alone.polarizations[p].internal_field);
    const auto layer = layer_of(o, o.polarizations[0].internal_field, 8, 2, false);
    v->send(subscribe_of_dda(2, v->array("results/E_Y_re_z"), {{"encoding", "f32"}, {"index", 8}}));
    EXPECT_LT(difference(v->frame(2).values, layer), 1e-6);
  }
}

TEST(ViewedDipoles, ParticleBeamAndResultsAreThere) {
  test::DipoleCase sim = coated_sphere(SectorUse::off, InnerPrecision::double_);
  sim.orientation.beta = 30;
  DdaViewedRun viewed(sim);
  const auto v = viewed.viewer();
  Json particle;
  for (const auto& a : v->catalogue().at("arrays"))
    if (a.at("kind") == "points") particle = a;
  EXPECT_EQ(particle.at("regions").size(), 2u);
  EXPECT_EQ(particle.at("regions")[0].at("name"), "m = 1.6+0.01i");
  EXPECT_EQ(particle.at("columns").size(), 6u) << "place, material, two intensities";
  std::vector<std::string> roles;
  Json beam;
  for (const auto& m : v->catalogue().at("marks")) {
    roles.push_back(m.at("role"));
    if (m.at("role") == "source") beam = m;
  }
  EXPECT_EQ(roles,
            (std::vector<std::string>{"source", "polarization", "polarization", "axis", "axis", "axis"}));
  v->send(subscribe_of_dda(1, particle.at("id"), {{"encoding", "f64"}, {"pixels", {100000, 1}}}));
  const auto points = v->frame(1);
  v->ask({{"do", "resume"}});
  const Outcome o = viewed.outcome();
  // beam.arrow is the direction of incidence in the particle's frame, as the results have it.
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(beam.at("arrow")[a], o.propagation_particle[a], 1e-12);
  ASSERT_EQ(points.shape.at(0), o.particle.dipoles());
  const auto column = [&](int c, std::size_t i) { return points.values[c * o.particle.dipoles() + i]; };
  std::size_t i = 0, site = 0;
  for (int z = 0; z < o.particle.box[2]; ++z)
    for (int y = 0; y < o.particle.box[1]; ++y)
      for (int x = 0; x < o.particle.box[0]; ++x, ++site) {
        if (o.particle.material[site] == 0) continue;
        const Vec3 at = o.particle.position(x, y, z);
        for (int a = 0; a < 3; ++a) ASSERT_NEAR(column(a, i), at[a], 1e-12);
        ASSERT_EQ(column(3, i), o.particle.material[site]);
        ++i;
      }
  // Afterwards the boxes know |E|^2.
  auto coloured = v->frame(1);
  while (std::isnan(coloured.values.back())) coloured = v->frame(1);
  for (i = 0; i < o.particle.dipoles(); ++i)
    for (int p = 0; p < 2; ++p) {
      double squared = 0;
      for (const cplx& e : o.polarizations[p].internal_field[i]) squared += std::norm(e);
      ASSERT_NEAR(coloured.values[(4 + p) * o.particle.dipoles() + i], squared, 1e-5 * squared);
    }
  const auto named = [&](const std::string& name) -> Json {
    for (const auto& a : v->catalogue().at("arrays"))
      if (a.at("name") == name) return a;
    return nullptr;
  };
  while (named("numbers/cross_sections/X/Cext").is_null()) v->text("catalogue");
  const Json pattern = named("results/scattering_plane");
  EXPECT_EQ(pattern.at("role"), "pattern");
  EXPECT_EQ(pattern.at("columns")[0].at("unit"), "degree");
  v->send(subscribe_of_dda(7, pattern.at("id"), {{"encoding", "f64"}, {"pixels", {100000, 1}}}));
  const auto rows = v->frame(7);
  ASSERT_EQ(rows.shape.at(0), o.plane.size());
  for (std::size_t c = 0; c < pattern.at("columns").size(); ++c)
    if (pattern.at("columns")[c].at("name") == "S11") {
      for (std::size_t r = 0; r < o.plane.size(); ++r)
        EXPECT_EQ(rows.values[c * o.plane.size() + r], o.plane[r].mueller[0]);
    }
}

TEST(ShownParticle, ThinsWhatIsTooLargeAndKeepsTheNumbersOfDipoles) {
  shapes::Particle p;
  p.box = {400, 400, 60};  // more sites than 512 MiB of fields have
  p.spacing = {0.1, 0.1, 0.2};
  p.material.assign(p.sites(), 1);
  p.material[0] = 0;
  p.material[3] = 2;
  const ShownParticle shown(p);
  ASSERT_GT(shown.cells[0], 1);
  ASSERT_LT(shown.cells[0], 400);
  const int n = (400 + shown.cells[0] - 1) / shown.cells[0];
  EXPECT_EQ(shown.slot[0], -1) << "a void";
  EXPECT_DOUBLE_EQ(shown.spacing[2], 0.2 * n);
  EXPECT_EQ(shown.slot[1], 0);
  EXPECT_EQ(shown.dipole[0], std::size_t(n - 1)) << "one void before it";
  const std::size_t next_row = std::size_t(shown.slot[std::size_t(shown.cells[0])]);
  EXPECT_EQ(shown.dipole[next_row], std::size_t(400 * n - 1));
}

TEST(ViewedDipoleProgram, StopSavesTheStateAndTheRunIsContinued) {
  test::TemporaryFolder folder;
  test::Program program(
      folder,
      "dda --shape sphere --shape-grid 16 --m 1.7 --sectors off --view-paused --cpu --output-dir out");
  const auto at = test::address_of(program);
  {
    test::Viewer v(at.port, at.token);
    v.ask({{"do", "step"}, {"n", 5}});
    while (v.text("state").at("step") != 5) {
    }
    v.ask({{"do", "stop"}});
    Json state = v.text("state");
    while (state.at("state") != "finished") state = v.text("state");
    EXPECT_NE(state.at("text").get<std::string>().find("--resume"), std::string::npos) << state;
  }
  const auto ended = program.wait();
  EXPECT_NE(ended.code, 0);
  EXPECT_TRUE(fs::exists(folder / "out/checkpoint-Y"));
  const auto resumed = test::run(folder, "dda --resume out");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_TRUE(fs::exists(folder / "out/results.vtkhdf"));
}

TEST(ViewedDipoleProgram, OfAListItSaysWhichCaseAndTheTableGrows) {
  test::TemporaryFolder folder;
  test::Program program(folder,
                        "dda --shape sphere --shape-grid 8 --m 1.5 --lambda 1,2,3 --size 1 --view-paused "
                        "--cpu --output-dir out");
  const auto at = test::address_of(program);
  test::Viewer v(at.port, at.token);
  v.ask({{"do", "step"}});
  Json state = v.text("state");
  while (state.at("step") != 1) state = v.text("state");
  EXPECT_NE(state.at("stage").get<std::string>().find("case 1 of 3: solve"), std::string::npos) << state;
  EXPECT_EQ(state.at("counts"), "iteration");
  EXPECT_LT(state.at("fraction").get<double>(), 1.0 / 3);
  v.ask({{"do", "resume"}});
  while (v.text("state").at("state") != "finished") {
  }
  const int table = v.array("results/cases");
  v.send(subscribe_of_dda(1, table, {{"encoding", "f64"}}));
  EXPECT_EQ(v.frame(1).shape.at(0), 3u);
  program.send(SIGINT);
  EXPECT_EQ(program.wait().code, 0);
}

TEST(ViewedDipoleProgram, FolderShowsWhatTheRunHasShown) {
  test::TemporaryFolder folder;
  const auto run = test::run(folder,
                             "dda --shape coated --shape-arguments 0.5 --shape-grid 12 --m 1.6 --m 1.3 "
                             "--incident-field --cpu --output-dir out");
  ASSERT_EQ(run.code, 0) << run.err;
  std::vector<std::string> complaints;
  const auto shelf = view::shelf_of(view::find_cases((folder / "out").string()), complaints);
  EXPECT_TRUE(complaints.empty());
  const auto named = [&](const std::string& name) {
    for (const auto& a : shelf.catalogue.arrays)
      if (a.name == name) return a;
    ADD_FAILURE() << "no " << name;
    return view::ArrayInfo();
  };
  EXPECT_EQ(named("results/material in 3D").kind, view::Kind::points);
  EXPECT_EQ(named("results/E_Y_squared").role, "intensity");
  EXPECT_EQ(named("results/E_Y_squared").length_unit, "um");
  EXPECT_EQ(named("results/E_scattered_Y_squared").role, "intensity");
  EXPECT_EQ(named("results/scattering_plane").role, "pattern");
  const auto residual = named("solver/Y/residual");
  EXPECT_EQ(residual.role, "residual");
  EXPECT_TRUE(residual.logarithmic);
  const auto rows = shelf.makers.at(residual.id)({});
  EXPECT_EQ(std::get<std::vector<double>>(rows.parts.at(0).values).at(0), 0) << "the start is iteration 0";
  std::vector<std::string> marks;
  for (const auto& m : shelf.catalogue.marks) marks.push_back(m.role + " " + m.name);
  EXPECT_EQ(std::count(marks.begin(), marks.end(), "source beam"), 1);
  for (const auto& m : shelf.catalogue.marks)
    if (m.name == "beam") {
      EXPECT_EQ(m.arrow, (Vec3{0, 0, 1}));
    }
}

TEST(ViewedDipoleProgram, APortWithoutAViewIsRefused) {
  test::TemporaryFolder folder;
  const auto ended = test::run(folder, "dda --shape-grid 8 --view-port 9000 --dry-run");
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("the run is not viewed, see --view"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace umov::dda
