// One CSV file per monitor.
#include "fdtd/output/tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <filesystem>

#include "fdtd/observables/normalized_flux.hpp"
#include "fdtd/output/names.hpp"
#include "results/csv.hpp"

namespace umov::fdtd {

namespace {

using Columns = std::vector<results::CsvColumn>;

void add(Columns& columns, const char* name, const std::string& unit, const std::vector<double>& values) {
  if (!values.empty()) columns.push_back({name, unit, values});
}

void add(Columns& columns, const std::string& name, const std::string& unit,
         const std::vector<cplx>& values) {
  if (values.empty()) return;
  results::CsvColumn re{name + "_re", unit, {}}, im{name + "_im", unit, {}};
  for (const auto& v : values) {
    re.values.push_back(v.real());
    im.values.push_back(v.imag());
  }
  columns.push_back(re);
  columns.push_back(im);
}

Columns series_columns(const SeriesResult& s) {
  Columns columns;
  add(columns, "time", fdtd_unit::time, s.time);
  add(columns, component_name(s.component), "", s.value);
  add(columns, "imaginary part", "", s.imag);
  add(columns, "rms", "", s.rms);
  return columns;
}

Columns flux_columns(const FluxResult& f, const Grid& grid) {
  const auto quotients = normalized(f);
  const std::string unit = fdtd_unit::flux(grid);
  Columns columns;
  add(columns, "frequency", fdtd_unit::frequency, f.frequency);
  add(columns, "wavelength", fdtd_unit::length, wavelengths(f.frequency));
  add(columns, "flux", unit, f.flux);
  add(columns, "reference", unit, f.reference);
  add(columns, "scattered", unit, f.scattered);
  add(columns, "incident", unit, f.incident);
  add(columns, "T", "", quotients.transmission);
  if (shows_reflection(f)) add(columns, "R", "", quotients.reflection);
  add(columns, "uncertainty", unit, f.uncertainty);
  return columns;
}

Columns far_field_columns(const FarFieldResult& f, const Grid& grid) {
  Columns columns;
  std::vector<double> frequency, theta, phi;
  for (const double value : f.frequency)
    for (std::size_t d = 0; d < f.theta.size(); ++d) {
      frequency.push_back(value);
      theta.push_back(f.theta[d]);
      phi.push_back(f.phi[d]);
    }
  add(columns, "frequency", fdtd_unit::frequency, frequency);
  add(columns, "theta", fdtd_unit::degree, theta);
  add(columns, "phi", fdtd_unit::degree, phi);
  add(columns, "intensity", fdtd_unit::flux(grid), f.intensity);
  add(columns, "E_theta", "", f.e_theta);
  add(columns, "E_phi", "", f.e_phi);
  return columns;
}

Columns cross_section_columns(const FarFieldResult& f, const Grid& grid) {
  const std::string unit = fdtd_unit::cross_section(grid);
  Columns columns;
  add(columns, "frequency", fdtd_unit::frequency, f.frequency);
  add(columns, "wavelength", fdtd_unit::length, wavelengths(f.frequency));
  add(columns, "power", fdtd_unit::flux(grid), f.power);
  add(columns, "scattering", unit, f.scattering_cross_section);
  add(columns, "extinction", unit, f.extinction);
  add(columns, "absorption", unit, f.absorption);
  add(columns, "scattering uncertainty", unit, f.scattering_uncertainty);
  add(columns, "extinction uncertainty", unit, f.extinction_uncertainty);
  add(columns, "absorption uncertainty", unit, f.absorption_uncertainty);
  return columns;
}

Columns mode_columns(const ModeResult& m) {
  Columns columns;
  add(columns, "frequency", fdtd_unit::frequency, m.frequency);
  add(columns, "wavelength", fdtd_unit::length, wavelengths(m.frequency));
  add(columns, "effective index", "", m.effective_index);
  add(columns, "forward", "", m.forward);
  add(columns, "backward", "", m.backward);
  return columns;
}

Columns order_columns(const OrdersResult& r, const Grid& grid) {
  const std::string unit = r.normalized ? "" : fdtd_unit::flux(grid);
  const bool space = dimensions(grid.mode) == 3;
  const auto numbers = [](const std::vector<int>& list) {
    return std::vector<double>(list.begin(), list.end());
  };
  Columns columns;
  add(columns, "frequency", fdtd_unit::frequency, r.frequency);
  add(columns, "wavelength", fdtd_unit::length, wavelengths(r.frequency));
  add(columns, "m", "", numbers(r.m));
  if (space) add(columns, "n", "", numbers(r.n));
  add(columns, "angle", fdtd_unit::degree, r.angle);
  if (space) add(columns, "azimuth", fdtd_unit::degree, r.azimuth);
  add(columns, "forward", unit, r.forward);
  add(columns, "backward", unit, r.backward);
  if (grid.mode != Mode::te) add(columns, "s_forward", "", r.s_forward);
  if (grid.mode != Mode::tm) add(columns, "p_forward", "", r.p_forward);
  if (grid.mode != Mode::te) add(columns, "s_backward", "", r.s_backward);
  if (grid.mode != Mode::tm) add(columns, "p_backward", "", r.p_backward);
  if (!r.forward_uncertainty.empty()) {
    add(columns, "forward uncertainty", unit, r.forward_uncertainty);
    add(columns, "backward uncertainty", unit, r.backward_uncertainty);
  }
  return columns;
}

Columns resonance_columns(const Outcome& o) {
  results::CsvColumn monitor{"monitor", "", {}, {}}, frequency{"frequency", fdtd_unit::frequency, {}},
      wavelength{"wavelength", fdtd_unit::length, {}}, quality{"Q", "", {}}, amplitude{"amplitude", "", {}},
      phase{"phase", fdtd_unit::degree, {}}, error{"relative error", "", {}}, kind{"Q is", "", {}, {}},
      quality_error{"relative error of Q", "", {}};
  for (const auto& r : o.resonances)
    for (const auto& mode : r.modes) {
      monitor.texts.push_back(r.name);
      frequency.values.push_back(mode.frequency);
      wavelength.values.push_back(1 / mode.frequency);
      quality.values.push_back(mode.quality);
      amplitude.values.push_back(mode.amplitude);
      phase.values.push_back(mode.phase);
      error.values.push_back(mode.error);
      kind.texts.push_back(mode.at_least ? "a lower bound" : "a value");
      quality_error.values.push_back(mode.at_least ? 1 : 2 * mode.quality * mode.error);
    }
  return {monitor, frequency, wavelength, quality, amplitude, phase, error, kind, quality_error};
}

}  // namespace

void write_tables(const Outcome& o, const std::string& folder) {
  const auto write = [&](const std::string& name, const Columns& columns,
                         const std::vector<std::string>& comments = {}) {
    if (!columns.empty() && columns.front().rows() > 0)
      results::write_csv((std::filesystem::path(folder) / (name + ".csv")).string(), columns, comments);
  };
  const auto names = series_names(o);
  for (std::size_t i = 0; i < o.series.size(); ++i) write("series-" + names[i], series_columns(o.series[i]));
  UniqueNames flux, far, mode, order;
  for (const auto& f : o.fluxes) {
    std::vector<std::string> comments{"flux spectrum of " + f.name};
    if (std::isfinite(f.error))
      comments.push_back(fmt::format("error estimate {:.2g} of the largest flux", f.error));
    if (!f.incident.empty()) comments.push_back("divided by the flux of " + f.normalized_by);
    write("flux-" + flux(f.name), flux_columns(f, o.grid), comments);
  }
  for (const auto& f : o.far_fields) {
    const auto name = far(f.name);
    if (!f.intensity.empty()) write("far_field-" + name, far_field_columns(f, o.grid));
    if (!f.power.empty() || !f.scattering_cross_section.empty() || !f.extinction.empty() ||
        !f.absorption.empty())
      write("cross_sections-" + name, cross_section_columns(f, o.grid));
  }
  for (const auto& m : o.modes) write("modes-" + mode(m.name), mode_columns(m));
  for (const auto& r : o.orders) write("orders-" + order(r.name), order_columns(r, o.grid));
  write("resonances", resonance_columns(o));
}

}  // namespace umov::fdtd
