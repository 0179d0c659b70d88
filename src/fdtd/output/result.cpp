// An outcome of the time domain as named arrays: every series and spectrum with its coordinates.
#include <fmt/format.h>

#include <map>

#include "fdtd/observables/normalized_flux.hpp"
#include "fdtd/output/images.hpp"
#include "fdtd/output/names.hpp"
#include "fdtd/output/results.hpp"

namespace umov::fdtd {

namespace {

using std::string;

/// Adds where there is something to add.
template <class T>
void put(results::Result& r, const string& name, const string& unit, const string& text,
         const std::vector<T>& values, std::vector<std::size_t> shape = {}) {
  if (!values.empty()) r.add(name, unit, text, values, std::move(shape));
}

void put_frequencies(results::Result& r, const string& group, const std::vector<double>& frequency) {
  put(r, group + "frequency", fdtd_unit::frequency, "frequency, the axis of the spectra beside it",
      frequency);
  put(r, group + "wavelength", fdtd_unit::length, "vacuum wavelength of each frequency",
      wavelengths(frequency));
}

void add_axes(results::Result& r, const Outcome& o) {
  const auto& g = o.grid;
  for (int a = 0; a < dimensions(g.mode); ++a) {
    std::vector<double> nodes(g.cells[a]);
    for (int i = 0; i < g.cells[a]; ++i) nodes[i] = g.origin[a] + g.dx * i;
    put(r, fmt::format("axes/{}", axis_name(a)), fdtd_unit::length,
        "nodes of the grid; a field sits half a cell above its node as its description says", nodes);
  }
  r.add("grid/cells", "1", "cells along x, y, z, absorbing layers included",
        std::vector<double>(g.cells.begin(), g.cells.end()));
  r.add("grid/dx", fdtd_unit::length, "edge of a cell", g.dx);
  r.add("grid/dt", fdtd_unit::time, "time step", g.dt);
  r.add("unit_um", "um", "length of the unit", o.simulation.unit_um);
}

void add_series(results::Result& r, const Outcome& o) {
  const auto names = series_names(o);
  for (std::size_t i = 0; i < o.series.size(); ++i) {
    const auto& s = o.series[i];
    const string group = "series/" + names[i] + "/";
    put(r, group + "time", fdtd_unit::time, "time of each sample", s.time);
    put(r, group + "value", fdtd_unit::field,
        fmt::format("{} at the point, or its mean over the drawn shape", component_name(s.component)),
        s.value);
    put(r, group + "imag", fdtd_unit::field, "imaginary part", s.imag);
    put(r, group + "rms", fdtd_unit::field, "root mean square over the points of the shape", s.rms);
    r.add(group + "rms_total", fdtd_unit::field, "root mean square over the last tenth of the run",
          s.rms_total);
  }
}

void add_fluxes(results::Result& r, const Outcome& o) {
  UniqueNames unique;
  for (const auto& f : o.fluxes) {
    const string group = "flux/" + unique(f.name) + "/", unit = fdtd_unit::flux(o.grid);
    const auto quotients = normalized(f);
    put_frequencies(r, group, f.frequency);
    put(r, group + "flux", unit, "Poynting flux of the Fourier transforms through the monitor", f.flux);
    put(r, group + "reference", unit, "the same in the reference run", f.reference);
    put(r, group + "scattered", unit, "flux of the fields less those of the reference run", f.scattered);
    put(r, group + "incident", unit, "flux of the monitor '" + f.normalized_by + "', by which it is divided",
        f.incident);
    const char* by = f.incident.empty() ? "reference" : "|incident|";
    put(r, group + "T", "1", fmt::format("flux / {0}; nan where {0} is next to nothing", by),
        quotients.transmission);
    if (shows_reflection(f))
      put(r, group + "R", "1", fmt::format("-scattered / {0}; nan where {0} is next to nothing", by),
          quotients.reflection);
    put(r, group + "uncertainty", unit, "what the fields left at the end would still add to the flux",
        f.uncertainty);
    r.add(group + "error", "1", "largest uncertainty / largest |flux|", f.error);
  }
}

void add_far_fields(results::Result& r, const Outcome& o) {
  UniqueNames unique;
  for (const auto& f : o.far_fields) {
    const string group = "far_field/" + unique(f.name) + "/", area = fdtd_unit::cross_section(o.grid);
    const std::vector<std::size_t> shape{f.frequency.size(), f.theta.size()};
    put_frequencies(r, group, f.frequency);
    put(r, group + "theta", fdtd_unit::degree, "angle from +z of each direction", f.theta);
    put(r, group + "phi", fdtd_unit::degree, "angle from +x around z of each direction", f.phi);
    put(r, group + "intensity", fdtd_unit::flux(o.grid),
        "radiant intensity per angle, frequencies x directions", f.intensity, shape);
    put(r, group + "E_theta", "1",
        "amplitude along e_theta, of E exp(ikr) / r or / sqrt(r), frequencies x directions", f.e_theta,
        shape);
    put(r, group + "E_phi", "1",
        "amplitude along e_phi, of E exp(ikr) / r or / sqrt(r), frequencies x directions", f.e_phi, shape);
    put(r, group + "power", fdtd_unit::flux(o.grid), "flux out of the surface", f.power);
    put(r, group + "scattering_cross_section", area, "scattered power / incident irradiance",
        f.scattering_cross_section);
    put(r, group + "extinction_cross_section", area, "scattering and absorption", f.extinction);
    put(r, group + "absorption_cross_section", area, "absorbed power / incident irradiance", f.absorption);
    const string rest = "what the fields left at the end would still change of it";
    put(r, group + "scattering_uncertainty", area, rest, f.scattering_uncertainty);
    put(r, group + "extinction_uncertainty", area, rest, f.extinction_uncertainty);
    put(r, group + "absorption_uncertainty", area, rest, f.absorption_uncertainty);
  }
}

void add_resonances(results::Result& r, const Outcome& o) {
  UniqueNames unique;
  for (const auto& found : o.resonances) {
    const string group = "resonances/" + unique(found.name) + "/";
    const auto column = [&](const char* name, const char* unit, const char* text, double Resonance::*member) {
      std::vector<double> values;
      for (const auto& mode : found.modes) values.push_back(mode.*member);
      put(r, group + name, unit, text, values);
    };
    column("frequency", fdtd_unit::frequency, "resonance frequency", &Resonance::frequency);
    column("quality", "1", "quality factor", &Resonance::quality);
    column("amplitude", "1", "amplitude at the start of the record", &Resonance::amplitude);
    column("phase", fdtd_unit::degree, "phase at the start of the record", &Resonance::phase);
    column("error", "1",
           "relative uncertainty of the frequency, two standard deviations; that of Q: 2 Q error",
           &Resonance::error);
    std::vector<double> bounds;
    for (const auto& mode : found.modes) bounds.push_back(mode.at_least ? 1 : 0);
    put(r, group + "quality_at_least", "1", "1: the quality factor is a lower bound", bounds);
  }
}

void add_modes(results::Result& r, const Outcome& o) {
  UniqueNames unique;
  for (const auto& m : o.modes) {
    const string group = "modes/" + unique(m.name) + "/";
    put_frequencies(r, group, m.frequency);
    put(r, group + "effective_index", "1", "propagation constant / wave number of vacuum", m.effective_index);
    put(r, group + "forward", "1", "amplitude of the mode along the axis", m.forward);
    put(r, group + "backward", "1", "amplitude of the mode against the axis", m.backward);
  }
}

void add_orders(results::Result& r, const Outcome& o) {
  UniqueNames unique;
  for (const auto& found : o.orders) {
    const string group = "orders/" + unique(found.name) + "/";
    const string unit = found.normalized ? "1" : fdtd_unit::flux(o.grid);
    const auto numbers = [](const std::vector<int>& list) {
      return std::vector<double>(list.begin(), list.end());
    };
    put_frequencies(r, group, found.frequency);
    put(r, group + "m", "1", "order along the plane's first axis", numbers(found.m));
    put(r, group + "n", "1", "order along the plane's second axis", numbers(found.n));
    put(r, group + "angle", fdtd_unit::degree, "from the normal of the plane", found.angle);
    put(r, group + "azimuth", fdtd_unit::degree, "of the order from the plane's first axis", found.azimuth);
    put(r, group + "forward", unit, "efficiency of travel along the normal", found.forward);
    put(r, group + "backward", unit, "efficiency of travel against the normal", found.backward);
    put(r, group + "forward_uncertainty", unit, "what the fields left at the end would change",
        found.forward_uncertainty);
    put(r, group + "backward_uncertainty", unit, "the same against the normal", found.backward_uncertainty);
    put(r, group + "s_forward", "1", "amplitude with E across the plane of incidence; |.|^2 is power",
        found.s_forward);
    put(r, group + "p_forward", "1", "amplitude with E in the plane of incidence", found.p_forward);
    put(r, group + "s_backward", "1", "the same against the normal", found.s_backward);
    put(r, group + "p_backward", "1", "the same against the normal", found.p_backward);
  }
}

/// All snapshots of one monitor and component as one array, time first.
void add_snapshots(results::Result& r, const Outcome& o) {
  std::map<std::pair<string, Component>, std::vector<const Snapshot*>> stacks;
  for (const auto& s : o.snapshots) {
    auto& stack = stacks[{s.name, s.component}];
    if (stack.empty() || stack[0]->size == s.size) stack.push_back(&s);
  }
  UniqueNames unique;
  for (const auto& [key, stack] : stacks) {
    const string group = "snapshots/" + unique(key.first + "-" + component_name(key.second)) + "/";
    std::vector<double> time;
    std::vector<float> values;
    for (const auto* s : stack) {
      time.push_back(s->time);
      values.insert(values.end(), s->values.begin(), s->values.end());
    }
    const auto& n = stack[0]->size;
    put(r, group + "time", fdtd_unit::time, "time of each snapshot", time);
    put(r, group + "value", fdtd_unit::field, fmt::format("{}, time x z x y x x", component_name(key.second)),
        values, {stack.size(), std::size_t(n[2]), std::size_t(n[1]), std::size_t(n[0])});
  }
}

void add_run(results::Result& r, const Outcome& o) {
  r.add("run/steps", "1", "time steps taken", double(o.steps));
  r.add("run/time", fdtd_unit::time, "simulated time", o.time);
  r.add("run/seconds", "s", "wall-clock time", o.seconds);
  r.add("run/cells_per_second", "1/s", "cell updates per second", o.cells_per_second);
  r.add("run/device_bytes", "byte", "memory on the device", double(o.device_bytes));
}

}  // namespace

std::vector<std::pair<string, string>> run_attributes(const Outcome& o) {
  const auto lines = [](const std::vector<string>& texts) {
    string all;
    for (const auto& text : texts) all += text + "\n";
    return all;
  };
  return {{"program", "umov fdtd"},
          {"version", o.version},
          {"backend", o.backend},
          {"device", o.device},
          {"precision", o.simulation.precision == Precision::single_ ? "single" : "double"},
          {"command_line", o.simulation.command_line},
          {"stop_reason", o.stop_reason},
          {"converged", o.converged ? "yes" : "no"},
          {"warnings", lines(o.warnings)},
          {"notes", lines(o.notes)}};
}

results::Result to_result(const Outcome& o) {
  results::Result r;
  r.attributes = run_attributes(o);
  add_axes(r, o);
  add_run(r, o);
  add_series(r, o);
  add_fluxes(r, o);
  add_far_fields(r, o);
  add_resonances(r, o);
  add_modes(r, o);
  add_orders(r, o);
  add_snapshots(r, o);
  r.voxels = domain_image(o);
  return r;
}

}  // namespace umov::fdtd
