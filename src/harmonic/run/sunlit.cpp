// Photons and currents of the rows of a run under a spectrum of light.
#include "harmonic/run/sunlit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace umov::harmonic {

namespace {

Sunlit sunlit_at(const Outcome& o, const Incidence& incidence, const std::vector<std::size_t>& rows) {
  Sunlit out;
  out.incidence = incidence;
  out.generation.assign(o.media.size(), std::vector<double>(o.planes, 0));
  out.currents.assign(o.media.size(), 0);
  for (std::size_t w = 0; w < rows.size(); ++w)
    for (std::size_t m = 0; m < o.media.size(); ++m) {
      const auto mean = [&](const auto& f) { return o.photons[w] * o.mean(rows[w], f); };
      out.currents[m] +=
          current_per_photon * mean([m](const SpectrumPoint& p) { return p.budget.absorption[m]; });
      for (int k = 0; k < o.planes; ++k)
        out.generation[m][k] += mean([&](const SpectrumPoint& p) { return p.budget.density[m][o.top + k]; });
    }
  return out;
}

}  // namespace

Sunlight light_of(const Simulation& sim) {
  if (sim.spectrum.empty()) return am15g();
  Sunlight light = read_sunlight(sim.spectrum);
  const double first = light.wavelength.front(), last = light.wavelength.back(),
               from = sim.wavelengths.front(), to = sim.wavelengths.back();
  if (from <= last && to >= first) return light;
  const bool nm = from <= last * 1e-3 && to >= first * 1e-3;
  throw BadInput(
      fmt::format("the spectrum {} reaches from {:g} to {:g} um (the case from {:g} to {:g} um); {}",
                  light.name, first, last, from, to,
                  nm ? "if it has nm, let its first line say so: wavelength (nm), irradiance (W/m^2/nm)"
                     : "take other wavelengths or another spectrum"));
}

void tell_dark(const Simulation& sim, std::vector<std::string>& warnings) {
  const Sunlight light = light_of(sim);
  const double first = light.wavelength.front(), last = light.wavelength.back(),
               from = sim.wavelengths.front(), to = sim.wavelengths.back();
  if (from <= last && to >= first) return;
  const bool nm = from <= last * 1e3 && to >= first * 1e3;
  warnings.push_back(fmt::format(
      "the wavelengths, {:g} to {:g} um, lie outside the light of {}, {:g} to {:g} um: there are no photons "
      "and no currents{}",
      from, to, light.name, first, last,
      nm ? fmt::format("; in um {:g} nm are {:g}", from, from * 1e-3) : ""));
}

void add_sunlight(Outcome& o, const Sunlight& light) {
  o.light = light.name;
  const auto& wavelengths = o.simulation.wavelengths;
  if (wavelengths.size() < 2) return;
  o.photons = photon_weights(light, wavelengths);
  o.available_current = 0;
  for (const double photons : o.photons) o.available_current += current_per_photon * photons;
  for (const auto& incidence : o.incidences) {
    std::vector<std::size_t> rows;
    for (const double w : wavelengths) {
      const auto at = std::find(o.rows.begin(), o.rows.end(), Row{w, incidence});
      if (at != o.rows.end()) rows.push_back(std::size_t(at - o.rows.begin()));
    }
    if (rows.size() == wavelengths.size()) o.sunlit.push_back(sunlit_at(o, incidence, rows));
  }
}

}  // namespace umov::harmonic
