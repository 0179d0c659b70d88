// Passes of two time steps in space with the exchange of ranks among them, on a processor in the place of
// GPUs: which blocks go before the copies travel, which meanwhile, and the bits of one rank.
#include <gtest/gtest.h>

#include <mutex>
#include <random>

#include "comm/in_process.hpp"
#include "fdtd/engine_on.hpp"
#include "fdtd/ranks/rank_engine.hpp"
#include "support/fdtd_sparse.hpp"

// The march fuses by name what patches and simple steps fuse on GPUs only (kernels/rounding.hpp): here
// nothing is.
#define fmaf(a, b, c) ((a) * (b) + (c))
#include "fdtd/tuned/cuda/cell_set.cu"
#include "fdtd/tuned/cuda/march_3d.cu"
#include "fdtd/tuned/cuda/march_stepper.cu"
#include "fdtd/tuned/cuda/segments.cu"
#undef fmaf

namespace umov::fdtd {
namespace tuned {
// no passes in the plane here
bool can_march(Mode, int, const Limits&) { return false; }
void launch(Mode, int, MarchPlane, const Limits&, cudaStream_t) { std::abort(); }
}  // namespace tuned

namespace trial {
namespace {

constexpr Closure pec = Closure::pec, pmc = Closure::pmc, periodic = Closure::periodic;
constexpr int steps_of_pass = tuned::volume_steps;

/// As CudaStepper, for grids of any size. Looks whether what travels is left alone meanwhile.
template <class Dev, class T, class F>
class MarchSteps {
  using S = State<Dev, T, F>;
  using P = Passes<Dev, T, F>;

 public:
  MarchSteps(S& s, P& p, const Problem& problem)
      : simple_(s, p, problem), march_(s, problem, steps_of_pass, s.dev.limits()) {}

  void advance(S& s, P& p, long first, long steps) {
    for (; steps >= steps_of_pass; steps -= steps_of_pass, first += steps_of_pass) march_.pass(s, p, first);
    simple_.advance(s, p, first, steps);
  }
  void join(S& s, const Border& border) {
    march_.join(s, border);
    sent_ = tuned::sent_planes(border, s.grid);
  }
  bool has_borders_first(long steps) const { return march_.has_borders_first() && steps == steps_of_pass; }
  void advance(S& s, P& p, long first, long, const BorderCalls& border) {
    std::vector<float> before;
    march_.pass(s, p, first,
                {[&] {
                   before = sent_values(s);
                   border.start();
                 },
                 [&] {
                   EXPECT_TRUE(sent_values(s) == before) << "sent planes change while they travel";
                   border.finish();
                 }});
  }
  void flush(S&) {}
  void reload(S&) {}
  std::size_t bytes() const { return 0; }
  std::string variant() const { return march_.variant(); }

