// Batches: designs, shared models, and rows that are those of single runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "eqs/command/batch_results.hpp"
#include "eqs/command/batch_run.hpp"
#include "eqs/model/pattern.hpp"
#include "eqs/observables/peak_edges.hpp"
#include "eqs/observables/scalar_results.hpp"
#include "eqs/run/run.hpp"
#include "eqs/run/shared_models.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

Simulation film(double thickness, double voltage) {
  Simulation s =
      column({layer("film", thickness, 4), layer("air", 2e-3, 4)},
             {material("film", constant(12), microvaristor()), material("air", constant(1), constant(0))},
             sine(voltage, 50, 0, WaveformSpec::Ramp::linear), 2e-3, 3);
  s.time.periods = 0.25;
  s.outputs.vtk = s.outputs.pictures = false;
  return s;
}

sweep::Axis axis(const std::string& name, const std::vector<double>& values) {
  sweep::Axis a{name, {name}, {}};
  for (const double x : values) a.values.push_back(sweep::written(x));
  return a;
}

BatchOutcome run_here(const Batch& b, const BatchWatch& watch = {}, const sweep::Rows& batch_there = {}) {
  return run_batch(*comm::one_rank(), b, seat_of_process(b), watch, batch_there);
}

/// Held against single runs: but for their time, the same bits.
void expect_row(const std::optional<sweep::Row>& row, const Simulation& sim, const run::Machine& machine,
                const std::string& what) {
  const auto single = scalar_results(run(sim, machine));
  ASSERT_TRUE(row) << what;
  ASSERT_EQ(single.size(), row->scalars.size()) << what;
  for (std::size_t c = 0; c < single.size(); ++c) {
    EXPECT_EQ(single[c].name, row->scalars[c].name) << what;
    if (single[c].name != "seconds") {
      EXPECT_EQ(single[c].value, row->scalars[c].value) << what << ' ' << single[c].name;
    }
  }
}

Batch films_of_batch() {
  Batch b;
  b.machine = umov::test::on("cpu", 2);
  b.sweep.axes = {axis("thickness", {1e-3, 2e-3}), axis("voltage", {5e3, 10e3, 15e3})};
  for (const double t : {1e-3, 2e-3})
    for (const double v : {5e3, 10e3, 15e3}) {
      b.sweep.points.push_back({t, v});
      b.cases.push_back(film(t, v));
    }
  return b;
}

TEST(EqsBatch, RowsAreThoseOfSingleRuns) {
  const Batch b = films_of_batch();
  const BatchOutcome o = run_here(b);
  ASSERT_EQ(o.rows.size(), 6u);
  EXPECT_EQ(o.course.made, 2u);
  EXPECT_TRUE(o.converged());
  // mesh, numbering and pattern are the same, and sums have the same bits on any number of threads
  for (std::size_t k = 0; k < b.cases.size(); ++k)
    expect_row(o.rows[k], b.cases[k], b.machine, std::to_string(k));
}

/// A metal that floats in air: a body with a base, beside which electrodes' currents need the plain model.
Simulation floating_metal(int order, double kappa, double voltage) {
  Simulation s = column(
      {layer("below", 1e-3, 3), layer("metal", 2e-3, 4), layer("above", 3e-3, 3)},
      {material("below", constant(1), constant(1e-13)), material("metal", constant(1), constant(kappa)),
       material("above", constant(1), constant(1e-13))},
      sine(voltage), 2e-3, 3);
  s.mesh.order = order;
  s.time.end = 2e-3;
  s.outputs.vtk = s.outputs.pictures = false;
  return s;
}

TEST(EqsBatch, RowsWithAFloatingConductorAreThoseOfSingleRuns) {
  for (const int order : {1, 2}) {
    Batch b;
    b.machine = one_thread;
    b.sweep.axes = {axis("kappa", {1e3, 1e4, 1e-13}), axis("voltage", {1e4, 2e4})};
    for (const double kappa : {1e3, 1e4, 1e-13})
      for (const double v : {1e4, 2e4}) {
        b.sweep.points.push_back({kappa, v});
        b.cases.push_back(floating_metal(order, kappa, v));
      }
    ASSERT_FALSE(make_problem(b.cases[0]).base.empty());
    ASSERT_TRUE(make_problem(b.cases.back()).base.empty());
    const BatchOutcome o = run_here(b);
    EXPECT_EQ(o.course.made, 1u);
    // the same patterns, so the same bits
    for (std::size_t k = 0; k < b.cases.size(); ++k) {
      ASSERT_TRUE(BatchOutcome::is_done(o.rows[k])) << order << ' ' << k << ": " << o.why_not(k);
      expect_row(o.rows[k], b.cases[k], b.machine, fmt::format("order {}, variant {}", order, k));
    }
  }
}

