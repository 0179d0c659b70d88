// The memory estimate of runs that iterate in float, against what their engines allocate.
#include <gtest/gtest.h>

#include "dda/run/many.hpp"
#include "dda/run/neighbours.hpp"
#include "dda/run/prepare.hpp"
#include "dda/scheme/memory.hpp"
#include "shapes/particle.hpp"

namespace umov::dda {
namespace {

shapes::Particle block() {
  shapes::Request q;
  q.shape = "box";
  q.grid = {24, 0, 0};
  q.size = 1;
  return shapes::make_particle(q);
}

std::size_t bytes_of(const std::vector<MemoryUse>& list, const std::string& name) {
  for (const auto& use : list)
    if (use.name == name) return use.bytes;
  return 0;
}

class InnerFloatMemory : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

// The same ten per cent as for runs in double (CpuEngineMemory): vectors of passing use are in no estimate.
TEST_P(InnerFloatMemory, IsTheEstimateWithinTenPercent) {
  const auto [backend, solver] = GetParam();
  const auto p = block();
  Problem problem;
  problem.particle = &p;
  problem.fft_grid = transform_grid(p.box, {0, 0, 0});
  problem.inner_float = true;
  const cplx alpha = 0.1 * p.dipole_volume();
  Preconditioner medium;
  medium.kind = PreconditionerKind::medium;
  medium.inverse_alpha = {1.0 / alpha, 1.0 / alpha, 1.0 / alpha};
  medium.reach = {24 * p.spacing[0], 24 * p.spacing[0], 24 * p.spacing[0]};
  EngineRequest request;
  request.backend = backend;
  request.threads = 1;
  const auto engine = make_engine(request);
  engine->load(problem);
  engine->set_polarizability(std::vector<CVec3>(1, CVec3{alpha, alpha, alpha}));
  engine->set_plane_wave({0, 0, 1}, {1, 0, 0});
  SolveOptions options;
  options.solver = solver;
  options.epsilon = 1e-4;
  options.preconditioners = {medium};
  options.inner_float = true;
  const SolveReport report = engine->solve(options);
  EXPECT_EQ(report.status, SolveStatus::converged);
  const auto estimate = estimate_memory(problem, solver, Precision::double_, backend, 1, {medium});
  EXPECT_GT(bytes_of(estimate, "product in float"), 0u);
  // what is free again before the solve is no use at its end
  const double standing = double(total_bytes(estimate) - bytes_of(estimate, "set-up of the preconditioner"));
  EXPECT_NEAR(double(total_bytes(engine->memory())) / standing, 1, 0.1);
  // no more than a run in double, within a tenth (docs/decisions/0033)
  problem.inner_float = false;
  const double in_double =
      double(total_bytes(estimate_memory(problem, solver, Precision::double_, backend, 1, {medium})));
  EXPECT_LT(double(total_bytes(estimate)), 1.1 * in_double);
}

INSTANTIATE_TEST_SUITE_P(All, InnerFloatMemory,
                         testing::Combine(testing::Values("serial", "cpu"),
                                          testing::Values("qmr", "cocr", "idr4")),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
                         });

// Float beside double is given up for want of memory, but not where it was asked for.
TEST(InnerFloatMemoryChoice, IsDoubleWhereFloatHasNoRoom) {
  Simulation sim;
  const InnerChoice in_float{true, "float"};
  EXPECT_TRUE(inner_that_fits(sim, in_float, 100, 100).in_float);
  EXPECT_TRUE(inner_that_fits(sim, in_float, 100, 0).in_float) << "nothing is known";
  const InnerChoice other = inner_that_fits(sim, in_float, 101, 100);
  EXPECT_FALSE(other.in_float);
  EXPECT_EQ(other.why, "double (auto: for want of memory)");
  sim.solver.inner = InnerPrecision::single;
  EXPECT_TRUE(inner_that_fits(sim, in_float, 101, 100).in_float);
}

// Kept solutions are the host's: a line of their own on top of the largest case.
TEST(ManyMemory, CountsTheSolutionsThatAreKept) {
  Simulation sim;
  sim.shape.shape = "box";
  sim.shape.grid = {8, 0, 0};
  sim.shape.size = 0.2;
  Machine machine;
  machine.backend = "serial";
  sim.wavelength = sim.shape.wavelength = 1;
  Simulation other = sim;
  other.wavelength = other.shape.wavelength = 1.1;
  const auto quiet = [](const std::string&) {};
  const std::size_t kept =
      bytes_of(plan_many({sim, other}, machine, quiet).memory, "solutions of cases before");
  EXPECT_EQ(kept, 2 * Neighbours::bytes_per_dipole * 512u);
  EXPECT_EQ(bytes_of(plan_many({sim}, machine, quiet).memory, "solutions of cases before"), 0u);
  sim.solver.neighbours = other.solver.neighbours = false;
  EXPECT_EQ(bytes_of(plan_many({sim, other}, machine, quiet).memory, "solutions of cases before"), 0u);
}

}  // namespace
}  // namespace umov::dda
