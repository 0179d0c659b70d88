// Outcome of a time-harmonic cell -> named arrays and tables.
#include <fmt/format.h>

#include "fdtd/harmonic/output/results.hpp"
#include "results/formats.hpp"
#include "results/section.hpp"

namespace umov::fdtd::harmonic {

namespace {

using results::Section;

std::size_t add_table(results::Result& r, const Outcome& o, const std::string& name,
                      std::vector<std::string> comments = {}) {
  comments.insert(comments.begin(), fmt::format("umov fdtd {}, time-harmonic", o.version));
  if (!o.converged) comments.push_back("NOT CONVERGED: " + o.why_not);
  return results::add_table(r, {name, std::move(comments)});
}

/// A column over the wavelengths: the mean of what `f` takes from a point over these polarizations.
template <class F>
std::vector<double> over_wavelengths(const Outcome& o, const std::vector<const Spectrum*>& of, const F& f) {
  std::vector<double> out;
  for (std::size_t w = 0; w < o.simulation.wavelengths.size(); ++w) {
    double sum = 0;
    for (const auto* s : of) sum += f(s->points[w]);
    out.push_back(sum / double(of.size()));
  }
  return out;
}

void add_spectrum(results::Result& r, const Outcome& o, const std::string& name,
                  const std::vector<const Spectrum*>& of) {
  const auto table = add_table(r, o, "spectrum_" + name, {"powers over the incident power"});
  Section(r, "", table).again("wavelength", "wavelength");
  Section s(r, name + "/", table);
  const auto put = [&](const std::string& key, const std::string& text, const auto& f) {
    s.add(key, "1", text, over_wavelengths(o, of, f));
  };
  put("reflection", "reflected power over the incident power",
      [](const SpectrumPoint& p) { return p.budget.reflection; });
  put("transmission", "transmitted power; 0 into an absorbing substrate",
      [](const SpectrumPoint& p) { return p.budget.transmission; });
  for (std::size_t m = 1; m < o.media.size(); ++m)
    put("absorption in " + o.media[m], "absorbed power over the incident power",
        [m](const SpectrumPoint& p) { return p.budget.absorption[m]; });
  put("sum", "of all these: 1 but for the residual", [](const SpectrumPoint& p) { return p.budget.sum(); });
  if (of.size() > 1) return;
  put("grid error", "largest error of a power of the cell without textures, against the exact solution",
      [](const SpectrumPoint& p) { return p.grid_error; });
  put("residual", "of the equations", [](const SpectrumPoint& p) { return p.residual; });
  put("iterations", "applications of the layered cell's inverse",
      [](const SpectrumPoint& p) { return double(p.iterations); });
}

void add_depth(results::Result& r, const Outcome& o) {
  if (o.generation.empty()) return;
  const auto table = add_table(r, o, "depth", {"photons of " + o.light});
  std::vector<double> depth;
  for (int k = 0; k < o.planes; ++k) depth.push_back(o.depth(k));
  Section s(r, "depth/", table);
  s.add("depth", "um", "below the mean top of the first layer", depth);
  s.add("generation", "m^-2 s^-1 um^-1", "absorbed photons per depth, mean over the polarizations",
        o.generation);
}

void add_currents(results::Result& r, const Outcome& o) {
  if (o.currents.empty()) return;
  const auto table =
      add_table(r, o, "currents", {"light: " + o.light, "were every absorbed photon one electron"});
  Section s(r, "currents/", table);
  s.texts("medium", std::vector<std::string>(o.media.begin() + 1, o.media.end()));
  s.add("current", "mA/cm^2", "of the photons absorbed in layers and substrate",
        std::vector<double>(o.currents.begin() + 1, o.currents.end()));
  r.add("currents/available", "mA/cm^2", "of all photons between the wavelengths", o.available_current);
}

void add_cuts(results::Result& r, const Outcome& o) {
  if (o.cuts.empty()) return;
  const auto planes = std::size_t(o.planes), columns = std::size_t(o.grid.nx);
  std::vector<double> x, z;
  for (std::size_t i = 0; i < columns; ++i) x.push_back(double(i) * o.grid.spacing[0]);
  for (int k = 0; k < o.planes; ++k) z.push_back(o.depth(k));
  r.add("cuts/x", "um", "of the nodes", x);
  r.add("cuts/depth", "um", "of the nodes, below the mean top of the first layer", z);
  for (const auto& c : o.cuts) {
    const std::string group = fmt::format("cuts/{:g}um_{}/", c.wavelength, letter(c.polarization));
    r.add(group + "intensity", "1", "|E|^2 over that of the incident wave, at y = 0", c.intensity,
          {planes, columns});
    r.add(group + "absorption", "um^-1", "absorbed power per volume over the incident power per area",
          c.absorption, {planes, columns});
  }
}

}  // namespace

const char* letter(Polarization p) { return p == Polarization::s ? "s" : "p"; }

results::Result to_result(const Outcome& o) {
  results::Result r;
  r.for_paraview = false;
  r.attributes = {{"program", "umov fdtd, time-harmonic"},
                  {"version", o.version},
                  {"backend", o.backend},
                  {"device", o.device},
                  {"command_line", o.simulation.command_line},
                  {"converged", o.converged ? "yes" : "no"},
                  {"light", o.light}};
  r.add("wavelength", "um", "in vacuum", o.simulation.wavelengths);
  std::vector<const Spectrum*> all;
  for (const auto& s : o.spectra) {
    add_spectrum(r, o, letter(s.polarization), {&s});
    all.push_back(&s);
  }
  if (all.size() > 1) add_spectrum(r, o, "mean", all);
  add_depth(r, o);
  add_currents(r, o);
  add_cuts(r, o);
  return r;
}

void write_results(const Outcome& o, const std::string& folder) {
  results::write(to_result(o), folder, o.simulation.outputs);
  if (o.simulation.outputs.pictures) draw_pictures(o, folder);
}

}  // namespace umov::fdtd::harmonic
