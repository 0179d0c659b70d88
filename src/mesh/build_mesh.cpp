#include <fmt/format.h>

#include <array>

#include "core/error.hpp"
#include "core/text.hpp"
#include "mesh/geometry.hpp"
#include "mesh/parts.hpp"
#include "mesh/structured.hpp"

namespace umov::mesh {

TetMesh build_mesh(const Geometry& geometry) {
  if (geometry.kind == "parts") return build_parts(geometry);
  const std::array<std::string, 4> kinds{"parts", "layers", "coaxial", "spherical"};
  for (const std::string& kind : kinds)
    if (geometry.kind == kind) return build_structured(geometry);
  const std::string hint = did_you_mean(geometry.kind, kinds);
  throw BadInput(fmt::format("geometry '{}': unknown kind '{}' (there are {}); {}", geometry.name,
                             geometry.kind, join(kinds, ", "), hint.empty() ? "choose one" : hint));
}

}  // namespace umov::mesh
