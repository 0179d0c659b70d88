// Boxes of total field before materials are known, and their words.
#include "fdtd/sources/total_field.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace umov::fdtd {

Problem bare_problem(const Simulation& s, const Grid& grid) {
  Problem p;
  p.grid = grid;
  set_walls(s, p);
  return p;
}

TotalFieldBox total_field_box(const SourceSpec& spec, const Simulation& s, const Grid& grid) {
  SourceSpec bounded = spec;
  for (double& size : bounded.size) size = std::isinf(size) ? 0 : size;
  return plane_wave_box(bounded, bare_problem(s, grid), "source '" + spec.name + "'");
}

double end_of(const TotalFieldBox& box, const Grid& g, int axis, int side) {
  return g.place(axis, (side == 0 ? box.lo : box.hi)[axis]);
}

std::string describe(const TotalFieldBox& box, const Grid& g) {
  std::string text;
  for (int a = 0; a < dimensions(g.mode); ++a) {
    const double low = end_of(box, g, a, 0), high = end_of(box, g, a, 1);
    const auto& face = box.face[a];
    text += fmt::format("{}{} ", a ? ", " : "", "xyz"[a]);
    if (face[0] && face[1])
      text += fmt::format("from {:.6g} to {:.6g}", low, high);
    else if (face[0])
      text += fmt::format("from {:.6g} on", low);
    else if (face[1])
      text += fmt::format("up to {:.6g}", high);
    else
      text += "everywhere";
  }
  return text;
}

std::vector<std::string> total_field_lines(const Simulation& s, const Grid& grid) {
  std::vector<std::string> lines;
  for (const SourceSpec& source : s.sources) {
    if (source.kind != SourceSpec::Kind::plane_wave) continue;
    try {
      lines.push_back(fmt::format("source '{}': total field in {}; beyond lie scattered fields alone",
                                  source.name, describe(total_field_box(source, s, grid), grid)));
    } catch (const BadInput&) {  // said when the source is made
    }
  }
  return lines;
}

}  // namespace umov::fdtd
