// The tables of an extrapolation as text.
#include "dda/extrapolation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace umov::dda {

namespace {

std::string grids_of(const Extrapolation& e) {
  std::string out = fmt::format("  {:>16} {:>9} {:>10} {:>10} {:>10} {:>9}\n", "box", "y=kd|m|", "d [um]",
                                "dipoles", "iterations", "solve [s]");
  for (const ExtrapolationGrid& g : e.grids)
    out += fmt::format("  {:>16} {:>9.4f} {:>10.4g} {:>10} {:>10} {:>9.2f}{}\n",
                       fmt::format("{}x{}x{}", g.box[0], g.box[1], g.box[2]), g.y, g.spacing, g.dipoles,
                       g.iterations, g.seconds, g.fitted ? "" : "  not in the fit");
  return out;
}

}  // namespace

std::string describe(const Extrapolation& e) {
  std::string out = fmt::format("Extrapolation to dipoles of no size (y = 0), asked for: {:.3g} %\n{}",
                                100 * e.accuracy, grids_of(e));
  if (e.quantities.empty()) return out + "  " + e.verdict + "\n";
  out += fmt::format("  {:<22} {:>16} {:>16} {:>11} {:>9}\n", "quantity", "finest grid", "extrapolated", "+-",
                     "relative");
  for (const ExtrapolatedQuantity& q : e.quantities) {
    const double size = std::abs(q.limit.value);
    const std::string relative = size > 0 ? fmt::format("{:.2g} %", 100 * q.limit.error / size) : "-";
    const char* missed = q.allowed > 0 && q.limit.error > q.allowed ? "  more than asked" : "";
    const char* kept = q.limit.believed ? "" : "  finest grid, no extrapolation";
    out += fmt::format("  {:<22} {:>16.9g} {:>16.9g} {:>11.2g} {:>9}{}{}\n",
                       q.name + (q.unit == "1" ? "" : " [" + q.unit + "]"), q.values.back(), q.limit.value,
                       q.limit.error, relative, missed, kept);
  }
  return out + "  " + e.verdict + "\n";
}

}  // namespace umov::dda
