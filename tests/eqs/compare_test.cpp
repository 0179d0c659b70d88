// The comparison of methods: one answer by all of them, orders of the errors, fewer iterations by projected
// starts.
#include "eqs/run/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

/// A film with a curve, wide enough for conjugate gradients to have work; relaxes within milliseconds.
Simulation film() {
  Simulation s =
      column({layer("film", 2e-3, 5), layer("air", 2e-3, 5)},
             {material("film", constant(12), microvaristor()), material("air", constant(4), constant(0))},
             sine(8e3, 50, 0, WaveformSpec::Ramp::linear), 4e-3, 5);
  s.symmetry = {"x"};
  s.time.periods = 1;
  s.time.tolerance = 1e-4;
  s.backend = "cpu";
  s.threads = 1;
  return s;
}

TEST(EqsCompare, AllMethodsComeToOneAnswerAndProjectionsSaveIterations) {
  ComparisonSpec spec;
  spec.errors = false;
  const Comparison o = compare(film(), spec);
  ASSERT_EQ(o.methods.size(), 7u);
  EXPECT_TRUE(o.converged());
  for (const MethodRow& m : o.methods) {
    // a hundred steps of 1e-4 each, at worst
    EXPECT_LT(m.difference, 1e-2) << m.method.letter;
    EXPECT_EQ(m.stages > 0, m.method.scheme == Scheme::rkc);
  }
  const auto iterations = [&](int k) { return double(o.methods[std::size_t(k)].linear); };
  EXPECT_LT(iterations(1), iterations(0));
  for (int k = 4; k < 7; ++k) EXPECT_LT(iterations(k), 0.7 * iterations(3)) << k;
  // start vectors change no result beyond the tolerance of the solves
  for (int k = 4; k < 7; ++k)
    EXPECT_NEAR(o.methods[std::size_t(k)].difference, o.methods[3].difference, 1e-8) << k;
}

TEST(EqsCompare, ErrorsFallWithTheOrdersOfTheMethods) {
  Simulation s = film();
  s.materials[0].conductivity = constant(2e-8);  // smooth: every step is in the limit
  s.electrodes[0].waveform.ramp = WaveformSpec::Ramp::smooth;
  ComparisonSpec spec;
  spec.methods = {"A", "D"};
  spec.steps = {1e-3, 5e-4, 2.5e-4};
  const Comparison o = compare(s, spec);
  ASSERT_EQ(o.errors.size(), 6u);
  const auto order = [&](std::size_t k, double StepErrorRow::*error) {
    return std::log2(o.errors[k - 1].*error / o.errors[k].*error);
  };
  // third and second order at the end, one more in one step; the next term of the error is a tenth or less
  EXPECT_NEAR(order(2, &StepErrorRow::global), 3, 0.4);
  EXPECT_NEAR(order(5, &StepErrorRow::global), 2, 0.4);
  EXPECT_GT(order(2, &StepErrorRow::local), 3.5);
  EXPECT_GT(order(5, &StepErrorRow::local), 2.5);
}

TEST(EqsCompare, WhatCannotBeComparedIsRefused) {
  ComparisonSpec spec;
  spec.methods = {"H"};
  EXPECT_THROW(compare(film(), spec), BadInput);
  spec.methods = {};
  spec.steps = {3e-3};
  EXPECT_THROW(compare(film(), spec), BadInput);
  Simulation s = film();
  s.analysis = Analysis::conduction;
  EXPECT_THROW(compare(s, {}), BadInput);
}

}  // namespace
}  // namespace umov::eqs::test
