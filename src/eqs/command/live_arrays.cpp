// The arrays of a run on its way.
#include "eqs/command/live_arrays.hpp"

#include <functional>

#include "eqs/observables/loss_density.hpp"
#include "eqs/output/results.hpp"

namespace umov::eqs {

namespace {

using std::string;
using Of = std::function<double(const Record&)>;

struct Series {
  string name, unit;
  Of of;
};

/// A curve with the time of each step and `series` beside it.
void add_series(std::vector<LiveCurve>& out, const Outcome& o, const string& name, const string& label,
                const string& role, const std::vector<Series>& series) {
  if (series.empty()) return;
  view::Numbers table(1 + series.size());
  view::ArrayInfo info;
  info.name = name;
  info.label = label;
  info.text = label;
  info.unit = series[0].unit;
  info.kind = view::Kind::curve;
  info.role = role;
  info.live = true;
  info.columns = {{"time", "s"}};
  for (const Series& s : series) info.columns.push_back({s.name, s.unit});
  for (const Record& r : o.history) {
    table[0].push_back(r.time);
    for (std::size_t c = 0; c < series.size(); ++c) table[1 + c].push_back(series[c].of(r));
  }
  info.shape = {(long long)table[0].size(), (long long)table.size()};
  out.push_back({std::move(info), view::stored_curve(std::move(table))});
}

void add_course(std::vector<LiveCurve>& out, const Outcome& o) {
  add_series(out, o, "history/iterations", "iterations", "iterations",
             {{"Newton", "1", [](const Record& r) { return double(r.effort.newton); }},
              {"CG", "1", [](const Record& r) { return double(r.effort.linear); }},
              {"repeated", "1", [](const Record& r) { return double(r.rejected); }}});
  if (o.simulation.analysis == Analysis::transient)
    add_series(out, o, "history/step", "time step", "steps",
               {{"step", "s", [](const Record& r) { return r.step; }}});
  add_series(out, o, "history/energy", "stored energy", "",
             {{"energy", "J", [](const Record& r) { return r.seen.energy; }}});
  if (o.conducts())
    add_series(out, o, "history/power", "lost power", "",
               {{"power", "W", [](const Record& r) { return r.seen.power; }}});
}

void add_electrodes(std::vector<LiveCurve>& out, const Outcome& o) {
  const auto each = [&](const string& unit, std::vector<double> Observation::*what) {
    std::vector<Series> list;
    for (std::size_t e = 0; e < o.electrode_names.size(); ++e)
      list.push_back({o.electrode_names[e], unit, [=](const Record& r) { return at(r.seen.*what, e); }});
    return list;
  };
  add_series(out, o, "electrodes/potential", "potentials", "", each("V", &Observation::potential));
  if (o.conducts())
    add_series(out, o, "electrodes/current", "currents", "", each("A", &Observation::current));
  add_series(out, o, "electrodes/charge", "charges", "", each("C", &Observation::charge));
}

Observation::Peak peak(const Record& r, std::size_t m) {
  return m < r.seen.peaks.size() ? r.seen.peaks[m] : Observation::Peak{};
}

void add_largest(std::vector<LiveCurve>& out, const Outcome& o) {
  std::vector<Series> list;
  std::vector<view::Column> columns{{"time", "s"}};
  view::Numbers table(1 + 4 * o.material_names.size());
  for (std::size_t m = 0; m < o.material_names.size(); ++m) {
    const string& name = o.material_names[m];
    list.push_back({name, "V/m", [=](const Record& r) { return peak(r, m).field; }});
    columns.push_back({name + " peak", "V/m"});
    for (const char axis : {'x', 'y', 'z'}) columns.push_back({name + " " + axis, "m"});
  }
  add_series(out, o, "materials/peak", "largest |E|", "series", list);
  for (const Record& r : o.history) {
    table[0].push_back(r.time);
    for (std::size_t m = 0; m < o.material_names.size(); ++m) {
      const auto p = peak(r, m);
      table[1 + 4 * m].push_back(p.field);
      for (std::size_t a = 0; a < 3; ++a) table[2 + 4 * m + a].push_back(p.at[a]);
    }
  }
  view::Shelf shelf;
  const int id = view::add_peaks(shelf, 0, "materials/largest", columns, std::move(table), true);
  out.push_back({shelf.catalogue.arrays.at(std::size_t(id)), shelf.makers.at(id)});
}

void add_points(std::vector<LiveCurve>& out, const Outcome& o) {
  std::vector<Series> list;
  const auto& points = o.simulation.outputs.points;
  for (std::size_t i = 0; i < points.size(); ++i)
    list.push_back({points[i].name, "V/m", [=](const Record& r) { return r.point_magnitude(i); }});
  add_series(out, o, "points/E", "|E| at points", "", list);
}

/// The field along a path, a curve for each saved time.
void add_path(std::vector<LiveCurve>& out, const Outcome& o, const LineResult& line) {
  const std::size_t rows = line.length.size();
  view::Numbers table(6);
  const std::size_t times = rows ? std::min(o.saved_times.size(), line.potential.size() / rows) : 0;
  for (std::size_t t = 0; t < times; ++t)
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t k = t * rows + i;
      const double row[] = {o.saved_times[t],           line.length[i],         double(line.magnitude[k]),
                            double(line.tangential[k]), double(line.normal[k]), double(line.potential[k])};
      for (std::size_t c = 0; c < table.size(); ++c) table[c].push_back(row[c]);
    }
  view::ArrayInfo info;
  info.name = "paths/" + line.name;
  info.label = line.name;
  info.text = "the field along the path '" + line.name + "'";
  info.unit = "V/m";
  info.kind = view::Kind::curve;
  info.role = "path";
  info.live = true;
  info.instants = "fields/instants";
  info.columns = {
      {"length", "m"}, {"E", "V/m"}, {"tangential", "V/m"}, {"normal", "V/m"}, {"potential", "V"}};
  info.shape = {(long long)rows, (long long)info.columns.size()};
  out.push_back({std::move(info), view::curve_over_time(std::move(table), rows)});
}

}  // namespace

