// Outcome of an electroquasistatic run -> named arrays.
#include <fmt/format.h>

#include "eqs/output/results.hpp"

namespace umov::eqs {

using std::string;

namespace {

template <class F>
std::vector<double> over_time(const Outcome& o, const F& f) {
  std::vector<double> out;
  for (const Record& r : o.history) out.push_back(double(f(r)));
  return out;
}

double at(const std::vector<double>& list, std::size_t i) { return i < list.size() ? list[i] : 0; }

void add_history(results::Result& r, const Outcome& o) {
  const auto put = [&](const char* name, const char* unit, const char* text, const auto& f) {
    r.add(string("history/") + name, unit, text, over_time(o, f));
  };
  put("time", "s", "time of each accepted step", [](const Record& x) { return x.time; });
  put("step", "s", "length of the step", [](const Record& x) { return x.step; });
  put("error", "1", "estimated error of the step in the energy norm",
      [](const Record& x) { return x.error; });
  put("rejected", "1", "tries repeated with a shorter step", [](const Record& x) { return x.rejected; });
  put("newton", "1", "iterations of Newton's method", [](const Record& x) { return x.effort.newton; });
  put("linear", "1", "iterations of the conjugate gradients",
      [](const Record& x) { return x.effort.linear; });
  put("energy", "J", "stored energy", [](const Record& x) { return x.seen.energy; });
  if (!o.conducts()) return;
  put("power", "W", "lost power", [](const Record& x) { return x.seen.power; });
  put("dissipated", "J", "energy lost since the start", [](const Record& x) { return x.seen.dissipated; });
}

void add_electrodes(results::Result& r, const Outcome& o) {
  for (std::size_t e = 0; e < o.electrode_names.size(); ++e) {
    const string group = "electrodes/" + o.electrode_names[e] + "/";
    const auto put = [&](const char* name, const char* unit, const char* text,
                         std::vector<double> Observation::*real,
                         std::vector<double> Observation::*imaginary) {
      if (!o.harmonic())
        return r.add(group + name, unit, text,
                     over_time(o, [&](const Record& x) { return at(x.seen.*real, e); }));
      std::vector<cplx> values;
      for (const Record& x : o.history) values.emplace_back(at(x.seen.*real, e), at(x.seen.*imaginary, e));
      r.add(group + name, unit, text, values);
    };
    put("potential", "V", "potential at each accepted step", &Observation::potential,
        &Observation::potential_imaginary);
    put("charge", "C", "charge: flux of D out of the electrode", &Observation::charge,
        &Observation::charge_imaginary);
    if (!o.conducts()) continue;
    put("conduction", "A", "conduction current out of the electrode", &Observation::conduction,
        &Observation::conduction_imaginary);
    put("current", "A", "whole current out of the electrode", &Observation::current,
        &Observation::current_imaginary);
  }
}

void add_materials(results::Result& r, const Outcome& o) {
  const std::size_t n = o.history.size();
  for (std::size_t m = 0; m < o.material_names.size(); ++m) {
    const string group = "materials/" + o.material_names[m] + "/";
    const auto peak = [&](const Record& x) {
      return m < x.seen.peaks.size() ? x.seen.peaks[m] : Observation::Peak{};
    };
    r.add(group + "peak_field", "V/m", "largest |E|",
          over_time(o, [&](const Record& x) { return peak(x).field; }));
    std::vector<double> places;
    for (const Record& x : o.history) {
      const Vec3 p = peak(x).at;
      places.insert(places.end(), p.begin(), p.end());
    }
    r.add(group + "peak_place", "m", "where it is, time x 3", places, {n, 3});
    r.add(group + "energy", "J", "stored energy",
          over_time(o, [&](const Record& x) { return at(x.seen.material_energy, m); }));
    if (!o.conducts()) continue;
    r.add(group + "power", "W", "lost power",
          over_time(o, [&](const Record& x) { return at(x.seen.material_power, m); }));
  }
}

std::vector<double> flat(const std::vector<Vec3>& list) {
  std::vector<double> out;
  for (const Vec3& v : list) out.insert(out.end(), v.begin(), v.end());
  return out;
}

std::vector<double> numbers(const std::vector<int>& list) { return {list.begin(), list.end()}; }

void add_points(results::Result& r, const Outcome& o) {
  const auto& points = o.simulation.outputs.points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const string group = "points/" + points[i].name + "/";
    std::vector<Vec3> field;
    for (const Record& x : o.history) field.push_back(i < x.point_field.size() ? x.point_field[i] : Vec3{});
    r.add(group + "place", "m", "where", std::vector<double>(points[i].at.begin(), points[i].at.end()));
    r.add(group + "potential", "V", "potential",
          over_time(o, [&](const Record& x) { return at(x.point_potential, i); }));
    r.add(group + "field", "V/m", o.harmonic() ? "peaks of E's components, time x 3" : "E, time x 3",
          flat(field), {field.size(), 3});
    r.add(group + "magnitude", "V/m", o.harmonic() ? "largest |E| over a period" : "|E|",
          over_time(o, [&](const Record& x) { return x.point_magnitude(i); }));
  }
}

void add_lines(results::Result& r, const Outcome& o) {
  for (const auto& l : o.lines) {
    const string group = "lines/" + l.name + "/";
    const std::vector<std::size_t> shape{o.saved_times.size(), l.length.size()};
    r.add(group + "length", "m", "length along the path", l.length);
    r.add(group + "place", "m", "places, samples x 3", flat(l.at), {l.at.size(), 3});
    r.add(group + "material", "1", "number of the material, -1: none", numbers(l.material));
    r.add(group + "potential", "V", "potential, saved times x samples; nan outside the mesh", l.potential,
          shape);
    r.add(group + "field", "V/m", "|E|; nan outside the mesh", l.magnitude, shape);
    r.add(group + "tangential", "V/m", "E along the path; nan outside the mesh", l.tangential, shape);
    r.add(group + "normal", "V/m", "size of E across the path; nan outside the mesh", l.normal, shape);
  }
}

void add_surfaces(results::Result& r, const Outcome& o) {
  for (const auto& s : o.surfaces) {
    const string group = "surfaces/" + s.name + "/";
    const std::vector<std::size_t> shape{o.saved_times.size(), s.center.size()};
    r.add(group + "center", "m", "middle of each triangle, triangles x 3", flat(s.center),
          {s.center.size(), 3});
    r.add(group + "unit_normal", "1", "unit normal from side 0 to side 1", flat(s.unit_normal),
          {s.center.size(), 3});
    r.add(group + "area", "m^2", "area of each triangle", s.area);
    for (int side = 0; side < 2; ++side) {
      r.add(fmt::format("{}material_{}", group, side), "1", "number of the material on this side, -1: none",
            numbers(s.material[side]));
      r.add(fmt::format("{}normal_{}", group, side), "V/m",
            "E along the normal on this side, times x triangles; nan where nothing lies there",
            s.normal[side], shape);
    }
    r.add(group + "tangential", "V/m", "size of E along the surface, times x triangles", s.tangential, shape);
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
  const auto energy = energy_per_period(o);
  if (!energy.empty()) r.add("energy_per_period", "J", "energy lost in each whole period", energy);
  if (o.capacitance.empty()) return;
  std::vector<double> matrix;
  for (const auto& row : o.capacitance) matrix.insert(matrix.end(), row.begin(), row.end());
  r.add("capacitance", "F", "charge on electrode (row) per volt on electrode (column)", matrix,
        {o.capacitance.size(), o.capacitance.size()});
}

}  // namespace

std::vector<std::pair<string, string>> run_attributes(const Outcome& o) {
  const auto lines = [](const std::vector<string>& texts) {
    string all;
    for (const auto& text : texts) all += text + "\n";
    return all;
  };
  return {{"program", "umov eqs"},
          {"version", o.version},
          {"backend", o.backend},
          {"device", o.device},
          {"command_line", o.simulation.command_line},
          {"mesh", o.model.source},
          {"materials", lines(o.material_names)},
          {"electrodes", lines(o.electrode_names)},
          {"solver", o.solver},
          {"converged", o.converged ? "yes" : "no: " + o.why_not},
          {"warnings", lines(o.warnings)}};
}

results::Result to_result(const Outcome& o) {
  results::Result r;
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
