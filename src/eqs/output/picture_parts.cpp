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
