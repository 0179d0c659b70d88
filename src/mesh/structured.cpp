#include "mesh/structured.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/large_memory.hpp"
#include "mesh/group_list.hpp"

namespace umov::mesh {
namespace {

[[noreturn]] void refuse(const Geometry& g, const std::string& problem, const std::string& why,
                         const std::string& suggestion) {
  throw BadInput(fmt::format("geometry '{}': {} ({}); {}", g.name, problem, why, suggestion));
}

void check_layers(const Geometry& g) {
  if (g.layers.empty()) refuse(g, "no layers", "there is nothing to mesh", "add at least one layer");
  for (std::size_t i = 0; i < g.layers.size(); ++i) {
    const Geometry::Layer& l = g.layers[i];
    const std::string name = fmt::format("layer {} ('{}')", i + 1, l.region);
    if (l.region.empty())
      refuse(g, fmt::format("layer {} has no region", i + 1), "materials are found by it", "name it");
    if (!(l.thickness > 0 && std::isfinite(l.thickness)))
      refuse(g, name + fmt::format(" is {} m thick", l.thickness), "it must be positive", "set thickness");
    if (l.elements < 1)
      refuse(g, name + fmt::format(" has {} elements", l.elements), "1 is the least", "set elements");
    if (!(l.grading > 0 && std::isfinite(l.grading)))
      refuse(g, name + fmt::format(" has grading {}", l.grading), "a ratio is positive", "1 is uniform");
  }
  if (g.elements_across < 1)
    refuse(g, fmt::format("elements_across is {}", g.elements_across), "1 is the least", "set it");
}

void check_extent(const Geometry& g) {
  const bool round = g.kind != "layers";
  if (g.kind != "spherical" && !(g.width > 0 && std::isfinite(g.width)))
    refuse(g, fmt::format("width is {} m", g.width), "it must be positive", "set width");
  if (!round) return;
  if (!(g.inner_radius > 0 && std::isfinite(g.inner_radius)))
    refuse(g, fmt::format("inner_radius is {} m", g.inner_radius),
           "the innermost layer begins there, off the axis", "set a positive inner_radius");
  const double most = g.kind == "coaxial" ? 360 : 90;
  if (!(g.angle > 0 && g.angle <= most))
    refuse(g, fmt::format("angle is {} degrees", g.angle),
           fmt::format("a sector has more than 0, up to {}", most), "set angle");
  if (g.angle / g.elements_across > 60)
    refuse(g, fmt::format("elements span {} degrees", g.angle / g.elements_across),
           "chords this long are no circle: 60 is the most",
           fmt::format("set elements_across to {} or more", std::ceil(g.angle / 60)));
}

/// Positions of the grid planes across all layers, and the layer of each cell.
struct Axis {
  std::vector<double> at;
  std::vector<int> layer;
};

Axis layer_axis(const Geometry& g) {
  Axis axis;
  double begin = g.kind == "layers" ? 0 : g.inner_radius;
  axis.at.push_back(begin);
  for (std::size_t l = 0; l < g.layers.size(); ++l) {
    const auto& [region, thickness, n, grading] = g.layers[l];
    const double ratio = n > 1 ? std::pow(grading, 1.0 / (n - 1)) : 1;
    double sum = 0, cell = 1;
    std::vector<double> ends;
    for (int i = 0; i < n; ++i, cell *= ratio) ends.push_back(sum += cell);
    for (int i = 0; i + 1 < n; ++i) axis.at.push_back(begin + thickness * (ends[i] / sum));
    axis.at.push_back(begin += thickness);
    axis.layer.insert(axis.layer.end(), n, int(l));
  }
  return axis;
}

/// A grid of cells[0] x cells[1] x cells[2] hexahedra; index directions form a right-handed system.
struct Grid {
  std::array<int, 3> cells;
  bool closed = false;  ///< direction 1 ends where it began

