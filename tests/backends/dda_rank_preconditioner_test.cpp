// Preconditioners on several ranks: tables, iterations and answers of one rank, and memory by parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "backend/cpu/cpu.hpp"
#include "backend/serial/serial.hpp"
#include "comm/in_process.hpp"
#include "core/error.hpp"
#include "dda/ranks/inverse_lattice.hpp"
#include "dda/ranks/memory.hpp"
#include "dda/run/prepare.hpp"
#include "dda/scheme/polarizability.hpp"
#include "support/dda_runs.hpp"
#include "support/rank_product.hpp"

namespace umov::dda {
namespace {

struct Body {
  const char* name;
  const char* options;
};
void PrintTo(const Body& b, std::ostream* out) { *out << b.name; }

const Body bodies[] = {
    {"Sphere", "-grid 11 -dpl 12 -m 1.5 0"},
    {"Coated", "-shape coated 0.7 -grid 10 -dpl 12 -m 1.5 0 2 0.1"},
    {"Anisotropic", "-grid 9 -dpl 20 -anisotr -m 2 0 1.8 0 1.9 0.01 -prop 1 2 3"},
    {"RectangularDipoles", "-shape ellipsoid 1 1 -rect_dip 1 1 1.5 -grid 9 -dpl 15 -m 1.5 0"},
    {"Plate", "-shape box 0.75 0.25 -grid 12 -dpl 13 -m 1.31 0"},
    {"OnePlane", "-shape box 0.7 0.1 -grid 10 -dpl 12 -m 1.4 0.1"},
    {"Rod", "-shape box 0.125 0.125 -grid 16 -dpl 15 -m 1.5 0 -prop 1 0.3 0"},
    {"UprightRod", "-shape box 1 4 -grid 3 -dpl 12 -m 1.6 0"},
    {"Filtered", "-grid 7 -dpl 12 -m 1.6 0.1 -pol fcd -int fcd"},
    {"Integrated", "-grid 7 -dpl 12 -m 1.6 0.1 -int igt"},
    {"NonLocal", "-grid 7 -dpl 12 -m 1.6 0.1 -pol nloc 0.1 -int nloc 0.1"},
};
/// Circulants do not serve metals.
const Body gold{"Gold", "-grid 8 -dpl 40 -m 0.2 3.5"};

/// A body ready to be solved for with one preconditioner.
struct Ready {
  Prepared prepared;
  Problem problem;
  Preconditioner preconditioner;
};
Ready ready(const std::string& options, PreconditionerChoice choice) {
  auto sim = test::simulation(options);
  sim.solver.name = "cocr";
  sim.solver.preconditioner = choice;
  run::Journal journal({});
  TimerTable timers;
  Ready r{prepare(sim, sim.machine, journal, timers), {}, {}};
  r.preconditioner = r.prepared.preconditioning.list.at(0);
  return r;
}
/// Refers to the particle, which has come to its place.
void set_problem(Ready& r) {
  r.problem.particle = &r.prepared.particle;
  r.problem.wavenumber = r.prepared.wavenumber;
  r.problem.interaction = r.prepared.sim.interaction;
  r.problem.interaction_arguments = r.prepared.sim.interaction_arguments;
  r.problem.fft_grid = r.prepared.fft_grid;
}

using Terms = std::vector<std::complex<double>>;
template <class Table>
Terms terms_of(const Table& table) {
  Terms list;
  for (std::size_t i = 0; i < table.terms.size(); ++i)
    list.push_back(table.terms.data()[i].template to_std<double>());
  return list;
}

/// The stretches of the ranks, one behind another.
template <class Dev, class T>
Terms table_on_ranks(const Ready& r, int ranks) {
  std::vector<Terms> parts;
  parts.resize(std::size_t(ranks));
  std::mutex one_at_a_time;
  comm::run_in_process(ranks, [&](comm::Communicator& comm) {
    comm::OnRanks<Dev> dev(comm);
    InverseLattice<comm::OnRanks<Dev>, T> lattice(dev, r.problem, r.preconditioner);
    const auto table = lattice.table();
    Complex<double> zero[6];
    table.zero_lag(dev, zero);
    const std::lock_guard<std::mutex> hold(one_at_a_time);
    parts[std::size_t(comm.rank())] = terms_of(table);
    for (int c = 0; c < 6; ++c) EXPECT_TRUE(std::isfinite(zero[c].re));
    EXPECT_NE(zero[0].re, 0);
  });
  Terms all;
  for (const Terms& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

double off(const Terms& a, const Terms& b) {
  double most = 0, difference = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    most = std::max(most, std::abs(b[i]));
    difference = std::max(difference, std::abs(a.at(i) - b[i]));
  }
  return difference / most;
}

struct PreconditionedSolve {
  SolveReport report;
  std::vector<CVec3> polarization;
};
PreconditionedSolve solve_on(const Ready& r, const std::string& backend, bool inner_float,
                             comm::Communicator* ranks) {
  EngineRequest request;
  request.backend = backend;
  request.threads = 1;
  request.ranks = ranks;
  const auto engine = make_engine(request);
  Problem problem = r.problem;
  problem.inner_float = inner_float;
  engine->load(problem);
  const Prepared& p = r.prepared;
  engine->set_polarizability(polarizability(p.sim, p.particle.spacing, p.wavenumber, p.frame.propagation,
                                            p.frame.polarization('Y')));
  engine->set_plane_wave(p.frame.propagation, {cplx(1), cplx(0.3), cplx(0, 0.5)});
  SolveOptions options;
  options.solver = "cocr";
  options.epsilon = 1e-8;
  options.inner_float = inner_float;
  options.preconditioners = {r.preconditioner};
  PreconditionedSolve s;
  s.report = engine->solve(options);
  s.polarization.resize(p.particle.dipoles());
  engine->get_polarization(s.polarization);
  return s;
}

double off(const std::vector<CVec3>& a, const std::vector<CVec3>& b) {
  double all = 0, difference = 0;
  for (std::size_t i = 0; i < b.size(); ++i)
    for (int c = 0; c < 3; ++c) all += std::norm(b[i][c]), difference += std::norm(a[i][c] - b[i][c]);
  return std::sqrt(difference / all);
}

constexpr auto medium = PreconditionerChoice::medium, circulant = PreconditionerChoice::circulant;

class DdaRankPreconditioner : public testing::TestWithParam<std::tuple<Body, PreconditionerChoice>> {
 protected:
  DdaRankPreconditioner() : ready_(ready(std::get<0>(GetParam()).options, std::get<1>(GetParam()))) {
    set_problem(ready_);
  }
  Ready ready_;
};

TEST_P(DdaRankPreconditioner, TableIsThatOfOneRank) {
  backend::Serial dev;
  // the transforms' rounding, times what the inversion and exp(growth r) multiply it by: some thousands
  constexpr double of_double = 1e-12, of_float = 1e-3;
  const auto one =
      terms_of(InverseLattice<backend::Serial, double>(dev, ready_.problem, ready_.preconditioner).table());
  for (const int ranks : {1, 2, 3, 4, 7, 25}) {
    SCOPED_TRACE(ranks);
    const Terms serial = table_on_ranks<backend::Serial, double>(ready_, ranks);
    ASSERT_EQ(serial.size(), one.size());
    EXPECT_LT(off(serial, one), of_double);
    if (ranks != 3 && ranks != 7) continue;
    EXPECT_LT(off(table_on_ranks<backend::Cpu, double>(ready_, ranks), one), of_double);
    EXPECT_LT(off(table_on_ranks<backend::Serial, float>(ready_, ranks), one), of_float);
  }
}

TEST_P(DdaRankPreconditioner, TakesTheIterationsOfOneRank) {
  struct Way {
    std::string backend, product;
    bool inner;
    std::vector<int> ranks;
  };
  for (const auto& [backend, product, inner, numbers] : std::vector<Way>{{"serial", "simple", false, {2, 4}},
                                                                         {"cpu", "simple", true, {3}},
                                                                         {"cpu", "tuned", false, {2, 7}},
                                                                         {"cpu", "tuned", true, {3, 4}}}) {
    const test::RankProductIs asked(product);
    const PreconditionedSolve one = solve_on(ready_, backend, inner, nullptr);
    ASSERT_EQ(one.report.status, SolveStatus::converged);
    for (const int ranks : numbers) {
      SCOPED_TRACE(backend + ", " + product + (inner ? ", in float, " : ", ") + std::to_string(ranks) +
                   " ranks");
      comm::run_in_process(ranks, [&, backend = backend, inner = inner](comm::Communicator& comm) {
        const PreconditionedSolve s = solve_on(ready_, backend, inner, &comm);
        if (!comm.first()) return;
        EXPECT_EQ(s.report.status, SolveStatus::converged);
        // rounding moves counts by one in twenty
        EXPECT_LE(std::abs(s.report.iterations - one.report.iterations), 1 + one.report.iterations / 20)
            << s.report.iterations << ", " << one.report.iterations;
        // both residuals are 1e-8, and their images in the solution some tens of that (gold: hundreds)
        EXPECT_LT(off(s.polarization, one.polarization), 3e-6);
      });
    }
  }
}

std::string name_of(const testing::TestParamInfo<std::tuple<Body, PreconditionerChoice>>& info) {
  return std::string(std::get<0>(info.param).name) +
         (std::get<1>(info.param) == medium ? "Medium" : "Circulant");
}
INSTANTIATE_TEST_SUITE_P(Bodies, DdaRankPreconditioner,
                         testing::Combine(testing::ValuesIn(bodies), testing::Values(medium, circulant)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Metal, DdaRankPreconditioner,
                         testing::Combine(testing::Values(gold), testing::Values(medium)), name_of);

/// What a rank's arrays hold, and the most that they have held.
thread_local std::size_t held = 0, most_held = 0;

template <class T>
class CountedArray : public backend::HostArray<T> {
  using Base = backend::HostArray<T>;

 public:
  CountedArray() = default;
  explicit CountedArray(std::size_t n) : Base(n) {
    held += this->bytes();
    most_held = std::max(most_held, held);
  }
  CountedArray(CountedArray&&) noexcept = default;  // an array that was moved from holds nothing
  CountedArray& operator=(CountedArray&& o) noexcept {
    Base::operator=(std::move(o));  // the two change places
    return *this;
  }
  ~CountedArray() { held -= this->bytes(); }
};

struct CountingDevice : backend::Serial {
  template <class T>
  using Array = CountedArray<T>;
  template <class T>
  Array<T> allocate(std::size_t n) {
    return Array<T>(n);
  }
};

/// Bytes of the fullest rank while it makes its table.
template <class T>
std::size_t bytes_on_ranks(const Ready& r, int ranks) {
  std::vector<std::size_t> most(std::size_t(ranks), 0);
  comm::run_in_process(ranks, [&](comm::Communicator& comm) {
    held = most_held = 0;
    comm::OnRanks<CountingDevice> dev(comm);
    InverseLattice<comm::OnRanks<CountingDevice>, T>(dev, r.problem, r.preconditioner).table();
    EXPECT_EQ(held, 0u);
    most[std::size_t(comm.rank())] = most_held;
  });
  return *std::max_element(most.begin(), most.end());
}

std::size_t bytes_for_preconditioner(const std::vector<MemoryUse>& list, const std::string& name) {
  for (const MemoryUse& use : list)
    if (use.name == name) return use.bytes;
  return 0;
}

TEST(DdaRankPreconditionerMemory, IsAShareOfThatOfOneRankAndWhatTheEstimateSays) {
  for (const auto choice : {medium, circulant})
    for (const char* options :
         {"-grid 24 -dpl 15 -m 1.5 0", "-shape box 0.6 0.4 -grid 21 -dpl 12 -m 1.5 0"}) {
      Ready r = ready(options, choice);
      set_problem(r);
      const auto grid = grid_view(inverse_grid(r.preconditioner, r.prepared.particle));
      const Int3& box = r.prepared.particle.box;
      const double octant = 6.0 * grid.hx * grid.hy * grid.hz, buffer = double(inverse_buffer(grid, false)),
                   table = 6.0 * double(r.prepared.particle.sites()), lines = 2.0 * grid.hx * box[1] * box[2];
      for (const int ranks : {2, 3, 8}) {
        SCOPED_TRACE(std::string(options) + ", " + std::to_string(ranks) + " ranks");
        const std::size_t in_double = bytes_on_ranks<double>(r, ranks),
                          in_float = bytes_on_ranks<float>(r, ranks);
        // A share of the octant, of stretches that are a plane longer than even ones at most; with it a sixth
        // for what is exchanged, or the table and the lines that it is taken from.
        const double share = 1.0 / ranks + 1.0 / std::min({grid.hx, grid.hz, box[2]});
        const auto most = [&](double element) {
          const double back = octant * element + lines * element + table * sizeof(cplx);
          return buffer * element + share * std::max(7.0 / 6 * octant * element, back) + 4096;
        };
        EXPECT_LT(double(in_double), most(16));
        EXPECT_LT(double(in_float), most(8));
        for (const bool single : {false, true}) {
          const auto list =
              estimate_rank_memory(r.problem, ranks, "cocr", single ? Precision::single : Precision::double_,
                                   {r.preconditioner}, "cuda");
          const std::size_t solving = bytes_for_preconditioner(list, "iterative solver"),
                            set_up = bytes_for_preconditioner(list, "set-up of the preconditioner"),
                            counted = single ? in_float : in_double;
          // the solver's vectors take its place afterwards; lists of places are not counted
          if (set_up == 0) {
            EXPECT_LE(counted, solving + 4096);
          } else {
            EXPECT_NEAR(double(counted), double(set_up + solving), 4096);
          }
        }
      }
    }
}

TEST(DdaRankPreconditionerMemory, OfTheProductIsWhatTheEstimateSays) {
  for (const auto choice : {medium, circulant}) {
    Ready r = ready("-shape box 0.9 0.8 -grid 20 -dpl 12 -m 1.5 0", choice);
    set_problem(r);
    for (const int ranks : {2, 3, 5})
      for (const char* product : {"simple", "tuned"}) {
        SCOPED_TRACE(std::to_string(ranks) + ", " + product);
        const test::RankProductIs asked(product);
        std::vector<std::size_t> kept(std::size_t(ranks), 0);
        comm::run_in_process(ranks, [&](comm::Communicator& comm) {
          EngineRequest request;
          request.backend = "cpu";
          request.threads = 1;
          request.ranks = &comm;
          const auto engine = make_engine(request);
          engine->load(r.problem);
          const cplx alpha = 0.1 * r.prepared.particle.dipole_volume();
          engine->set_polarizability(std::vector<CVec3>{{alpha, alpha, alpha}});
          engine->set_plane_wave({0, 0, 1}, {1, 0, 0});
          SolveOptions options;
          options.solver = "cocr";
          options.preconditioners = {r.preconditioner};
          engine->solve(options);
          kept[std::size_t(comm.rank())] = bytes_for_preconditioner(engine->memory(), "preconditioner");
        });
        const auto list =
            estimate_rank_memory(r.problem, ranks, "cocr", Precision::double_, {r.preconditioner}, "cpu", 1);
        // ranks that have most of one array need not have most of another
        EXPECT_NEAR(double(*std::max_element(kept.begin(), kept.end())) /
                        double(bytes_for_preconditioner(list, "preconditioner")),
                    1, 0.05);
      }
  }
}

TEST(DdaRankPreconditionerMemory, OneThatIsSingularIsRefusedByAllRanks) {
  Ready r = ready("-grid 7 -dpl 12 -m 1.5 0", medium);
  set_problem(r);
  for (auto& a : r.preconditioner.inverse_alpha) a = std::nan("");
  std::string said;
  try {
    comm::run_in_process(3, [&](comm::Communicator& comm) {
      comm::OnRanks<backend::Serial> dev(comm);
      InverseLattice<comm::OnRanks<backend::Serial>, double>(dev, r.problem, r.preconditioner).table();
      ADD_FAILURE() << "rank " << comm.rank() << " has a table";
    });
  } catch (const MachineFailure& e) {
    said = e.what();
  }
  EXPECT_NE(said.find("is singular for this material; use `solver.preconditioner = 'none'`"),
            std::string::npos)
      << said;
}

}  // namespace
}  // namespace umov::dda
