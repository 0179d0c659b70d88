// Potential and field at places, along paths, on surfaces and cuts, for functions the elements hold exactly.
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "eqs/observables/cut_field.hpp"
#include "eqs/observables/path.hpp"
#include "eqs/observables/sampler.hpp"
#include "eqs/observables/surface_field.hpp"

namespace {

using namespace umov;
using namespace umov::eqs;

constexpr double roundoff = 1e-12;  // values and lengths are of order one

/// Two layers of unit thickness and two elements each, between plates a unit wide.
Problem column(int order, int across = 2) {
  Simulation s;
  mesh::Geometry g;
  g.kind = "layers";
  g.width = 1;
  g.elements_across = across;
  g.layers = {{"low", 1, 2, 1}, {"high", 1, 2, 1}};
  s.mesh.geometry = g;
  s.mesh.order = order;
  s.analysis = Analysis::electrostatic;
  s.materials.resize(2);
  s.materials[0].name = "low";
  s.materials[1].name = "high";
  s.electrodes.resize(2);
  s.electrodes[0].name = "bottom";
  s.electrodes[0].waveform.amplitude = 1;
  s.electrodes[1].name = "top";
  s.electrodes[1].kind = ElectrodeSpec::Kind::ground;
  return make_problem(s);
}

/// A function at all space nodes.
template <class F>
std::vector<double> nodal(const Problem& p, const F& f) {
  std::vector<double> u;
  for (const Vec3& x : p.mesh.nodes) u.push_back(f(x));
  if (p.order == 2)
    for (const auto& e : p.edges.ends) u.push_back(f(0.5 * (p.mesh.nodes[e[0]] + p.mesh.nodes[e[1]])));
  return u;
}

double linear(const Vec3& x) { return 1 + 2 * x[0] - 3 * x[1] + 5 * x[2]; }
double quadratic(const Vec3& x) { return x[0] * x[0] - x[0] * x[2] + 2 * x[1] * x[2] + x[1]; }
Vec3 quadratic_field(const Vec3& x) { return {x[2] - 2 * x[0], -2 * x[2] - 1, x[0] - 2 * x[1]}; }

TEST(Sampler, FirstOrderHoldsLinearPotentialsAndTheirField) {
  const auto p = column(1);
  const auto u = nodal(p, linear);
  const Sampler s(p);
  const mesh::Locator locator(p.mesh);
  for (const Vec3 x : {Vec3{0.1, 0.2, 0.3}, Vec3{0.9, 0.45, 1.7}}) {
    const auto place = locator.find(x);
    ASSERT_TRUE(place);
    EXPECT_NEAR(s.potential(u.data(), *place), linear(x), roundoff);
    EXPECT_NEAR(norm(s.field(u.data(), *place) - Vec3{-2, 3, -5}), 0, roundoff);
  }
  for (const float e : {s.element_fields(u.data())[0]}) EXPECT_FLOAT_EQ(e, -2);
}

TEST(Sampler, SecondOrderHoldsQuadraticPotentialsAndTheirField) {
  const auto p = column(2);
  const auto u = nodal(p, quadratic);
  const Sampler s(p);
  const mesh::Locator locator(p.mesh);
  for (const Vec3 x : {Vec3{0.1, 0.2, 0.3}, Vec3{0.77, 0.45, 1.7}, Vec3{0.5, 0.31, 1.02}}) {
    const auto place = locator.find(x);
    ASSERT_TRUE(place);
    EXPECT_NEAR(s.potential(u.data(), *place), quadratic(x), roundoff);
    EXPECT_NEAR(norm(s.field(u.data(), *place) - quadratic_field(x)), 0, 10 * roundoff);
  }
}

TEST(Path, FollowsItsCornersAndTellsAlongFromAcross) {
  const auto p = column(2);
  const mesh::Locator locator(p.mesh);
  LineSpec spec;
  spec.name = "angle";
  spec.points = {{0.25, 0.3, 0.5}, {0.75, 0.3, 0.5}, {0.75, 0.3, 1.5}};
  spec.samples = 31;
  const Path path(spec, p, locator);
  LineResult r = path.frame();
  path.sample(Sampler(p), nodal(p, quadratic).data(), nullptr, r);
  ASSERT_EQ(r.potential.size(), 31u);
  EXPECT_NEAR(r.length.back(), 1.5, roundoff);
  for (std::size_t i = 0; i < 31; ++i) {
    const bool first = i < 10;  // the corner itself, at i = 10, belongs to the second leg
    const Vec3 e = quadratic_field(r.at[i]);
    const double along = first ? e[0] : e[2];
    EXPECT_NEAR(r.potential[i], quadratic(r.at[i]), 1e-6);  // single precision
    EXPECT_NEAR(r.magnitude[i], norm(e), 1e-6);
    EXPECT_NEAR(r.tangential[i], along, 1e-6) << i;
    EXPECT_NEAR(r.normal[i], std::sqrt(dot(e, e) - along * along), 1e-6) << i;
  }
  EXPECT_EQ(r.material[0], 0);
  EXPECT_EQ(r.material[30], 1);
}

TEST(Path, ComplexFieldsGivePeakValues) {
  const auto p = column(1);
  const mesh::Locator locator(p.mesh);
  const Path path({"up", {{0.3, 0.4, 0.1}, {0.3, 0.4, 1.9}}, 5}, p, locator);
  LineResult r = path.frame();
  const auto re = nodal(p, [](const Vec3& x) { return 3 * x[2]; });
  const auto im = nodal(p, [](const Vec3& x) { return 4 * x[2]; });
  path.sample(Sampler(p), re.data(), im.data(), r);
  for (const float t : r.tangential) EXPECT_FLOAT_EQ(t, 5);
}

TEST(Path, OutsideTheMeshIsNotANumberAndAllOutsideIsRefused) {
  const auto p = column(1);
  const mesh::Locator locator(p.mesh);
  const Path path({"out", {{0.5, 0.3, 1}, {2.5, 0.3, 1}}, 5}, p, locator);
  LineResult r = path.frame();
  path.sample(Sampler(p), nodal(p, linear).data(), nullptr, r);
  EXPECT_FALSE(std::isnan(r.potential[0]));
  EXPECT_TRUE(std::isnan(r.potential[4]));
  EXPECT_EQ(r.material[4], -1);
  EXPECT_THROW(Path({"far", {{5, 5, 5}, {6, 6, 6}}, 5}, p, locator), BadInput);
}

TEST(Path, SaysThatItBeginsOrEndsOutside) {
  const auto p = column(1);  // 1 x 1 x 2
  const mesh::Locator locator(p.mesh);
  EXPECT_EQ(Path({"in", {{0.5, 0.5, 0}, {0.5, 0.5, 2}}, 5}, p, locator).outside(), "");
  const auto says = [&](const Path& path, const std::string& part) {
    EXPECT_NE(path.outside().find(part), std::string::npos) << path.outside();
  };
  // 0, 1, 2, 3, 4 above the bottom
  says(Path({"above", {{0.5, 0.5, 0}, {0.5, 0.5, 4}}, 5}, p, locator),
       "line 'above' begins or ends outside the mesh (of its 5 samples the last 2, from 3 m have no values)");
  says(Path({"across", {{-1, 0.5, 1}, {2, 0.5, 1}}, 7}, p, locator),
       "(of its 7 samples the first 2, up to 0.5 m and the last 2, from 2.5 m have no values)");
  // round a corner and back: as through a conductor
  EXPECT_EQ(Path({"out and in", {{0.5, 0.5, 1}, {2.5, 0.5, 1}, {0.5, 0.5, 1}}, 9}, p, locator).outside(), "");
}

TEST(SurfaceField, OfAnElectrodePointsOutOfTheMaterialAndHasOneSide) {
  const auto p = column(2);
  const SurfaceField surface({"floor", "bottom"}, p);
  SurfaceResult r = surface.frame();
  surface.sample(Sampler(p), nodal(p, quadratic).data(), nullptr, r);
  double area = 0;
  for (std::size_t i = 0; i < r.center.size(); ++i) {
    area += r.area[i];
    EXPECT_NEAR(r.unit_normal[i][2], -1, roundoff);
    const Vec3 e = quadratic_field(r.center[i]);
    EXPECT_NEAR(r.normal[0][i], -e[2], 1e-6);
    EXPECT_NEAR(r.tangential[i], std::hypot(e[0], e[1]), 1e-6);
    EXPECT_EQ(r.material[0][i], 0);
    EXPECT_EQ(r.material[1][i], -1);
    EXPECT_TRUE(std::isnan(r.normal[1][i]));
  }
  EXPECT_NEAR(area, 1, roundoff);
}

TEST(SurfaceField, AnUnknownGroupIsRefusedWithTheLikelyOne) {
  const auto p = column(1);
  try {
    SurfaceField({"floor", "botom"}, p);
    FAIL();
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean 'bottom'?"), std::string::npos) << e.what();
  }
}

TEST(CutField, ShowsPotentialFieldAndMaterialAtEveryPixel) {
  const auto p = column(2);
  CutSpec spec;
  spec.name = "side";
  spec.normal = 1;
  spec.position = 0.4;
  spec.pixels = 60;
  const CutField cut(spec, p);
  const auto r = cut.sample(Sampler(p), nodal(p, quadratic).data(), nullptr, 0);
  ASSERT_EQ(r.columns, 30);
  ASSERT_EQ(r.rows, 60);
  for (int row = 0; row < r.rows; ++row)
    for (int column = 0; column < r.columns; ++column) {
      const Vec3 x{(column + 0.5) / 30, 0.4, (row + 0.5) / 30};
      const auto i = std::size_t(row) * 30 + std::size_t(column);
      EXPECT_EQ(r.material[i], x[2] < 1 ? 0 : 1);
      EXPECT_NEAR(r.potential[i], quadratic(x), 1e-6);
      EXPECT_NEAR(r.field[i], norm(quadratic_field(x)), 1e-6);
    }
}

/// Four elements wide; "high" lies where y > 0.75, and all of the face y = 0 is an electrode.
Problem beside_each_other() {
  Problem p = column(1, 4);
  for (std::size_t t = 0; t < p.mesh.tets.size(); ++t) {
    double y = 0;
    for (const int n : p.mesh.tets[t]) y += 0.25 * p.mesh.nodes[n][1];
    p.material[t] = y > 0.75;
  }
  for (int n = 0; n < p.nodes; ++n) p.node_electrode[n] = p.mesh.nodes[n][1] == 0 ? 0 : -1;
  return p;
}

TEST(CutField, TheDefaultOneCutsMostMaterials) {
  EXPECT_EQ(middle_cut(column(1), {}).normal, 1) << "both of two layers along z";
  const CutSpec spec = middle_cut(beside_each_other(), {});
  EXPECT_EQ(spec.normal, 0) << "y = 0.5 cuts one, x = 0.5 both, in a larger plane than z = 1";
  EXPECT_EQ(spec.position, 0.5);
}

TEST(CutField, AFaceThatIsAllElectrodeIsNotTheDefaultOne) {
  Problem p = beside_each_other();
  for (Vec3& x : p.mesh.nodes) x[0] -= 0.5;
  const CutSpec spec = middle_cut(p, {"y"});
  EXPECT_EQ(spec.normal, 0) << "the plane of symmetry y = 0 shows nothing";
  EXPECT_EQ(spec.position, 0);
}

TEST(CutField, AlongThePlaneOfSymmetryIsCoveredWholly) {
  const auto p = column(1);
  CutSpec spec = middle_cut(p, {"x"});
  EXPECT_EQ(spec.normal, 0);
  EXPECT_EQ(spec.position, 0);
  spec.pixels = 50;
  const CutField cut(spec, p);
  const CutResult frame = cut.frame();
  for (const int m : frame.material) EXPECT_GE(m, 0);
  spec.position = 7;
  EXPECT_THROW(CutField(spec, p), BadInput);
}

}  // namespace
