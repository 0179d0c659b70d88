// An outcome of the time domain as named arrays and tables: every series and spectrum with its coordinates.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <type_traits>

#include "fdtd/observables/drawn_series.hpp"
#include "fdtd/observables/normalized_flux.hpp"
#include "fdtd/output/images.hpp"
#include "fdtd/output/names.hpp"
#include "fdtd/output/results.hpp"
#include "results/section.hpp"

namespace umov::fdtd {

namespace {

using std::string;

using results::Along;
using results::Section;

/// A section of its own table, "flux-left" for the group "flux/left/".
Section with_table(results::Result& r, const string& kind, const string& name,
                   std::vector<string> comments = {}) {
  const auto table = results::add_table(r, {kind + "-" + name, std::move(comments)});
  return {r, kind + "/" + name + "/", table};
}

void add_frequencies(Section& s, const std::vector<double>& frequency, bool per_direction = false) {
  s.add("frequency", fdtd_unit::frequency, "frequency, the axis of the spectra beside it", frequency,
        {.along = per_direction ? Along::outer : Along::rows});
  s.add("wavelength", fdtd_unit::length, "vacuum wavelength of each frequency", wavelengths(frequency),
        {.column = !per_direction});
}

void add_axes(results::Result& r, const Outcome& o) {
  const auto& g = o.grid;
  for (int a = 0; a < dimensions(g.mode); ++a) {
    std::vector<double> nodes(g.cells[a]);
    for (int i = 0; i < g.cells[a]; ++i) nodes[i] = g.origin[a] + g.dx * i;
    Section(r, "axes/")
        .add(axis_name(a), fdtd_unit::length,
             "nodes of the grid; a field sits half a cell above its node as its description "
             "says",
             nodes);
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
    const auto& found = o.series[i];
    std::vector<string> end;
    if (!found.rms.empty())
      end.push_back(fmt::format("root mean square over {}: {:.9g}", rms_span(found), found.rms_total));
    Section s = with_table(r, "series", names[i], end);
    const string component = word(found.component);
    s.add("time", fdtd_unit::time, "time of each sample", found.time);
    s.add("value", fdtd_unit::field, component + " at the point, or its mean over the drawn shape",
          found.value, {.heading = component});
    s.add("imag", fdtd_unit::field, "imaginary part", found.imag, {.heading = "imaginary part"});
    s.add("rms", fdtd_unit::field, "root mean square over the points of the shape", found.rms);
    s.add("running_rms", fdtd_unit::field,
          "root of the mean of its squares from the first sample to this one", running_rms(found),
          {.heading = "running rms"});
    s.add("rms_total", fdtd_unit::field, "root mean square over " + rms_span(found), found.rms_total,
          {.column = false});
  }
}

/// One table for all drawn monitors of a normalised run.
void add_amplitudes(results::Result& r, const Outcome& o) {
  const auto all = drawn_amplitudes(o);
  if (all.empty()) return;
  const auto table = results::add_table(
      r, {"amplitudes", {"T = |total| / |incident|, R = |total - incident| / |incident|, of fields"}, true});
  UniqueNames unique;
  for (const DrawnAmplitudes& a : all) {
    Section s(r, "amplitudes/" + unique(a.name) + "/", table);
    s.texts("monitor", std::vector<string>(a.frequency.size(), a.name));
    s.texts("field", std::vector<string>(a.frequency.size(), word(a.component)));
    add_frequencies(s, a.frequency);
    s.add("incident", fdtd_unit::field, "amplitude of the reference run's field, its mean over the shape",
          a.incident);
    s.add("transmission", "1", "amplitude of the field over that of the reference run", a.transmission,
          {.heading = "T"});
    s.add("reflection", "1",
          "amplitude of the field less that of the reference run, over that of the reference run",
          a.reflection, {.heading = "R"});
  }
}

/// The columns of what a spectrum `of` the section (none: the section's own) is off by; those that are known.
void add_errors(Section& s, const string& of, const string& unit, const SpectrumErrors& errors) {
  const auto add = [&](const string& from, const string& text, const std::vector<double>& values) {
    const string heading = (of.empty() ? "" : of + " ") + from + " error";
    s.add((of.empty() ? "" : of + "_") + from + "_error", unit, text, values, {.heading = heading});
  };
  add("record", "what the fields left at the end would still change", errors.record);
  add("layers", "what absorbing layers send back", errors.layers);
  add("grid",
      "distance from the exact power of these flat layers, mostly the error of the grid; nan where "
      "it is not known",
      errors.grid);
}

std::vector<string> flux_comments(const FluxResult& f) {
  std::vector<string> comments{"flux spectrum of " + f.name};
  if (std::isfinite(f.record_error))
    comments.push_back(fmt::format("error of the record {:.2g} of the largest flux", f.record_error));
  if (f.errors.grid.empty()) comments.push_back(grid_error_unknown);
  if (!f.incident.empty()) comments.push_back("divided by the flux of " + f.normalized_by);
  return comments;
}

void add_fluxes(results::Result& r, const Outcome& o) {
  UniqueNames unique;
  for (const auto& f : o.fluxes) {
    const string unit = fdtd_unit::flux(o.grid);
    const auto quotients = normalized(f);
    Section s = with_table(r, "flux", unique(f.name), flux_comments(f));
    add_frequencies(s, f.frequency);
    s.add("flux", unit, "Poynting flux of the Fourier transforms through the monitor", f.flux);
    s.add("reference", unit, "the same in the reference run", f.reference);
    s.add("scattered", unit, "flux of the fields less those of the reference run", f.scattered);
    s.add("incident", unit, "flux of the monitor '" + f.normalized_by + "', by which it is divided",
          f.incident);
    const char* by = f.incident.empty() ? "reference" : "|incident|";
    s.add("T", "1", fmt::format("flux / {0}; nan where {0} is next to nothing", by), quotients.transmission);
    if (shows_reflection(f))
      s.add("R", "1", fmt::format("-scattered / {0}; nan where {0} is next to nothing", by),
            quotients.reflection);
    add_errors(s, "", unit, f.errors);
    s.add("largest_record_error", "1",
          "largest error of the record over the largest flux that passes, in or out, or that plane waves "
          "offer; "
          "nan where it is not known",
          f.record_error, {.column = false});
  }
}

void add_cross_sections(results::Result& r, const Outcome& o, const FarFieldResult& f, const string& name) {
  if (f.power.empty() && f.scattering_cross_section.empty() && f.extinction.empty() && f.absorption.empty())
    return;
  const string group = "far_field/" + name + "/", area = fdtd_unit::cross_section(o.grid);
  Section s(r, group, results::add_table(r, {"cross_sections-" + name, {grid_error_unknown}}));
  s.again(group + "frequency", "frequency");
  s.again(group + "wavelength", "wavelength");
  s.add("power", fdtd_unit::flux(o.grid), "flux out of the surface", f.power);
  s.add("scattering_cross_section", area, "scattered power / incident irradiance", f.scattering_cross_section,
        {.heading = "scattering"});
  s.add("extinction_cross_section", area, "scattering and absorption", f.extinction,
        {.heading = "extinction"});
  s.add("absorption_cross_section", area, "absorbed power / incident irradiance", f.absorption,
        {.heading = "absorption"});
  add_errors(s, "scattering", area, f.scattering_errors);
  add_errors(s, "extinction", area, f.extinction_errors);
  add_errors(s, "absorption", area, f.absorption_errors);
}

void add_far_fields(results::Result& r, const Outcome& o) {
  UniqueNames unique;
  for (const auto& f : o.far_fields) {
    const string name = unique(f.name);
    const std::vector<std::size_t> shape{f.frequency.size(), f.theta.size()};
    Section s =
        f.intensity.empty() ? Section(r, "far_field/" + name + "/") : with_table(r, "far_field", name);
    s.rows(f.frequency.size(), f.theta.size());
    add_frequencies(s, f.frequency, true);
    s.add("theta", fdtd_unit::degree, "angle from +z of each direction", f.theta, {.along = Along::inner});
    s.add("phi", fdtd_unit::degree, "angle from +x around z of each direction", f.phi,
          {.along = Along::inner});
    s.add("intensity", fdtd_unit::flux(o.grid), "radiant intensity per angle, frequencies x directions",
          f.intensity, {.shape = shape});
    s.add("E_theta", "1", "amplitude along e_theta, of E exp(ikr) / r or / sqrt(r), frequencies x directions",
          f.e_theta, {.shape = shape});
    s.add("E_phi", "1", "amplitude along e_phi, of E exp(ikr) / r or / sqrt(r), frequencies x directions",
          f.e_phi, {.shape = shape});
    add_cross_sections(r, o, f, name);
  }
}

/// One table for the resonances of all monitors.
void add_resonances(results::Result& r, const Outcome& o) {
  UniqueNames unique;
  const auto table = results::add_table(r, {"resonances", {grid_error_unknown}, true});
  for (const auto& found : o.resonances) {
    Section s(r, "resonances/" + unique(found.name) + "/", table);
    const auto each = [&](auto of) {
      std::vector<std::decay_t<decltype(of(Resonance{}))>> values;
      for (const auto& mode : found.modes) values.push_back(of(mode));
      return values;
    };
    const auto member = [&](double Resonance::*of) {
      return each([of](const Resonance& mode) { return mode.*of; });
    };
    s.texts("monitor", std::vector<string>(found.modes.size(), found.name));
    s.texts("field", std::vector<string>(found.modes.size(), word(found.component)));
    s.add("frequency", fdtd_unit::frequency, "resonance frequency", member(&Resonance::frequency));
    s.column("wavelength", fdtd_unit::length, wavelengths(member(&Resonance::frequency)));
    s.add("quality", "1", "quality factor", member(&Resonance::quality), {.heading = "Q"});
    s.add("amplitude", "1", "amplitude at the start of the record", member(&Resonance::amplitude));
    s.add("phase", fdtd_unit::degree, "phase at the start of the record", member(&Resonance::phase));
    s.add("record_error", "1",
          "error of the record: of the frequency, relative, two standard deviations; that of Q: 2 Q times it",
          member(&Resonance::error), {.heading = "relative record error"});
    s.texts("Q is",
            each([](const Resonance& m) { return string(m.at_least ? "a lower bound" : "a value"); }));
    s.column("relative record error of Q", "1", each([](const Resonance& m) { return m.quality_error(); }));
    s.add("quality_at_least", "1", "1: the quality factor is a lower bound",
          each([](const Resonance& m) { return m.at_least ? 1.0 : 0.0; }), {.column = false});
  }
}

void add_modes(results::Result& r, const Outcome& o) {
  UniqueNames unique;
  for (const auto& m : o.modes) {
    Section s = with_table(r, "modes", unique(m.name));
    add_frequencies(s, m.frequency);
    s.add("effective_index", "1", "propagation constant / wave number of vacuum", m.effective_index,
          {.heading = "effective index"});
    s.add("forward", "1", "amplitude of the mode along the axis", m.forward);
    s.add("backward", "1", "amplitude of the mode against the axis", m.backward);
  }
}

/// The table has the columns that this dimension and these polarizations have.
void add_orders(results::Result& r, const Outcome& o) {
  UniqueNames unique;
  const bool space = dimensions(o.grid.mode) == 3, has_s = o.grid.mode != Mode::te,
             has_p = o.grid.mode != Mode::tm;
  for (const auto& found : o.orders) {
    const string unit = found.normalized ? "1" : fdtd_unit::flux(o.grid);
    const auto numbers = [](const std::vector<int>& list) {
      return std::vector<double>(list.begin(), list.end());
    };
    std::vector<string> comments;
    if (found.forward_errors.grid.empty()) comments.push_back(grid_error_unknown);
    Section s = with_table(r, "orders", unique(found.name), comments);
    add_frequencies(s, found.frequency);
    s.add("m", "1", "order along the plane's first axis", numbers(found.m));
    s.add("n", "1", "order along the plane's second axis", numbers(found.n), {.column = space});
    s.add("angle", fdtd_unit::degree, "from the normal of the plane", found.angle);
    s.add("azimuth", fdtd_unit::degree, "of the order from the plane's first axis", found.azimuth,
          {.column = space});
    s.add("forward", unit, "efficiency of travel along the normal", found.forward);
    s.add("backward", unit, "efficiency of travel against the normal", found.backward);
    s.add("s_forward", "1", "amplitude with E across the plane of incidence; |.|^2 is power", found.s_forward,
          {.column = has_s});
    s.add("p_forward", "1", "amplitude with E in the plane of incidence", found.p_forward, {.column = has_p});
    s.add("s_backward", "1", "the same against the normal", found.s_backward, {.column = has_s});
    s.add("p_backward", "1", "the same against the normal", found.p_backward, {.column = has_p});
    add_errors(s, "forward", unit, found.forward_errors);
    add_errors(s, "backward", unit, found.backward_errors);
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
    const string group = "snapshots/" + unique(key.first + "-" + word(key.second)) + "/";
    std::vector<double> time;
    std::vector<float> values;
    for (const auto* s : stack) {
      time.push_back(s->time);
      values.insert(values.end(), s->values.begin(), s->values.end());
    }
    const auto& n = stack[0]->size;
    Section s(r, group);
    s.add("time", fdtd_unit::time, "time of each snapshot", time);
    s.add("value", fdtd_unit::field, fmt::format("{}, time x z x y x x", word(key.second)), values,
          {.shape = {stack.size(), std::size_t(n[2]), std::size_t(n[1]), std::size_t(n[0])}});
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
  return {{"program", "umov fdtd"},
          {"version", o.version},
          {"backend", o.backend},
          {"device", o.device},
          {"precision", o.simulation.precision == Precision::single_ ? "single" : "double"},
          {"command_line", o.simulation.command_line},
          {"stop_reason", o.stop_reason},
          {"converged", o.converged ? "yes" : "no"},
          {"conventions", fmt::format("lengths in {}, times in {}", fdtd_unit::length, fdtd_unit::time)},
          {"warnings", results::lines_of(o.warnings)},
          {"notes", results::lines_of(o.notes)}};
}

results::Result to_result(const Outcome& o) {
  results::Result r;
  r.attributes = run_attributes(o);
  add_axes(r, o);
  add_run(r, o);
  add_series(r, o);
  add_amplitudes(r, o);
  add_fluxes(r, o);
  add_far_fields(r, o);
  add_resonances(r, o);
  add_modes(r, o);
  add_orders(r, o);
  add_snapshots(r, o);
  r.voxels = domain_image(o);
  add_offsets(r, o);
  return r;
}

}  // namespace umov::fdtd
