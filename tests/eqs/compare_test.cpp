// The comparison of methods: one answer by all of them, orders of the errors, fewer iterations by projected
// starts.
#include "eqs/run/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/error.hpp"
#include "eqs/solve/start_space.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

/// A film with a curve, wide enough for conjugate gradients to have work; relaxes within milliseconds.
Simulation compared_film() {
  Simulation s =
      column({layer("film", 2e-3, 5), layer("air", 2e-3, 5)},
             {material("film", constant(12), microvaristor()), material("air", constant(4), constant(0))},
             sine(8e3, 50, 0, WaveformSpec::Ramp::linear), 4e-3, 5);
  s.symmetry = {"x"};
  s.time.periods = 1;
  s.time.tolerance = 1e-4;
  return s;
}

TEST(EqsCompare, AllMethodsComeToOneAnswerAndProjectionsSaveIterations) {
  ComparisonSpec spec;
  spec.errors = false;
  const Comparison o = compare(compared_film(), one_thread, spec);
  ASSERT_EQ(o.methods.size(), 9u);
  EXPECT_TRUE(o.converged());
  for (const MethodRow& m : o.methods) {
    // a hundred steps of 1e-4 each, at worst
    EXPECT_LT(m.difference, 1e-2) << m.method.letter;
    EXPECT_EQ(m.stages > 0, m.method.scheme == Scheme::rkc);
  }
  const auto row = [&](char letter) {
    return *std::find_if(o.methods.begin(), o.methods.end(),
                         [&](const MethodRow& m) { return m.method.letter == letter; });
  };
  EXPECT_LT(row('H').linear, row('C').linear);
  for (const char k : {'E', 'F', 'G'}) {
    EXPECT_LT(double(row(k).linear), 0.7 * double(row('D').linear)) << k;
    // start vectors change no result beyond the tolerance of the solves
    EXPECT_NEAR(row(k).difference, row('D').difference, 1e-8) << k;
  }
  // B of the dissertation's table 7.6 has a preconditioner for every changed matrix, C keeps them
  EXPECT_GT(row('B').setups, 5 * row('C').setups);
  EXPECT_NEAR(row('B').difference, row('C').difference, 1e-8);
}

/// The dissertation has a tenth of plain iterations by renewed decompositions in second order. Ours count
/// from the parabola through the states before, which alone saves a quarter: 0.14 is measured, 0.11 of the
/// iterations from the stage before (benchmarks/ladder/eqs_start_vectors.md).
TEST(EqsCompare, ProjectionsLeaveASixthOfTheIterationsInSecondOrder) {
  Simulation s = column(
      {layer("film", 2e-3, 4), layer("insulator", 2e-3, 4)},
      {material("film", constant(12), microvaristor()), material("insulator", constant(4), constant(0))},
      sine(14e3, 50, 0, WaveformSpec::Ramp::linear), 1e-3, 1);
  s.mesh.order = 2;
  s.time.periods = 2;
  s.time.tolerance = 1e-5;
  ComparisonSpec spec;
  spec.errors = false;
  spec.methods = {"D", "E", "G"};
  const Comparison o = compare(s, one_thread, spec);
  ASSERT_TRUE(o.converged());
  for (int k : {1, 2}) EXPECT_LT(double(o.methods[k].linear), double(o.methods[0].linear) / 6) << k;
}

/// Table 7.6 of Richter 2019, with the heuristic of his figures 6.6 and 9.6 for all explicit methods, and the
/// solutions that each of them starts from.
TEST(EqsCompare, ExplicitMethodsOfTheDissertationCountStagesByErrors) {
  const std::map<char, StartVector> his{{'D', StartVector::last},
                                        {'E', StartVector::spe},
                                        {'F', StartVector::pod},
                                        {'G', StartVector::pod_renewed}};
  for (const Method& m : known_methods()) {
    EXPECT_EQ(m.spectral_radius == SpectralRadius::richter, his.contains(m.letter)) << m.letter;
    if (!his.contains(m.letter)) continue;
    EXPECT_EQ(m.scheme, Scheme::rkc) << m.letter;
    EXPECT_EQ(m.start_vector, his.at(m.letter)) << m.letter;
    LinearSpec spec;
    spec.start_vector = m.start_vector;
    const auto space = start_space(spec);
    EXPECT_EQ(space.solutions, m.letter == 'D' ? 0 : m.letter == 'E' ? 10 : 20) << m.letter;
    EXPECT_EQ(space.renewed && space.solutions > 0, m.letter == 'E' || m.letter == 'G') << m.letter;
  }
}

TEST(EqsCompare, NamesWhatOfTheCaseItDoesNotUse) {
  const std::span<const Method> all = known_methods();
  Simulation s = compared_film();
  EXPECT_TRUE(comparison_notes(s, {}, all).empty());
  s.time.scheme = Scheme::rkl2;
  s.linear.start_vector = StartVector::pod;
  s.time.step = 1e-4;
  s.outputs.points.push_back({"p", {0, 0, 1e-3}});
  s.outputs.capacitance = true;
  s.time.max_stages = 50;
  const auto notes = comparison_notes(s, {}, all);
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_NE(notes[0].find("time.scheme, solver.start_vector (each method has its own"), std::string::npos);
  EXPECT_NE(notes[1].find("time.step ("), std::string::npos) << notes[1];
  EXPECT_NE(notes[2].find("[[point]], output.capacitance ("), std::string::npos) << notes[2];
  // stages are counted by D to G, I and J alone
  EXPECT_EQ(comparison_notes(s, {}, all.first(2)).size(), 4u);
}