TEST(EqsBatch, PatternsAreOfBodiesOrOfNone) {
  for (const int order : {1, 2}) {
    Problem p = make_problem(floating_metal(order, 1e3, 1e4));
    p.patterns = std::make_shared<SharedPatterns>();
    Problem plain = p;
    plain.base.clear(), plain.good.clear();
    for (const Problem* one : {&p, &plain})
      for (int o = 1; o <= order; ++o) {
        const auto shared = pattern_of(*one, o);
        const Pattern own = make_pattern(*one, o);
        EXPECT_EQ(shared, pattern_of(*one, o));
        EXPECT_EQ(shared->start, own.start);
        EXPECT_EQ(shared->column, own.column);
        EXPECT_EQ(shared->touching.start, own.touching.start);
        EXPECT_EQ(shared->touching.list, own.touching.list);
      }
    EXPECT_NE(pattern_of(p, order)->column, pattern_of(plain, order)->column);
    // elements of other materials in the bodies: other functions in them, though bases are the same
    Problem other = p;
    other.good[1] = false;
    EXPECT_EQ(make_problem(floating_metal(order, 1e4, 1e4), p).patterns, p.patterns);
    EXPECT_EQ(make_problem(floating_metal(order, 1e4, 1e4), other).patterns, nullptr);
  }
}

TEST(EqsBatch, AProblemOfOtherNumbersIsTheOneMadeAnew) {
  Simulation other = film(1e-3, 8e3);
  other.materials[1].conductivity = constant(1e-9);
  other.time.tolerance = 1e-4;
  Problem first = make_problem(film(1e-3, 5e3));
  first.patterns = std::make_shared<SharedPatterns>();
  const auto shared = first.patterns;
  const Problem p = make_problem(other, first), anew = make_problem(other);
  EXPECT_EQ(p.patterns, shared);
  EXPECT_EQ(p.unknown, anew.unknown);
  EXPECT_EQ(p.material, anew.material);
  EXPECT_EQ(p.materials[1].conductivity.value, 1e-9);
  EXPECT_EQ(p.electrodes[0].waveform.amplitude, 8e3);
  EXPECT_EQ(p.time.step_tolerance(), 1e-4);
  EXPECT_EQ(p.contrast, anew.contrast);
}

TEST(EqsBatch, FinishedRowsAreTakenOver) {
  const Batch b = films_of_batch();
  const BatchOutcome all = run_here(b);
  std::set<std::size_t> computed;
  sweep::Rows batch_there = all.rows;
  batch_there[4].reset(), batch_there[5].reset();
  BatchWatch watch;
  watch.finished = [&](std::size_t k, const sweep::Row&) { computed.insert(k); };
  const BatchOutcome again = run_here(b, watch, batch_there);
  EXPECT_EQ(computed, (std::set<std::size_t>{4, 5}));
  EXPECT_EQ(again.taken_over, 4u);
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_EQ(again.rows[k]->scalars[0].value, all.rows[k]->scalars[0].value);
}

TEST(EqsBatch, AVariantThatIsRefusedLeavesTheOthers) {
  Batch b = films_of_batch();
  b.cases[2].electrodes[0].waveform.amplitude = 0;  // nothing drives the field
  b.cases[2].electrodes[0].kind = ElectrodeSpec::Kind::ground;
  const BatchOutcome o = run_here(b);
  EXPECT_EQ(o.rows[2]->status, sweep::Status::failed);
  EXPECT_FALSE(o.why_not(2).empty());
  EXPECT_TRUE(o.rows[2]->scalars.empty());
  for (const std::size_t k : {0, 1, 3, 4, 5}) EXPECT_TRUE(BatchOutcome::is_done(o.rows[k])) << k;
  for (Simulation& sim : b.cases) sim.electrodes[0].kind = ElectrodeSpec::Kind::ground;
  EXPECT_THROW(run_here(b), BadInput);
}

TEST(EqsBatch, AStopEndsItBetweenSteps) {
  BatchWatch watch;
  int asked = 0;
  watch.stop = [&] { return ++asked > 20; };
  EXPECT_THROW(run_here(films_of_batch(), watch), run::Interrupted);
}

