// Sections, frequencies and errors of results.
#include "fdtd/monitors/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fdtd/monitors/names.hpp"
#include "fdtd/monitors/spectrum_errors.hpp"

namespace umov::fdtd {

using results::Along;
using results::Section;

namespace {

double worst(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values)
    if (std::isfinite(v)) most = std::max(most, std::abs(v));
  return most;
}

}  // namespace

Section with_table(results::Result& r, const std::string& kind, const std::string& name,
                   std::vector<std::string> comments) {
  const auto table = results::add_table(r, {kind + "-" + name, std::move(comments)});
  return {r, kind + "/" + name + "/", table};
}

void add_frequencies(Section& s, const std::vector<double>& frequency, bool per_direction) {
  s.add("frequency", fdtd_unit::frequency, "frequency, the axis of the spectra beside it", frequency,
        {.along = per_direction ? Along::outer : Along::rows});
  s.add("wavelength", fdtd_unit::length, "vacuum wavelength of each frequency", wavelengths(frequency),
        {.column = !per_direction});
}

void add_errors(Section& s, const std::string& of, const std::string& unit, const SpectrumErrors& errors) {
  const auto add = [&](const std::string& from, const std::string& text, const std::vector<double>& values) {
    const std::string heading = (of.empty() ? "" : of + " ") + from + " error";
    s.add((of.empty() ? "" : of + "_") + from + "_error", unit, text, values, {.heading = heading});
  };
  add("record", "what the fields left at the end would still change", errors.record);
  add("layers", "what absorbing layers send back", errors.layers);
  add("grid",
      "distance from the exact power of these flat layers, mostly the error of the grid; nan where "
      "it is not known",
      errors.grid);
}

std::string errors_text(const SpectrumErrors& e, double unit) {
  std::string out;
  if (!e.record.empty()) out += fmt::format(", error of the record {:.1e}", worst(e.record) / unit);
  if (!e.layers.empty()) out += fmt::format(", of the layers {:.1e}", worst(e.layers) / unit);
  const bool known = std::ranges::any_of(e.grid, [](double v) { return std::isfinite(v); });
  if (known) out += fmt::format(", of the grid {:.1e}", worst(e.grid) / unit);
  return out;
}

}  // namespace umov::fdtd
