// Integral of 1 / size^3 over boxes around the parts.
#include "mesh/size_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "mesh/part_shape.hpp"
#include "mesh/size_field.hpp"

namespace umov::mesh {

namespace {

/// Tetrahedra of edge a in a volume a^3: regular ones would be 6 sqrt(2) = 8.5, and Gmsh's edges come out
/// somewhat longer than asked for. Counted: 4.6 in an even box, 6.0 with a ball and a rod in it, 10.7 with
/// structured layers.
constexpr double per_cube = 6.5;

/// Bytes per element while Gmsh and the checks hold it: assumed, not measured.
constexpr double bytes_each = 800;

/// A box of the domain with the size in its middle.
struct SizedBox {
  Vec3 low, high;
  double size;
  double error;  ///< between the most and the fewest elements it can have
  double volume() const { return (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]); }
  double elements() const { return per_cube * volume() / (size * size * size); }
  bool operator<(const SizedBox& other) const { return error < other.error; }
};

/// Sizes in a box: `growth` per length away from that in its middle at most, between the least and the
/// domain's.
struct SizeRange {
  double growth, least, most;
};

SizedBox box_of(const SizeField& field, const SizeRange& bounds, const Vec3& low, const Vec3& high) {
  SizedBox b{low, high, field(0.5 * (low + high)), 0};
  const double change = bounds.growth * 0.5 * norm(high - low);
  const double below = std::max(bounds.least, b.size - change),
               above = std::min(bounds.most, b.size + change);
  b.error = per_cube * b.volume() * (1 / (below * below * below) - 1 / (above * above * above));
  return b;
}

}  // namespace

/// The part with the shortest edges; the number of parts where the domain's are as short.
static std::size_t finest_part(const Geometry& g, double& edge) {
  const SizeField field(g);
  std::size_t finest = g.parts.size();
  edge = g.mesh_size;
  for (std::size_t i = 0; i < g.parts.size(); ++i)
    if (field.of_part(i) < edge) edge = field.of_part(i), finest = i;
  return finest;
}

/// The shortest edges that are asked for, and by whom.
static std::string finest_edges(const Geometry& g) {
  double edge;
  const std::size_t finest = finest_part(g, edge);
  if (finest == g.parts.size()) return fmt::format("edges of {:.3g} m", edge);
  return fmt::format(
      "edges of {:.3g} m in {}{}", edge, describe(g, finest),
      g.parts[finest].mesh_size == 0 ? ", which has no mesh_size: twice its smallest thickness" : "");
}

/// What makes fewer elements.
static std::string coarser(const Geometry& g) {
  double edge;
  const std::size_t finest = finest_part(g, edge);
  if (finest == g.parts.size()) return "make mesh_size larger";
  if (g.parts[finest].mesh_size > 0) return "make mesh_size larger in the parts that set one";
  return fmt::format("give {} a mesh_size (edges may be longer than it is thin)", describe(g, finest));
}

double estimate_elements(const Geometry& g, double enough) {
  const SizeField field(g);
  double least = g.mesh_size;
  for (std::size_t i = 0; i < g.parts.size(); ++i) least = std::min(least, field.of_part(i));
  const SizeRange bounds{g.growth > 0 ? g.growth : 0.35, least, g.mesh_size};
  Vec3 low = g.low;
  for (const auto& c : g.cut) low[c[0] - 'x'] = std::max(low[c[0] - 'x'], 0.0);
  std::priority_queue<SizedBox> boxes;
  boxes.push(box_of(field, bounds, low, g.high));
  double sum = boxes.top().elements();
  constexpr int most_boxes = 100000;
  for (int k = 0; k < most_boxes && boxes.top().error > 1e-4 * sum && sum < enough; ++k) {
    const SizedBox b = boxes.top();
    boxes.pop();
    sum -= b.elements();
    int axis = 0;
    for (int a = 1; a < 3; ++a)
      if (b.high[a] - b.low[a] > b.high[axis] - b.low[axis]) axis = a;
    Vec3 middle_low = b.low, middle_high = b.high;
    middle_low[axis] = middle_high[axis] = 0.5 * (b.low[axis] + b.high[axis]);
    for (const SizedBox& half :
         {box_of(field, bounds, b.low, middle_high), box_of(field, bounds, middle_low, b.high)}) {
      sum += half.elements();
      boxes.push(half);
    }
  }
  return g.domain_shape == "cylinder" ? pi / 4 * sum : sum;
}

void check_element_count(const Geometry& g, std::vector<std::string>& warnings) {
  const double count = estimate_elements(g), bytes = bytes_each * count;
  const auto there = double(available_memory());
  // conductors' insides are counted but not meshed: what is refused must be beyond doubt
  constexpr double doubt = 4;
  if (count > 1e9 || (there > 0 && bytes > doubt * there))
    throw BadInput(fmt::format(
        "the geometry would take some {:.1g} tetrahedra ({}, in a domain of {:.4g} x {:.4g} x {:.4g} m; "
        "meshing them takes {}, there is {}); {}",
        count, finest_edges(g), g.high[0] - g.low[0], g.high[1] - g.low[1], g.high[2] - g.low[2],
        format_bytes(bytes), there > 0 ? format_bytes(there) : "less", coarser(g)));
  constexpr double coarse = 150;
  if (count < coarse)
    warnings.push_back(
        fmt::format("the geometry takes some {:.2g} tetrahedra ({}): too few for a field; "
                    "make mesh_size smaller",
                    count, finest_edges(g)));
  if (count > 5e6 || (there > 0 && bytes > there))
    warnings.push_back(
        fmt::format("the geometry takes some {:.2g} tetrahedra ({}), {} and minutes for meshing alone; "
                    "Ctrl-C stops it",
                    count, finest_edges(g), format_bytes(bytes)));
}

std::string announce_elements(const Geometry& g) {
  check_parts(g);
  constexpr double soon = 1e5;  // meshed in seconds
  const double count = estimate_elements(g);
  return count < soon ? "mesh" : fmt::format("mesh: some {:.1g} tetrahedra ({})", count, finest_edges(g));
}

}  // namespace umov::mesh
