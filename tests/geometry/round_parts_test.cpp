// Refinement of parts that Gmsh has meshed, known from the case and recognised in the mesh.
#include "mesh/round/round_skin.hpp"
#include "support/geometries.hpp"

namespace {

using namespace umov;
using namespace umov::mesh;
using namespace umov::test;

Geometry holding(const Part& p) {
  Geometry g = air(1, 0.4);
  g.parts = {p};
  return g;
}

/// Of one refinement: how far the corners of the skin's faces lie off the geometry's surfaces, at most.
double farthest_off(const Geometry& g, bool known, RoundReport& report) {
  const TetMesh m = build_parts(g);
  RoundSkin skin(m, known ? &g : nullptr);
  std::vector<Edge> middles;
  TetMesh fine = refine(m, &middles);
  skin.follow(m, middles, fine);
  report = skin.report();
  EXPECT_NO_THROW(check(fine));
  const auto surfaces = surfaces_of(g);
  double most = 0;
  for (const Tri& f : skin_faces(fine))
    for (const int n : f) {
      double off = INFINITY;
      for (const RoundSurface& s : surfaces)
        off = std::min(off, norm(s.closest(fine.nodes[n]) - fine.nodes[n]));
      most = std::max(most, off);
    }
  return most;
}

TEST(RoundParts, NewNodesLieOnEveryShapeOfPart) {
  NEEDS_GMSH
  std::vector<Part> parts{ball("b", 0.5, 0.25), rod("b", 0.4, 0.9, 0.2)};
  Part p = rod("b", 0.4, 0.9, 0.12);
  p.fillet = 0.2;
  p.axis = {1, 2, 3};
  parts.push_back(p);
  p = part("b", "torus");
  p.radius = 0.5, p.top_radius = 0.25, p.mesh_size = 0.12;
  parts.push_back(p);
  p = part("b", "cone");
  p.radius = 0.5, p.top_radius = 0.2, p.height = 0.8, p.mesh_size = 0.2;
  parts.push_back(p);
  p = part("b", "extrusion");  // a stadium in part: fillets are cylinders along it
  p.profile = {{0, 0}, {0.6, 0}, {0.6, 0.5}, {0, 0.5}};
  p.fillet = 0.2, p.height = 0.6, p.mesh_size = 0.1;
  parts.push_back(p);
  for (const Part& shape : parts)
    for (const bool known : {true, false}) {
      RoundReport r;
      // what is recognised is fitted to nodes that the kernel puts there to 1e-10
      EXPECT_LT(farthest_off(holding(shape), known, r), known ? 1e-12 : 1e-8) << shape.shape << ", " << known;
      EXPECT_GT(r.moved, 50u) << shape.shape;
      EXPECT_EQ(r.short_of, 0u) << shape.shape;
    }
}

TEST(RoundParts, PlanesOfSymmetryStayPlanes) {
  NEEDS_GMSH
  Geometry g = holding(ball("b", 0.5, 0.2));
  g.cut = {"x", "y"};
  RoundReport r;
  EXPECT_LT(farthest_off(g, true, r), 1e-12);
  EXPECT_GT(r.moved, 20u);
}

TEST(RoundParts, ABodyOfBoxesHasNothingRound) {
  NEEDS_GMSH
  Part p = part("b", "box");
  p.size = {0.5, 0.4, 0.3};
  const Geometry g = holding(p);
  EXPECT_TRUE(RoundSkin(build_parts(g), &g).flat());
  EXPECT_TRUE(RoundSkin(build_parts(g), nullptr).flat());
}

}  // namespace
