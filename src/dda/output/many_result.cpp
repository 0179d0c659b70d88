// Many cases as one table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "dda/output/many.hpp"
#include "results/csv.hpp"
#include "results/entries.hpp"
#include "results/formats.hpp"
#include "results/section.hpp"

namespace umov::dda {

namespace {

using results::Section;
using results::xyz;
using std::string;

/// Its number for each case.
template <class Number>
std::vector<double> each(const ManyOutcome& o, const Number& number) {
  std::vector<double> out;
  for (std::size_t i = 0; i < o.rows.size(); ++i) out.push_back(number(o.cases[i], o.rows[i]));
  return out;
}

void add_indices(Section& s, const ManyOutcome& o) {
  // the axes of a tensor may be equal at one wavelength and differ at another
  const bool tensors =
      std::any_of(o.cases.begin(), o.cases.end(), [](const auto& sim) { return sim.anisotropic; });
  const std::size_t materials = o.cases.front().m.size(), parts = tensors ? 3 : 1;
  std::vector<cplx> m;
  std::vector<string> names;
  for (const Simulation& sim : o.cases)
    for (std::size_t i = 0; i < materials; ++i)
      for (std::size_t c = 0; c < parts; ++c) m.push_back(sim.medium * sim.m[i][c]);
  for (std::size_t i = 0; i < materials; ++i)
    for (std::size_t c = 0; c < parts; ++c)
      names.push_back(fmt::format("m{}{}", materials > 1 ? std::to_string(i + 1) : "",
                                  parts > 1 ? fmt::format("_{}", "xyz"[c]) : ""));
  s.add("m", "1", "refractive index of each material (not over that of the medium)", std::move(m),
        {.shape = {o.cases.size(), materials, parts}, .parts = names});
}

void add_parameters(Section& s, const ManyOutcome& o) {
  using Sim = Simulation;
  using Row = CaseRow;
  const Simulation& first = o.cases.front();
  s.add("wavelength", "um", "wavelength in vacuum",
        each(o, [](const Sim& sim, const Row&) { return sim.vacuum_wavelength(); }));
  s.add("medium", "1", "refractive index of the medium",
        each(o, [](const Sim& sim, const Row&) { return sim.medium; }));
  if (first.shape.size)
    s.add("size", "um", "extent of the particle along x",
          each(o, [](const Sim& sim, const Row&) { return *sim.shape.size; }));
  s.add("eq_radius", "um", "radius of the sphere of equal volume",
        each(o, [](const Sim&, const Row& r) { return r.eq_radius; }));
  s.add("size_parameter", "1", "2 pi medium eq_radius / wavelength",
        each(o, [](const Sim& sim, const Row& r) { return sim.wavenumber() * r.eq_radius; }));
  if (!first.orientation.average) {
    s.add("alpha", "degree", "first Euler angle",
          each(o, [](const Sim& sim, const Row&) { return sim.orientation.alpha; }));
    s.add("beta", "degree", "second Euler angle",
          each(o, [](const Sim& sim, const Row&) { return sim.orientation.beta; }));
    s.add("gamma", "degree", "third Euler angle",
          each(o, [](const Sim& sim, const Row&) { return sim.orientation.gamma; }));
    std::vector<double> directions;
    for (const Sim& sim : o.cases) {
      const Vec3 n = (1 / norm(sim.propagation)) * sim.propagation;
      directions.insert(directions.end(), n.begin(), n.end());
    }
    s.add("propagation", "1", "direction of incidence", std::move(directions),
          {.shape = {o.cases.size(), 3}, .parts = xyz("propagation_")});
  }
  add_indices(s, o);
}

/// A number of one incident polarization.
using Number = std::function<double(const CrossSections&)>;

/// That of the polarization; its mean over both for label ' ', where the second is the first by symmetry.
double of_light(const CaseRow& row, char label, const Number& number) {
  double sum = 0;
  for (const auto& p : row.polarizations) {
    if (p.label == label) return number(p.cross);
    sum += number(p.cross) / double(row.polarizations.size());
  }
  const bool given = label == ' ' || row.symmetry_used;
  return given ? sum : nan;
}

struct Light {
  char label;
  string suffix, text;
};

void add_number(Section& s, const ManyOutcome& o, const Light& light, const string& name, const char* unit,
                const string& text, const Number& number, bool over_area = false) {
  s.add(name + light.suffix, unit, text + light.text, each(o, [&](const Simulation&, const CaseRow& row) {
          const double area = over_area ? pi * row.eq_radius * row.eq_radius : 1;
          return of_light(row, light.label, number) / area;
        }));
}

void add_section(Section& s, const ManyOutcome& o, const Light& light, const string& what, const string& text,
                 const Number& number) {
  add_number(s, o, light, "C" + what, "um^2", text + " cross section", number);
  add_number(s, o, light, "Q" + what, "1", text + " efficiency", number, true);
}

void add_vector(Section& s, const ManyOutcome& o, const Light& light, const string& name, const char* unit,
                const string& text, const std::function<Vec3(const CrossSections&)>& vector) {
  std::vector<double> all;
  for (const CaseRow& row : o.rows)
    for (int c = 0; c < 3; ++c)
      all.push_back(of_light(row, light.label, [&](const CrossSections& x) { return vector(x)[c]; }));
  s.add(name + light.suffix, unit, text + light.text, std::move(all),
        {.shape = {o.rows.size(), 3}, .parts = xyz(name + light.suffix + "_")});
}

void add_cross_sections(Section& s, const ManyOutcome& o, const Light& light) {
  using X = CrossSections;
  const X& has = o.rows.front().polarizations.front().cross;
  add_section(s, o, light, "ext", "extinction", [](const X& x) { return x.cext; });
  add_section(s, o, light, "abs", "absorption", [](const X& x) { return x.cabs; });
  add_section(s, o, light, "sca_difference", "scattering (extinction less absorption)",
              [](const X& x) { return x.csca_difference(); });
  if (has.csca)
    add_section(s, o, light, "sca", "scattering (integrated)",
                [](const X& x) { return x.csca.value_or(nan); });
  if (has.csca || has.csca_g)
    add_number(s, o, light, "Csca_error", "um^2", "estimated error of the integrals over all directions",
               [](const X& x) { return x.integral_error; });
  const Vec3 none{nan, nan, nan};
  if (has.csca_g)
    add_vector(s, o, light, "Csca_g", "um^2", "asymmetry vector times the scattering cross section",
               [=](const X& x) { return x.csca_g.value_or(none); });
  if (has.csca && has.csca_g) {
    std::vector<double> g;
    for (const CaseRow& row : o.rows)
      for (int c = 0; c < 3; ++c)
        g.push_back(of_light(row, light.label, [&](const X& x) { return x.csca_g.value_or(none)[c]; }) /
                    of_light(row, light.label, [](const X& x) { return x.csca.value_or(nan); }));
    s.add("g" + light.suffix, "1", "asymmetry vector" + light.text, std::move(g),
          {.shape = {o.rows.size(), 3}, .parts = xyz("g" + light.suffix + "_")});
  }
  if (has.cpr)
    add_vector(s, o, light, "Cpr", "um^2", "radiation pressure cross section, from the forces",
               [=](const X& x) { return x.cpr.value_or(none); });
  if (!has.decay) return;
  const auto decay = [&](const char* name, const char* text, double DecayRates::*part) {
    add_number(s, o, light, name, "1", text, [=](const X& x) { return x.decay ? *x.decay.*part : nan; });
  };
  decay("decay_total", "decay rate of the dipole over that in free space", &DecayRates::total);
  decay("decay_radiative", "its radiative part", &DecayRates::radiative);
  decay("decay_nonradiative", "its nonradiative part", &DecayRates::nonradiative);
}

void add_solves(Section& s, const ManyOutcome& o) {
  const auto sum = [&](const auto& number) {
    return each(o, [&](const Simulation&, const CaseRow& row) {
      double all = 0;
      for (const auto& p : row.polarizations) all += double(number(p));
      return all;
    });
  };
  const auto largest = [&](const auto& number) {
    return each(o, [&](const Simulation&, const CaseRow& row) {
      double all = 0;
      for (const auto& p : row.polarizations) all = std::max(all, number(p));
      return all;
    });
  };
  using P = PolarizationRow;
  s.add("dipoles", "1", "dipoles",
        each(o, [](const Simulation&, const CaseRow& r) { return double(r.dipoles); }));
  s.add("dpl", "1", "dipoles per wavelength in the medium",
        each(o, [](const Simulation&, const CaseRow& r) { return r.dpl; }));
  s.add("iterations", "1", "iterations of both polarizations", sum([](const P& p) { return p.iterations; }));
  s.add("products", "1", "matrix-vector products, those for the start included",
        sum([](const P& p) { return p.products; }));
  s.add("start_residual", "1", "relative residual norm of the start, the larger one",
        largest([](const P& p) { return p.start_residual; }));
  s.add("residual", "1", "relative residual norm at the end, the larger one",
        largest([](const P& p) { return p.residual; }));
  s.add("seconds", "s", "time of the solves", sum([](const P& p) { return p.seconds; }));
  s.add("converged", "1", "1 where the solves converged, else 0",
        each(o, [](const Simulation&, const CaseRow& r) { return double(r.converged); }));
}

/// Headings of the columns of the table, from one of them on.
std::vector<string> headings(const results::Table& table, std::size_t from) {
  std::vector<string> out;
  for (std::size_t c = from; c < table.columns.size(); ++c) out.push_back(table.columns[c].name);
  return out;
}

/// Which columns of parameters were varied, and which are given with those before them: a medium's index with
/// the wavelength, an equivalent radius with the size.
void add_roles(results::Result& r) {
  std::vector<string> varied, given;
  std::vector<std::vector<double>> rows;
  for (const auto& column : results::csv_columns(r, r.tables[0])) {
    rows.resize(column.values.size());
    std::map<std::vector<double>, double> of_those_before;
    bool free = false;
    for (std::size_t i = 0; i < rows.size(); ++i)
      free |= of_those_before.try_emplace(rows[i], column.values[i]).first->second != column.values[i];
    (free ? varied : given).push_back(column.name);
    for (std::size_t i = 0; free && i < rows.size(); ++i) rows[i].push_back(column.values[i]);
  }
  r.attributes.emplace_back("parameters", results::lines_of(varied));
  r.attributes.emplace_back("given", results::lines_of(given));
}

}  // namespace

results::Result to_result(const ManyOutcome& o) {
  results::Result r;
  r.for_paraview = false;
  r.attributes = {
      {"program", "umov"},
      {"version", o.version},
      {"backend", o.backend},
      {"device", o.device},
      {"command_line", o.machine.command_line},
      {"settings", o.settings},
      {"converged", o.converged() ? "yes" : "no"},
      {"conventions", "lengths in um, angles in degrees, time dependence exp(-i omega t), Gaussian units"}};
  Section s(r, "", results::add_table(r, {"cases"}));
  add_parameters(s, o);
  add_roles(r);
  const bool average = o.cases.front().orientation.average;
  add_cross_sections(s, o, {' ', "", average ? ", mean over orientations" : ", unpolarised light"});
  if (!average) {
    add_cross_sections(s, o, {'Y', "_Y", ", incidence Y"});
    add_cross_sections(s, o, {'X', "_X", ", incidence X"});
  }
  for (const ExtraColumn& c : o.columns)
    s.add(c.name, c.unit, c.text, c.values, {.shape = c.shape, .column = c.shape.empty()});
  const std::size_t results_end = r.tables[0].columns.size();
  add_solves(s, o);
  results::add_timings(r, o.times.timings);
  r.attributes.emplace_back("counts", results::lines_of(headings(r.tables[0], results_end)));
  return r;
}

void write_results(const ManyOutcome& o, const std::string& folder) {
  const Outputs& wanted = o.cases.front().outputs;
  results::write(to_result(o), folder, wanted);
  if (wanted.pictures) spectrum_picture(o, folder + "/spectrum.png");
}

}  // namespace umov::dda