TEST(EqsBatch, SurfaceOfALinearModelIsExact) {
  // electrostatics of one material: |E| = V / d, bilinear in V and 1 / d; with d fixed linear in V
  Batch b;
  b.machine = umov::test::on("cpu");
  b.sweep.axes = {axis("voltage", {1e3, 2e3, 4e3})};
  for (const double v : {1e3, 2e3, 4e3}) {
    Simulation s = column({layer("air", 2e-3, 4)}, {material("air", constant(1), constant(0))}, steady(v));
    s.analysis = Analysis::electrostatic;
    s.outputs.vtk = s.outputs.pictures = false;
    b.cases.push_back(s);
    b.sweep.points.push_back({v});
  }
  b.sweep.design.goal = cases::Goal::maximum;
  b.sweep.design.surface = cases::SurfaceChoice::linear;
  const BatchOutcome o = run_here(b);
  const auto responses = fit_responses(b, o);
  ASSERT_EQ(responses.size(), 1u);
  ASSERT_TRUE(responses[0].surface);
  // the conjugate gradients' 1e-12
  EXPECT_NEAR(responses[0].predicted, 4e3 / 2e-3, 1e-9 * 2e6);
  EXPECT_NEAR(responses[0].optimum[0], 4e3, 1e-2);
  EXPECT_EQ(responses[0].cases[responses[0].best], 2u);
}

/// A sector of a coaxial pair, whose |E| does not depend on its permittivity.
TEST(EqsBatch, WhatAResponseDoesNotDependOnHasNoPartInIt) {
  Batch b;
  b.machine = serial;
  const std::vector<double> radii{4e-3, 6e-3, 8e-3}, permittivities{2, 3, 5};
  b.sweep.axes = {axis("radius", radii), axis("permittivity", permittivities)};
  for (const double radius : radii)
    for (const double permittivity : permittivities) {
      Simulation s = sector("coaxial", radius, 30, {layer("ins", 5e-3, 4)},
                            {material("ins", constant(permittivity), constant(0))}, steady(1000), 2);
      s.mesh.order = 2;
      s.analysis = Analysis::electrostatic;
      s.outputs.vtk = s.outputs.pictures = false;
      b.cases.push_back(s);
      b.sweep.points.push_back({radius, permittivity});
    }
  const BatchOutcome o = run_here(b);
  const auto r = fit_responses(b, o);
  ASSERT_EQ(r.size(), 1u);
  ASSERT_TRUE(r[0].surface);
  EXPECT_GT(r[0].importance[0], 1e-2 * r[0].scale);
  EXPECT_EQ(r[0].importance[1], 0);
  // all nine lie on facets: said once
  const auto on_facets = [](const std::string& w) { return w.find("an edge between facets") != w.npos; };
  EXPECT_EQ(std::ranges::count_if(o.warnings, on_facets), 1);
  EXPECT_EQ(peak_remark(o.warnings, "ins"), ", on an edge between facets");
}

/// A batch and what came of it.
struct Answered {
  Batch batch;
  BatchOutcome o;

  void add(const std::vector<double>& point, double value) {
    batch.sweep.points.push_back(point);
    sweep::Row row;
    row.status = sweep::Status::done;
    row.scalars = {{"air peak", "V/m", "largest |E|", value}};
    o.rows.push_back(row);
    batch.cases.resize(o.rows.size());
  }
  std::vector<sweep::Response> fit() const { return fit_responses(batch, o); }
};

/// Of one parameter from -1 to 1 with given responses.
Answered answered(const std::vector<double>& values) {
  Answered a;
  a.batch.sweep.axes = {axis("offset", {-1, 1})};
  for (std::size_t k = 0; k < values.size(); ++k)
    a.add({-1 + 2.0 * double(k) / double(values.size() - 1)}, values[k]);
  return a;
}

