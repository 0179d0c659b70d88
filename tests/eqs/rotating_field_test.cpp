// |E| of fields that turn within a period, in everything that shows it: the largest over the period.
#include <gtest/gtest.h>

#include <cmath>

#include "eqs/observables/cut_field.hpp"
#include "eqs/observables/path.hpp"
#include "eqs/observables/sampler.hpp"
#include "eqs/observables/surface_field.hpp"
#include "eqs/run/run.hpp"
#include "mesh/gmsh_file.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

/// The largest |a sin + b cos| over a period, by looking: of 7200 instants one lies within 4.4e-4 rad of the
/// largest, where |E| is less by at most half of that squared, 1e-7.
double largest(const Vec3& a, const Vec3& b) {
  double most = 0;
  for (int k = 0; k < 7200; ++k)
    most = std::max(most, norm(std::sin(2 * pi * k / 7200) * a + std::cos(2 * pi * k / 7200) * b));
  return most;
}
constexpr double looked = 3e-7;  // 1e-7, and results in single precision (6e-8)

struct Turning {
  Vec3 a, b;
};

class EqsRotatingField : public testing::TestWithParam<Turning> {};

TEST_P(EqsRotatingField, LinesSurfacesAndCutsHaveTheLargestOverThePeriod) {
  const auto [a, b] = GetParam();
  Simulation s =
      column({layer("low", 1, 2), layer("high", 1, 2)},
             {material("low", constant(1), constant(0)), material("high", constant(1), constant(0))},
             steady(1), 1, 2);
  s.analysis = Analysis::electrostatic;
  const Problem p = make_problem(s);
  std::vector<double> re, im;
  for (const Vec3& x : p.mesh.nodes) re.push_back(-dot(a, x)), im.push_back(-dot(b, x));
  const Sampler sampler(p);
  const double whole = largest(a, b);

  LineSpec line{"line", {{0.1, 0.2, 0.3}, {0.9, 0.6, 1.7}}, 7};
  const Path path(line, p, mesh::Locator(p.mesh));
  LineResult along = path.frame();
  path.sample(sampler, re.data(), im.data(), along);
  const Vec3 t = along.direction[0];
  for (int i = 0; i < 7; ++i) {
    EXPECT_NEAR(along.magnitude[i], whole, looked * whole);
    EXPECT_NEAR(along.normal[i], largest(a - dot(a, t) * t, b - dot(b, t) * t), looked * whole);
    EXPECT_NEAR(along.tangential[i], std::hypot(dot(a, t), dot(b, t)), looked * whole);
  }
  const SurfaceField surface({"bottom", "bottom"}, p);
  SurfaceResult on_it = surface.frame();
  surface.sample(sampler, re.data(), im.data(), on_it);
  const Vec3 flat_a{a[0], a[1], 0}, flat_b{b[0], b[1], 0};
  ASSERT_FALSE(on_it.tangential.empty());
  for (const float v : on_it.tangential) EXPECT_NEAR(v, largest(flat_a, flat_b), looked * whole);

  CutSpec spec;
  spec.normal = 1;
  spec.position = 0.3;
  spec.pixels = 20;
  const CutResult cut = CutField(spec, p).sample(sampler, re.data(), im.data(), 0);
  int seen = 0;
  for (const float v : cut.field) {
    if (std::isnan(v)) continue;
    EXPECT_NEAR(v, whole, looked * whole);
    ++seen;
  }
  EXPECT_GT(seen, 100);
}
INSTANTIATE_TEST_SUITE_P(Fields, EqsRotatingField,
                         testing::Values(Turning{{3, 0, 0}, {0, 3, 0}},     // a circle: 3, not 3 sqrt(2)
                                         Turning{{3, 0, 1}, {0, 1, 1}},     // an ellipse
                                         Turning{{1, 2, -1}, {-2, -4, 2}},  // a line
                                         Turning{{0.2, -1, 2}, {1.1, 0.4, 0}}));  // an ellipse in space

/// Three faces of a box in three phases.
Simulation three_phases() {
  Simulation s =
      column({layer("air", 1, 4)}, {material("air", constant(1), constant(0))}, sine(100, 50), 1, 4);
  mesh::TetMesh m = mesh::build_mesh(*s.mesh.geometry);
  m.surfaces.push_back({"left", 77});
  static constexpr int face[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  for (const auto& tet : m.tets)
    for (const auto& f : face) {
      const mesh::Tri tri{tet[f[0]], tet[f[1]], tet[f[2]]};
      const auto inside = [&](int n) {
        const Vec3& x = m.nodes[n];
        return x[0] < 1e-9 && x[2] > 0.2 && x[2] < 0.8;
      };
      if (!inside(tri[0]) || !inside(tri[1]) || !inside(tri[2])) continue;
      m.triangles.push_back(tri);
      m.triangle_group.push_back(int(m.surfaces.size()) - 1);
    }
  const std::string file = testing::TempDir() + "three_phases.msh";
  mesh::write_gmsh(m, file);
  s.mesh.geometry.reset();
  s.mesh.file = file;
  s.electrodes = {driven("bottom", sine(100, 50)), driven("top", sine(100, 50, 120)),
                  driven("left", sine(100, 50, -120))};
  s.analysis = Analysis::harmonic;
  s.outputs.pictures = false;
  return s;
}

/// The fields of a period's frames: that of phase 0 has the imaginary part, that of a quarter the real one.
struct Frames final : FrameSink {
  std::optional<mesh::Place> place;
  Vec3 at{0, 0, 0};
  std::vector<Vec3> field;
  void begin(const Problem& p, const std::vector<double>&, std::size_t) override {
    place = mesh::Locator(p.mesh).find(at);
  }
  void frame(std::size_t, const double*, const std::vector<float>& all) override {
    const std::size_t e = 3 * std::size_t(place->tet);
    field.push_back({all[e], all[e + 1], all[e + 2]});
  }
};

TEST(EqsRotatingFieldRun, PointsAgreeWithTheFramesOfThePeriodAndWithLines) {
  Simulation s = three_phases();
  Frames frames;
  frames.at = {0.31, 0.47, 0.53};
  s.outputs.points = {{"p", frames.at}};
  s.outputs.lines = {{"l", {frames.at, {0.9, 0.47, 0.53}}, 2}};
  const Outcome o = run(s, serial, {}, &frames);
  ASSERT_TRUE(o.converged) << o.why_not;
  ASSERT_EQ(frames.field.size(), 24u);
  const double most = largest(frames.field[6], frames.field[0]);
  EXPECT_NEAR(o.history[0].point_magnitude(0), most, looked * most);
  EXPECT_NEAR(o.lines[0].magnitude[0], most, looked * most);
  // the field turns: by components it would be larger
  EXPECT_GT(norm(o.history[0].point_field[0]), 1.05 * most);
  double seen = 0;
  for (const Vec3& e : frames.field) seen = std::max(seen, norm(e));
  EXPECT_LE(seen, most * (1 + looked));
  EXPECT_GE(seen, most * std::cos(pi / 24));  // frames are 15 degrees apart
}

}  // namespace
}  // namespace umov::eqs::test
