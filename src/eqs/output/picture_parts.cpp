// Prefixes that keep numbers of a plot short, and captions.
#include "eqs/output/picture_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/text.hpp"
#include "pictures/canvas.hpp"
#include "pictures/sheet.hpp"

namespace umov::eqs {

using namespace pictures;

using std::string;

Scaled prefixed(double largest, const string& unit) {
  static constexpr struct {
    double size;
    const char* prefix;
  } prefixes[] = {{1e9, "G"},  {1e6, "M"},  {1e3, "k"},   {1, ""},      {1e-3, "m"},
                  {1e-6, "µ"}, {1e-9, "n"}, {1e-12, "p"}, {1e-15, "f"}, {1e-18, "a"}};
  if (!(largest > 0) || !std::isfinite(largest)) return {1, unit};
  for (const auto& p : prefixes)
    if (largest >= 0.9995 * p.size) return {1 / p.size, p.prefix + unit};
  return {1, unit};
}

Scaled length_unit(double extent) {
  if (extent >= 1) return {1, "m"};
  return extent >= 0.2 ? Scaled{100, "cm"} : extent >= 2e-4 ? Scaled{1e3, "mm"} : Scaled{1e6, "µm"};
}

namespace {

double largest_of(const std::vector<Series>& series) {
  double most = 0;
  for (const auto& s : series)
    for (const double y : s.y)
      if (std::isfinite(y)) most = std::max(most, std::abs(y));
  return most;
}

}  // namespace

void scale(LinePlot& plot, const string& quantity, const string& unit) {
  const Scaled s = prefixed(largest_of(plot.series), unit);
  for (auto& series : plot.series)
    for (double& y : series.y) y *= s.factor;
  plot.y.label = fmt::format("{} ({})", quantity, s.unit);
}

string caption(const Outcome& o) {
  const auto& file = o.simulation.mesh.file;
  return fmt::format("{}{} tetrahedra of {} order, {} unknowns",
                     file.empty() ? "" : std::filesystem::path(file).filename().string() + ": ",
                     grouped(o.model.elements), o.model.order == 2 ? "second" : "first",
                     grouped(o.model.unknowns));
}

string unfinished(const Outcome& o) { return o.converged ? "" : "  (not converged)"; }

string moment(const Outcome& o, double time) {
  if (o.harmonic()) return fmt::format("peak values at {} Hz", shortest(o.simulation.time.frequency));
  if (o.simulation.analysis != Analysis::transient) return "static";
  return "t = " + format_time(time);
}

}  // namespace umov::eqs
