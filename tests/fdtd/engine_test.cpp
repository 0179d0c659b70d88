// What an engine promises beside the equations: sources, samples, transforms, blocks, resuming, refusals.
#include <limits>

#include "core/contract.hpp"
#include "core/error.hpp"
#include "support/fdtd_everything.hpp"

namespace umov::fdtd::trial {
namespace {

double at(const Engine& e, Component c, const Int3& n) {
  return e.field(c, n, {n[0] + 1, n[1] + 1, n[2] + 1}).real[0];
}

TEST(FdtdEngine, HardSourceSetsItsField) {
  Problem p = vacuum(Mode::tm, {20, 20, 1});
  p.tables = {signal_table([](long n) { return std::sin(0.3 * double(n)); })};
  p.sources = {point_source(p, Ez, {7, 9, 0})};
  p.sources[0].hard = true;
  auto e = engine_for(p);
  for (long n = 0; n < 30; ++n) {
    e->advance(1);
    EXPECT_EQ(at(*e, Ez, {7, 9, 0}), std::sin(0.3 * double(n)));
  }
}

// In one dimension a sheet that adds s to E sends waves of s / (2 S) to both sides, S = dt / dx: behind its
// flanks a slow signal is followed to second order in its change per cell.
TEST(FdtdEngine, SoftSourceAddsAWaveAndLetsOthersPass) {
  Problem p = vacuum(Mode::one, {200, 1, 1});
  p.tables = {
      signal_table([&](long n) { return std::exp(-std::pow((double(n) * p.grid.dt - 60) / 15, 2)); })};
  p.sources = {point_source(p, Ez, {100, 0, 0})};
  p.recorders = {point_recorder(p, Ez, {120, 0, 0}), point_recorder(p, Ez, {80, 0, 0})};
  auto e = engine_for(p);
  e->advance(120);
  const auto right = e->drain(0), left = e->drain(1);
  const double largest = *std::max_element(right.begin(), right.end());
  EXPECT_NEAR(largest, 1 / (2 * p.grid.dt), 2e-3);
  for (std::size_t n = 0; n < right.size(); ++n) EXPECT_NEAR(left[n], right[n], 1e-14);
}

TEST(FdtdEngine, AHardPointReflectsAndASoftOneDoesNot) {
  for (const bool hard : {true, false}) {
    Problem p = vacuum(Mode::one, {300, 1, 1});
    p.tables = {signal_table([](long n) { return std::exp(-std::pow((double(n) - 40) / 10, 2)); }),
                signal_table([](long) { return 0.0; })};
    p.sources = {point_source(p, Ez, {100, 0, 0}), point_source(p, Ez, {150, 0, 0}, 1)};
    p.sources[1].hard = hard;
    p.recorders = {point_recorder(p, Ez, {170, 0, 0})};
    auto e = engine_for(p);
    e->advance(180);
    double largest = 0;
    for (const double v : e->drain(0)) largest = std::max(largest, std::abs(v));
    if (hard) {
      EXPECT_EQ(largest, 0);
    } else {
      EXPECT_GT(largest, 0.4);
    }
  }
}

TEST(FdtdEngine, SourcesAtOneCellAddUpAndAHardOneCoversWhatCameBefore) {
  Problem p = vacuum(Mode::tm, {9, 9, 1});
  p.tables = {signal_table([](long) { return 1.0; }), signal_table([](long) { return 10.0; })};
  const SourceGroup one = point_source(p, Ez, {4, 4, 0}), ten = point_source(p, Ez, {4, 4, 0}, 1);
  SourceGroup hard = ten;
  hard.hard = true;
  p.sources = {one, ten, one};
  auto e = engine_for(p);
  e->advance(1);
  EXPECT_EQ(at(*e, Ez, {4, 4, 0}), 12);
  p.sources = {one, hard, one};
  e = engine_for(p);
  e->advance(1);
  EXPECT_EQ(at(*e, Ez, {4, 4, 0}), 11);
}

TEST(FdtdEngine, TablesAreAskedForEveryStepOnce) {
  Problem p = vacuum(Mode::tm, {9, 9, 1});
  long next = 0;
  p.tables = {{1, [&](long first, long steps, double* to) {
                 EXPECT_EQ(first, next);
                 next = first + steps;
                 std::fill_n(to, steps, 0.0);
               }}};
  p.sources = {point_source(p, Ez, {4, 4, 0})};
  auto e = engine_for(p);
  for (const long n : {1, 2, 700, 3}) e->advance(n);
  EXPECT_EQ(next, 706);
  EXPECT_EQ(e->step(), 706);
}

TEST(FdtdEngine, RecordersSumWhatTheFieldsHold) {
  for (const char* backend : {"serial", "cpu"}) {
    Problem p = everything({Mode::te, {23, 19, 1}});
    auto e = engine_for(p, backend), twin = engine_for(p, backend);
    set_noise(*e, p, 4);
    set_noise(*twin, p, 4);
    const int steps = 24;
    e->advance(steps);
    const auto hz = std::size_t(std::find_if(p.recorders.begin(), p.recorders.end(),
                                             [](const Recorder& r) { return r.component == Hz; }) -
                                p.recorders.begin());
    const Recorder& r = p.recorders[hz];
    ASSERT_EQ(r.interval, 3);
    const auto samples = e->drain(int(hz));
    ASSERT_EQ(samples.size(), std::size_t(steps / 3 * 2));
    EXPECT_TRUE(e->drain(int(hz)).empty());
    const Layout l(p.grid);
    for (int s = 0; s < steps / 3; ++s) {
      twin->advance(3);
      for (index_t ch = 0; ch < 2; ++ch) {
        double sum = 0;
        for (index_t n = r.first[ch]; n < r.first[ch + 1]; ++n) {
          const index_t row = (r.cells[n] - l.base) / l.pitch;
          sum += r.weights[n] * at(*twin, Hz, {int(r.cells[n] - l.base - row * l.pitch), int(row), 0});
        }
        EXPECT_NEAR(samples[2 * s + ch], sum, 1e-13);
      }
    }
  }
}

TEST(FdtdEngine, FourierTransformIsTheSumOverItsSeries) {
  for (const Component c : {Ez, Hy}) {
    Problem p = vacuum(Mode::tm, {30, 30, 1});
    for (int a = 0; a < 2; ++a) add_pml(p, a, 5);
    p.tables = {signal_table([](long n) { return std::exp(-std::pow((double(n) - 40) / 12, 2)); })};
    p.sources = {point_source(p, Ez, {12, 15, 0})};
    p.recorders = {point_recorder(p, c, {20, 17, 0})};
    p.recorders[0].interval = 3;
    p.fouriers = {{c, 3, {Layout(p.grid).at(20, 17, 0)}, {0.02, 0.05}}};
    auto e = engine_for(p);
    e->advance(100);
    e->advance(500);
    const auto series = e->drain(0);
    const auto sums = e->fourier(0);
    for (int f = 0; f < 2; ++f) {
      cplx sum = 0;
      for (std::size_t s = 0; s < series.size(); ++s) {
        const double step = 3.0 * double(s) + 2, t = (is_electric(c) ? step + 1 : step + 0.5) * p.grid.dt;
        sum += series[s] * std::polar(3 * p.grid.dt, 2 * pi * p.fouriers[0].frequencies[f] * t);
      }
      ASSERT_GT(std::abs(sum), 0.1);
      EXPECT_LT(std::abs(sums[f] - sum), 1e-13 * std::abs(sum));
    }
  }
}

TEST(FdtdEngine, WatchSeesEnergyAndWhatIsNotFinite) {
  for (const char* backend : {"serial", "cpu"}) {
    Problem p = vacuum(Mode::full, {7, 6, 5}, Precision::single_);
    p.grid.dx = 0.5;
    auto e = engine_for(p, backend);
    e->set_field(Ez, {3, 3, 2}, {{1, 1, 1}, {3}, {}});
    e->set_field(Hy, {1, 2, 2}, {{1, 1, 1}, {-4}, {}});
    EXPECT_DOUBLE_EQ(e->watch().electric_energy, 9 * 0.125 / 2);
    EXPECT_DOUBLE_EQ(e->watch().magnetic_energy, 16 * 0.125 / 2);
    EXPECT_DOUBLE_EQ(e->watch().max_abs, 4);
    e->set_field(Ex, {1, 2, 2}, {{1, 1, 1}, {std::numeric_limits<double>::infinity()}, {}});
    EXPECT_EQ(e->watch().max_abs, std::numeric_limits<double>::infinity());
    e->set_field(Ex, {6, 5, 4}, {{1, 1, 1}, {std::numeric_limits<double>::quiet_NaN()}, {}});
    EXPECT_TRUE(std::isnan(e->watch().max_abs));
  }
}

TEST(FdtdEngine, ResumesBitForBit) {
  for (const char* backend : {"serial", "cpu"})
    for (const Precision t : {Precision::single_, Precision::double_})
      for (const bool complex : {false, true}) {
        Everything all{Mode::full, {17, 19, 15}, t};
        all.complex = complex;
        if (complex) all.closure[1] = Closure::periodic;
        const Problem p = everything(all);
        auto whole = engine_for(p, backend, 2, true);
        set_noise(*whole, p, 1);
        whole->advance(13);
        const auto saved = whole->save();
        whole->advance(20);
        auto resumed = engine_for(p, backend, 1, true);
        resumed->restore(saved);
        EXPECT_EQ(resumed->step(), 13);
        resumed->advance(20);
        EXPECT_TRUE(resumed->save() == whole->save());
      }
}

TEST(FdtdEngine, RefusesASavedStateOfAnotherRun) {
  const Problem p = everything({Mode::tm, {21, 18, 1}});
  Problem other = p;
  other.coefficients[1].drive *= 1 + 1e-15;
  Problem single = p;
  single.precision = Precision::single_;
  auto e = engine_for(p);
  e->advance(5);
  auto saved = e->save();
  EXPECT_THROW(engine_for(other)->restore(saved), BadInput);
  EXPECT_THROW(engine_for(single)->restore(saved), BadInput);
  EXPECT_THROW(engine_for(p, "cpu")->restore(saved), BadInput);
  auto longer = saved;
  longer.push_back(std::byte(0));
  EXPECT_THROW(engine_for(p)->restore(longer), BadInput);
  saved.resize(saved.size() / 2);
  EXPECT_THROW(engine_for(p)->restore(saved), BadInput);
  EXPECT_THROW(engine_for(p)->restore({}), BadInput);
}

TEST(FdtdEngine, RefusesProblemsThatWouldLeadKernelsAstray) {
  const Problem good = everything({Mode::tm, {21, 18, 1}});
  const auto refused = [&](auto change) {
    Problem p = good;
    change(p);
    EXPECT_THROW(engine_for(p), BadInput);
  };
  refused([](Problem& p) { p.uniform[Hy] = 100; });
  refused([](Problem& p) { p.material[Ez].back() = 100; });
  refused([](Problem& p) { p.material[Ez].resize(3); });
  refused([](Problem& p) { p.sources[0].cells[0] = -5; });
  refused([](Problem& p) { p.sources[0].columns[0] = 2; });
  refused([](Problem& p) { p.recorders[0].cells[0] = index_t(Layout(p.grid).size); });
  refused([](Problem& p) { p.recorders[0].component = Ex; });
  refused([](Problem& p) { p.walls[0][0] = Closure::periodic; });
  refused([](Problem& p) { p.bloch_phase[0] = 1; });
  refused([](Problem& p) { add_pml(p, 0, 11); });
  refused([](Problem& p) { p.grid.cells[2] = 2; });
  refused([](Problem& p) { p.grid.dt = 0; });
  refused([](Problem& p) { p.dispersive[0].cells.push_back(p.dispersive[0].cells[0]); });
  refused([](Problem& p) { p.tensor[Ez].push_back(p.tensor[Ez][0]); });
  EXPECT_THROW(engine_for(good, "abacus"), BadInput);
  EXPECT_THROW(engine_for(good)->field(Ez, {0, 0, 0}, {23, 1, 1}), BrokenContract);
  EXPECT_THROW(engine_for(good)->field(Ex, {0, 0, 0}, {1, 1, 1}), BrokenContract);
}

// No array of this size is made: what is tested is the arithmetic that every index goes through.
TEST(FdtdEngine, CellsBeyondTwoToThe31AreIndexedRight) {
  Problem p = vacuum(Mode::full, {2000, 1500, 1200}, Precision::single_);
  const Layout l(p.grid);
  ASSERT_GT(p.grid.cell_count(), std::size_t(1) << 31);
  const index_t pitch = 2016, plane = pitch * 1502;
  EXPECT_EQ(l.at(1999, 1499, 1199), 16 + pitch + plane + 1999 + pitch * 1499 + plane * 1199);
  EXPECT_LT(l.at(2000, 1500, 1200), index_t(l.size));
  EXPECT_GE(l.at(-1, -1, -1), 0);
  for (int a = 0; a < 3; ++a) add_pml(p, a, 600);
  for (const PmlSlab& s : pml_slabs(p, Field::E)) {
    EXPECT_GE(s.offset + s.box.lo[0] + s.pitch * s.box.lo[1] + s.plane * s.box.lo[2], 0);
    EXPECT_LT(s.offset + (s.box.hi[0] - 1) + s.pitch * (s.box.hi[1] - 1) + s.plane * (s.box.hi[2] - 1),
              index_t(s.size));
  }
  EXPECT_EQ(update_box(p, Ez).count(), index_t(1999) * 1499 * 1200);
}

TEST(FdtdEngine, ThreeDimensionsInSinglePrecisionTakeAtMost30BytesPerCell) {
  Problem p = vacuum(Mode::full, {94, 94, 94}, Precision::single_);
  for (int c : {Ex, Ey, Ez}) p.material[c].assign(Layout(p.grid).size, 0);
  auto open = engine_for(p);
  const double cells = double(p.grid.cell_count()), n = 512;
  const double bare = double(open->bytes()) / cells;
  for (int a = 0; a < 3; ++a) add_pml(p, a);
  const double layers = (double(engine_for(p)->bytes()) - double(open->bytes())) / cells;
  // ghosts and layers lie on the surface: their share falls with the edge
  EXPECT_LE(27 + (bare - 27) * 94 / n + layers * 94 / n, 30);
}

}  // namespace
}  // namespace umov::fdtd::trial
