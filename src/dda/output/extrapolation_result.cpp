// What several grids say, as arrays and tables.
#include "dda/output/extrapolation_result.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "results/section.hpp"

namespace umov::dda {

namespace {

using results::Section;

/// A row per grid: what it is, what its solves took, every quantity on it.
void add_grids(results::Result& r, const Extrapolation& e) {
  Section s(r, "grids/", results::add_table(r, {"grids"}));
  const auto column = [&](const char* name, const char* unit, const char* text,
                          const std::function<double(const ExtrapolationGrid&)>& number) {
    std::vector<double> values;
    for (const ExtrapolationGrid& g : e.grids) values.push_back(number(g));
    s.add(name, unit, text, std::move(values));
  };
  using G = ExtrapolationGrid;
  column("nx", "1", "sites of the box along x", [](const G& g) { return double(g.box[0]); });
  column("ny", "1", "sites of the box along y", [](const G& g) { return double(g.box[1]); });
  column("nz", "1", "sites of the box along z", [](const G& g) { return double(g.box[2]); });
  column("y", "1", "k d |m|, the size of a dipole in the wave inside", [](const G& g) { return g.y; });
  column("spacing", "um", "longest edge of a dipole", [](const G& g) { return g.spacing; });
  column("dipoles", "1", "dipoles", [](const G& g) { return double(g.dipoles); });
  column("iterations", "1", "iterations of all solves", [](const G& g) { return double(g.iterations); });
  column("seconds", "s", "time of the solves", [](const G& g) { return g.seconds; });
  column("fitted", "1", "1 where the grid is in the fit, else 0",
         [](const G& g) { return double(g.fitted); });
  for (const ExtrapolatedQuantity& q : e.quantities) s.add(q.name, q.unit, q.text + " on the grid", q.values);
}

/// A row per quantity; the arrays are single numbers, by name.
void add_quantities(results::Result& r, const Extrapolation& e) {
  if (e.quantities.empty()) return;
  for (const ExtrapolatedQuantity& q : e.quantities) {
    r.add("extrapolated/" + q.name, q.unit, q.text + ", extrapolated to y = 0", q.limit.value);
    r.add("extrapolated/" + q.name + "_error", q.unit, "its estimated error", q.limit.error);
  }
  Section s(r, "extrapolated/", results::add_table(r, {"extrapolated"}));
  std::vector<std::string> names, units;
  std::vector<double> value, error, allowed, finest, believed;
  for (const ExtrapolatedQuantity& q : e.quantities) {
    names.push_back(q.name);
    units.push_back(q.unit);
    value.push_back(q.limit.value);
    error.push_back(q.limit.error);
    allowed.push_back(q.allowed);
    finest.push_back(q.values.back());
    believed.push_back(double(q.limit.believed));
  }
  s.texts("quantity", std::move(names));
  s.texts("unit", std::move(units));
  s.column("extrapolated", "1", std::move(value));
  s.column("error", "1", std::move(error));
  s.column("error_asked_for", "1", std::move(allowed));
  s.column("finest_grid", "1", std::move(finest));
  s.column("believed", "1", std::move(believed));
}

void add_matrices(results::Result& r, const ExtrapolatedMatrices& m) {
  Section s(r, "extrapolated/" + m.table + "/", results::add_table(r, {"extrapolated_" + m.table}));
  const std::size_t n = m.value.size();
  const auto flat = [](const std::vector<std::array<double, 16>>& rows) {
    std::vector<double> out;
    for (const auto& row : rows) out.insert(out.end(), row.begin(), row.end());
    return out;
  };
  const auto elements = [](const char* after) {
    std::vector<std::string> names;
    for (int i = 1; i <= 4; ++i)
      for (int j = 1; j <= 4; ++j) names.push_back(fmt::format("S{}{}{}", i, j, after));
    return names;
  };
  s.add("theta", "degree", "scattering angle", m.theta);
  s.add("phi", "degree", "azimuth about the direction of incidence", m.phi);
  s.add("mueller", "1", "Mueller matrix S_ij, extrapolated to y = 0", flat(m.value),
        {.shape = {n, 4, 4}, .parts = elements("")});
  s.add("mueller_error", "1", "its estimated error", flat(m.error),
        {.shape = {n, 4, 4}, .parts = elements("_error")});
}

}  // namespace

void add_extrapolation(results::Result& r, const Extrapolation& e) {
  r.attributes.emplace_back("accuracy", fmt::format("{:g}", e.accuracy));
  r.attributes.emplace_back("accuracy_verdict", e.verdict);
  add_grids(r, e);
  add_quantities(r, e);
  for (const ExtrapolatedMatrices& m : e.matrices) add_matrices(r, m);
}

}  // namespace umov::dda
