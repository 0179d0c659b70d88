// Geometry in, mesh out: Gmsh's meshing with sizes from SizeField, grids in thin tubes, and the result as a
// TetMesh.
#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "mesh/gmsh/solids.hpp"
#include "mesh/gmsh_module.hpp"
#include "mesh/part_shape.hpp"
#include "mesh/size_field.hpp"

namespace umov::mesh {

namespace {

namespace gm = gmsh::model::mesh;
using Tags = gmsh::vectorpair;

constexpr int triangle_type = 2, tetrahedron_type = 4;

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

std::vector<int> boundary(int dim, int tag) {
  Tags ends;
  gmsh::model::getBoundary({{dim, tag}}, ends, false, false, false);
  std::vector<int> out;
  for (const auto& end : ends) out.push_back(end.second);
  return out;
}

/// One sector of a tube: which of its eight corners a point is. Bit 0: outer radius, 1: the end of the
/// sector, 2: top.
class GridCorners {
 public:
  GridCorners(const Part& p, const Pieces::Grid& grid, const std::vector<int>& points)
      : part_(p), grid_(grid), frame_(frame_of(p, grid.copy)) {
    for (const int point : points) {
      const double z = local(point)[2];
      low_ = std::min(low_, z);
      high_ = std::max(high_, z);
    }
  }

  int operator()(int point) const {
    const Vec3 x = local(point);
    const bool outer = std::hypot(x[0], x[1]) > (part_.radius + part_.inner_radius) / 2;
    const double past =
        std::remainder(std::atan2(x[1], x[0]) * 180 / pi - grid_.start - grid_.angle / 2, 360);
    return outer | (past > 0) << 1 | (x[2] > (low_ + high_) / 2) << 2;
  }
  /// Elements along the edge between two corners.
  int cells(int corner, int other) const {
    const auto count = [](double length, double size) {
      return std::max(1, int(std::ceil(length / size - 1e-6)));
    };
    if ((corner ^ other) == 1) return part_.across;
    if ((corner ^ other) == 2) return count(part_.radius * grid_.angle * pi / 180, part_.mesh_size);
    return count(high_ - low_, part_.mesh_size * part_.stretch);
  }

 private:
  Vec3 local(int point) const {
    std::vector<double> at;
    gmsh::model::getValue(0, point, {}, at);
    return frame_.local({at[0], at[1], at[2]});
  }
  const Part& part_;
  const Pieces::Grid& grid_;
  Frame frame_;
  double low_ = 1e300, high_ = -1e300;
};

/// Corners are given in one order for all faces, so that the diagonals of the surface triangles are those of
/// Gmsh's cut of a hexahedron into six tetrahedra; its own order leaves gaps.
void set_grid(const Geometry& g, const Pieces::Grid& grid, std::set<int>& done) {
  const auto faces = boundary(3, grid.volume);
  std::map<int, std::vector<int>> curve_ends;
  std::vector<std::vector<int>> face_curves;
  std::vector<int> points;
  for (const int f : faces) {
    face_curves.push_back(boundary(2, f));
    for (const int c : face_curves.back()) {
      curve_ends[c] = boundary(1, c);
      points.insert(points.end(), curve_ends[c].begin(), curve_ends[c].end());
    }
  }
  const GridCorners corner(g.parts[grid.part], grid, points);
  std::map<int, std::pair<int, int>> curves;
  std::vector<int> point(8, -1);
  for (const int p : points) point[corner(p)] = p;
  for (const auto& [c, ends] : curve_ends)
    if (ends.size() == 2) curves[c] = {corner(ends[0]), corner(ends[1])};
  if (faces.size() != 6 || curves.size() != 12 || std::count(point.begin(), point.end(), -1) > 0)
    throw BadInput(
        fmt::format("{} has {} faces and {} edges where a structured tube's sector has 6 and 12 (another "
                    "part ends on it); leave "
                    "`across` out or move what touches it",
                    describe(g, grid.part), faces.size(), curves.size()));
  for (const auto& [c, ends] : curves) gm::setTransfiniteCurve(c, corner.cells(ends.first, ends.second) + 1);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (!done.insert(faces[i]).second)
      continue;  // shared with the last sector; Gmsh would add corners to corners
    int all = 7, any = 0;
    for (const int c : face_curves[i])
      for (const int k : {curves[c].first, curves[c].second}) {
        all &= k;
        any |= k;
      }
    const int base = all, free = any & ~all, low = free & -free, high = free & ~low;
    gm::setTransfiniteSurface(faces[i], "Left",
                              {point[base], point[base | low], point[base | free], point[base | high]});
  }
  gm::setTransfiniteVolume(grid.volume,
                           {point[0], point[1], point[3], point[2], point[4], point[5], point[7], point[6]});
}

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

/// Nodes of the elements of one type in a volume or surface. Gmsh wants its output empty.
std::vector<std::size_t> elements_of(int type, int tag) {
  std::vector<std::size_t> elements, nodes;
  gm::getElementsByType(type, elements, nodes, tag);
  return nodes;
}

int group_index(std::vector<Group>& groups, const std::string& name) {
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (groups[i].name == name) return int(i);
  groups.push_back({name, int(groups.size()) + 1});
  return int(groups.size()) - 1;
}

double volume_of(const TetMesh& m, const Tet& t) {
  const Vec3 &a = m.nodes[t[0]], b = m.nodes[t[1]] - a, c = m.nodes[t[2]] - a, d = m.nodes[t[3]] - a;
  return dot(b, cross(c, d)) / 6;
}

/// Numbers Gmsh's nodes as they are first met.
class Nodes {
 public:
  explicit Nodes(TetMesh& mesh) : mesh_(mesh) {
    std::vector<double> unused;
    gm::getNodes(tags_, places_, unused, -1, -1, false, false);
    for (std::size_t i = 0; i < tags_.size(); ++i) {
      if (tags_[i] >= slot_.size()) slot_.resize(tags_[i] + 1, none);
      slot_[tags_[i]] = i;
    }
    number_.assign(tags_.size(), -1);
  }
  int operator()(std::size_t tag) {
    const std::size_t slot = slot_.at(tag);
    if (number_[slot] < 0) {
      number_[slot] = int(mesh_.nodes.size());
      mesh_.nodes.push_back({places_[3 * slot], places_[3 * slot + 1], places_[3 * slot + 2]});
    }
    return number_[slot];
  }

