// Names, units and quotients that tables, arrays and pictures share.
#include "fdtd/monitors/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>

#include "fdtd/monitors/series.hpp"

namespace umov::fdtd {

std::string fdtd_unit::cross_section(const Grid& grid) {
  const int power = dimensions(grid.mode) - 1;
  return power == 0 ? "1" : power == 1 ? "unit" : fmt::format("unit^{}", power);
}

std::string fdtd_unit::flux(const Grid& grid) {
  const std::string area = cross_section(grid);
  return area == "1" ? "(unit/c)^2" : area + " (unit/c)^2";
}

const char* axis_name(int axis) {
  static constexpr const char* names[] = {"x", "y", "z"};
  return names[axis];
}

std::string UniqueNames::operator()(const std::string& wanted) {
  std::string safe;
  for (const unsigned char c : wanted)
    safe += std::isalnum(c) || c == '-' || c == '_' || c == '.' ? char(c) : '_';
  if (safe.empty() || safe[0] == '.') safe = "_" + safe;
  std::string name = safe;
  for (int n = 2; !given_.insert(name).second; ++n) name = fmt::format("{}-{}", safe, n);
  return name;
}

const MonitorSpec* find_monitor(const Simulation& s, const std::string& name) {
  const auto found = std::find_if(s.monitors.begin(), s.monitors.end(),
                                  [&](const MonitorSpec& m) { return m.name == name; });
  return found == s.monitors.end() ? nullptr : &*found;
}

std::vector<std::string> series_names(const Outcome& o) {
  std::map<std::string, int> count;
  for (const auto& s : o.of<SeriesResult>()) ++count[s.name];
  UniqueNames unique;
  std::vector<std::string> names;
  for (const auto& s : o.of<SeriesResult>())
    names.push_back(unique(count[s.name] > 1 ? s.name + "-" + word(s.component) : s.name));
  return names;
}

std::vector<double> wavelengths(const std::vector<double>& frequency) {
  std::vector<double> lambda;
  for (const double f : frequency) lambda.push_back(1 / f);
  return lambda;
}

}  // namespace umov::fdtd
