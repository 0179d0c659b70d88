// Blocks of right-hand sides of a particle that ranks share: columns, iterations and states of one rank.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "comm/in_process.hpp"
#include "dda/engine.hpp"
#include "dda/ranks/memory.hpp"
#include "dda/scheme/memory.hpp"
#include "support/rank_product.hpp"
#include "support/skew_particle.hpp"

namespace umov::dda {
namespace {

using test::skew_particle;

/// Plane waves from everywhere, both polarizations in turn, and a field that is none.
std::vector<RightSide> sides_of(const shapes::Particle& p, int count) {
  std::vector<RightSide> list;
  for (int j = 0; j < count; ++j) {
    const double t = 0.4 + 0.7 * (j / 2), f = 1.1 * (j / 2);
    const Vec3 n{std::sin(t) * std::cos(f), std::sin(t) * std::sin(f), std::cos(t)};
    const Vec3 e = j % 2 ? Vec3{std::cos(t) * std::cos(f), std::cos(t) * std::sin(f), -std::sin(t)}
                         : Vec3{-std::sin(f), std::cos(f), 0};
    list.push_back({n, {e[0], e[1], e[2]}, {}});
  }
  for (std::size_t i = 0; i < p.dipoles(); ++i)
    list.back().field.push_back({std::polar(1.0, 0.1 * double(i)), 0.3, cplx(0, double(i % 5))});
  return list;
}

struct Setting {
  std::string backend = "serial";
  int columns = 5;
  bool inner_float = false, preconditioned = false;
  std::string checkpoint{};
  bool resume = false;
  long stop = 0;  ///< iteration to stop at; 0 = none
};

/// The body, of which each rank has its own copy.
constexpr Int3 box{6, 5, 7};

struct Solutions {
  std::vector<SolveReport> reports;
  std::vector<std::vector<CVec3>> polarizations;
  std::vector<cplx> extinctions;
  std::vector<CVec3> far;  ///< [column][direction]
};
const std::vector<Vec3> directions{{0, 0, 1}, {0.6, 0, 0.8}, {-0.48, 0.64, -0.6}};

Solutions solve_on(const Setting& s, comm::Communicator* ranks, bool together = true) {
  const auto particle = skew_particle(box);
  EngineRequest request;
  request.backend = s.backend;
  request.threads = 1;
  request.ranks = ranks;
  const auto engine = make_engine(request);
  Problem problem;
  problem.particle = &particle;
  problem.wavenumber = 1.3;
  problem.fft_grid = transform_grid(box, {0, 0, 0});
  problem.inner_float = s.inner_float;
  engine->load(problem);
  const double v = particle.dipole_volume();
  engine->set_polarizability(
      std::vector<CVec3>{{v * cplx(0.09, 0.01), v * cplx(0.1, 0.02), v * cplx(0.08, 0.004)},
                         {v * cplx(0.04, 0.03), v * cplx(0.06, 0.01), v * cplx(0.05, 0.02)}});
  SolveOptions options;
  options.solver = "cocr";
  options.epsilon = 1e-9;
  options.inner_float = s.inner_float;
  options.checkpoint_file = s.checkpoint;
  options.resume = s.resume;
  if (s.stop > 0) options.hook = [&](long iteration, double) { return iteration < s.stop; };
  if (s.preconditioned) {
    Preconditioner p;
    p.kind = PreconditionerKind::medium;
    for (auto& a : p.inverse_alpha) a = 1.0 / (v * cplx(0.08, 0.015));
    p.damping = 0.3;
    p.growth = 0.1;
    p.reach = {2.5, 2.5, 2.5};
    p.name = "tried";
    options.preconditioners = {p};
  }
  Solutions out;
  const auto take = [&] {
    out.polarizations.emplace_back(particle.dipoles());
    engine->get_polarization(out.polarizations.back());
    out.extinctions.push_back(engine->extinction_sum());
  };
  const auto sides = sides_of(particle, s.columns);
  out.far.resize(sides.size() * directions.size());
  if (!together) {
    for (std::size_t j = 0; j < sides.size(); ++j) {
      if (sides[j].field.empty())
        engine->set_plane_wave(sides[j].propagation, sides[j].e0);
      else
        engine->set_incident(sides[j].field);
      out.reports.push_back(engine->solve(options));
      take();
      engine->far_field(directions, std::span(out.far).subspan(j * directions.size(), directions.size()));
    }
    return out;
  }
  out.reports = engine->solve_block(sides, options);
  std::vector<int> columns;
  for (int j = 0; j < s.columns; ++j) {
    engine->select(j);
    take();
    columns.push_back(j);
  }
  engine->far_fields(directions, columns, out.far);
  return out;
}

/// What the first rank has; the others have the same bits.
Solutions on_ranks(int ranks, const Setting& s) {
  Solutions first;
  std::mutex one_at_a_time;
  std::vector<std::vector<CVec3>> far;
  comm::run_in_process(ranks, [&](comm::Communicator& comm) {
    Solutions mine = solve_on(s, &comm);
    const std::lock_guard<std::mutex> hold(one_at_a_time);
    far.push_back(mine.far);
    if (comm.first()) first = std::move(mine);
  });
  for (const auto& of_rank : far) EXPECT_EQ(of_rank, first.far);
  return first;
}

double off_in_blocks(const std::vector<CVec3>& a, const std::vector<CVec3>& b) {
  double all = 0, difference = 0;
  for (std::size_t i = 0; i < b.size(); ++i)
    for (int c = 0; c < 3; ++c) all += std::norm(b[i][c]), difference += std::norm(a[i][c] - b[i][c]);
  return std::sqrt(difference / all);
}

// Residuals of 1e-9 on both sides, and |A^-1| of some units here.
constexpr double blocks_solved_to = 2e-8;

void expect_same(const Solutions& one, const Solutions& other) {
  ASSERT_EQ(other.reports.size(), one.polarizations.size());
  EXPECT_LT(off_in_blocks(other.far, one.far), blocks_solved_to);
  for (std::size_t j = 0; j < one.polarizations.size(); ++j) {
    EXPECT_EQ(other.reports[j].status, SolveStatus::converged);
    EXPECT_LT(off_in_blocks(other.polarizations[j], one.polarizations[j]), blocks_solved_to)
        << "column " << j;
    EXPECT_LT(std::abs(other.extinctions[j] / one.extinctions[j] - 1.0), blocks_solved_to);
  }
}

/// Rounding moves the last iterations.
void expect_near(const Solutions& one, const Solutions& other) {
  const long a = one.reports[0].block_iterations, b = other.reports[0].block_iterations;
  EXPECT_GT(a, 0);
  EXPECT_LE(std::abs(a - b), 1 + a / 20) << a << ", " << b;
}

TEST(DdaRankBlocks, EachColumnIsItsOwnSolveInTheIterationsOfOneRank) {
  for (const char* backend : {"serial", "cpu"})
    for (const bool inner : {false, true})
      for (const bool preconditioned : {false, true}) {
        Setting s{backend};
        s.inner_float = inner;
        s.preconditioned = preconditioned;
        const Solutions alone = solve_on(s, nullptr, false), one = solve_on(s, nullptr);
        expect_same(alone, one);
        for (const int ranks : {2, 3, 4, 9}) {  // 9: two have no planes
          SCOPED_TRACE(std::string(backend) + (inner ? ", in float" : "") +
                       (preconditioned ? ", preconditioned, " : ", ") + std::to_string(ranks) + " ranks");
          const Solutions several = on_ranks(ranks, s);
          expect_same(alone, several);
          expect_near(one, several);
          EXPECT_EQ(several.reports[0].block, s.columns);
        }
      }
}

TEST(DdaRankBlocks, AStateIsContinuedOnAnotherNumberOfRanks) {
  const std::string file = std::filesystem::temp_directory_path() / "dda_rank_blocks_state";
  for (const bool inner : {false, true}) {
    Setting s;
    s.inner_float = inner;
    const Solutions whole = solve_on(s, nullptr);
    const auto run = [](int ranks, const Setting& setting) {
      return ranks == 1 ? solve_on(setting, nullptr) : on_ranks(ranks, setting);
    };
    for (const auto& [before, after] : {std::pair{2, 3}, {3, 1}, {1, 4}}) {
      SCOPED_TRACE(std::to_string(before) + " ranks, then " + std::to_string(after) +
                   (inner ? ", in float" : ""));
      Setting stopped = s;
      stopped.checkpoint = file;
      stopped.stop = 4;
      for (const auto& report : run(before, stopped).reports)
        EXPECT_EQ(report.status, SolveStatus::interrupted);
      Setting resumed = s;
      resumed.checkpoint = file;
      resumed.resume = true;
      const Solutions ended = run(after, resumed);
      expect_same(whole, ended);
      expect_near(whole, ended);
      EXPECT_GT(ended.reports[0].history.size(), 4u);
      std::filesystem::remove(file);
    }
  }
}

TEST(DdaRankBlocks, OneRankAloneThatIsAskedToStopStopsAll) {
  for (const int who : {0, 2}) {
    comm::run_in_process(3, [&](comm::Communicator& comm) {
      Setting s;
      s.stop = comm.rank() == who ? 3 : 0;
      for (const auto& report : solve_on(s, &comm).reports)
        EXPECT_EQ(report.status, SolveStatus::interrupted);
    });
  }
}

TEST(DdaRankBlocks, OfSolutionsFoundElsewhereHaveTheirFields) {
  Setting s;
  const Solutions one = solve_on(s, nullptr);
  comm::run_in_process(3, [&](comm::Communicator& comm) {
    const auto particle = skew_particle(box);
    EngineRequest request;
    request.backend = "serial";
    request.ranks = &comm;
    const auto engine = make_engine(request);
    Problem problem;
    problem.particle = &particle;
    problem.wavenumber = 1.3;
    problem.fft_grid = transform_grid(box, {0, 0, 0});
    engine->load(problem);
    const auto sides = sides_of(particle, s.columns);
    engine->set_columns(sides, one.polarizations);
    std::vector<CVec3> far(directions.size()), p(particle.dipoles());
    for (int j = 0; j < s.columns; ++j) {
      const int columns[] = {j};
      engine->far_fields(directions, columns, far);
      const std::vector<CVec3> mine(one.far.begin() + j * 3, one.far.begin() + (j + 1) * 3);
      EXPECT_LT(off_in_blocks(far, mine), 1e-12);
      engine->select(j);
      engine->get_polarization(p);
      EXPECT_EQ(p, one.polarizations[std::size_t(j)]);
      EXPECT_LT(std::abs(engine->extinction_sum() / one.extinctions[std::size_t(j)] - 1.0), 1e-12);
    }
  });
}

TEST(DdaRankBlocks, TakeTheMemoryThatTheEstimateSays) {
  const auto particle = skew_particle(box);
  Problem problem;
  problem.particle = &particle;
  problem.fft_grid = transform_grid(box, {0, 0, 0});
  for (const int ranks : {2, 3}) {
    std::vector<std::size_t> held(std::size_t(ranks), 0);
    comm::run_in_process(ranks, [&](comm::Communicator& comm) {
      EngineRequest request;
      request.backend = "serial";
      request.ranks = &comm;
      const auto engine = make_engine(request);
      engine->load(problem);
      const cplx alpha = 0.1 * particle.dipole_volume();
      engine->set_polarizability(std::vector<CVec3>(2, CVec3{alpha, alpha, alpha}));
      SolveOptions options;
      options.solver = "cocr";
      engine->solve_block(sides_of(particle, 4), options);
      for (const MemoryUse& use : engine->memory())
        if (use.name == "iterative solver") held[std::size_t(comm.rank())] = use.bytes;
    });
    const double estimated = 4.0 * double(rank_block_bytes(problem, ranks, Precision::double_));
    // six vectors a column, of which the engine's list counts five: not the solutions beside the iteration
    EXPECT_NEAR(double(*std::max_element(held.begin(), held.end())) / estimated, 5.0 / 6, 0.01);
  }
}

}  // namespace
}  // namespace umov::dda
