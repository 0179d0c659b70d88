// The mesh of a case: a file, or the geometry that one is made of.
#include <fmt/format.h>

#include "cases/case_places.hpp"
#include "core/error.hpp"
#include "eqs/case/case.hpp"

namespace umov::eqs {

namespace {

class MeshChecker : cases::CasePlaces {
 public:
  MeshChecker(const Case& c, const Origins& origins)
      : cases::CasePlaces(origins), case_(c), mesh_(c.simulation.mesh) {}

  MeshSpec finish() {
    mesh_.geometry.reset();
    const auto& g = case_.geometry;
    const bool described = case_.geometry_kind || !g.parts.empty() || !g.layers.empty();
    if (!mesh_.file.empty() && described)
      throw BadInput(fmt::format("{} and a geometry ({}) are both given (each is a mesh); leave one out",
                                 place("mesh.file"),
                                 case_.geometry_kind ? place("geometry.kind")
                                 : g.parts.empty()   ? item("layer", 0, g.layers[0].region)
                                                     : item("part", 0, g.parts[0].region)));
    mesh_.unit_given = given("mesh.unit");
    check_file(place("mesh.file"), mesh_.file, "the mesh");
    if (!mesh_.file.empty()) return mesh_;
    if (!described)
      throw BadInput(
          "there is no mesh (neither 'mesh.file' nor a geometry is given); name a .msh file under [mesh], or "
          "describe a [geometry]");
    if (given("mesh.unit") && mesh_.unit != 1)
      throw BadInput(
          place("mesh.unit") +
          " is given without 'mesh.file' (it is that file's unit; a geometry is in metres); leave it "
          "out");
    take_geometry(g);
    return mesh_;
  }

 private:
  void take_geometry(mesh::Geometry g) {
    if (!case_.geometry_kind && g.parts.empty())
      throw BadInput(item("layer", 0, g.layers[0].region) +
                     ": 'geometry.kind' is missing (what is layered); give layers, coaxial or spherical");
    g.kind = case_.geometry_kind.value_or("parts");
    const bool parts = g.kind == "parts";
    if (parts && !g.layers.empty())
      throw BadInput(item("layer", 0, g.layers[0].region) +
                     " is a layer of a geometry of parts (which has none); use [[part]]");
    if (!parts && !g.parts.empty())
      throw BadInput(fmt::format("{} is a part of a geometry of kind '{}' (which has layers); use [[layer]]",
                                 item("part", 0, g.parts[0].region), g.kind));
    if (!parts && g.layers.empty())
      throw BadInput(fmt::format("{} is '{}' but there is no layer (of which it consists); add [[layer]]",
                                 place("geometry.kind"), g.kind));
    for (std::size_t i = 0; i < g.layers.size(); ++i) {
      if (g.layers[i].region.empty())
        throw BadInput(item("layer", i) + " has no region (its volume group); give region = \"...\"");
      if (g.layers[i].thickness == 0)
        throw BadInput(item("layer", i, g.layers[i].region) + " has no thickness; give thickness = ... (m)");
    }
    for (std::size_t i = 0; i < g.parts.size(); ++i)
      if (g.parts[i].region.empty())
        throw BadInput(item("part", i) + " has no region (its volume group); give region = \"...\"");
    mesh_.geometry = std::move(g);
  }

  const Case& case_;
  MeshSpec mesh_;
};

}  // namespace

MeshSpec finish_mesh(const Case& c, const Origins& origins) { return MeshChecker(c, origins).finish(); }

}  // namespace umov::eqs
