// The arrays of a time-harmonic cell on its way.
#include "harmonic/command/live_arrays.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "harmonic/output/results.hpp"
#include "view/plane.hpp"

namespace umov::harmonic {

namespace {

/// Nodes of the cut; of the planes those that are shown.
view::Plane plane_of(const Outcome& o, CutPlane plane, double at) {
  const auto nodes = [&](int axis) {
    std::vector<double> out;
    const int n = axis == 0 ? o.grid.nx : axis == 1 ? o.grid.ny : o.planes;
    for (int i = 0; i < n; ++i) out.push_back(axis == 2 ? o.depth(i) : i * o.grid.spacing[axis]);
    return out;
  };
  switch (plane) {
    case CutPlane::xz:
      return {"depth", "x", nodes(2), nodes(0), at};
    case CutPlane::yz:
      return {"depth", "y", nodes(2), nodes(1), at};
    case CutPlane::xy:
      break;
  }
  return {"y", "x", nodes(1), nodes(0), at};
}

/// Numbers of the media, [planes][columns]: how many interfaces lie above each node.
std::vector<double> media_in(const Outcome& o, const std::vector<std::vector<double>>& interfaces,
                             std::size_t columns) {
  std::vector<double> out;
  for (int k = 0; k < o.planes; ++k)
    for (std::size_t i = 0; i < columns; ++i) {
      int medium = 0;
      for (const auto& depth : interfaces) medium += depth[i] <= o.depth(k);
      out.push_back(medium);
    }
  return out;
}

}  // namespace

void add_layers(view::Shelf& shelf, const Plan& plan, const Outcome& o) {
  std::vector<std::string> names;
  for (std::size_t m = 0; m < o.media.size(); ++m) names.push_back(fmt::format("{}: {}", m, o.media[m]));
  for (std::size_t c = 0; c < plan.cuts.size(); ++c) {
    if (plan.cuts[c].plane == CutPlane::xy) continue;
    const view::Plane plane = plane_of(o, plan.cuts[c].plane, plan.cuts[c].at);
    const std::string number = plan.cuts.size() > 1 ? fmt::format("{}", c + 1) : "";
    view::ArrayInfo info = view::plane_info(plane, "um");
    info.name = "layers" + number;
    info.label = number.empty() ? "layers" : "layers, cut " + number;
    info.text = "numbers of the media; " + join(names, ", ");
    info.role = "model";
    shelf.add(std::move(info),
              view::plane_maker(plane, media_in(o, o.interfaces.at(c), plane.column_places.size())));
  }
}

std::vector<std::pair<view::ArrayInfo, view::Maker>> cut_fields(const Outcome& o, const FieldCut& cut) {
  std::vector<std::pair<view::ArrayInfo, view::Maker>> out;
  const view::Plane plane = plane_of(o, cut.plane, cut.at);
  const std::string number = cut_name(o, cut);
  const std::string point = point_name(o, cut.row, cut.polarization) + (number.empty() ? "" : "-" + number);
  const auto add = [&](const char* name, const char* label, const char* unit, const char* text,
                       const std::vector<double>& values) {
    view::ArrayInfo info = view::plane_info(plane, "um");
    info.name = fmt::format("cuts/{}/{}", point, name);
    info.label = fmt::format("{}, {}", label, point);
    info.text = text;
    info.unit = unit;
    info.role = "intensity";
    out.emplace_back(std::move(info), view::plane_maker(plane, values));
  };
  add("intensity", "|E|²", "1", "|E|^2 over that of the incident wave", cut.intensity);
  add("absorption", "absorption", "um^-1", "absorbed power per volume over the incident power per area",
      cut.absorption);
  return out;
}

}  // namespace umov::harmonic
