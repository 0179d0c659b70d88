// Finding the module that meshes parts, and handing it the geometry.
#include "mesh/parts.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "core/error.hpp"
#include "core/find_module.hpp"
#include "mesh/meshing_process.hpp"
#include "mesh/part_shape.hpp"
#include "mesh/size_estimate.hpp"

namespace umov::mesh {

namespace {

namespace fs = std::filesystem;

struct Loaded {
  const GmshModule* module = nullptr;
  std::string why_not;
};

constexpr const char* advice =
    "install the Gmsh library (Debian, Ubuntu: libgmsh-dev), build umov again, or give a .msh file";

Loaded load() {
  const fs::path path = find_module("libumov_gmsh.so");
  if (path.empty())
    return {nullptr, fmt::format("libumov_gmsh.so is not beside this program (it was built without Gmsh); {}",
                                 advice)};
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return {nullptr, fmt::format("{} could not be loaded ({}); {}", path.string(), dlerror(), advice)};
  const auto entry = reinterpret_cast<GmshModuleEntry>(dlsym(library, "umov_gmsh_module"));
  const GmshModule* module = entry ? entry() : nullptr;
  if (!module || module->version != gmsh_module_version)
    return {nullptr, path.string() + " belongs to another version of umov; build both together"};
  return {module, ""};
}

const Loaded& loaded() {
  static const Loaded once = load();
  return once;
}

}  // namespace

bool parts_available(std::string& why_not) {
  why_not = loaded().why_not;
  return loaded().module != nullptr;
}

TetMesh build_parts(const Geometry& g) {
  check_parts(g);
  std::string message;
  if (!parts_available(message)) throw MachineFailure("a geometry of parts cannot be meshed: " + message);
  std::vector<std::string> warnings;
  check_element_count(g, warnings);
  TetMesh mesh;
  const int code = build_apart(*loaded().module, g, mesh, message);
  if (code == static_cast<int>(Exit::bad_input)) throw BadInput(message);
  if (code == static_cast<int>(Exit::machine)) throw MachineFailure(message);
  if (code != 0) throw Error(static_cast<Exit>(code), message);
  mesh.source = g.name;
  mesh.warnings.insert(mesh.warnings.begin(), warnings.begin(), warnings.end());
  return mesh;
}

}  // namespace umov::mesh
