// One particle on several ranks: the same polarizations, sums and checkpoints as on one, within rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <memory>

#include "comm/in_process.hpp"
#include "core/error.hpp"
#include "dda/engine.hpp"

namespace umov::dda {
namespace {

/// Skew, of two absorbing materials, with planes that are fuller than others.
shapes::Particle skew_particle(const Int3& box) {
  shapes::Particle p;
  p.box = box;
  p.materials = 2;
  p.dipoles_per_material = {0, 0};
  p.spacing = {0.31, 0.31, 0.31};
  for (int z = 0; z < box[2]; ++z)
    for (int y = 0; y < box[1]; ++y)
      for (int x = 0; x < box[0]; ++x) {
        const bool bite =
            (x * 7 + y * 3 + z * 5) % 11 == 0 || (x > box[0] / 2 && 2 * y > box[1] && z % 3 == 1);
        const int m = bite ? 0 : 1 + ((x + 2 * y * z) % 3 == 0);
        p.material.push_back(std::uint8_t(m));
        if (m) ++p.dipoles_per_material[std::size_t(m) - 1];
      }
  return p;
}

struct Case {
  shapes::Particle particle;
  std::string solver = "qmr", backend = "serial";
  Precision precision = Precision::double_;
  Preconditioner preconditioner;
  bool inner_float = false, beam = false;
  double epsilon = 1e-10;
  long max_iterations = 1000;
  std::string checkpoint;
  bool resume = false;
};

struct Solved {
  SolveReport report;
  std::vector<CVec3> polarization, incident, far;
  cplx extinction;
  std::vector<Vec3> norms;
};

const std::vector<Vec3> directions{{0, 0, 1}, {0.6, 0, 0.8}, {0, -1, 0}, {-0.48, 0.64, -0.6}};

Solved solve_on(const Case& c, comm::Communicator* ranks) {
  EngineRequest request;
  request.backend = c.backend;
  request.threads = 1;
  request.precision = c.precision;
  request.ranks = ranks;
  const auto engine = make_engine(request);
  Problem problem;
  problem.particle = &c.particle;
  problem.wavenumber = 1.3;
  for (int a = 0; a < 3; ++a) problem.fft_grid[a] = 2 * c.particle.box[a];
  problem.inner_float = c.inner_float;
  engine->load(problem);
  const double v = c.particle.dipole_volume();
  std::vector<CVec3> alpha{{v * cplx(0.09, 0.01), v * cplx(0.1, 0.02), v * cplx(0.08, 0.004)},
                           {v * cplx(0.04, 0.03), v * cplx(0.06, 0.01), v * cplx(0.05, 0.02)}};
  engine->set_polarizability(alpha);
  const std::size_t n = c.particle.dipoles();
  Solved s;
  s.polarization.resize(n);
  s.incident.resize(n);
  s.far.resize(directions.size());
  if (c.beam) {
    std::vector<CVec3> field(n);
    for (std::size_t i = 0; i < n; ++i)
      field[i] = {std::polar(1.0, 0.1 * double(i)), 0.3, cplx(0, double(i % 5))};
    engine->set_incident(field);
  } else {
    engine->set_plane_wave({0.36, 0.48, 0.8}, {cplx(0.8), cplx(0, -0.6), cplx(0)});
  }
  SolveOptions options;
  options.solver = c.solver;
  options.epsilon = c.epsilon;
  options.max_iterations = c.max_iterations;
  options.inner_float = c.inner_float;
  options.checkpoint_file = c.checkpoint;
  options.resume = c.resume;
  if (c.preconditioner.kind != PreconditionerKind::none) options.preconditioners = {c.preconditioner};
  if (!c.checkpoint.empty() && !c.resume) options.hook = [](long iteration, double) { return iteration < 4; };
  s.report = engine->solve(options);
  engine->get_polarization(s.polarization);
  engine->get_incident(s.incident);
  engine->far_field(directions, s.far);
  s.extinction = engine->extinction_sum();
  s.norms = engine->polarization_norms();
  return s;
}

double norm(const std::vector<CVec3>& v) {
  double sum = 0;
  for (const auto& e : v)
    for (const auto& c : e) sum += std::norm(c);
  return std::sqrt(sum);
}
double off(const std::vector<CVec3>& a, const std::vector<CVec3>& b) {
  std::vector<CVec3> d = a;
  for (std::size_t i = 0; i < d.size(); ++i)
    for (int c = 0; c < 3; ++c) d[i][c] -= b[i][c];
  return norm(d) / norm(b);
}

/// `tolerance`: of solutions; what rounding leaves of them where both are solved to `epsilon`.
void expect_same(const Solved& one, const Solved& other, double tolerance) {
  EXPECT_EQ(other.report.status, SolveStatus::converged);
  EXPECT_LT(off(other.polarization, one.polarization), tolerance);
  EXPECT_LT(off(other.incident, one.incident), tolerance);
  EXPECT_LT(off(other.far, one.far), tolerance);
  EXPECT_LT(std::abs(other.extinction - one.extinction), tolerance * std::abs(one.extinction));
  ASSERT_EQ(other.norms.size(), one.norms.size());
  for (std::size_t m = 0; m < one.norms.size(); ++m)
    for (int c = 0; c < 3; ++c)
      EXPECT_LT(std::abs(other.norms[m][c] - one.norms[m][c]), tolerance * one.norms[m][c]);
}

void on_ranks(int ranks, const Case& c, const std::function<void(const Solved&)>& look) {
  comm::run_in_process(ranks, [&](comm::Communicator& comm) {
    const Solved s = solve_on(c, &comm);
    for (int r = 0; r < ranks; ++r) {
      if (r == comm.rank()) {
        SCOPED_TRACE("rank " + std::to_string(r) + " of " + std::to_string(ranks));
        look(s);
      }
      comm.barrier();
    }
  });
}

// Solutions of one residual norm differ by the condition times it: 1e-10 is solved for, and 1e-8 left.
constexpr double solved_to = 1e-8;

TEST(DdaRanks, SolveForTheWholeParticle) {
  Case c{skew_particle({5, 6, 7})};
  const Solved one = solve_on(c, nullptr);
  ASSERT_EQ(one.report.status, SolveStatus::converged);
  for (const int ranks : {2, 3, 4})
    on_ranks(ranks, c, [&](const Solved& s) {
      expect_same(one, s, solved_to);
      EXPECT_LE(std::abs(s.report.iterations - one.report.iterations), 1);
    });
}

}  // namespace
}  // namespace umov::dda
