// Outcome of an electroquasistatic run -> named arrays and tables.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "eqs/integrators/stabilised_scheme.hpp"
#include "eqs/output/results.hpp"
#include "results/section.hpp"

namespace umov::eqs {

using std::string;

namespace {

template <class F>
std::vector<double> over_time(const Outcome& o, const F& f) {
  std::vector<double> out;
  for (const Record& r : o.history) out.push_back(double(f(r)));
  return out;
}

std::vector<double> flat(const std::vector<Vec3>& list) {
  std::vector<double> out;
  for (const Vec3& v : list) out.insert(out.end(), v.begin(), v.end());
  return out;
}

std::vector<double> numbers(const std::vector<int>& list) { return {list.begin(), list.end()}; }

using results::Along;
using results::Section;
using results::xyz;

/// A table of this run.
std::size_t add_table(results::Result& r, const Outcome& o, const string& name) {
  std::vector<string> comments{fmt::format("umov eqs {}, {}", o.version, o.model.source)};
  if (!o.converged) comments.push_back("NOT CONVERGED: " + o.why_not);
  return results::add_table(r, {name, std::move(comments)});
}

/// A table with a row per accepted step.
std::size_t add_table_over_time(results::Result& r, const Outcome& o, const string& name) {
  const auto table = add_table(r, o, name);
  Section(r, "", table).again("history/time", "time");
  return table;
}

void add_history(results::Result& r, const Outcome& o) {
  Section s(r, "history/", add_table(r, o, "history"));
  const auto put = [&](const char* name, const char* unit, const char* text, const auto& f) {
    s.add(name, unit, text, over_time(o, f));
  };
  put("time", "s", "time of each accepted step", [](const Record& x) { return x.time; });
  put("step", "s", "length of the step", [](const Record& x) { return x.step; });
  put("error", "1", "estimated error of the step in the energy norm",
      [](const Record& x) { return x.error; });
  put("rejected", "1", "tries repeated with a shorter step", [](const Record& x) { return x.rejected; });
  put("newton", "1", "iterations of Newton's method", [](const Record& x) { return x.effort.newton; });
  put("linear", "1", "iterations of the conjugate gradients",
      [](const Record& x) { return x.effort.linear; });
  if (may_be_stabilised(o.simulation.time.scheme)) {
    put("stages", "1", "stages of a stabilised explicit step; 0: the step was implicit",
        [](const Record& x) { return x.stages; });
    put("rate", "1/s", "the fastest decay that its stages were laid out for",
        [](const Record& x) { return x.rate; });
  }
  put("energy", "J", "stored energy", [](const Record& x) { return x.seen.energy; });
  if (!o.conducts()) return;
  put("power", "W", "lost power", [](const Record& x) { return x.seen.power; });
  put("dissipated", "J", "energy lost since the start", [](const Record& x) { return x.seen.dissipated; });
}

struct ElectrodeSeries {
  const char *name, *unit, *text;
  std::vector<double> Observation::*real, Observation::*imaginary;
  bool of_conduction;
};

constexpr ElectrodeSeries electrode_series[] = {
    {"potential", "V", "potential at each accepted step", &Observation::potential,
     &Observation::potential_imaginary, false},
    {"charge", "C", "charge: flux of D out of the electrode", &Observation::charge,
     &Observation::charge_imaginary, false},
    {"conduction", "A", "conduction current out of the electrode", &Observation::conduction,
     &Observation::conduction_imaginary, true},
    {"current", "A", "whole current out of the electrode", &Observation::current,
     &Observation::current_imaginary, true},
};

/// Harmonic values are complex arrays, and columns of real parts before those of imaginary parts.
void add_electrodes(results::Result& r, const Outcome& o) {
  const auto table = add_table_over_time(r, o, "electrodes");
  for (std::size_t e = 0; e < o.electrode_names.size(); ++e) {
    const string& name = o.electrode_names[e];
    const string group = "electrodes/" + name + "/";
    Section s(r, group, table);
    for (const auto& q : electrode_series) {
      if (q.of_conduction && !o.conducts()) continue;
      const string heading = name + " " + q.name;
      if (!o.harmonic()) {
        s.add(q.name, q.unit, q.text, over_time(o, [&](const Record& x) { return at(x.seen.*q.real, e); }),
              {.heading = heading});
        continue;
      }
      std::vector<cplx> values;
      for (const Record& x : o.history)
        values.emplace_back(at(x.seen.*q.real, e), at(x.seen.*q.imaginary, e));
      s.add(q.name, q.unit, q.text, values, {.column = false});
      s.again(group + q.name, heading);
    }
    if (!o.conducts() || !o.harmonic()) continue;
    for (const auto& q : electrode_series) s.again(group + q.name, name + " " + q.name + " imaginary", true);
  }
}

void add_materials(results::Result& r, const Outcome& o) {
  const std::size_t n = o.history.size();
  const auto table = add_table_over_time(r, o, "materials");
  for (std::size_t m = 0; m < o.material_names.size(); ++m) {
    const string& name = o.material_names[m];
    Section s(r, "materials/" + name + "/", table);
    const auto peak = [&](const Record& x) {
      return m < x.seen.peaks.size() ? x.seen.peaks[m] : Observation::Peak{};
    };
    s.add("peak_field", "V/m", "largest |E|", over_time(o, [&](const Record& x) { return peak(x).field; }),
          {.heading = name + " peak"});
    std::vector<Vec3> places;
    for (const Record& x : o.history) places.push_back(peak(x).at);
    s.add("peak_place", "m", "where it is, time x 3", flat(places),
          {.shape = {n, 3}, .parts = xyz(name + " ")});
    s.add("energy", "J", "stored energy",
          over_time(o, [&](const Record& x) { return at(x.seen.material_energy, m); }),
          {.heading = name + " energy"});
    if (!o.conducts()) continue;
    s.add("power", "W", "lost power",
          over_time(o, [&](const Record& x) { return at(x.seen.material_power, m); }),
          {.heading = name + " power"});
  }
}

void add_points(results::Result& r, const Outcome& o) {
  const auto& points = o.simulation.outputs.points;
  if (points.empty()) return;
  const auto table = add_table_over_time(r, o, "points");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const string& name = points[i].name;
    Section s(r, "points/" + name + "/", table);
    std::vector<Vec3> field;
    for (const Record& x : o.history) field.push_back(i < x.point_field.size() ? x.point_field[i] : Vec3{});
    s.add("place", "m", "where", std::vector<double>(points[i].at.begin(), points[i].at.end()),
          {.column = false});
    s.add("potential", "V", "potential",
          over_time(o, [&](const Record& x) { return at(x.point_potential, i); }),
          {.heading = name + " potential"});
    s.add("magnitude", "V/m", o.harmonic() ? "largest |E| over a period" : "|E|",
          over_time(o, [&](const Record& x) { return x.point_magnitude(i); }), {.heading = name + " E"});
    s.add("field", "V/m", o.harmonic() ? "peaks of E's components, time x 3" : "E, time x 3", flat(field),
          {.shape = {field.size(), 3}, .parts = xyz(name + " E")});
  }
}

/// The materials' names, in each of `times`.
std::vector<string> names_of(const Outcome& o, const std::vector<int>& materials, std::size_t times = 1) {
  std::vector<string> names;
  for (std::size_t t = 0; t < times; ++t)
    for (const int m : materials) names.push_back(m < 0 ? "none" : o.material_names[std::size_t(m)]);
  return names;
}

/// Row after row: all samples of one time, then those of the next.
void add_lines(results::Result& r, const Outcome& o) {
  for (const auto& l : o.lines) {
    const std::vector<std::size_t> shape{o.saved_times.size(), l.length.size()};
    Section s(r, "lines/" + l.name + "/", add_table(r, o, "line_" + l.name));
    s.rows(shape[0], shape[1]).again("saved_times", "time", Along::outer);
    s.add("length", "m", "length along the path", l.length, {.along = Along::inner});
    s.add("place", "m", "places, samples x 3", flat(l.at),
          {.shape = {l.at.size(), 3}, .parts = xyz(""), .along = Along::inner});
    s.add("material", "1", "number of the material, -1: none", numbers(l.material), {.column = false});
    s.add("potential", "V", "potential, saved times x samples; nan outside the mesh", l.potential,
          {.shape = shape});
    s.add("field", "V/m", "|E|; nan outside the mesh", l.magnitude, {.shape = shape, .heading = "E"});
    s.add("tangential", "V/m", "E along the path; nan outside the mesh", l.tangential, {.shape = shape});
    s.add("normal", "V/m", "size of E across the path; nan outside the mesh", l.normal, {.shape = shape});
    s.texts("material", names_of(o, l.material, shape[0]));
  }
}

/// Columns of the largest values over the saved times, and of those at the last.
void add_extremes(Section& s, const string& what, const std::vector<float>& values, std::size_t n) {
  std::vector<double> largest(n), last(n);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double size = std::abs(double(values[k]));
    largest[k % n] = k < n ? size : std::max(largest[k % n], size);
    last[k % n] = double(values[k]);
  }
  s.column("largest " + what, "V/m", largest);
  s.column("last " + what, "V/m", last);
}