 private:
  std::vector<float> sent_values(S& s) const {
    const Planes planes(s.grid);
    std::vector<float> values;
    for (int c = 0; c < components; ++c)
      for (int k = 0; k < planes.count(); ++k)
        if (sent_[std::size_t(k)])
          values.insert(values.end(), s.field(c) + planes.begin(k),
                        s.field(c) + planes.begin(k) + planes.size());
    return values;
  }
  SimpleStepper<Dev, T, F> simple_;
  tuned::MarchStepper march_;
  std::vector<char> sent_;
};

struct Case {
  Sparse grid;
  int ranks;
  bool rest;         ///< whether some rank has blocks left while copies travel
  int shared = 227;  ///< KiB of a block: tall columns or short ones
  std::string lists = "all";
  std::array<int, 2> blocks{0, 0};  ///< across rows and planes; else slabs
};
void PrintTo(const Case& c, std::ostream* os) {
  *os << testing::PrintToString(c.grid) << " " << c.ranks << " ranks " << c.shared << " KiB " << c.lists;
  if (c.blocks[0] > 0) *os << " " << c.blocks[0] << " x " << c.blocks[1] << " blocks";
}

/// Lists in a corner of the first column, in all planes: other columns have nothing but what the pass steps.
Problem problem_of(const Case& c) {
  Problem p = sparse(c.grid);
  const Layout layout(p.grid);
  const int n = p.grid.cells[2];
  std::mt19937 random(5);
  p.tables = {signal_table([](long s) { return std::cos(0.2 * double(s)); })};
  for (const int k : {0, n / 2, n - 1}) p.sources.push_back(point_source(p, Ez, {4, 5, k}));
  p.sources.push_back(point_source(p, Hx, {5, 4, n / 2}));
  for (int comp = 0; comp < components; ++comp) {
    Recorder r;
    r.component = Component(comp);
    FourierAccumulator f{Component(comp), 5, {}, {0.05}};
    for (int k = 0; k < n; ++k) {
      r.cells.push_back(layout.at(3, 3 + k % 3, k));
      for (int i = 2; i < 6; ++i) f.cells.push_back(layout.at(i, 4, k));
    }
    // samples in all columns at the end of passes, and of some within a pass: that needs patches there
    f.cells.push_back(layout.at(p.grid.cells[0] - 9, p.grid.cells[1] / 2, n / 3));
    // beyond a wall that tensor terms look over, in a column without lists
    if (comp == Hz && c.lists == "all") f.cells.push_back(layout.at(60, -1, 2));
    r.weights.assign(r.cells.size(), 0.5);
    r.first = {0, index_t(r.cells.size())};
    r.interval = 3;
    p.recorders.push_back(r);
    p.fouriers.push_back(f);
    if (!is_electric(comp) || c.lists == "samples") continue;
    DispersiveGroup g{Component(comp), {}, {{false, 0.98, 0.05, 0.01, 0.3 * p.grid.dt}}};
    for (int k = 1; k < n; ++k)
      for (int i = 2; i < 5; ++i) g.cells.push_back(layout.at(i, 3, k));
    p.dispersive.push_back(g);
    if (c.lists == "no tensor") continue;
    for (int k = 1; k < n; k += 3)
      p.tensor[comp].push_back({layout.at(6, 6, k), {{{0.01, 0.02}, {0.01, -0.01}}}});
  }
  return p;
}

struct Answers {
  std::vector<std::vector<double>> of;
  double energy = 0;
  std::string device;
};

backend::cuda::Limits limits_with(int shared) {
  backend::cuda::Limits l;
  l.code = 90;
  l.shared_block = std::size_t(shared) << 10, l.shared_processor = l.shared_block + 1024;
  l.threads = 2048, l.processors = 4;
  return l;
}

template <template <class, class, class> class Stepper>
std::unique_ptr<Engine> engine_of(const Problem& p, int shared) {
  return std::make_unique<EngineOn<backend::Cuda, float, float, Stepper>>(p, limits_with(shared));
}

Answers answers_of(Engine& e, const Problem& p) {
  set_noise(e, p, 3);
  for (const int n : {1, 4, 5, 2}) e.advance(n);
  Answers a;
  for (int c = 0; c < components; ++c) a.of.push_back(values(e, p, Component(c)).real);
  for (std::size_t r = 0; r < p.recorders.size(); ++r) a.of.push_back(e.drain(int(r)));
  for (std::size_t n = 0; n < p.fouriers.size(); ++n) {
    a.of.emplace_back();
    for (const cplx z : e.fourier(int(n))) a.of.back().push_back(z.real()), a.of.back().push_back(z.imag());
  }
  const FieldWatch watch = e.watch();
  a.energy = watch.electric_energy + watch.magnetic_energy;
  a.device = e.device();
  return a;
}

void expect_same(const Answers& found, const Answers& right, const std::string& where) {
  ASSERT_EQ(found.of.size(), right.of.size());
  // sums over the ranks' cells, in double, of fewer than 1e6 terms
  EXPECT_NEAR(found.energy, right.energy, 1e-11 * right.energy) << where;
  for (std::size_t i = 0; i < right.of.size(); ++i)
    EXPECT_TRUE(found.of[i] == right.of[i]) << where << ", " << found.device << ", field or list " << i;
}

class FdtdMarchOnRanks : public testing::TestWithParam<Case> {};

TEST_P(FdtdMarchOnRanks, HasTheBitsOfOneRankWhileCopiesTravel) {
  const Case& c = GetParam();
  const Problem p = problem_of(c);
  const Answers right = answers_of(*engine_of<SimpleStepper>(p, c.shared), p);
  expect_same(answers_of(*engine_of<MarchSteps>(p, c.shared), p), right, "passes on one rank");
  for (const Overlap overlap : {Overlap::never, Overlap::where_it_pays, Overlap::always}) {
    int with_rest = 0;
    std::mutex mutex;
    comm::run_in_process(c.ranks, [&](comm::Communicator& comm) {
      EngineRequest request;
      request.backend = "serial";
      ranks::PartOptions options{
          true,
          steps_of_pass,
          overlap,
          [&](const Problem& part, const EngineRequest&) { return engine_of<MarchSteps>(part, c.shared); },
          RankCut::slabs,
          c.blocks};
      const auto e = ranks::make_engine(p, request, comm, options);
      const Answers found = answers_of(*e, p);
      const std::lock_guard hold(mutex);
      expect_same(found, right,
                  "rank " + std::to_string(comm.rank()) + ", overlap " + std::to_string(int(overlap)));
      with_rest += found.device.find("while copies travel") != std::string::npos;
    });
    if (overlap == Overlap::never) {
      EXPECT_EQ(with_rest, 0);
    }
    if (overlap == Overlap::always) {
      EXPECT_EQ(with_rest > 0, c.rest);
    }
  }
}

const Case cases[] = {
    {{Mode::full, {100, 40, 44}, true, false}, 2, true},
    {{Mode::full, {70, 30, 77}, true, false}, 3, true, 99},
    {{Mode::full, {100, 40, 40}, false, false, {pec, pec, periodic}, {pec, pec, periodic}}, 2, false, 99},
    {{Mode::full, {100, 30, 50}, false, false, {pec, pec, periodic}, {pec, pec, periodic}}, 2, true, 99},
    {{Mode::full, {150, 20, 44}, true, false, {periodic, pec, pec}, {periodic, pec, pec}}, 2, true, 99},
    {{Mode::full, {70, 60, 44}, true, false, {pec, pmc, pec}, {pec, pec, pmc}, 1}, 2, true, 99, "no tensor"},
    {{Mode::full, {100, 21, 50}, true, false}, 2, true, 99, "samples"},
    {{Mode::full, {61, 19, 7}, true, false}, 3, false, 99},
    {{Mode::full, {61, 19, 7}, true, false, {pec, pec, periodic}, {pec, pec, periodic}}, 3, false, 99},
    {{Mode::full, {25, 17, 3}, true, false}, 5, false, 99},
    {{Mode::full, {25, 17, 4}, true, false, {pec, pec, pmc}, {pec, pec, pec}}, 4, false, 99, "no tensor"},
    {{Mode::full, {100, 61, 44}, true, false}, 4, false, 227, "all", {2, 2}},
    {{Mode::full, {70, 77, 30}, true, false}, 3, false, 99, "all", {3, 1}},
    {{Mode::full, {100, 50, 40}, false, false, {pec, periodic, pec}, {pec, periodic, pec}},
     2,
     false,
     99,
     "all",
     {2, 1}},
    {{Mode::full, {61, 50, 40}, false, false, {pec, periodic, periodic}, {pec, periodic, periodic}},
     4,
     false,
     99,
     "all",
     {2, 2}},
    {{Mode::full, {70, 60, 44}, true, false, {pec, pmc, pec}, {pec, pec, pmc}, 1},
     6,
     false,
     99,
     "no tensor",
     {2, 3}},
    {{Mode::full, {61, 19, 7}, true, false}, 6, false, 99, "all", {3, 2}},
};
INSTANTIATE_TEST_SUITE_P(Cases, FdtdMarchOnRanks, testing::ValuesIn(cases));

}  // namespace
}  // namespace trial
}  // namespace umov::fdtd
