// Planes, boxes and points that the grid moves to where it has the fields.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "fdtd/kind_names.hpp"
#include "fdtd/model/validate_parts.hpp"
#include "fdtd/observables/region.hpp"

namespace umov::fdtd {
namespace {

constexpr double slight = 1e-3;  ///< of a cell

/// What changes along an axis when both ends go to the nearest nodes; "" when nothing does.
std::string moved(const Grid& g, int axis, double center, double size) {
  const auto node = [&](double x) { return g.place(axis, std::round(g.index(axis, x))); };
  const double low = center - size / 2, high = center + size / 2;
  if (std::fabs(node(low) - low) <= slight * g.finest(axis) &&
      std::fabs(node(high) - high) <= slight * g.finest(axis))
    return "";
  if (size == 0) return fmt::format("{} = {:.6g} is taken at {:.6g}", "xyz"[axis], low, node(low));
  return fmt::format("{} from {:.6g} to {:.6g} is taken from {:.6g} to {:.6g}", "xyz"[axis], low, high,
                     node(low), node(high));
}

void check(const std::string& who, const Grid& g, const Vec3& center, const Vec3& size, bool sizes_only,
           bool of_mode, Findings& found) {
  std::vector<std::string> texts;
  for (int a = 0; a < dimensions(g.mode); ++a) {
    if (!std::isfinite(size[a]) || (sizes_only && size[a] == 0)) continue;
    if (const auto text = moved(g, a, center[a], size[a]); !text.empty()) texts.push_back(text);
  }
  if (!texts.empty())
    found.push_back(
        {Severity::note,
         fmt::format("{}: {} (surfaces and transforms lie on nodes of the grid{})", who, join(texts, ", "),
                     of_mode ? "; phases are those in the plane as asked" : "")});
}

/// What a source or monitor says of axes that the domain lacks.
void check_lacking(const std::string& who, const Grid& g, const Vec3& center, const Vec3& size,
                   Findings& found) {
  std::vector<std::string> texts;
  for (int a = dimensions(g.mode); a < 3; ++a) {
    if (center[a] != 0) texts.push_back(fmt::format("its {} = {:.6g}", "xyz"[a], center[a]));
    if (size[a] != 0 && std::isfinite(size[a]))
      texts.push_back(fmt::format("its size {:.6g} along {}", size[a], "xyz"[a]));
  }
  if (!texts.empty())
    found.push_back({Severity::warning,
                     fmt::format("{}: {} means nothing (the domain has no extent there: everything goes on "
                                 "for ever along it); leave it out, or give the domain a size along it",
                                 who, join(texts, " and "))});
}

}  // namespace

void validate_places(const Simulation& s, const Grid& grid, Findings& found) {
  for (const auto& m : s.monitors) check_lacking("monitor '" + m.name + "'", grid, m.center, m.size, found);
  for (const auto& source : s.sources)
    check_lacking("source '" + source.name + "'", grid, source.center, source.size, found);
  for (const auto& m : s.monitors) {
    if (traits_of(m).on_nodes)
      check("monitor '" + m.name + "'", grid, m.center, m.size, false, traits_of(m).guided_modes, found);
    kind_of(m).check_place(m, grid, found);
  }
  for (const auto& source : s.sources)
    if (!traits_of(source).current)
      check("source '" + source.name + "'", grid, source.center, source.size, traits_of(source).total_field,
            traits_of(source).guided_modes, found);
}

}  // namespace umov::fdtd