/// A row per triangle.
void add_surfaces(results::Result& r, const Outcome& o) {
  for (const auto& found : o.surfaces) {
    const std::size_t n = found.center.size();
    const std::vector<std::size_t> shape{o.saved_times.size(), n};
    Section s(r, "surfaces/" + found.name + "/", add_table(r, o, "surface_" + found.name));
    s.add("center", "m", "middle of each triangle, triangles x 3", flat(found.center),
          {.shape = {n, 3}, .parts = xyz("")});
    s.add("unit_normal", "1", "unit normal from side 0 to side 1", flat(found.unit_normal),
          {.shape = {n, 3}, .parts = xyz("n")});
    s.add("area", "m^2", "area of each triangle", found.area);
    for (int side = 0; side < 2; ++side) {
      s.add(fmt::format("material_{}", side), "1", "number of the material on this side, -1: none",
            numbers(found.material[side]), {.column = false});
      s.texts(fmt::format("material {}", side), names_of(o, found.material[side]));
      s.add(fmt::format("normal_{}", side), "V/m",
            "E along the normal on this side, times x triangles; nan where nothing lies there",
            found.normal[side], {.shape = shape, .column = false});
      add_extremes(s, fmt::format("normal {}", side), found.normal[side], n);
    }
    s.add("tangential", "V/m", "size of E along the surface, times x triangles", found.tangential,
          {.shape = shape, .column = false});
    add_extremes(s, "tangential", found.tangential, n);
  }
}