 private:
  static constexpr std::size_t none = ~std::size_t(0);
  TetMesh& mesh_;
  std::vector<std::size_t> tags_, slot_;
  std::vector<double> places_;
  std::vector<int> number_;
};

TetMesh convert(const Geometry& g, const Pieces& pieces) {
  TetMesh mesh;
  Nodes node(mesh);
  for (const auto& v : pieces.volumes) {
    const auto nodes = elements_of(tetrahedron_type, v.tag);
    if (nodes.empty())
      throw BadInput(
          fmt::format("Gmsh left {} without elements; make its mesh_size smaller", owner_name(g, v.owner)));
    const int group = group_index(mesh.volumes, v.owner < 0 ? g.domain_region : g.parts[v.owner].region);
    for (std::size_t i = 0; i < nodes.size(); i += 4) {
      Tet t{node(nodes[i]), node(nodes[i + 1]), node(nodes[i + 2]), node(nodes[i + 3])};
      if (volume_of(mesh, t) < 0) std::swap(t[2], t[3]);
      mesh.tets.push_back(t);
      mesh.tet_group.push_back(group);
    }
  }
  for (const auto& f : pieces.faces) {
    if (f.groups.empty()) continue;
    const auto nodes = elements_of(triangle_type, f.tag);
    for (const auto& name : f.groups) {
      const int group = group_index(mesh.surfaces, name);
      for (std::size_t i = 0; i < nodes.size(); i += 3) {
        mesh.triangles.push_back({node(nodes[i]), node(nodes[i + 1]), node(nodes[i + 2])});
        mesh.triangle_group.push_back(group);
      }
    }
  }
  return mesh;
}

/// Every face inside belongs to two elements, and those that belong to one are the outer faces' triangles.
void check_conforming(const TetMesh& mesh, const Pieces& pieces) {
  std::vector<Tri> faces;
  faces.reserve(4 * mesh.tets.size());
  for (const auto& t : mesh.tets)
    for (int k = 0; k < 4; ++k) {
      Tri f{t[(k + 1) % 4], t[(k + 2) % 4], t[(k + 3) % 4]};
      std::sort(f.begin(), f.end());
      faces.push_back(f);
    }
  std::sort(faces.begin(), faces.end());
  std::size_t single = 0, outer = 0;
  bool good = true;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t j = i;
    while (j < faces.size() && faces[j] == faces[i]) ++j;
    single += j - i == 1;
    good = good && j - i <= 2;
    i = j;
  }
  for (const auto& f : pieces.faces)
    if (f.sides.size() == 1) outer += elements_of(triangle_type, f.tag).size() / 3;
  if (!good || single != outer)
    throw MachineFailure(
        fmt::format("Gmsh's mesh has gaps ({} outer faces of elements, {} outer triangles); change mesh_size "
                    "or move parts that "
                    "nearly touch apart",
                    single, outer));
}

TetMesh build(const Geometry& g, bool (*interrupted)()) {
  const Session session;
  const Pieces pieces = make_pieces(g);
  if (interrupted()) throw Interrupted{};
  std::set<int> done;
  for (const auto& grid : pieces.grids) set_grid(g, grid, done);
  generate(g, pieces, interrupted);
  TetMesh mesh = convert(g, pieces);
  check_conforming(mesh, pieces);
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
