// Series of an electroquasistatic run as CSV.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "eqs/output/results.hpp"
#include "results/csv.hpp"

namespace umov::eqs {

using std::string;

namespace {

using Columns = std::vector<results::CsvColumn>;

class Tables {
 public:
  Tables(const Outcome& o, const string& folder) : o_(o), folder_(folder) {
    comments_.push_back(fmt::format("umov eqs {}, {}", o.version, o.model.source));
    if (!o.converged) comments_.push_back("NOT CONVERGED: " + o.why_not);
  }

  void history() const {
    Columns c{time()};
    series(c, "step", "s", [](const Record& r) { return r.step; });
    series(c, "error", "", [](const Record& r) { return r.error; });
    series(c, "rejected", "", [](const Record& r) { return r.rejected; });
    series(c, "newton", "", [](const Record& r) { return r.effort.newton; });
    series(c, "linear", "", [](const Record& r) { return r.effort.linear; });
    series(c, "energy", "J", [](const Record& r) { return r.seen.energy; });
    if (o_.conducts()) {
      series(c, "power", "W", [](const Record& r) { return r.seen.power; });
      series(c, "dissipated", "J", [](const Record& r) { return r.seen.dissipated; });
    }
    write("history.csv", c);
  }

  void electrodes() const {
    Columns c{time()};
    for (std::size_t e = 0; e < o_.electrode_names.size(); ++e) {
      const auto& name = o_.electrode_names[e];
      const auto put = [&](const char* what, const char* unit, std::vector<double> Observation::*list) {
        series(c, name + " " + what, unit, [&](const Record& r) { return at(r.seen.*list, e); });
      };
      put("potential", "V", &Observation::potential);
      put("charge", "C", &Observation::charge);
      if (!o_.conducts()) continue;
      put("conduction", "A", &Observation::conduction);
      put("current", "A", &Observation::current);
      if (!o_.harmonic()) continue;
      put("potential imaginary", "V", &Observation::potential_imaginary);
      put("charge imaginary", "C", &Observation::charge_imaginary);
      put("conduction imaginary", "A", &Observation::conduction_imaginary);
      put("current imaginary", "A", &Observation::current_imaginary);
    }
    write("electrodes.csv", c);
  }

  void materials() const {
    Columns c{time()};
    for (std::size_t m = 0; m < o_.material_names.size(); ++m) {
      const auto& name = o_.material_names[m];
      const auto peak = [m](const Record& r) {
        return m < r.seen.peaks.size() ? r.seen.peaks[m] : Observation::Peak{};
      };
      series(c, name + " peak", "V/m", [&](const Record& r) { return peak(r).field; });
      for (int a = 0; a < 3; ++a)
        series(c, fmt::format("{} {}", name, "xyz"[a]), "m", [&](const Record& r) { return peak(r).at[a]; });
      series(c, name + " energy", "J", [&](const Record& r) { return at(r.seen.material_energy, m); });
      if (o_.conducts())
        series(c, name + " power", "W", [&](const Record& r) { return at(r.seen.material_power, m); });
    }
    write("materials.csv", c);
  }

  void points() const {
    const auto& list = o_.simulation.outputs.points;
    if (list.empty()) return;
    Columns c{time()};
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto field = [i](const Record& r) {
        return i < r.point_field.size() ? r.point_field[i] : Vec3{};
      };
      series(c, list[i].name + " potential", "V", [&](const Record& r) { return at(r.point_potential, i); });
      series(c, list[i].name + " E", "V/m", [&](const Record& r) { return r.point_magnitude(i); });
      for (int a = 0; a < 3; ++a)
        series(c, fmt::format("{} E{}", list[i].name, "xyz"[a]), "V/m",
               [&](const Record& r) { return field(r)[a]; });
    }
    write("points.csv", c);
  }