void add_run(results::Result& r, const Outcome& o) {
  r.add("saved_times", "s", "times of the saved fields", o.saved_times);
  r.add("run/unknowns", "1", "unknowns", double(o.model.unknowns));
  r.add("run/elements", "1", "tetrahedra", double(o.model.elements));
  r.add("run/steps", "1", "accepted steps", double(o.steps));
  r.add("run/rejected", "1", "repeated steps", double(o.rejected));
  r.add("run/newton", "1", "iterations of Newton's method", double(o.newton));
  r.add("run/linear", "1", "iterations of the conjugate gradients", double(o.linear));
  r.add("run/seconds", "s", "wall-clock time of steps and solutions", o.seconds);
  r.add("run/device_bytes", "byte", "most memory on the device", double(o.device_peak_bytes));
  if (o.steady.periods > 0) {
    r.add("run/periods_marched", "1", "periods marched to find the steady state, its own among them",
          o.steady.periods);
    r.add("run/period_residual", "1", "end of a shot beside its start, of the largest field",
          o.steady.residual);
    r.add("run/period_error", "1", "estimated error of that start, of the largest field", o.steady.error);
  }
  const auto energy = energy_per_period(o);
  if (!energy.empty()) r.add("energy_per_period", "J", "energy lost in each whole period", energy);
  if (o.capacitance.empty()) return;
  std::vector<double> matrix;
  for (const auto& row : o.capacitance) matrix.insert(matrix.end(), row.begin(), row.end());
  Section s(r, "", add_table(r, o, "capacitance"));
  s.texts("electrode", o.electrode_names);
  s.add("capacitance", "F", "charge on electrode (row) per volt on electrode (column)", matrix,
        {.shape = {o.capacitance.size(), o.capacitance.size()}, .parts = o.electrode_names});
}

}  // namespace

std::vector<std::pair<string, string>> run_attributes(const Outcome& o) {
  return {{"program", "umov eqs"},
          {"version", o.version},
          {"backend", o.machine.backend},
          {"device", o.device},
          {"command_line", o.machine.command_line},
          {"mesh", o.model.source},
          {"materials", results::lines_of(o.material_names)},
          {"electrodes", results::lines_of(o.electrode_names)},
          {"solver", o.solver},
          {"converged", o.converged ? "yes" : "no: " + o.why_not},
          {"warnings", results::lines_of(o.warnings)}};
}

results::Result to_result(const Outcome& o) {
  results::Result r;
  r.for_paraview = false;
  r.attributes = run_attributes(o);
  add_run(r, o);
  add_history(r, o);
  add_electrodes(r, o);
  add_materials(r, o);
  add_points(r, o);
  add_lines(r, o);
  add_surfaces(r, o);
  return r;
}

}  // namespace umov::eqs
