// Running Fourier transforms: samples that wait together, and fluxes that the engine sums by itself.
#include <cstring>

#include "fdtd/observables/far_field.hpp"
#include "fdtd/transform_room.hpp"
#include "support/fdtd_everything.hpp"

namespace umov::fdtd::trial {
namespace {

/// How an engine is asked for, and how many numbers a value of its fields has.
struct Way {
  const char* backend;
  int threads;
  bool tuned;
  Precision precision;
  bool complex;
};

std::vector<Way> ways() {
  std::vector<Way> all;
  for (const Precision t : {Precision::single_, Precision::double_})
    for (const bool complex : {false, true}) {
      all.push_back({"serial", 1, false, t, complex});
      for (const int threads : {1, 3}) all.push_back({"cpu", threads, true, t, complex});
    }
  return all;
}

/// Frequencies without an order or a spacing.
std::vector<double> uneven_grid(int count) {
  std::vector<double> list;
  for (int i = 0; i < count; ++i) list.push_back(0.001 + 0.13 * std::fmod(0.618034 * i, 1.0));
  return list;
}

/// Noise in a box; transforms of scattered cells of all components, of more samples than can wait, with
/// recorders of the same cells.
Problem sampled(const Way& w, int frequencies) {
  Problem p = everything(
      {Mode::te, {41, 37, 1}, w.precision, {Closure::periodic, Closure::pec, Closure::pec}, true, w.complex});
  p.recorders.clear();
  for (FourierAccumulator& a : p.fouriers) {
    a.frequencies = uneven_grid(frequencies);
    Recorder r;
    r.component = a.component, r.interval = a.interval, r.cells = a.cells;
    r.weights.assign(a.cells.size(), 1);
    for (std::size_t i = 0; i <= a.cells.size(); ++i) r.first.push_back(index_t(i));
    p.recorders.push_back(r);
  }
  return p;
}

std::vector<std::vector<cplx>> sums(const Problem& p, Engine& e) {
  std::vector<std::vector<cplx>> all;
  for (std::size_t a = 0; a < p.fouriers.size(); ++a) all.push_back(e.fourier(int(a)));
  return all;
}

constexpr int steps = 420;  // at intervals of 2 and 3 more samples than wait together

// Sums in float of n terms that are rounded one after the other: sqrt(n) eps of the largest for rounding at
// random, here with a factor 4 as the sums are smaller than their largest terms' norm.
TEST(FdtdTransforms, AreTheSumsOverTheSamplesOfTheirCells) {
  for (const Way& w : ways())
    for (const int frequencies : {1, 5, 21, 101}) {
      const Problem p = sampled(w, frequencies);
      const auto e = engine_for(p, w.backend, w.threads, w.tuned);
      set_noise(*e, p, 3);
      e->advance(steps);
      const double eps = w.precision == Precision::single_ ? 1.2e-7 : 2.2e-16;
      for (std::size_t a = 0; a < p.fouriers.size(); ++a) {
        const FourierAccumulator& of = p.fouriers[a];
        const auto series = e->drain(int(a));
        const auto found = e->fourier(int(a));
        const std::size_t points = of.cells.size(), numbers = w.complex ? 2 : 1;
        double largest = 0, apart = 0;
        for (std::size_t f = 0; f < of.frequencies.size(); ++f)
          for (std::size_t i = 0; i < points; i += 17) {
            cplx sum = 0;
            for (std::size_t s = 0; s < series.size() / points / numbers; ++s) {
              const double* v = series.data() + (s * points + i) * numbers;
              const double t = (double(of.interval) * double(s + 1) - (is_electric(of.component) ? 0 : 0.5));
              sum += cplx(v[0], w.complex ? v[1] : 0) *
                     std::polar(of.interval * p.grid.dt, 2 * pi * of.frequencies[f] * t * p.grid.dt);
            }
            largest = std::max(largest, std::abs(sum));
            apart = std::max(apart, std::abs(sum - found[f * points + i]));
          }
        EXPECT_LT(apart, 4 * std::sqrt(double(steps)) * eps * largest) << w.backend << " " << frequencies;
      }
    }
}

TEST(FdtdTransforms, HaveTheSameBitsHoweverTheStepsAreShared) {
  for (const Way& w : ways()) {
    const Problem p = sampled(w, 37);
    const auto run = [&](const std::vector<int>& pieces, bool look) {
      const auto e = engine_for(p, w.backend, w.threads, w.tuned);
      set_noise(*e, p, 3);
      for (const int n : pieces) {
        e->advance(n);
        if (look) e->fourier(1);
      }
      return sums(p, *e);
    };
    const auto whole = run({steps}, false);
    EXPECT_EQ(run({1, 2, 40, 7, steps - 50}, false), whole);
    EXPECT_EQ(run(std::vector<int>(steps / 3, 3), true), whole);
  }
}

TEST(FdtdTransforms, GoOnBitForBitFromAStateSavedWhileSamplesWait) {
  for (const Way& w : ways()) {
    const Problem p = sampled(w, 5);
    const auto first = engine_for(p, w.backend, w.threads, w.tuned),
               second = engine_for(p, w.backend, w.threads, w.tuned);
    set_noise(*first, p, 3);
    first->advance(101);
    const auto state = first->save();
    second->advance(57);  // what waits there belongs to another run
    second->restore(state);
    for (const auto& e : {first.get(), second.get()}) e->advance(steps);
    EXPECT_EQ(sums(p, *first), sums(p, *second));
  }
}

// Half the memory of the sums, or 16 MiB.
TEST(FdtdTransforms, WaitInLittleMemory) {
  EXPECT_EQ(transform_room(100, 1, 4), 64);
  EXPECT_EQ(transform_room(10'000'000, 1, 4), 2);
  EXPECT_EQ(transform_room(10'000'000, 21, 4), 21);
  EXPECT_EQ(transform_room(10'000'000, 101, 8), 64);
  EXPECT_EQ(transform_room(0, 0, 4), 64);
}

TEST(FdtdTransforms, TheEngineSumsProducts) {
  for (const Way& w : ways()) {
    const Problem p = sampled(w, 21);
    const auto e = engine_for(p, w.backend, w.threads, w.tuned);
    set_noise(*e, p, 3);
    e->advance(100);
    EXPECT_EQ(product(*e, {0, 1, {}}), std::vector<double>(21, 0.0));
    for (const TransformProduct& q : some_products(p)) {
      const auto a = e->fourier(q.a), b = e->fourier(q.b);
      const std::size_t first = p.fouriers[q.a].cells.size(), second = p.fouriers[q.b].cells.size();
      const auto found = product(*e, q);
      ASSERT_EQ(found.size(), 21u);
      for (std::size_t f = 0; f < 21; ++f) {
        double sum = 0, size = 0;
        for (const auto& t : q.terms) {
          const cplx all =
              cplx(t.weight.re, t.weight.im) * a[f * first + t.first] * std::conj(b[f * second + t.second]);
          sum += all.real(), size += std::abs(all);
        }
        EXPECT_NEAR(found[f], sum, 1e-14 * size);
      }
    }
  }
}

TEST(FdtdTransforms, ProductsStayWithTheEngineAndAddUp) {
  for (const Way& w : ways()) {
    const Problem p = sampled(w, 21);
    const auto e = engine_for(p, w.backend, w.threads, w.tuned);
    set_noise(*e, p, 3);
    e->advance(100);
    const auto all = std::make_shared<const std::vector<TransformProduct>>(some_products(p));
    ASSERT_GE(all->size(), 2u);
    const auto sum = [&] { return dynamic_cast<const TransformProducts&>(*e).product_sum(all); };
    std::vector<double> right(21, 0);
    for (const TransformProduct& q : *all) {
      const auto part = product(*e, q);
      for (std::size_t f = 0; f < 21; ++f) right[f] += part[f];
    }
    const auto before = e->bytes();
    EXPECT_EQ(sum(), right);
    const auto kept = e->bytes();
    EXPECT_GE(kept, before + all->size() * all->front().terms.size() * sizeof(TransformProduct::Term));
    EXPECT_EQ(sum(), right);
    EXPECT_EQ(e->bytes(), kept);  // nothing is brought a second time
  }
}

/// Fourier components of the patches for two waves along each axis, others at each frequency: the engine's
/// against those of the transforms. Their sums of n numbers in another order differ by n eps of the largest.
void expect_same_sums(const Surface& surface, const Transforms& transforms, const Problem& p,
                      const Engine& e) {
  const std::size_t frequencies = transforms.frequencies().size();
  const TransformValues values = transforms.values(e);
  LateralWaves waves;
  for (std::size_t f = 0; f < frequencies; ++f)
    for (int a = 0; a < 3; ++a) waves[a].push_back({0.3 * a + 0.1 * double(f), -0.5});
  const auto found = dynamic_cast<const TransformProducts&>(e).lateral_sums(
      fdtd::lateral_sums(surface, p.grid, transforms, waves));
  ASSERT_EQ(found.size(), 2 * surface.patches().size());
  for (std::size_t i = 0; i < surface.patches().size(); ++i) {
    const Patch& patch = surface.patches()[i];
    const int axis = patch.face.axis, first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    for (std::size_t f = 0; f < frequencies; ++f)
      for (std::size_t n = 0; n < 4; ++n) {
        Vec3 k{0, 0, 0};
        k[axis] = waves[axis][f][0], k[first] = waves[first][f][n % 2], k[second] = waves[second][f][n / 2];
        const auto fields = patch_fields(patch, values, f);
        const auto right = patch_sums(patch, p.grid, fields, k);
        for (std::size_t side = 0; side < 2; ++side) {
          double largest = 0;
          for (const auto& field : fields) largest = std::max(largest, std::abs(field[side]));
          const double bound = std::pow(double(fields.size()) * p.grid.dx, 2) * largest;
          EXPECT_LE(std::abs(found[2 * i + side][4 * f + n] - right[side]), 1e-15 * bound) << i << " " << f;
        }
      }
  }
}

/// A box that a mirror cuts and a period's wall, and a plane behind the mirror.
TEST(FdtdTransforms, TheEnginesFluxIsThatOfItsTransforms) {
  for (const Precision t : {Precision::single_, Precision::double_}) {
    Problem p = vacuum(Mode::full, {13, 12, 14}, t);
    p.complex_fields = true;
    p.walls[0][0] = Closure::pmc;
    p.walls[1] = {Closure::periodic, Closure::periodic};
    p.bloch_phase[1] = 0.7;
    Simulation sim;
    sim.walls[0][0] = WallKind::mirror_even;
    sim.walls[1] = {WallKind::bloch, WallKind::bloch};
    const Whole whole(sim, p);
    MonitorSpec box;
    box.box = true;
    MonitorSpec plane;
    std::vector<Surface> surfaces;
    std::vector<Transforms> transforms(2);
    const double dx = p.grid.dx;
    surfaces.emplace_back(faces_of(box, {{-4 * dx, 3 * dx, 2 * dx}, {7 * dx, 12 * dx, 9 * dx}}, true, whole),
                          whole, transforms[0]);
    surfaces.emplace_back(
        faces_of(plane, {{-5 * dx, 1.2 * dx, 3 * dx}, {-5 * dx, 9.7 * dx, 8.1 * dx}}, false, whole), whole,
        transforms[1]);
    for (int s = 0; s < 2; ++s) {
      transforms[s].commit(p, uneven_grid(7), 2);
      surfaces[s].prepare_products(transforms[s]);
    }
    const auto e = engine_for(p, "cpu", 2, true);
    set_noise(*e, p, 3);
    e->advance(60);
    for (int s = 0; s < 2; ++s) {
      const auto values = transforms[s].values(*e);
      const auto right = surfaces[s].flux(values, 7), gross = surfaces[s].gross_flux(values, 7),
                 found = surfaces[s].flux(*e, 7);
      ASSERT_EQ(found.size(), 7u);
      for (int f = 0; f < 7; ++f) {
        EXPECT_GT(std::abs(right[f]), 0);
        EXPECT_NEAR(found[f], right[f], 1e-12 * (gross[f] + std::abs(right[f]))) << s << " " << f;
      }
      expect_same_sums(surfaces[s], transforms[s], p, *e);
    }
  }
}

}  // namespace
}  // namespace umov::fdtd::trial
