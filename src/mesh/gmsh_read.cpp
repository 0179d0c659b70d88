#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "core/given_arrays.hpp"
#include "mesh/gmsh_file.hpp"
#include "mesh/gmsh_raw.hpp"

namespace umov::mesh {
namespace {

enum class Version { two, four };

constexpr const char* save_again =
    "save it as version 4.1 or 2.2: gmsh FILE -save -format msh41 -o NEW.msh (or msh22)";

Version read_head(GmshCursor& c) {
  std::string_view first = c.next_section();
  for (; first == "Comments"; first = c.next_section()) c.skip_section(first);
  if (first == "NOD" || first == "NOE") c.refuse("MSH version 1", "2.0 to 2.2 and 4.1 are read", save_again);
  if (first != "MeshFormat")
    throw BadInput(c.path() + ": not a Gmsh mesh (it does not begin with $MeshFormat); give a .msh file");
  c.begin_record();
  const double version = c.real("the version");
  const std::int64_t binary = c.text_integer("the file type"), size = c.text_integer("the size of integers");
  const bool two = version >= 2 && version < 2.3, four = std::abs(version - 4.1) < 1e-6;
  if (!two && !four)
    c.refuse(fmt::format("MSH version {:.1f}", version), "2.0 to 2.2 and 4.1 are read", save_again);
  if (binary != 0 && binary != 1)
    c.refuse(fmt::format("file type {}", binary), "0 is text, 1 is binary", save_again);
  if (size != 8 && !(four && size == 4))
    c.refuse(fmt::format("numbers of {} bytes", size), "8 is the format's own", save_again);
  c.line();
  if (binary) {
    c.set_binary(false, int(size));
    const int one = c.integer("the number one");
    if (one != 1 && one != 0x01000000)
      c.refuse("the number one reads otherwise", "neither byte order fits", "copy the file again, as binary");
    c.set_binary(one != 1, int(size));
  }
  c.end_section("MeshFormat");
  return two ? Version::two : Version::four;
}

/// Text in binary files too.
void read_names(GmshCursor& c, RawMesh& raw) {
  std::string_view head = c.line();
  const std::size_t count = std::strtoul(std::string(head).c_str(), nullptr, 10);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string text(c.line());
    int dim = 0, tag = 0, from = -1;
    std::sscanf(text.c_str(), "%d %d \"%n", &dim, &tag, &from);
    const std::size_t to = text.rfind('"');
    if (from < 0 || to == std::string::npos || to < std::size_t(from))
      c.refuse(fmt::format("'{}' is no name of a group", text.substr(0, 60)),
               "a line is: dimension, number, name in quotes", "save the mesh again, or correct the line");
    raw.names[{dim, tag}] = text.substr(from, to - from);
  }
}

void read_section(GmshCursor& c, const std::string& name, Version version, RawMesh& raw) {
  const bool two = version == Version::two;
  raw.periodic = raw.periodic || name == "Periodic";
  if (name == "PhysicalNames")
    read_names(c, raw);
  else if (name == "Nodes")
    two ? read_nodes_2(c, raw) : read_nodes_4(c, raw);
  else if (name == "Elements")
    two ? read_elements_2(c, raw) : read_elements_4(c, raw);
  else if (name == "Entities" && !two)
    read_entities_4(c, raw);
  else if (name == "PartitionedEntities" && !two)
    read_partitioned_entities_4(c, raw);
  else
    return c.skip_section(name);
  c.end_section(name);
}

}  // namespace

TetMesh read_gmsh(const std::string& path, double scale) {
  if (!(scale > 0 && std::isfinite(scale)))
    throw BadInput(fmt::format("{}: lengths times {} (a unit is positive); set unit = 1e-3 for millimetres",
                               path, scale));
  if (const auto given = given_arrays(path)) return assemble(raw_mesh_of(*given), given->said, scale);
  GmshCursor c(path);
  const Version version = read_head(c);
  RawMesh raw;
  for (std::string name(c.next_section()); !name.empty(); name = c.next_section())
    read_section(c, name, version, raw);
  return assemble(std::move(raw), path, scale);
}

}  // namespace umov::mesh