  /// Row after row: all samples of one time, then those of the next.
  void line(const LineResult& l) const {
    Columns c{{"time", "s", {}},     {"length", "m", {}},     {"x", "m", {}},   {"y", "m", {}},
              {"z", "m", {}},        {"potential", "V", {}},  {"E", "V/m", {}}, {"tangential", "V/m", {}},
              {"normal", "V/m", {}}, {"material", "", {}, {}}};
    for (std::size_t k = 5; k < 9; ++k) c[k].single = true;
    const std::size_t n = l.length.size();
    for (std::size_t t = 0; t < o_.saved_times.size(); ++t)
      for (std::size_t i = 0; i < n; ++i) {
        const double row[] = {o_.saved_times[t],
                              l.length[i],
                              l.at[i][0],
                              l.at[i][1],
                              l.at[i][2],
                              l.potential[t * n + i],
                              l.magnitude[t * n + i],
                              l.tangential[t * n + i],
                              l.normal[t * n + i]};
        for (std::size_t k = 0; k < 9; ++k) c[k].values.push_back(row[k]);
        c[9].texts.push_back(material(l.material[i]));
      }
    write("line_" + l.name + ".csv", c);
  }

  /// Per triangle: the largest values over the saved times, and those at the last.
  void surface(const SurfaceResult& s) const {
    Columns c;
    const std::size_t n = s.center.size(), last = o_.saved_times.size() - 1;
    for (int a = 0; a < 3; ++a)
      column(c, string(1, "xyz"[a]), "m", n, [&](std::size_t i) { return s.center[i][a]; });
    for (int a = 0; a < 3; ++a)
      column(c, fmt::format("n{}", "xyz"[a]), "", n, [&](std::size_t i) { return s.unit_normal[i][a]; });
    column(c, "area", "m^2", n, [&](std::size_t i) { return s.area[i]; });
    const auto largest = [&](const std::vector<float>& list, std::size_t i) {
      double most = std::abs(double(list[i]));
      for (std::size_t t = 1; t <= last; ++t) most = std::max(most, std::abs(double(list[t * n + i])));
      return most;
    };
    for (int side = 0; side < 2; ++side) {
      results::CsvColumn names{fmt::format("material {}", side), "", {}, {}};
      for (const int m : s.material[side]) names.texts.push_back(material(m));
      c.push_back(names);
      column(c, fmt::format("largest normal {}", side), "V/m", n,
             [&](std::size_t i) { return largest(s.normal[side], i); });
      column(c, fmt::format("last normal {}", side), "V/m", n,
             [&](std::size_t i) { return s.normal[side][last * n + i]; });
    }
    column(c, "largest tangential", "V/m", n, [&](std::size_t i) { return largest(s.tangential, i); });
    column(c, "last tangential", "V/m", n, [&](std::size_t i) { return s.tangential[last * n + i]; });
    for (auto& column : c) column.single = column.unit == "V/m";
    write("surface_" + s.name + ".csv", c);
  }

  void capacitance() const {
    if (o_.capacitance.empty()) return;
    Columns c{{"electrode", "", {}, o_.electrode_names}};
    for (std::size_t f = 0; f < o_.capacitance.size(); ++f)
      column(c, o_.electrode_names[f], "F", o_.capacitance.size(),
             [&](std::size_t e) { return o_.capacitance[e][f]; });
    write("capacitance.csv", c);
  }

 private:
  static double at(const std::vector<double>& list, std::size_t i) { return i < list.size() ? list[i] : 0; }
  string material(int m) const { return m < 0 ? "none" : o_.material_names[std::size_t(m)]; }

  template <class F>
  void series(Columns& c, const string& name, const string& unit, const F& f) const {
    results::CsvColumn column{name, unit, {}};
    for (const Record& r : o_.history) column.values.push_back(double(f(r)));
    c.push_back(std::move(column));
  }
  template <class F>
  static void column(Columns& c, const string& name, const string& unit, std::size_t n, const F& f) {
    results::CsvColumn column{name, unit, {}};
    for (std::size_t i = 0; i < n; ++i) column.values.push_back(double(f(i)));
    c.push_back(std::move(column));
  }
  results::CsvColumn time() const {
    Columns c;
    series(c, "time", "s", [](const Record& r) { return r.time; });
    return c.front();
  }
  void write(const string& name, const Columns& c) const {
    results::write_csv((std::filesystem::path(folder_) / name).string(), c, comments_);
  }

  const Outcome& o_;
  string folder_;
  std::vector<string> comments_;
};

}  // namespace

void write_tables(const Outcome& o, const string& folder) {
  const Tables tables(o, folder);
  tables.history();
  tables.electrodes();
  tables.materials();
  tables.points();
  for (const auto& l : o.lines) tables.line(l);
  for (const auto& s : o.surfaces) tables.surface(s);
  tables.capacitance();
}

}  // namespace umov::eqs
