// The iteration over rough planes: GMRES and IDR, float and double, room that ends.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "backend/cpu/cpu.hpp"
#include "harmonic/layered_inverse.hpp"
#include "harmonic/wavy_cell.hpp"

namespace umov::harmonic {
namespace {

Solved solve(KrylovSolver solver, Precision precision, double room = 0) {
  SolveOptions options;
  options.tolerance = 1e-8;
  EngineRequest request{"cpu", 1, 0, precision};
  request.solver = solver;
  request.room = room;
  return solve_cell(silver_cell(0.3, 0), with_silver, 0.55, 0.3, Polarization::p, options, request);
}

double apart_in_solution(const Solved& a, const Solved& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.fields.values.size(); ++i) {
    difference += std::norm(a.fields.values[i] - b.fields.values[i]);
    size += std::norm(a.fields.values[i]);
  }
  return std::sqrt(difference / size);
}

TEST(HarmonicSolvers, GmresAndIdrFindTheSameFieldsInEitherPrecision) {
  const Solved gmres = solve(KrylovSolver::gmres, Precision::double_);
  ASSERT_TRUE(gmres.report.converged);
  for (const auto precision : {Precision::double_, Precision::single})
    for (const auto solver : {KrylovSolver::gmres, KrylovSolver::idr}) {
      const Solved other = solve(solver, precision);
      ASSERT_TRUE(other.report.converged) << other.report.residual;
      EXPECT_LT(apart_in_solution(gmres, other), 1e-6);  // the residual times the system's amplification
      EXPECT_GE(other.report.iterations, gmres.report.iterations);  // gmres in double: minimal residuals
    }
}

TEST(HarmonicSolvers, GmresInFloatTakesHardlyMoreThanInDouble) {
  const Solved in_double = solve(KrylovSolver::gmres, Precision::double_),
               in_float = solve(KrylovSolver::gmres, Precision::single);
  EXPECT_TRUE(in_float.report.single);
  EXPECT_FALSE(in_float.report.fell_back);
  // each of two or three passes costs the product that adds up its solution and those that repair what it
  // could not see; IDR takes up to four times as many here (decision 36)
  EXPECT_LE(double(in_float.report.iterations), 1.4 * double(in_double.report.iterations));
}

TEST(HarmonicSolvers, IdrGoesOnWhereThereIsNoRoomForMoreDirections) {
  const Solved enough = solve(KrylovSolver::gmres, Precision::single);
  EXPECT_FALSE(enough.report.room_full);
  const Solved full = solve(KrylovSolver::gmres, Precision::single, 1);  // as many as IDR has
  EXPECT_TRUE(full.report.room_full);
  ASSERT_TRUE(full.report.converged) << full.report.residual;
  EXPECT_LT(apart_in_solution(enough, full), 1e-6);
}

TEST(HarmonicSolvers, AutoTakesGmresForRoughMetalWhereMemoryHoldsIt) {
  Problem p = make_problem(silver_cell(0.3, 0), with_silver, 0.55, {0, 0});
  EngineRequest request{"cpu", 1, 0, Precision::single};
  EXPECT_EQ(choose_solver(p, request).solver, KrylovSolver::gmres);
  const double with = estimated_memory(p, request).device;
  // 150 directions and those idr would need after them, in four fifths of the room
  const double each = 8.0 * double(p.rough_edges());
  request.room = (with + 20 * each) / 0.8;
  EXPECT_EQ(choose_solver(p, request).solver, KrylovSolver::gmres);
  EXPECT_GE(choose_solver(p, request).directions, 150);
  request.room = (with - 20 * each) / 0.8;
  EXPECT_EQ(choose_solver(p, request).solver, KrylovSolver::idr);
  EXPECT_NE(choose_solver(p, request).why.find("no room"), std::string::npos);
  EXPECT_NEAR(estimated_memory(p, request).device, with - (150 - 17) * each, each);
  p.metal_is_rough = false;
  request.room = 0;
  EXPECT_EQ(choose_solver(p, request).solver, KrylovSolver::idr);
}

TEST(HarmonicSolvers, TheLayeredInverseInFloatIsThatInDoubleNearPolesToo) {
  // fine planes and a guide 0.3 um thick: with systems in float this was 6e-5
  auto cell = grid_cell({0, 0.3, 0.6, 0.9}, 0.0025, 0.6, 0, 0.4);
  const Problem p = make_problem(cell, {2.25, 3.4, cplx(17, 0.1), cplx(3.4, 0.01), 1}, 0.7, {0, 0});
  backend::Cpu dev(1);
  const int begin = cell.first_plane + 100, end = begin + 60;
  const index_t n = 3 * index_t(end - begin) * p.grid.columns();
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<Complex<double>> b(n);
  std::vector<Complex<float>> rounded(n);
  for (index_t i = 0; i < n; ++i) {
    rounded[i] = Complex<float>(float(normal(random)), float(normal(random)));
    b[i] = Complex<double>(rounded[i]);
  }
  LayeredInverse<backend::Cpu, double>(dev, p, begin, end).apply(b.data());
  LayeredInverse<backend::Cpu, float>(dev, p, begin, end).apply(rounded.data());
  double difference = 0, size = 0;
  for (index_t i = 0; i < n; ++i) {
    difference += norm2(b[i] - Complex<double>(rounded[i]));
    size += norm2(b[i]);
  }
  EXPECT_LT(std::sqrt(difference / size), 1e-6);  // some roundings of float, 6e-8 each
}

}  // namespace
}  // namespace umov::harmonic