  int planes(int d) const { return cells[d] + (d == 1 && closed ? 0 : 1); }
  int node(int i, int j, int k) const {
    return (i * planes(1) + (closed && j == cells[1] ? 0 : j)) * planes(2) + k;
  }
};

/// The six tetrahedra of cell (i, j, k): each walks from its lowest to its highest corner along the three
/// directions in one of the six orders. The vertices of a walk are in the order that Bey's refinement keeps
/// similar; odd walks have their second and last vertex exchanged, which leaves the opposite pairs.
void cut_cell(const Grid& grid, int i, int j, int k, Tet* tets) {
  static constexpr int walks[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int w = 0; w < 6; ++w) {
    std::array<int, 3> at{i, j, k};
    Tet t;
    t[0] = grid.node(at[0], at[1], at[2]);
    for (int step = 0; step < 3; ++step) {
      ++at[walks[w][step]];
      t[step + 1] = grid.node(at[0], at[1], at[2]);
    }
    if (w >= 3) std::swap(t[1], t[3]);
    *tets++ = t;
  }
}

/// Triangles of the grid plane `plane` of direction d, along the diagonals that cut_cell gives them.
void cover_plane(const Grid& grid, int d, int plane, int group, TetMesh& mesh) {
  const int a = (d + 1) % 3, b = (d + 2) % 3;
  std::array<int, 3> at{};
  at[d] = plane;
  const auto corner = [&](int p, int q) {
    std::array<int, 3> c = at;
    c[a] += p;
    c[b] += q;
    return grid.node(c[0], c[1], c[2]);
  };
  for (at[a] = 0; at[a] < grid.cells[a]; ++at[a])
    for (at[b] = 0; at[b] < grid.cells[b]; ++at[b]) {
      mesh.triangles.push_back({corner(0, 0), corner(1, 0), corner(1, 1)});
      mesh.triangles.push_back({corner(0, 0), corner(1, 1), corner(0, 1)});
      mesh.triangle_group.insert(mesh.triangle_group.end(), 2, group);
    }
}

/// Point of layer position s and the other two indices; direction `along` of the grid is the layers'.
Vec3 place(const Geometry& g, const Grid& grid, int i, int j, int k, double s) {
  if (g.kind == "layers") return {g.width * i / grid.cells[0], g.width * j / grid.cells[1], s};
  if (g.kind == "coaxial") {
    const double a = g.angle / 180 * pi * j / grid.cells[1];
    return {s * std::cos(a), s * std::sin(a), g.width * k / grid.cells[2]};
  }
  const auto slope = [&](int n, int cells) {
    return std::tan(g.angle / 180 * pi * (double(n) / cells - 0.5));
  };
  const Vec3 direction{slope(i, grid.cells[0]), slope(j, grid.cells[1]), 1};
  return (s / norm(direction)) * direction;
}

}  // namespace

TetMesh build_structured(const Geometry& g) {
  check_layers(g);
  check_extent(g);
  double cells = 0;
  for (const auto& l : g.layers) cells += l.elements;
  if (cells * g.elements_across * g.elements_across > 5e7)
    refuse(g, fmt::format("{:.3g} cells", cells * g.elements_across * g.elements_across), "5e7 are the most",
           "set fewer elements");

  const Axis axis = layer_axis(g);
  const int along = g.kind == "coaxial" ? 0 : 2;  // the grid's direction across the layers
  Grid grid{{g.elements_across, g.elements_across, g.elements_across}, g.kind == "coaxial" && g.angle == 360};
  grid.cells[along] = int(axis.layer.size());

  TetMesh mesh;
  mesh.source = g.name;
  const std::size_t row = std::size_t(grid.planes(2)), plane = std::size_t(grid.planes(1)) * row;
  resize_large(mesh.nodes, std::size_t(grid.planes(0)) * plane);
#pragma omp parallel for collapse(2) schedule(static)
  for (int i = 0; i < grid.planes(0); ++i)
    for (int j = 0; j < grid.planes(1); ++j) {
      Vec3* to = &mesh.nodes[std::size_t(i) * plane + std::size_t(j) * row];
      for (int k = 0; k < grid.planes(2); ++k) *to++ = place(g, grid, i, j, k, axis.at[along == 0 ? i : k]);
    }

  std::vector<int> group;
  for (const auto& l : g.layers) group.push_back(group_index(mesh.volumes, l.region));
  const std::size_t line = std::size_t(grid.cells[2]), slice = std::size_t(grid.cells[1]) * line;
  resize_large(mesh.tets, 6 * std::size_t(grid.cells[0]) * slice);
  resize_large(mesh.tet_group, mesh.tets.size());
#pragma omp parallel for collapse(2) schedule(static)
  for (int i = 0; i < grid.cells[0]; ++i)
    for (int j = 0; j < grid.cells[1]; ++j)
      for (int k = 0; k < grid.cells[2]; ++k) {
        const std::size_t first = 6 * (std::size_t(i) * slice + std::size_t(j) * line + std::size_t(k));
        cut_cell(grid, i, j, k, &mesh.tets[first]);
        std::fill_n(&mesh.tet_group[first], 6, group[axis.layer[along == 0 ? i : k]]);
      }

  const bool column = g.kind == "layers";
  cover_plane(grid, along, 0, group_index(mesh.surfaces, column ? "bottom" : "inner"), mesh);
  cover_plane(grid, along, grid.cells[along], group_index(mesh.surfaces, column ? "top" : "outer"), mesh);
  if (column)
    for (int d = 0; d < 2; ++d) {
      const std::string name(1, d == 0 ? 'x' : 'y');
      cover_plane(grid, d, 0, group_index(mesh.surfaces, name + "_min"), mesh);
      cover_plane(grid, d, grid.cells[d], group_index(mesh.surfaces, name + "_max"), mesh);
    }
  return mesh;
}

}  // namespace umov::mesh
