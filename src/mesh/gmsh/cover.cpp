// What later parts take of earlier ones.
#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>

#include "core/error.hpp"
#include "mesh/gmsh/part_solids.hpp"
#include "mesh/part_shape.hpp"

namespace umov::mesh {

namespace {

namespace occ = gmsh::model::occ;

bool overlap(const Box& a, const Box& b) {
  for (int k = 0; k < 3; ++k)
    if (a[k] > b[3 + k] + touching || b[k] > a[3 + k] + touching) return false;
  return true;
}

bool holds(const Box& outer, const Box& inner) {
  for (int k = 0; k < 3; ++k)
    if (inner[k] < outer[k] - touching || inner[3 + k] > outer[3 + k] + touching) return false;
  return true;
}

/// Of a solid of revolution: the ranges of radius and of place along its axis.
struct Ranges {
  double r_low = 1e300, r_high = 0, z_low = 1e300, z_high = -1e300;
  explicit Ranges(const Part& p) {
    for (const auto& e : outline(p)) {
      r_low = std::min(r_low, e.from[0]);
      r_high = std::max(r_high, e.from[0]);
      z_low = std::min(z_low, e.from[1]);
      z_high = std::max(z_high, e.from[1]);
    }
  }
};

/// True when two solids are seen to have no volume in common: beside one another, or around the same axis
/// with radii or heights that at most touch. Sparing their cut is what makes nested tubes quick.
bool apart(const Geometry& g, const Input& a, const Input& b) {
  const Part &p = g.parts[a.part], &q = g.parts[b.part];
  if (!is_revolved(p) || !is_revolved(q)) return false;
  const Frame f = frame_of(p, a.copy), h = frame_of(q, b.copy);
  const Vec3 between = f.local(h.origin);
  const double along = dot(f.column[2], h.column[2]);
  if (std::abs(along) < 1 - 1e-12 || std::hypot(between[0], between[1]) > rounding(g)) return false;
  const Ranges m(p), n(q);
  const double low = between[2] + (along > 0 ? n.z_low : -n.z_high);
  const double high = between[2] + (along > 0 ? n.z_high : -n.z_low);
  const double near = 1e-9 * (m.r_high + m.z_high - m.z_low);
  return m.r_high < n.r_low + near || n.r_high < m.r_low + near || m.z_high < low + near ||
         high < m.z_low + near;
}

}  // namespace

void cover(const Geometry& g, std::vector<Input>& inputs) {
  std::vector<Box> boxes;
  for (const auto& input : inputs) boxes.push_back(bounding_box(input.tag));
  std::vector<Input> out;
  std::vector<int> covered_by(g.parts.size(), -1);
  std::vector<bool> alive(g.parts.size(), false);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const int part = inputs[i].part;
    Tags later, left{{3, inputs[i].tag}};
    for (std::size_t j = i + 1; j < inputs.size(); ++j) {
      if (inputs[j].part == part || !overlap(boxes[i], boxes[j]) || apart(g, inputs[i], inputs[j])) continue;
      later.push_back({3, inputs[j].tag});
      if (covered_by[part] < 0 || holds(boxes[j], boxes[i])) covered_by[part] = inputs[j].part;
    }
    std::vector<Tags> map;
    if (!later.empty()) {
      left.clear();
      occ::cut({{3, inputs[i].tag}}, later, left, map, -1, true, false);
    }
    for (const int tag : volumes_in(left)) {
      out.push_back(inputs[i]);
      out.back().tag = tag;
      alive[part] = true;
    }
  }
  for (std::size_t i = 0; i < g.parts.size(); ++i) {
    if (alive[i]) continue;
    if (covered_by[i] < 0)
      throw BadInput(
          describe(g, i) +
          " lies wholly behind a plane of symmetry (only the side with positive coordinates is kept); "
          "move it to the kept side or leave it out");
    throw BadInput(
        fmt::format("{} is covered wholly by {} (later parts cover earlier ones); put it after that part",
                    describe(g, i), describe(g, covered_by[i])));
  }
  inputs = out;
}

}  // namespace umov::mesh
