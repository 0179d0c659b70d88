#include "mesh/eqm_file.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <fstream>

#include "core/error.hpp"

namespace umov::mesh {
namespace {

template <class T>
void read(std::ifstream& in, const std::string& path, T* to, std::size_t count) {
  in.read(reinterpret_cast<char*>(to), std::streamsize(count * sizeof(T)));
  if (!in) throw BadInput(path + ": cut off (the arrays its head announces are not there); unpack it again");
}

void check_nodes(const std::string& path, const char* what, const int* list, std::size_t count,
                 std::size_t nodes) {
  for (std::size_t i = 0; i < count; ++i)
    if (list[i] < 0 || std::size_t(list[i]) >= nodes)
      throw BadInput(fmt::format("{}: {} name node {} (there are {}); the file is damaged, unpack it again",
                                 path, what, list[i], nodes));
}

}  // namespace

TetMesh read_eqm(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw BadInput(path + ": cannot be read (no such file, or no permission); check the name");
  std::array<char, 8> magic{};
  in.read(magic.data(), magic.size());
  if (!in || std::memcmp(magic.data(), "EQM1    ", 8) != 0)
    throw BadInput(path + ": not an EQM1 file (it begins otherwise); unpack it with xz -d first");
  std::array<std::int64_t, 4> count;
  read(in, path, count.data(), 4);
  for (const std::int64_t c : count)
    if (c < 0 || c > INT32_MAX)
      throw BadInput(
          fmt::format("{}: announces {} entries (31 bits are the most); the file is damaged", path, c));
  const std::size_t nodes = count[0], tets = count[1], low = count[2], high = count[3];

  TetMesh mesh;
  mesh.source = path;
  mesh.nodes.resize(nodes);
  read(in, path, mesh.nodes.data(), nodes);
  mesh.tets.resize(tets);
  read(in, path, mesh.tets.data(), tets);
  std::vector<std::uint8_t> material(tets);
  read(in, path, material.data(), tets);
  mesh.triangles.resize(low + high);
  read(in, path, mesh.triangles.data(), low + high);
  check_nodes(path, "tetrahedra", mesh.tets.data()->data(), 4 * tets, nodes);
  check_nodes(path, "triangles", mesh.triangles.data()->data(), 3 * (low + high), nodes);

  mesh.volumes = {{"air", 1}, {"rod", 2}, {"layer", 3}, {"housing", 4}};
  mesh.surfaces = {{"low", 1}, {"high", 2}};
  for (const std::uint8_t m : material)
    if (m >= mesh.volumes.size())
      throw BadInput(fmt::format("{}: material {} (0 to 3 are known); unpack the file again", path, m));
  mesh.tet_group.assign(material.begin(), material.end());
  mesh.triangle_group.assign(low, 0);
  mesh.triangle_group.resize(low + high, 1);
  return mesh;
}

}  // namespace umov::mesh
