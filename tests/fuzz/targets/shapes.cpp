// Readers of shapes: ADDA's and DDSCAT's particles, profiles of bodies of revolution, triangle meshes.
#include "fuzz/target.hpp"
#include "shapes/mesh.hpp"
#include "shapes/recipe.hpp"

namespace umov {

namespace {

shapes::Recipe recipe_of(const char* shape, const std::string& path) {
  shapes::Request request;
  request.shape = shape;
  request.file = path;
  return shapes::make_recipe(request);
}

/// A mesh that is accepted as a body answers everywhere.
void probe_mesh(const std::string& path) {
  const auto body = shapes::mesh_body(shapes::read_mesh(path), {}, 1);
  for (const Vec3& p : {Vec3{0.1, 0.2, 0.3}, Vec3{-1e3, 0, 2}}) body->probe(p);
}

}  // namespace

FUZZ_TARGET(shape, ".geom") { recipe_of("read", path); }
FUZZ_TARGET(profile, ".dat") { recipe_of("axisymmetric", path).material({0.25, -0.125, 0.5, {1, -1, 2}}); }
FUZZ_TARGET(stl, ".stl") { probe_mesh(path); }
FUZZ_TARGET(obj, ".obj") { probe_mesh(path); }

}  // namespace umov