/// A bent response of one parameter of five values, and another of three that changes it by 3e-8 of it, below
/// the 2e-7 that Newton's solves leave. Radial basis functions of both had waves along the second.
TEST(EqsBatch, WhatChangesNoResponseIsLeftOutOfItsSurface) {
  for (const auto choice :
       {cases::SurfaceChoice::rbf, cases::SurfaceChoice::quadratic, cases::SurfaceChoice::automatic}) {
    Answered all;
    all.batch.sweep.axes = {axis("a", {2, 6}), axis("b", {1, 3})};
    all.batch.sweep.design.surface = choice;
    all.batch.sweep.design.goal = cases::Goal::maximum;
    for (int a = 2; a <= 6; ++a)
      for (int b = 1; b <= 3; ++b) all.add({double(a), double(b)}, std::exp(a) * (1 + 1.5e-8 * (b - 2)));
    for (Simulation& sim : all.batch.cases) {
      sim.analysis = Analysis::electrostatic;
      sim.materials = {material("v", constant(1), microvaristor())};
    }
    const auto r = all.fit();
    ASSERT_TRUE(r[0].surface);
    EXPECT_GT(r[0].importance[0], 0);
    EXPECT_EQ(r[0].importance[1], 0);
    EXPECT_EQ((*r[0].surface)({0.3, -1}), (*r[0].surface)({0.3, 0.5}));
    EXPECT_NEAR(r[0].optimum[0], 6, 1e-5);
    // the mean over b, which the functions go through: rounding of a system of condition 100
    if (choice == cases::SurfaceChoice::rbf) {
      EXPECT_NEAR(r[0].predicted, std::exp(6), 1e-10 * std::exp(6));
    }
  }
}

TEST(EqsBatch, ASurfaceThatForetellsLessThanTheMeanIsNone) {
  const auto none = answered({0, 1, 0, 1, 0, 1, 0}).fit();
  ASSERT_EQ(none.size(), 1u);
  EXPECT_FALSE(none[0].surface);
  EXPECT_NE(none[0].why_not.find("foretells less than their mean"), std::string::npos) << none[0].why_not;
}

TEST(EqsBatch, AResponseThatDependsOnNothingHasNoOptimum) {
  // by rounding alone, and by what solves leave: 20 times their 1e-12
  Answered a = answered({3, 3 + 4e-16, 3, 3 - 4e-16, 3 + 4e-16, 3, 3});
  const auto analysis = [&](Analysis kind, double tolerance) {
    for (Simulation& sim : a.batch.cases) sim.analysis = kind, sim.time.tolerance = tolerance;
  };
  analysis(Analysis::electrostatic, TimeSpec{}.tolerance);
  const auto none = [&](const std::vector<double>& values) {
    for (std::size_t k = 0; k < values.size(); ++k) a.o.rows[k]->scalars[0].value = values[k];
    const auto r = a.fit();
    return r[0].surface ? "" : r[0].why_not;
  };
  const std::string nothing = "it depends on nothing that is varied: all 7 variants have 3";
  EXPECT_EQ(none({3, 3 + 4e-16, 3, 3 - 4e-16, 3 + 4e-16, 3, 3}).find(nothing), 0u);
  const double e = 5e-12;
  // a smooth bow of that size is noise as well
  EXPECT_EQ(none({3 + 9 * e, 3 + 4 * e, 3 + e, 3, 3 + e, 3 + 4 * e, 3 + 9 * e}).find(nothing), 0u);
  EXPECT_EQ(none({0, 0, 0, 0, 0, 0, 0}).find("it depends on nothing"), 0u);
  const double more = 1e-9;
  EXPECT_EQ(none({3 + 9 * more, 3 + 4 * more, 3 + more, 3, 3 + more, 3 + 4 * more, 3 + 9 * more}), "");
  // controlled steps scatter by their tolerance; what a surface tells in spite of it is no scatter
  analysis(Analysis::transient, TimeSpec{}.tolerance);
  const std::vector<double> scattered{3, 3.0009, 3.0012, 3.0004, 3.0017, 3.0012, 3.0024};
  EXPECT_NE(none(scattered).find("steps of this time.tolerance"), std::string::npos) << none(scattered);
  EXPECT_EQ(none({3, 3.0001, 3.0002, 3.0003, 3.0004, 3.0005, 3.0006}), "");
  analysis(Analysis::transient, 1e-6);
  EXPECT_EQ(none(scattered), "");
}

TEST(EqsBatch, WhatIsRoundingBesideTheResponsesIsZero) {
  // x^2 of a parabola that is least at 0; without cleaning, the optimum is 1e-7 or less but the value 1e-15
  const auto r = answered({1e6, 250000, 0, 250000, 1e6}).fit();
  ASSERT_TRUE(r[0].surface);
  EXPECT_EQ(r[0].predicted, 0);
  const sweep::Box box(answered({0, 0, 0}).batch.sweep);
  EXPECT_EQ(box.from_unit({1e-13})[0], 0);
  EXPECT_NEAR(box.from_unit({1e-9})[0], 1e-9, 1e-15);  // rounding of the ends of the range
}

}  // namespace
}  // namespace umov::eqs::test