TEST(EqsCompare, SaysThatStartVectorsHaveNoPartWherePermittivitiesDependOnTheField) {
  Simulation s = compared_film();
  EXPECT_TRUE(comparison_notes(s, {}, known_methods()).empty());
  s.materials[1].permittivity.kind = CurveSpec::Kind::formula;
  const auto notes = comparison_notes(s, {}, known_methods());
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("E, F and G are D here"), std::string::npos) << notes[0];
  EXPECT_TRUE(comparison_notes(s, {}, known_methods().first(3)).empty());
}

// A conductor among insulators: implicit steps have bases for it, explicit ones are hopeless, as a run of rkc
// by itself says before its first step.
TEST(EqsCompare, AMethodThatIsRefusedByItselfHasARowThatSaysWhy) {
  Simulation s =
      column({layer("film", 1e-3, 2), layer("metal", 1e-3, 2), layer("air", 1e-3, 2)},
             {material("film", constant(12), constant(1e-9)), material("metal", constant(1), constant(1e7)),
              material("air", constant(1), constant(0))},
             sine(1e3), 1e-3, 1);
  s.time.end = 2e-3;
  ComparisonSpec spec;
  spec.errors = false;
  spec.methods = {"C", "D"};
  const Comparison o = compare(s, one_thread, spec);
  ASSERT_EQ(o.methods.size(), 2u);
  EXPECT_TRUE(o.methods[0].converged) << o.methods[0].why_not;
  EXPECT_FALSE(o.methods[1].converged);
  EXPECT_NE(o.methods[1].why_not.find("material 'metal' loses its charge within"), std::string::npos)
      << o.methods[1].why_not;
}

TEST(EqsCompare, TellsTheIterationsOfFixedSteps) {
  Simulation s = compared_film();
  s.time.periods.reset();
  s.time.end = 1e-3;
  ComparisonSpec spec;
  spec.methods = {"C"};
  spec.steps = {1e-3};
  std::string stage;
  std::map<std::string, long> iterations;
  RunObserver watch;
  watch.stage = [&](const std::string& name) { stage = name.empty() ? stage : name; };
  watch.time = [&](const TimeReport& r) { return iterations[stage] = r.linear, true; };
  const Comparison o = compare(s, one_thread, spec, watch);
  EXPECT_GT(iterations["reference"], 0);
  EXPECT_GT(iterations["errors of method C"], 0);
}

TEST(EqsCompare, ErrorsFallWithTheOrdersOfTheMethods) {
  Simulation s = compared_film();
  s.materials[0].conductivity = constant(2e-8);  // smooth: every step is in the limit
  s.electrodes[0].waveform.ramp = WaveformSpec::Ramp::smooth;
  ComparisonSpec spec;
  spec.methods = {"C", "D"};
  spec.steps = {1e-3, 5e-4, 2.5e-4};
  const Comparison o = compare(s, one_thread, spec);
  ASSERT_EQ(o.errors.size(), 6u);
  const auto order = [&](std::size_t k, double StepErrorRow::*error) {
    return std::log2(o.errors[k - 1].*error / o.errors[k].*error);
  };
  // third and second order at the end, one more in one step; the next term of the error is a tenth or less
  EXPECT_NEAR(order(2, &StepErrorRow::global), 3, 0.4);
  EXPECT_NEAR(order(5, &StepErrorRow::global), 2, 0.4);
  EXPECT_GT(order(2, &StepErrorRow::local), 3.5);
  EXPECT_GT(order(5, &StepErrorRow::local), 2.5);
  // both estimates are of a method of second order, so that one step's is of third
  for (const std::size_t k : {2u, 5u}) {
    EXPECT_NEAR(order(k, &StepErrorRow::estimate_largest), 3, 0.4);
    EXPECT_NEAR(order(k, &StepErrorRow::estimate_mean), 3, 0.4);
    EXPECT_EQ(o.errors[k].own, 0);
    EXPECT_LE(o.errors[k].estimate_mean, o.errors[k].estimate_largest);
    // its error less that of half the step, which is 2^-p of it: 3/4 of it for rkc, 7/8 for sdirk3
    const double part = 1 - std::pow(2.0, k == 2 ? -3 : -2);
    EXPECT_NEAR(o.errors[k - 1].own / o.errors[k - 1].global, part, 0.1);
  }
}

// Errors were over the largest norm of the reference, which is 0: all of them were nan.
TEST(EqsCompare, WithoutAVoltageNothingIsWrong) {
  Simulation s = compared_film();
  s.electrodes[0].waveform.amplitude = 0;
  ComparisonSpec spec;
  spec.steps = {1e-3, 5e-4};
  for (const bool errors : {true, false}) {
    spec.errors = errors;
    const Comparison o = compare(s, one_thread, spec);
    EXPECT_TRUE(o.converged());
    for (const MethodRow& m : o.methods) EXPECT_EQ(m.difference, 0) << m.method.letter;
    EXPECT_EQ(o.errors.size(), errors ? 4u : 0u);
    for (const StepErrorRow& e : o.errors) {
      EXPECT_EQ(e.local, 0) << e.method.letter;
      EXPECT_EQ(e.global, 0) << e.method.letter;
    }
  }
}

TEST(EqsCompare, WhatCannotBeComparedIsRefused) {
  ComparisonSpec spec;
  for (const char* letter : {"A", "K"}) {  // the dissertation's A is B on processors
    spec.methods = {letter};
    EXPECT_THROW(compare(compared_film(), one_thread, spec), BadInput);
  }
  spec.methods = {};
  spec.steps = {3e-3};
  EXPECT_THROW(compare(compared_film(), one_thread, spec), BadInput);
  Simulation s = compared_film();
  s.analysis = Analysis::conduction;
  EXPECT_THROW(compare(s, one_thread, {}), BadInput);
}

}  // namespace
}  // namespace umov::eqs::test
