// Geometry in, mesh out: Gmsh's meshing with sizes from SizeField.
#include <fmt/format.h>
#include <gmsh.h>

#include "core/error.hpp"
#include "mesh/gmsh/check_volumes.hpp"
#include "mesh/gmsh/model_unit.hpp"
#include "mesh/gmsh/steps.hpp"
#include "mesh/gmsh_module.hpp"
#include "mesh/size_field.hpp"

namespace umov::mesh {

namespace {

namespace gm = gmsh::model::mesh;

struct Interrupted {};

/// Gmsh is started for one mesh, silent and the same every time.
class Session {
 public:
  Session() {
    gmsh::initialize(0, nullptr, false);
    const std::pair<const char*, double> options[] = {
        {"General.Terminal", 0},        {"General.NumThreads", 1},
        {"General.ExpertMode", 1},      {"Mesh.RandomSeed", 1},
        {"Mesh.Algorithm", 6},          {"Mesh.Algorithm3D", 1},
        {"Mesh.Optimize", 1},           {"Mesh.MeshSizeExtendFromBoundary", 0},
        {"Mesh.MeshSizeFromPoints", 0}, {"Mesh.MeshSizeFromCurvature", 0}};
    for (const auto& [name, value] : options) gmsh::option::setNumber(name, value);
    gmsh::logger::start();
    gmsh::model::add("umov");
  }
  ~Session() {
    try {
      gmsh::logger::stop();
      gmsh::finalize();
    } catch (...) {
    }
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

/// The part whose volume or surface Gmsh's message speaks of, for the user.
std::string blamed(const Geometry& g, const Pieces& pieces, const std::string& said) {
  const auto number_after = [&](const char* word) {
    const auto at = said.find(word);
    return at == std::string::npos ? -1 : std::atoi(said.c_str() + at + std::char_traits<char>::length(word));
  };
  const auto owner_of = [&](int volume) {
    for (const auto& v : pieces.volumes)
      if (v.tag == volume) return owner_name(g, v.owner);
    return std::string();
  };
  if (const int v = number_after("olume "); v > 0) return owner_of(v);
  const int face = number_after("urface ");
  for (const auto& f : pieces.faces)
    if (f.tag == face) return owner_of(f.sides.back());
  return "";
}

/// Gmsh's first complaint since it was started; empty when there is none.
std::string first_error() {
  std::vector<std::string> log;
  gmsh::logger::get(log);
  for (const auto& line : log)
    if (line.rfind("Error", 0) == 0) return line.substr(line.find(':') + 2);
  return "";
}

void generate(const Geometry& g, const Pieces& pieces, bool (*interrupted)()) {
  const SizeField size(g);
  const double anything = norm(g.high - g.low);
  bool stop = false;
  // Gmsh 4.8 gives the callback five arguments, later ones six. No exception may leave it, nor come from
  // Gmsh's parallel loops: a stopped run is hurried to its end by large elements, errors are looked up in the
  // log.
  gm::setSizeCallback([&](int, int, double x, double y, double z, auto...) {
    stop = stop || interrupted();
    return stop ? anything : size({x, y, z});
  });
  gmsh::option::setNumber("General.AbortOnError", 1);
  for (int dim = 1; dim <= 3; ++dim) {
    gm::generate(dim);
    if (stop) throw Interrupted{};
    if (const std::string said = first_error(); !said.empty()) {
      const std::string where = blamed(g, pieces, said);
      throw BadInput(fmt::format(
          "Gmsh could not mesh {} ({}); make mesh_size smaller there, or move parts that nearly touch apart",
          where.empty() ? "geometry '" + g.name + "'" : where, said));
    }
  }
  // Gmsh's swaps leave a sliver now and then: moving nodes and swapping once more takes them away.
  gm::optimize("Relocate3D");
  gm::optimize("");
  gm::removeSizeCallback();
}

/// Lengths in units are rounded: nodes of the domain's faces go back to their places to the bit.
void restore_faces(const Geometry& in_metres, TetMesh& mesh) {
  const double near = 1e-10 * norm(in_metres.high - in_metres.low);
  for (Vec3& x : mesh.nodes)
    for (int k = 0; k < 3; ++k)
      for (const double face : {in_metres.low[k], in_metres.high[k]})
        if (std::abs(x[k] - face) < near) x[k] = face;
}

TetMesh build(const Geometry& in_metres, bool (*interrupted)()) {
  const Session session;
  const double unit = model_unit(in_metres);
  const Geometry g = in_units(in_metres, unit);
  const Pieces pieces = make_pieces(g, unit);
  if (interrupted()) throw Interrupted{};
  std::set<int> done;
  for (const auto& grid : pieces.grids) set_grid(g, grid, done);
  generate(g, pieces, interrupted);
  TetMesh mesh = take_mesh(g, pieces, unit);
  restore_faces(in_metres, mesh);
  check_conforming(mesh, pieces);
  check_volumes(g, pieces, unit, mesh);
  return mesh;
}

int guarded_build(const Geometry& g, bool (*interrupted)(), TetMesh& mesh, std::string& message) {
  try {
    mesh = build(g, interrupted);
    return 0;
  } catch (const Interrupted&) {
    message = "interrupted while meshing; nothing is kept of it";
    return static_cast<int>(Exit::interrupted);
  } catch (const Error& e) {
    message = e.what();
    return static_cast<int>(e.code());
  } catch (const std::bad_alloc&) {
    message = "out of memory while meshing; make mesh_size larger";
  } catch (const std::string& said) {  // what Gmsh throws
    message = fmt::format("Gmsh failed on geometry '{}' ({}); check that its parts do not nearly touch",
                          g.name, said);
  } catch (const std::exception& e) {
    message = fmt::format("Gmsh failed on geometry '{}' ({}); check that its parts do not nearly touch",
                          g.name, e.what());
  } catch (...) {
    message = fmt::format(
        "Gmsh failed on geometry '{}' without a reason; check that its parts do not nearly touch", g.name);
  }
  return static_cast<int>(Exit::machine);
}

}  // namespace

}  // namespace umov::mesh

extern "C" __attribute__((visibility("default"))) const umov::mesh::GmshModule* umov_gmsh_module() {
  static const umov::mesh::GmshModule module{umov::mesh::gmsh_module_version, umov::mesh::guarded_build};
  return &module;
}
