// Every backend usable here solves the same problem as the serial referee: all solvers, precisions and
// shapes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>

#include "backend/registry.hpp"
#include "core/error.hpp"
#include "dda/engine.hpp"
#include "dda/scheme/gpu_lengths.hpp"
#include "support/skew_particle.hpp"

namespace umov::dda {
namespace {

using test::skew_particle;

/// A cube of one material; `hole` leaves one site out.
shapes::Particle cube(int n) {
  shapes::Particle p;
  p.box = {n, n, n};
  p.spacing = {0.3, 0.3, 0.3};
  p.material.assign(std::size_t(n) * n * n, 1);
  p.dipoles_per_material = {p.material.size()};
  return p;
}

int next_smooth(int n) {
  for (;; ++n) {
    int m = n;
    for (int f : {2, 3, 5, 7})
      while (m % f == 0) m /= f;
    if (m == 1) return n;
  }
}

struct SolvedDipoles {
  SolveReport report;
  std::vector<CVec3> polarization, far;
  cplx extinction;
  std::vector<Vec3> norms;
  std::string device;
};

struct DdaCase {
  std::string solver = "qmr";
  double epsilon = 1e-10;
  bool tensor_on_host = false;
  Interaction interaction = Interaction::point;
  Int3 grid{0, 0, 0};
};

SolvedDipoles solve(const EngineRequest& request, const shapes::Particle& p, const DdaCase& setup = {}) {
  auto engine = make_engine(request);
  Problem problem;
  problem.particle = &p;
  problem.wavenumber = 1.1;
  problem.interaction = setup.interaction;
  problem.tensor_on_host = setup.tensor_on_host;
  for (int c = 0; c < 3; ++c)
    problem.fft_grid[c] = setup.grid[c] ? setup.grid[c] : p.box[c] == 1 ? 1 : next_smooth(2 * p.box[c]);
  engine->load(problem);
  const double v = p.dipole_volume();
  std::vector<CVec3> alpha{{v * cplx(0.11, 0.02), v * cplx(0.13, 0.03), v * cplx(0.09, 0.01)},
                           {v * cplx(0.21, 0.06), v * cplx(0.17, 0.05), v * cplx(0.15, 0.08)}};
  alpha.resize(p.materials);
  engine->set_polarizability(alpha);
  const Vec3 prop{0.36, 0.48, 0.8};
  engine->set_plane_wave(prop, {cplx(0.8, 0.1), cplx(-0.6, 0.2), cplx(0, -0.1875 - 0.0)});
  SolveOptions options;
  options.solver = setup.solver;
  options.epsilon = setup.epsilon;
  SolvedDipoles r;
  r.report = engine->solve(options);
  r.polarization.resize(p.dipoles());
  engine->get_polarization(r.polarization);
  r.extinction = engine->extinction_sum();
  r.norms = engine->polarization_norms();
  std::vector<Vec3> directions;
  for (int i = 0; i < 7; ++i)
    directions.push_back(
        {std::sin(0.4 * i) * std::cos(1.0 * i), std::sin(0.4 * i) * std::sin(1.0 * i), std::cos(0.4 * i)});
  r.far.resize(directions.size());
  engine->far_field(directions, r.far);
  r.device = engine->device_name();
  return r;
}

double norm2(const std::vector<CVec3>& v) {
  double s = 0;
  for (const auto& e : v)
    for (const auto& z : e) s += std::norm(z);
  return s;
}
double difference(const std::vector<CVec3>& a, const std::vector<CVec3>& b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int c = 0; c < 3; ++c) s += std::norm(a[i][c] - b[i][c]);
  return std::sqrt(s / norm2(b));
}

/// What there is to compare with the serial referee on this machine.
std::vector<EngineRequest> engines(Precision precision) {
  std::vector<EngineRequest> list;
  for (const auto& b : backend::list_backends()) {
    if (!b.available || b.name == "serial") continue;
    EngineRequest request;
    request.backend = b.name;
    request.precision = precision;
    list.push_back(request);
    if (b.name != "cuda") continue;
    request.simple_kernels = true;
    list.push_back(request);
  }
  return list;
}
EngineRequest serial(Precision precision) {
  EngineRequest request;
  request.backend = "serial";
  request.precision = precision;
  return request;
}
std::string name_of(const EngineRequest& r) {
  return r.backend + (r.simple_kernels ? " (simple kernels)" : "");
}

/// Both runs stop at relative residual epsilon; the system's condition here is below 10.
void expect_same(const SolvedDipoles& a, const SolvedDipoles& b, double tolerance, const std::string& what) {
  EXPECT_EQ(a.report.status, SolveStatus::converged) << what << ": " << a.report.advice;
  EXPECT_LE(difference(a.polarization, b.polarization), tolerance) << what;
  EXPECT_LE(difference(a.far, b.far), tolerance) << what;
  EXPECT_LE(std::abs(a.extinction - b.extinction), tolerance * std::abs(b.extinction)) << what;
  for (std::size_t m = 0; m < b.norms.size(); ++m)
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(a.norms[m][c], b.norms[m][c], 2 * tolerance * b.norms[m][c]) << what;
}

TEST(DdaBackends, AllSolversGiveTheSerialAnswerInDouble) {
  const auto p = skew_particle({7, 11, 5});
  const SolvedDipoles referee = solve(serial(Precision::double_), p, {.solver = "qmr", .epsilon = 1e-12});
  for (const auto& request : engines(Precision::double_))
    for (const auto& solver : solver_list()) {
      const SolvedDipoles r = solve(request, p, {.solver = solver.name, .epsilon = 1e-11});
      expect_same(r, referee, 1e-9, name_of(request) + " " + solver.name);
    }
}

TEST(DdaBackends, OddBoxesGiveTheSerialAnswer) {
  for (const Int3 box : {Int3{1, 1, 9},
                         {9, 1, 1},
                         {1, 9, 1},
                         {2, 1, 3},
                         {1, 7, 6},
                         {13, 2, 5},
                         {4, 13, 3},
                         {15, 6, 14},
                         {10, 9, 21},
                         {25, 12, 16},
                         {8, 33, 4},
                         {3, 5, 49},
                         {64, 3, 5},
                         {5, 70, 2},
                         {3, 4, 128}}) {
    const auto p = skew_particle(box);
    const SolvedDipoles referee = solve(serial(Precision::double_), p);
    for (const auto& request : engines(Precision::double_))
      expect_same(solve(request, p), referee, 1e-8,
                  name_of(request) + " " + std::to_string(box[0]) + "x" + std::to_string(box[1]) + "x" +
                      std::to_string(box[2]));
  }
}

TEST(DdaBackends, GridsLargerThanNeededAndOddGridsGiveTheSameAnswer) {
  const auto p = skew_particle({5, 4, 6});
  const SolvedDipoles referee = solve(serial(Precision::double_), p);
  for (const Int3 grid : {Int3{15, 9, 21}, {27, 35, 45}, {12, 20, 30}, {11, 13, 22}, {10, 8, 63}})
    for (const auto& request : engines(Precision::double_))
      expect_same(solve(request, p, {.grid = grid}), referee, 1e-8,
                  name_of(request) + " grid " + std::to_string(grid[0]) + "x" + std::to_string(grid[1]) +
                      "x" + std::to_string(grid[2]));
}

TEST(DdaBackends, LengthsWithKernelsOfTheirOwnGiveTheSerialAnswer) {
  const auto tuned = [](Precision precision) {
    std::vector<EngineRequest> list;
    for (const auto& request : engines(precision))
      if (request.backend == "cuda" && !request.simple_kernels) list.push_back(request);
    return list;
  };
  if (tuned(Precision::double_).empty())
    GTEST_SKIP() << "for GPUs; tests/gpu_kernels has them on a processor";
  std::vector<std::pair<const char*, int>> cases{{"halves", 256}, {"halves", 512}};
  for (const int length : lengths_of_gpus) cases.push_back({"all", length});
  for (const auto& [plans, length] : cases) {
    setenv("UMOV_DDA_PLANS", plans, 1);
    // along z with 4, 8 and 16 lines side by side, of which blocks take all or half
    for (const Int3 box : {Int3{length / 2, 3, 2}, Int3{3, length / 2, 2}, Int3{3, 4, length / 2},
                           Int3{7, 2, length / 2}, Int3{20, 1, length / 2}}) {
      const auto p = skew_particle(box);
      Int3 grid;
      for (int c = 0; c < 3; ++c) grid[c] = 2 * box[c];
      const SolvedDipoles referee = solve(serial(Precision::double_), p, {.grid = grid});
      const auto what =
          " " + std::to_string(box[0]) + "x" + std::to_string(box[1]) + "x" + std::to_string(box[2]);
      for (const auto& request : tuned(Precision::double_))
        expect_same(solve(request, p, {.grid = grid}), referee, 1e-8, name_of(request) + what);
      // as in SinglePrecisionIsSinglePrecisionsRoundingAway
      for (const auto& request : tuned(Precision::single))
        expect_same(solve(request, p, {.epsilon = 1e-5, .grid = grid}), referee, 2e-4,
                    name_of(request) + what);
    }
  }
  unsetenv("UMOV_DDA_PLANS");
}

TEST(DdaBackends, SinglePrecisionIsSinglePrecisionsRoundingAway) {
  for (const Int3 box : {Int3{7, 11, 5}, {16, 12, 9}, {1, 1, 9}}) {
    const auto p = skew_particle(box);
    const SolvedDipoles referee = solve(serial(Precision::double_), p);
    for (const auto& request : engines(Precision::single))
      for (const auto& solver : solver_list()) {
        // 1e-5 is the residual asked for; the float rounding of ~20 products adds about as much.
        const SolvedDipoles r = solve(request, p, {.solver = solver.name, .epsilon = 1e-5});
        expect_same(r, referee, 2e-4, name_of(request) + " " + solver.name);
      }
  }
}

TEST(DdaBackends, TensorStreamedFromTheHostGivesTheSameAnswer) {
  for (const Int3 box : {Int3{7, 11, 5}, {24, 10, 12}, {1, 6, 4}}) {
    const auto p = skew_particle(box);
    const SolvedDipoles referee = solve(serial(Precision::double_), p);
    for (const auto& request : engines(Precision::double_))
      expect_same(solve(request, p, {.tensor_on_host = true}), referee, 1e-8, name_of(request));
  }
}

TEST(DdaBackends, EveryInteractionTermGivesTheSerialAnswer) {
  const auto p = skew_particle({6, 5, 7});
  for (const Interaction term : {Interaction::fcd, Interaction::fcd_st, Interaction::igt_so}) {
    const SolvedDipoles referee = solve(serial(Precision::double_), p, {.interaction = term});
    for (const auto& request : engines(Precision::double_))
      expect_same(solve(request, p, {.interaction = term}), referee, 1e-8, name_of(request));
  }
}

TEST(DdaBackends, TheSameRunGivesTheSameBits) {
  const auto p = skew_particle({24, 22, 26});
  for (const Precision precision : {Precision::single, Precision::double_})
    for (const auto& request : engines(precision)) {
      const DdaCase setup{.epsilon = 1e-5};
      const SolvedDipoles a = solve(request, p, setup), b = solve(request, p, setup);
      EXPECT_EQ(a.report.history, b.report.history) << name_of(request);
      EXPECT_EQ(a.polarization, b.polarization) << name_of(request);
      EXPECT_EQ(a.extinction, b.extinction) << name_of(request);
      EXPECT_EQ(a.far, b.far) << name_of(request);
    }
}

TEST(DdaBackends, LargeCubesGiveTheCpuAnswer) {
  EngineRequest cpu;
  cpu.backend = "cpu";
  for (const int n : {32, 64}) {
    const auto p = cube(n);
    const SolvedDipoles referee = solve(cpu, p, {.epsilon = 1e-6});
    for (const auto& request : engines(Precision::double_)) {
      if (request.backend == "cpu") continue;
      expect_same(solve(request, p, {.epsilon = 1e-6}), referee, 1e-4, name_of(request));
    }
  }
}

TEST(DdaBackends, LongDoubleOnTheGpuIsRefusedByName) {
  EngineRequest request;
  request.backend = "cuda";
  request.precision = Precision::long_double;
  EXPECT_THROW(
      {
        try {
          make_engine(request);
        } catch (const BadInput& e) {
          EXPECT_NE(std::string(e.what()).find("long double"), std::string::npos);
          throw;
        }
      },
      BadInput);
}

TEST(DdaBackends, WhatIsNotUsableSaysWhy) {
  for (const auto& b : backend::list_backends())
    if (b.available) {
      EXPECT_FALSE(b.devices.empty()) << b.name;
    } else {
      EXPECT_FALSE(b.why_not.empty()) << b.name;
    }
}

}  // namespace
}  // namespace umov::dda
