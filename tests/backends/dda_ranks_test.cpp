// One particle on several ranks: the same polarizations, sums and checkpoints as on one, within rounding.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>

#include "comm/in_process.hpp"
#include "core/error.hpp"
#include "dda/engine.hpp"
#include "dda/ranks/memory.hpp"
#include "dda/ranks/shares.hpp"
#include "dda/scheme/memory.hpp"
#include "support/backends_here.hpp"
#include "support/rank_product.hpp"
#include "support/skew_particle.hpp"

namespace umov::dda {
namespace {

using test::skew_particle;

struct RanksCase {
  shapes::Particle particle;
  std::string solver = "qmr", backend = "serial";
  Precision precision = Precision::double_;
  Preconditioner preconditioner{};
  bool inner_float = false, beam = false;
  double epsilon = 1e-10;
  long max_iterations = 1000;
  std::string checkpoint{};
  bool resume = false;
};

struct Solved {
  SolveReport report;
  std::vector<CVec3> polarization, incident, far;
  cplx extinction;
  std::vector<Vec3> norms;
};

const std::vector<Vec3> directions_of_ranks{{0, 0, 1}, {0.6, 0, 0.8}, {0, -1, 0}, {-0.48, 0.64, -0.6}};

Solved solve_on(const RanksCase& c, comm::Communicator* ranks) {
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
  s.far.resize(directions_of_ranks.size());
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
  engine->far_field(directions_of_ranks, s.far);
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
double off_on_ranks(const std::vector<CVec3>& a, const std::vector<CVec3>& b) {
  std::vector<CVec3> d = a;
  for (std::size_t i = 0; i < d.size(); ++i)
    for (int c = 0; c < 3; ++c) d[i][c] -= b[i][c];
  return norm(d) / norm(b);
}

/// `tolerance`: of solutions; what rounding leaves of them where both are solved to `epsilon`.
void expect_same(const Solved& one, const Solved& other, double tolerance) {
  EXPECT_EQ(other.report.status, SolveStatus::converged);
  EXPECT_LT(off_on_ranks(other.polarization, one.polarization), tolerance);
  EXPECT_LT(off_on_ranks(other.incident, one.incident), tolerance);
  EXPECT_LT(off_on_ranks(other.far, one.far), tolerance);
  EXPECT_LT(std::abs(other.extinction - one.extinction), tolerance * std::abs(one.extinction));
  ASSERT_EQ(other.norms.size(), one.norms.size());
  for (std::size_t m = 0; m < one.norms.size(); ++m)
    for (int c = 0; c < 3; ++c)
      EXPECT_LE(std::abs(other.norms[m][c] - one.norms[m][c]), tolerance * one.norms[m][c]);
}

void on_ranks(int ranks, const RanksCase& c, const std::function<void(const Solved&)>& look) {
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
  RanksCase c{skew_particle({5, 6, 7})};
  const Solved one = solve_on(c, nullptr);
  ASSERT_EQ(one.report.status, SolveStatus::converged);
  for (const int ranks : {2, 3, 4})
    on_ranks(ranks, c, [&](const Solved& s) {
      expect_same(one, s, solved_to);
      EXPECT_LE(std::abs(s.report.iterations - one.report.iterations), 1);
    });
}

/// Iterations of two solves to one residual: rounding moves the last ones, more so where a recurrence is
/// erratic.
void expect_near(long one, long other) {
  EXPECT_LE(std::abs(other - one), 1 + one / 5) << one << ", " << other;
}

TEST(DdaRanks, EverySolverDoes) {
  for (const SolverHelp& solver : solver_list()) {
    SCOPED_TRACE(solver.name);
    RanksCase c{skew_particle({5, 6, 7}), solver.name};
    const Solved one = solve_on(c, nullptr);
    ASSERT_EQ(one.report.status, SolveStatus::converged);
    on_ranks(3, c, [&](const Solved& s) {
      expect_same(one, s, solved_to);
      expect_near(one.report.iterations, s.report.iterations);
    });
  }
}

TEST(DdaRanks, ShadowVectorsAreThoseOfTheWhole) {
  // Two steps of IDR: their solution depends on the shadow vectors, and on rounding by 1e-12 at most.
  for (const char* solver : {"idr4", "idr8"}) {
    RanksCase c{skew_particle({5, 6, 7}), solver};
    c.max_iterations = 12;
    const Solved one = solve_on(c, nullptr);
    ASSERT_EQ(one.report.status, SolveStatus::iteration_limit);
    on_ranks(3, c,
             [&](const Solved& s) { EXPECT_LT(off_on_ranks(s.polarization, one.polarization), 1e-12); });
  }
}

TEST(DdaRanks, BoxesThatDoNotDivide) {
  for (const Int3& box : {Int3{1, 1, 7}, Int3{7, 1, 2}, Int3{3, 5, 2}, Int3{2, 9, 1}, Int3{12, 3, 5}}) {
    SCOPED_TRACE(std::to_string(box[0]) + "x" + std::to_string(box[1]) + "x" + std::to_string(box[2]));
    RanksCase c{skew_particle(box), "bicgstab"};
    c.beam = true;
    const Solved one = solve_on(c, nullptr);
    ASSERT_EQ(one.report.status, SolveStatus::converged);
    for (const int ranks : {2, 3, 4, 7})
      on_ranks(ranks, c, [&](const Solved& s) { expect_same(one, s, solved_to); });
  }
}

TEST(DdaRanks, OnEveryBackendAndInFloat) {
  for (const std::string& backend : umov::test::backends_here())
    for (const char* product : {"simple", "tuned"})
      for (const bool single : {false, true})
        for (const bool inner : {false, true}) {
          if ((single && inner) || (backend == "serial" && product == std::string("tuned"))) continue;
          SCOPED_TRACE(backend + ", " + product + (single ? ", float" : inner ? ", iterated in float" : ""));
          const umov::test::RankProductIs asked(product);
          RanksCase c{skew_particle({6, 4, 5}), "qmr", backend};
          if (single) c.precision = Precision::single, c.epsilon = 1e-5;
          c.inner_float = inner;
          const Solved one = solve_on(c, nullptr);
          // float keeps 6e-8 of a number, and the solves end at residuals of 1e-5; 7 ranks: some have no
          // planes
          for (const int ranks : {2, 3, 7})
            on_ranks(ranks, c, [&](const Solved& s) { expect_same(one, s, single ? 1e-3 : solved_to); });
        }
}

TEST(DdaRanks, TheTunedProductIsThatOfOneRank) {
  for (const std::string& backend : umov::test::backends_here()) {
    if (backend == "serial") continue;
    // lengths whose radices a GPU's compiler knows, and others
    std::vector<Int3> boxes{{64, 5, 6}, {9, 64, 4}, {10, 6, 64}, {40, 21, 27}};
    // on a GPU several exchanges each way, which take 12 MiB or more
    if (backend == "cuda") boxes.push_back({128, 128, 96});
    for (const Int3& box : boxes) {
      SCOPED_TRACE(backend + ", " + std::to_string(box[0]) + "x" + std::to_string(box[1]) + "x" +
                   std::to_string(box[2]));
      const umov::test::RankProductIs asked("tuned");
      RanksCase c{skew_particle(box), "bicgstab", backend};
      // two iterations: their numbers depend on every product, and on its rounding by 1e-12 at most
      c.max_iterations = 2;
      c.beam = true;
      const Solved one = solve_on(c, nullptr);
      for (const int ranks : {2, 3})
        on_ranks(ranks, c,
                 [&](const Solved& s) { EXPECT_LT(off_on_ranks(s.polarization, one.polarization), 1e-12); });
    }
  }
}

TEST(DdaRanks, AnUnknownProductIsRefused) {
  const umov::test::RankProductIs asked("fast");
  RanksCase c{skew_particle({5, 6, 7}), "qmr", "cpu"};
  try {
    on_ranks(2, c, [](const Solved&) {});
    FAIL();
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("UMOV_RANK_PRODUCT=fast is no product of ranks"), std::string::npos);
  }
}

Preconditioner of_kind(PreconditionerKind kind, const RanksCase& c) {
  Preconditioner p;
  p.kind = kind;
  p.name = "tried";
  const double v = c.particle.dipole_volume();
  for (auto& a : p.inverse_alpha) a = 1.0 / (v * cplx(0.08, 0.015));
  if (kind == PreconditionerKind::medium) {
    p.damping = 0.3;
    p.growth = 0.1;
    p.reach = {2.5, 2.5, 2.5};
  }
  return p;
}

void with_preconditioners(const std::string& backend) {
  for (const auto kind : {PreconditionerKind::medium, PreconditionerKind::circulant})
    for (const bool inner : {false, true}) {
      SCOPED_TRACE(kind == PreconditionerKind::medium ? "medium" : "circulant");
      RanksCase c{skew_particle({5, 6, 7}), "qmr", backend};
      c.preconditioner = of_kind(kind, c);
      c.inner_float = inner;
      const Solved one = solve_on(c, nullptr);
      ASSERT_EQ(one.report.status, SolveStatus::converged);
      for (const int ranks : {2, 3, 8})
        on_ranks(ranks, c, [&](const Solved& s) {
          expect_same(one, s, solved_to);
          expect_near(one.report.iterations, s.report.iterations);
        });
    }
}

TEST(DdaRanks, WithPreconditioners) { with_preconditioners("serial"); }
TEST(DdaRanks, WithPreconditionersAndTheTunedProduct) { with_preconditioners("cpu"); }

TEST(DdaRanks, SameBitsFromRunToRun) {
  RanksCase c{skew_particle({5, 6, 7})};
  std::vector<CVec3> first;
  for (int run = 0; run < 3; ++run)
    on_ranks(3, c, [&](const Solved& s) {
      if (first.empty()) first = s.polarization;
      EXPECT_EQ(first, s.polarization);
    });
}

TEST(DdaRanks, AStateIsContinuedOnAnotherNumberOfRanks) {
  const std::string file = std::filesystem::temp_directory_path() / "dda_ranks_state";
  for (const char* solver : {"qmr", "idr4", "bcgs2", "cocr"})
    for (const bool inner : {false, true}) {
      SCOPED_TRACE(std::string(solver) + (inner ? ", iterated in float" : ""));
      RanksCase c{skew_particle({5, 6, 7}), solver};
      c.inner_float = inner;
      const Solved whole = solve_on(c, nullptr);
      ASSERT_EQ(whole.report.status, SolveStatus::converged);
      for (const auto& [before, after] : {std::pair{2, 3}, {3, 1}, {1, 4}}) {
        SCOPED_TRACE(std::to_string(before) + " ranks, then " + std::to_string(after));
        c.checkpoint = file;
        c.resume = false;
        const auto stopped = [](const Solved& s) { EXPECT_EQ(s.report.status, SolveStatus::interrupted); };
        if (before == 1)
          stopped(solve_on(c, nullptr));
        else
          on_ranks(before, c, stopped);
        c.resume = true;
        const auto ended = [&](const Solved& s) {
          expect_same(whole, s, solved_to);
          expect_near(whole.report.iterations, s.report.iterations);
          EXPECT_GT(s.report.history.size(), 4u);
        };
        if (after == 1)
          ended(solve_on(c, nullptr));
        else
          on_ranks(after, c, ended);
        c.checkpoint.clear();
        c.resume = false;
        std::filesystem::remove(file);
      }
    }
}

TEST(DdaRanks, AStateThatCannotBeWrittenIsSaidOnEveryRank) {
  RanksCase c{skew_particle({5, 6, 7})};
  c.checkpoint = "/nowhere/at/all/state";
  std::atomic<int> said{0};
  EXPECT_THROW(comm::run_in_process(3,
                                    [&](comm::Communicator& comm) {
                                      try {
                                        solve_on(c, &comm);
                                      } catch (const Error&) {
                                        ++said;
                                        throw;
                                      }
                                    }),
               Error);
  EXPECT_EQ(said, 3);
}

TEST(DdaRanks, WhatTheyCannotDoIsRefusedByName) {
  const auto refusal = [](const RanksCase& c, int ranks) {
    std::string text;
    try {
      on_ranks(ranks, c, [](const Solved&) {});
    } catch (const BadInput& e) {
      text = e.what();
    }
    return text;
  };
  RanksCase few{skew_particle({3, 5, 2}), "idr4"};
  EXPECT_NE(refusal(few, 4).find("the solver idr4 needs 8 unknowns on every rank"), std::string::npos);
  RanksCase wide{skew_particle({3, 5, 2})};
  wide.precision = Precision::long_double;
  EXPECT_NE(refusal(wide, 2).find("long double is not offered on several ranks"), std::string::npos);
}

TEST(DdaRanks, MemoryIsTheEstimateOfTheFullestWithinTenPercent) {
  shapes::Particle p = skew_particle({24, 20, 18});
  Problem problem;
  problem.particle = &p;
  for (int a = 0; a < 3; ++a) problem.fft_grid[a] = 2 * p.box[a];
  for (const int ranks : {2, 3, 5})
    for (const char* product : {"simple", "tuned"}) {
      SCOPED_TRACE(std::to_string(ranks) + ", " + product);
      const umov::test::RankProductIs asked(product);
      std::vector<double> held(std::size_t(ranks), 0);
      comm::run_in_process(ranks, [&](comm::Communicator& comm) {
        EngineRequest request;
        request.backend = "cpu";
        request.threads = 1;
        request.ranks = &comm;
        const auto engine = make_engine(request);
        engine->load(problem);
        const cplx alpha = 0.1 * p.dipole_volume();
        engine->set_polarizability(std::vector<CVec3>(2, CVec3{alpha, alpha, alpha}));
        engine->set_plane_wave({0, 0, 1}, {1, 0, 0});
        engine->solve({});
        held[std::size_t(comm.rank())] = double(total_bytes(engine->memory()));
      });
      const double estimate =
          double(total_bytes(estimate_rank_memory(problem, ranks, "qmr", Precision::double_, {}, "cpu", 1)));
      EXPECT_NEAR(*std::max_element(held.begin(), held.end()) / estimate, 1, 0.1);
    }
}

TEST(FrequencySharesOfRanks, HoldEveryPlaneOnceAndWithItsImage) {
  for (const int gx : {1, 2, 7, 10, 16, 27})
    for (const int ranks : {1, 2, 3, 5, 20}) {
      SCOPED_TRACE(std::to_string(gx) + " points, " + std::to_string(ranks) + " ranks");
      const FrequencyShares shares(gx, ranks);
      std::vector<int> owner(std::size_t(gx), -1);
      int most = 0;
      for (int r = 0; r < ranks; ++r) {
        int place = 0;
        for (const auto& group : shares.groups(r, 4)) {
          EXPECT_EQ(group.place, place);
          EXPECT_TRUE(group.width >= 1 && group.width <= 4);
          place += group.width;
          for (int k = group.k0; k < group.k0 + group.width; ++k) {
            EXPECT_EQ(owner.at(std::size_t(k)), -1);
            owner[std::size_t(k)] = r;
            const int stored = std::min(k, gx - k);
            EXPECT_TRUE(stored >= shares.first(r) && stored < shares.first(r) + shares.stored(r));
          }
        }
        EXPECT_EQ(place, shares.planes(r));
        most = std::max(most, place);
      }
      EXPECT_EQ(std::count(owner.begin(), owner.end(), -1), 0);
      // no rank has more than its share but for a pair
      EXPECT_LE(most, gx / ranks + 2);
    }
}

}  // namespace
}  // namespace umov::dda