std::shared_ptr<const results::StoredMesh> mesh_of(const Problem& p, double period) {
  auto m = std::make_shared<results::StoredMesh>();
  m->period = period;
  m->points = p.mesh.nodes;
  m->corners = 4;
  if (p.order == 2) {
    m->corners = 10;
    for (const auto& e : p.edges.ends)
      m->points.push_back(0.5 * (p.mesh.nodes[std::size_t(e[0])] + p.mesh.nodes[std::size_t(e[1])]));
  }
  m->nodes.reserve(p.mesh.tets.size() * std::size_t(m->corners));
  for (std::size_t t = 0; t < p.mesh.tets.size(); ++t)
    for (int k = 0; k < m->corners; ++k) m->nodes.push_back(p.node(int(t), k));
  m->region = p.material;
  for (const auto& material : p.materials) m->regions.push_back(material.name);
  m->conductor = p.node_electrode;
  for (const auto& e : p.electrodes) m->conductors.push_back(e.name);
  return m;
}

std::vector<view::MeshShown> shown_of(const Problem& p) {
  std::vector<view::MeshShown> shown{
      {"E", "|E|", "size of the electric field in each element", "V/m", "magnitude", false},
      {"potential", "potential", "electric potential", "V", "potential", true}};
  if (p.analysis != Analysis::electrostatic)
    shown.push_back({"loss", "loss", "density of the lost power", "W/m^3", "intensity", false});
  return shown;
}

view::KeptInstants::All values_of(const Problem& p, const double* potential,
                                  const std::vector<float>& field) {
  view::KeptInstants::All all(2);
  all[0].reserve(field.size() / 3);
  for (std::size_t i = 0; i + 2 < field.size(); i += 3)
    all[0].push_back(float(norm({double(field[i]), double(field[i + 1]), double(field[i + 2])})));
  all[1].assign(potential, potential + p.nodes);
  if (p.analysis != Analysis::electrostatic) all.push_back(LossDensity(p).of(field));
  return all;
}

std::vector<LiveCurve> live_curves(const Outcome& o) {
  std::vector<LiveCurve> out;
  add_course(out, o);
  for (const auto& line : o.lines) add_path(out, o, line);
  add_largest(out, o);
  add_points(out, o);
  add_electrodes(out, o);
  return out;
}

}  // namespace umov::eqs
