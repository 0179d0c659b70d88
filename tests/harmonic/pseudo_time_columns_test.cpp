// The pass by columns that GPUs take, thread by thread on a processor, against the serial referee.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "backend/serial/serial.hpp"
#include "harmonic/marched.hpp"
#include "harmonic/pseudo_time_pass.hpp"
#include "harmonic/wavy_cell.hpp"

namespace umov::harmonic {
namespace {

/// The serial backend with the GPU's pass: see Blocks.
struct Threaded : backend::Serial {
  static inline int resident = 3;  ///< blocks at a time, for which grids are cut
};

/// Runs blocks one after the other, and their threads in turn between barriers, the last one first: a value
/// that is read before its barrier is then one of another plane. Shared memory starts as NaN.
template <class T>
struct Blocks {
  static constexpr int rows = 8;
  using Thread = ColumnThread<T, rows, PlainMemory>;
  using Shape = ColumnShape<T, rows>;

  bool possible(Threaded&) const { return true; }
  bool room(Threaded&, double) const { return true; }
  int resident(Threaded&) const { return Threaded::resident; }

  void run(Threaded&, const ColumnStep<T>& step, int blocks) const {
    auto shared = std::make_unique<typename Thread::Shared>();
    auto* values = reinterpret_cast<T*>(shared.get());
    for (int b = blocks - 1; b >= 0; --b) {
      std::fill_n(values, sizeof *shared / sizeof(T), std::numeric_limits<T>::quiet_NaN());
      std::vector<Thread> threads;
      for (int t = 0; t < Shape::threads; ++t) threads.emplace_back(step, *shared, b, t);
      const auto all = [&](const auto& f) {
        for (auto t = threads.rbegin(); t != threads.rend(); ++t) f(*t);
      };
      all([](Thread& t) { t.begin(); });
      const int first = threads[0].first(), last = threads[0].last();
      all([=](Thread& t) { t.magnetic(first); });
      for (int k = first; k < last; ++k)
        all([=](Thread& t) {  // there is no barrier between E of a plane and H of the next
          t.electric(k);
          if (k + 1 < last) t.magnetic(k + 1);
        });
    }
  }
};

}  // namespace

template <class T>
class PseudoTimePass<Threaded, T> : public ColumnPass<Threaded, T, Blocks<T>> {};

}  // namespace umov::harmonic

// after the pass
#include "harmonic/pseudo_time_on.hpp"

namespace umov::harmonic {
namespace {

constexpr double spacing = 0.0125;

Problem wavy(int nx, int ny, bool silver) {
  const auto cell = silver ? silver_cell(nx * spacing, ny * spacing) : small_cell(nx * spacing, ny * spacing);
  return make_problem(cell, silver ? with_silver : dielectrics, 0.55, {2, 1});
}

template <class Dev>
Fields marched_on(const Problem& p, const PseudoTimeRequest& request, long steps) {
  Marched m = prepare(p, Polarization::p);
  return make_pseudo_time_on<Dev>(p, request)->march(m.layered, {}, steps);
}

struct ColumnsCase {
  int nx, ny;
  bool silver, single, stored;
  int resident;
};
void PrintTo(const ColumnsCase& c, std::ostream* os) {
  *os << c.nx << "x" << c.ny << (c.silver ? " silver" : "") << (c.single ? " float" : " double")
      << (c.stored ? " stored" : "") << ", " << c.resident << " blocks at a time";
}

class HarmonicColumns : public testing::TestWithParam<ColumnsCase> {};

TEST_P(HarmonicColumns, GiveTheFieldsOfHThenE) {
  const ColumnsCase c = GetParam();
  const Problem p = wavy(c.nx, c.ny, c.silver);
  PseudoTimeRequest request{"serial"};
  request.single = c.single;
  request.poison = true;
  if (c.stored) request.coefficients = Coefficients::stored;
  Threaded::resident = c.resident;
  const Fields right = marched_on<backend::Serial>(p, request, 61),
               got = marched_on<Threaded>(p, request, 61);
  EXPECT_LT(apart(got, right), c.single ? 1e-5 : 1e-13);  // 61 steps of rounding
  EXPECT_GT(std::abs(right.values[right.values.size() / 5]), 0);
}

// tiles are 28 (double) or 56 columns wide and write 6 rows: narrower cells, several tiles, odd ends; and
// cuts along z
INSTANTIATE_TEST_SUITE_P(
    Cells, HarmonicColumns,
    testing::Values(ColumnsCase{7, 5, true, true, false, 3}, ColumnsCase{2, 2, false, true, false, 1},
                    ColumnsCase{59, 7, false, true, false, 4}, ColumnsCase{57, 13, true, true, true, 40},
                    ColumnsCase{60, 6, true, true, false, 8}, ColumnsCase{9, 8, true, false, false, 9},
                    ColumnsCase{29, 7, false, false, false, 16}, ColumnsCase{31, 3, true, false, true, 2}));

/// E after some steps with a current in every edge.
template <class Dev>
std::vector<cplx> driven(const Problem& p, int steps) {
  Dev dev;
  PseudoTimeRequest request;
  request.poison = true;
  PseudoTimeStepper<Dev, float> stepper(dev, p, pseudo_time_step(p, 0.99), true, request);
  std::vector<cplx> current(std::size_t(stepper.edges()));
  for (std::size_t n = 0; n < current.size(); ++n) current[n] = std::polar(1.0, double(n % 23));
  stepper.set_sheet(std::vector<cplx>(6, 1));
  stepper.step(1);
  stepper.rest();  // nothing of this is left
  stepper.set_currents(current);
  for (int n = 1; n <= steps; ++n) stepper.step(float(n) / float(steps));
  stepper.add_to_sum(0, 1);
  return stepper.sum();
}

TEST(HarmonicColumnsSources, InEveryPlaneAndFromRest) {
  const Problem p = wavy(9, 7, true);
  const Fields right{driven<backend::Serial>(p, 12)}, got{driven<Threaded>(p, 12)};
  EXPECT_LT(apart(got, right), 1e-6);  // 12 steps of rounding
}

TEST(HarmonicColumnsCut, WritesEveryColumnOnceAndKeepsTheDeviceBusy) {
  for (const Int3 n : {Int3{512, 512, 400}, {96, 96, 96}, {57, 13, 30}, {1000, 3, 9}, {2, 2, 2}}) {
    const auto g = PaddedGrid::make(n[0], n[1], n[2], 8);
    for (const int resident : {1, 132, 264}) {
      const auto cut = cut_into_columns(g, 56, 14, 8, resident);
      EXPECT_EQ(cut.width % 8, 0);
      EXPECT_LE(cut.width, 56);
      EXPECT_GE(cut.tiles_x * cut.width, n[0]);
      EXPECT_LT((cut.tiles_x - 1) * cut.width, n[0]);
      EXPECT_GE(cut.tiles_y * 14, n[1]);
      const int cuts = cut.blocks / (cut.tiles_x * cut.tiles_y);
      EXPECT_GE(cuts * cut.planes, n[2]);
      EXPECT_LT((cuts - 1) * cut.planes, n[2]);
    }
  }
  // the last of the blocks that run together leave less than a sixth of an H200 idle
  const auto cut = cut_into_columns(PaddedGrid::make(512, 512, 400, 8), 56, 14, 8, 132);
  const int rounds = (cut.blocks + 131) / 132;
  EXPECT_GT(double(cut.blocks) * cut.planes / (rounds * 132.0 * cut.planes), 5.0 / 6);
}

}  // namespace
}  // namespace umov::harmonic
