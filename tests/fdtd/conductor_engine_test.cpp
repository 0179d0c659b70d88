// Conductors in runs: backends agree, mirrors keep symmetry, thin sheets shield, monitors read E.
#include <gtest/gtest.h>

#include "backend/registry.hpp"
#include "fdtd/cut_edges.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/observables/monitors.hpp"
#include "support/conductor_cases.hpp"
#include "support/fdtd_everything.hpp"
#include "support/fdtd_runs.hpp"

namespace umov::fdtd {
namespace {

using umov::test::box_of;
using umov::test::round_body;

Simulation bodies_in(const Vec3& size, double resolution) {
  Simulation s;
  s.size = size;
  s.resolution = resolution;
  s.precision = Precision::double_;
  s.walls = umov::test::all_walls(WallKind::pec);
  s.materials = {umov::test::constant("glass", 3)};
  s.bodies = {box_of({0.5, 0.4, size[2] > 0 ? 0.6 : 0}, {0.1, 0.2, 0}),
              box_of({0.6, 0.31, size[2] > 0 ? 0.4 : 0}, {-0.08, 0.11, 0.03}, 31, {0.1, 0.2, 1})};
  s.bodies[0].material = "glass";
  s.bodies[1].material = "pec";
  return s;
}

std::unique_ptr<Engine> stepped(const Problem& p, const std::string& backend, int threads, bool tuned) {
  auto e = trial::engine_for(p, backend, threads, tuned);
  trial::set_noise(*e, p, 3);
  for (const int n : {1, 7, 32}) e->advance(n);
  return e;
}

struct Place {
  const char* name;
  Vec3 size;
  double resolution;
  bool te;
  WallKind wall;
};

constexpr Place places[] = {{"one in pec", {1.6, 0, 0}, 31, false, WallKind::pec},
                            {"tm in pml", {1.4, 1.2, 0}, 23, false, WallKind::pml},
                            {"te in pml", {1.4, 1.2, 0}, 23, true, WallKind::pml},
                            {"te in pmc", {1.4, 1.2, 0}, 23, true, WallKind::pmc},
                            {"full in pec", {1, 1, 0.9}, 13, false, WallKind::pec},
                            {"full in periodic", {1, 1, 0.9}, 13, false, WallKind::periodic}};

struct PlaceIn {
  Place place;
  Precision precision;
};
void PrintTo(const PlaceIn& p, std::ostream* os) { *os << p.place.name << " " << word(p.precision); }

std::vector<PlaceIn> all_places() {
  std::vector<PlaceIn> list;
  for (const Place& place : places)
    for (const Precision precision : {Precision::single_, Precision::double_})
      list.push_back({place, precision});
  return list;
}

class FdtdConductorBackends : public testing::TestWithParam<PlaceIn> {
 protected:
  Problem problem() const {
    const auto& [place, precision] = GetParam();
    Simulation s = bodies_in(place.size, place.resolution);
    s.walls[0] = {place.wall, place.wall};
    s.te = place.te;
    s.precision = precision;
    s.pml.layers = 5;
    Problem p = umov::test::walled(s);
    EXPECT_GT(p.conductors.cut, 0);
    return p;
  }
  void expect_alike(const std::string& backend) const {
    const Problem p = problem();
    const auto serial = stepped(p, "serial", 1, false);
    for (const bool tuned : {false, true}) {
      const auto other = stepped(p, backend, 2, tuned);
      const auto d = trial::difference(p, *serial, *other);
      EXPECT_LE(d.fields, p.precision == Precision::single_ ? 2e-5 : 4e-14);
    }
  }
};

TEST_P(FdtdConductorBackends, CpuEqualsSerial) { expect_alike("cpu"); }
TEST_P(FdtdConductorBackends, CudaEqualsSerial) {
  for (const auto& b : backend::list_backends())
    if (b.name == "cuda" && !b.available) GTEST_SKIP() << b.why_not;
  expect_alike("cuda");
}
INSTANTIATE_TEST_SUITE_P(All, FdtdConductorBackends, testing::ValuesIn(all_places()));

TEST(FdtdConductorEngine, FieldsGivenAndTakenAreE) {
  const Problem p = umov::test::walled([] {
    Simulation s = bodies_in({1.4, 1.2, 0}, 23);
    s.te = true;
    return s;
  }());
  ASSERT_FALSE(p.cut_edges[Ex].cells.empty());
  const auto engine = trial::engine_for(p);
  FieldBlock block{p.grid.cells, std::vector<double>(p.grid.cell_count(), 2.5), {}};
  engine->set_field(Ex, {0, 0, 0}, block);
  for (const double v : engine->field(Ex, {0, 0, 0}, p.grid.cells).real) EXPECT_NEAR(v, 2.5, 1e-15);
}

// Two plates a distance off the nodes hold the same voltage everywhere between them: E = 1 on whole edges and
// on the cut ones, for a series as for a block.
TEST(FdtdConductorEngine, RecordersSeeEOnCutEdges) {
  Simulation s = umov::test::cavity({1, 1, 0}, 20, box_of({0, 0.537, 0}, {0, 0.011, 0}));
  s.te = true;
  MonitorSpec m;
  m.name = "drawn";
  m.fields = {Ey};
  const auto scene = make_scene(s);
  Problem p = umov::test::walled(s);
  ASSERT_FALSE(p.cut_edges[Ey].cells.empty());
  const Layout layout(p.grid);
  const index_t at = p.cut_edges[Ey].cells[p.cut_edges[Ey].cells.size() / 4] - layout.base;  // amid a row
  m.pixels = {{int(at % layout.pitch), int(at / layout.pitch), 0}};
  s.monitors = {m};
  Monitors monitors(s, *scene, p);
  const auto engine = trial::engine_for(p);
  engine->set_field(Ey, {0, 0, 0}, {p.grid.cells, std::vector<double>(p.grid.cell_count(), 1.0), {}});
  engine->advance(1);
  monitors.drain(*engine);
  Outcome out;
  monitors.collect(*engine, nullptr, out);
  ASSERT_FALSE(out.of<SeriesResult>()[0].value.empty());
  // Linear interpolation over a cell weighs the edges along it 1/8, 3/4, 1/8; one neighbour is in the
  // conductor.
  EXPECT_NEAR(out.of<SeriesResult>()[0].value[0], 0.875, 1e-12);
  EXPECT_NEAR(out.of<SeriesResult>()[0].rms[0], std::sqrt(0.875), 1e-12);
}

/// The largest field beyond a screen that a pulse comes from the left of.
double behind(Simulation s, double from) {
  s.precision = Precision::double_;
  s.sources = {umov::test::point_source(umov::test::pulse(1.5, 0.4), s.te ? Hz : Ez, {-0.61, 0.07, 0.03})};
  Problem p = umov::test::walled(s);
  const auto scene = make_scene(s);
  add_sources(s, *scene, p);
  const auto engine = trial::engine_for(p, "cpu", 1, true);
  engine->advance(long(8 / p.grid.dt));
  EXPECT_GT(engine->watch().max_abs, 1e-3);
  const int first = int(std::ceil((from - p.grid.origin[0]) / p.grid.dx));
  double largest = 0;
  for (int c = 0; c < components; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    for (const double v : engine->field(Component(c), {first, 0, 0}, p.grid.cells).real)
      largest = std::max(largest, std::fabs(v));
  }
  return largest;
}

Simulation closed(const Vec3& size, double resolution) {
  Simulation s;
  s.size = size;
  s.resolution = resolution;
  s.walls = umov::test::all_walls(WallKind::pec);
  return s;
}

TEST(FdtdConductorEngine, SheetsOfAnyThicknessAndPlaceShield) {
  for (const double thickness : {1e-7, 1e-4, 0.01, 0.3, 0.7, 0.99, 1.0, 1.2, 1.5, 2.3})
    for (const double place : {0.0, 0.1, 0.37, 0.5, 0.81, 0.9999})
      for (const Vec3& size : {Vec3{2, 0, 0}, Vec3{2, 1, 0}}) {
        Simulation s = closed(size, 20);
        s.bodies = {box_of({thickness / 20, 0, 0}, {place / 20, 0, 0})};
        s.bodies[0].material = "pec";
        for (const bool te : {false, true}) {
          if (te && size[1] == 0) continue;
          s.te = te;
          EXPECT_EQ(behind(s, 0.2), 0) << thickness << " cells thick at " << place << " te " << te;
        }
      }
}

TEST(FdtdConductorEngine, TurnedSheetsShield) {
  for (const double thickness : {0.001, 0.2, 0.6, 1.0, 1.3, 1.45, 2.0})
    for (const double turn : {3.0, 14.0, 31.0, 45.0})
      for (const bool te : {false, true}) {
        Simulation s = closed({2, 1, 0}, 20);
        s.te = te;
        s.bodies = {box_of({thickness / 20, 3, 0}, {0.1 / 20, 0.013, 0}, turn)};
        s.bodies[0].material = "pec";
        EXPECT_EQ(behind(s, 0.65), 0) << thickness << " cells thick, turned by " << turn << " te " << te;
      }
}

TEST(FdtdConductorEngine, TurnedSheetsInSpaceShield) {
  for (const double thickness : {0.01, 0.8, 1.3}) {
    Simulation s = closed({2, 0.7, 0.6}, 10);
    s.bodies = {box_of({thickness / 10, 4, 4}, {0.003, 0.013, 0.02}, 17, {0.2, 0.6, 1})};
    s.bodies[0].material = "pec";
    EXPECT_EQ(behind(s, 0.5), 0) << thickness;
  }
}

// A wire along z thinner than a cell: the field on its axis is 0, not that of empty space.
TEST(FdtdConductorEngine, WiresThinnerThanACellAreThere) {
  for (const double place : {0.0, 0.2, 0.5, 0.77}) {
    Simulation s = closed({1, 1, 0}, 20);
    s.bodies = {round_body("cylinder", 0.1 / 20, {place / 20, 0.6 * place / 20, 0})};
    s.bodies[0].material = "pec";
    const Problem p = umov::test::walled(s);
    int dead = 0;
    for (const auto id : p.material[Ez]) dead += p.coefficients[id].drive == 0;
    EXPECT_GE(dead, 1) << place;
    EXPECT_LE(dead, 4) << place;
    EXPECT_GT(p.conductors.thin, 0);
  }
}

// The same body computed whole and as a half behind a mirror.
TEST(FdtdConductorEngine, HalfBehindAMirrorEqualsTheWhole) {
  for (const bool te : {false, true})
    for (const WallKind mirror : {WallKind::mirror_even, WallKind::mirror_odd}) {
      Simulation s = closed({2, 1.4, 0}, 20);
      s.te = te;
      s.precision = Precision::double_;
      s.bodies = {round_body("cylinder", 0.333, {0, 0.017, 0})};
      s.bodies[0].material = "pec";
      const auto run = [&](const Simulation& sim) {
        Problem p = umov::test::walled(sim);
        const auto scene = make_scene(sim);
        add_sources(sim, *scene, p);
        auto engine = trial::engine_for(p);
        engine->advance(400);
        const Component c = te ? Hz : Ez;
        const int first = p.grid.cells[0] - 10;
        return engine->field(c, {first, 3, 0}, {p.grid.cells[0], 20, 1}).real;
      };
      // a pair of sources with the mirror's symmetry: Ez even at a magnetic wall, Hz at an electric one
      const bool even = (mirror == WallKind::mirror_even) != te;
      const Component c = te ? Hz : Ez;
      Simulation half = s, whole = s;
      half.walls[0][0] = mirror;
      half.sources = {umov::test::point_source(umov::test::pulse(1.5, 0.4), c, {0.61, 0.31, 0})};
      whole.sources = half.sources;
      whole.sources.push_back(half.sources[0]);
      whole.sources[1].center[0] = -0.61;
      whole.sources[1].waveform.amplitude = even ? 1 : -1;
      const auto a = run(half), b = run(whole);
      ASSERT_EQ(a.size(), b.size());
      double largest = 0, apart = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::fabs(b[i]));
        apart = std::max(apart, std::fabs(a[i] - b[i]));
      }
      EXPECT_GT(largest, 1e-4);
      EXPECT_LT(apart, 1e-12 * largest) << "te " << te << " even " << even;
    }
}

}  // namespace
}  // namespace umov::fdtd
