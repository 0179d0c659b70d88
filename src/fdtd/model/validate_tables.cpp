// Poles that miss the user's table where the case asks for it, and what that does.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fdtd/model/asked_frequencies.hpp"
#include "fdtd/model/bodies.hpp"
#include "fdtd/model/validate_parts.hpp"
#include "materials/fit.hpp"
#include "materials/nk_table.hpp"

namespace umov::fdtd {
namespace {

/// A table, its poles, and what the case does with them.
struct Tabulated {
  const MaterialSpec& spec;
  const materials::Material& poles;
  materials::NkTable table;
  double length = 0;              ///< of the way of waves through the material, um
  std::vector<std::size_t> rows;  ///< nearest to the wavelengths that the case asks for

  cplx wanted(std::size_t row) const { return {table.n[row], table.k[row]}; }
};

/// Poles at a row beside the row, and how much the difference matters.
struct Miss {
  double matters = 0, part = 0;
  std::size_t row = 0;
  cplx has{};
};

/// The row of a table whose wavelength is nearest: between coarse rows no line is what a curve follows.
std::size_t nearest_row(const materials::NkTable& table, double um) {
  const auto apart = [um](double w) { return std::abs(w - um); };
  return std::size_t(std::ranges::min_element(table.wavelength_um, {}, apart) - table.wavelength_um.begin());
}

/// Extent of a body in the domain; along an axis whose whole period it fills waves go for ever.
double extent_in(const Simulation& s, std::size_t b, const Extent& e) {
  const auto bounds = make_body(s, b)->bounds();
  double most = 0;
  for (int a = 0; a < 3; ++a) {
    if (!e.active(a)) continue;
    const double low = std::max(bounds.low[a], e.low[a]), high = std::min(bounds.high[a], e.high[a]);
    const bool fills = high - low >= (e.high[a] - e.low[a]) * (1 - 1e-9);
    if (!(fills && e.periodic[a])) most = std::max(most, high - low);
  }
  return most;
}

/// The longest body of a material; the domain where no body says (backgrounds, pictures).
double length_of(const Simulation& s, const std::string& material) {
  const Extent e = extent_of(s);
  double most = 0;
  if (s.background != material)
    for (std::size_t b = 0; b < s.bodies.size(); ++b)
      if (s.bodies[b].material == material) most = std::max(most, extent_in(s, b, e));
  return s.unit_um * (most > 0 ? most : std::ranges::max(e.high - e.low));
}

Tabulated tabulated(const Simulation& s, const MaterialSpec& spec, const materials::Material& m) {
  Tabulated t{spec, m, materials::read_nk(spec.nk_file), length_of(s, spec.name), {}};
  for (const auto& [f, who] : asked_frequencies(s)) t.rows.push_back(nearest_row(t.table, s.unit_um / f));
  return t;
}

cplx index_at(const Simulation& s, const Tabulated& t, std::size_t row) {
  return index_of(t.poles, s.unit_um / t.table.wavelength_um[row]);
}

/// Once through the length at a k: the power falls by exp(-this).
double depth(const Tabulated& t, double k, std::size_t row) {
  return 4 * pi * k * t.length / t.table.wavelength_um[row];
}

/// Where Im eps is missed by a part that shows, of k that shows: what absorbs a tenth once through, or a
/// tenth of the table's largest. It matters by the power that is absorbed more or less.
Miss worst_loss(const Simulation& s, const Tabulated& t) {
  constexpr double noticeable = 0.03, some = 0.1, of_power = 3e-3;
  const double largest_k = std::ranges::max(t.table.k);
  Miss worst{.matters = of_power};
  for (const std::size_t row : t.rows) {
    const cplx has = index_at(s, t, row);
    const double least_k = std::max(materials::faintest_k, some * std::min(largest_k, 1 / depth(t, 1, row)));
    const double part = materials::loss_error(has, t.wanted(row), least_k);
    const double matters = part * std::min(1.0, depth(t, std::max(t.table.k[row], least_k), row));
    if (part > noticeable && matters > worst.matters) worst = {matters, part, row, has};
  }
  return worst;
}

/// Where the phase behind the length, or behind the depth that waves enter by, is missed by a part of a
/// radian: twice of it moves the fringes of a film.
Miss worst_phase(const Simulation& s, const Tabulated& t) {
  constexpr double noticeable = 0.05;
  Miss worst{.matters = noticeable};
  for (const std::size_t row : t.rows) {
    const cplx has = index_at(s, t, row), wanted = t.wanted(row);
    const double off = std::abs((has - wanted).real()), um = t.table.wavelength_um[row];
    const double entered = std::min(t.length, um / (2 * pi * std::max(wanted.imag(), 1e-30)));
    const double phase = 2 * pi * entered * off / um;
    if (phase > worst.matters) worst = {phase, off / std::abs(wanted), row, has};
  }
  return worst;
}

/// The largest change of n + ik from row to row around one, as a part of it.
double change_around(const Tabulated& t, std::size_t row) {
  double most = 0;
  for (std::size_t i = row > 0 ? row - 1 : 0; i <= row && i + 1 < t.table.size(); ++i)
    most = std::max(most, std::abs(t.wanted(i + 1) - t.wanted(i)) / std::abs(t.wanted(row)));
  return most;
}

/// What helps: rows where n and k change fast, fewer of them outside the band, more poles.
std::string remedy(const Simulation& s, const Tabulated& t) {
  constexpr double coarse = 0.03, wide = 1.2;
  constexpr std::size_t few = 6;
  double change = 0, low = std::numeric_limits<double>::infinity(), high = 0;
  for (const std::size_t row : t.rows) {
    change = std::max(change, change_around(t, row));
    low = std::min(low, t.table.wavelength_um[row]), high = std::max(high, t.table.wavelength_um[row]);
  }
  const bool more_poles = int(t.poles.poles.size()) < materials::FitOptions{}.max_poles;
  std::string text;
  if (change > coarse || t.table.size() < few)
    text = fmt::format(
        "give more rows there (n and k change by up to {:.0f} % from one to the next: across a "
        "line there should be five or more)",
        100 * change);
  else if (t.table.last() - t.table.first() > wide * (high - low))
    text = fmt::format("narrow the table to the wavelengths of the case ({:.4g} to {:.4g} um)", low, high);
  if (more_poles && change <= coarse)
    text += fmt::format("{}give a lower fit_target", text.empty() ? "" : ", or ");
  if (text.empty()) text = "run parts of the band with tables of their own";
  if (s.unit_um > 0 && high == low)
    text += ", or for one wavelength give index, extinction and at_wavelength";
  return text + "; `umov materials --fit` shows the errors";
}

std::string in_place_of(const Tabulated& t, const Miss& miss) {
  const cplx wanted = t.wanted(miss.row);
  return fmt::format("n + ik is {:.6g} + {:.3g} i in place of {:.6g} + {:.3g} i", miss.has.real(),
                     miss.has.imag(), wanted.real(), wanted.imag());
}

void report_loss(const Simulation& s, const Tabulated& t, Findings& found) {
  constexpr double opaque = 3;
  const Miss miss = worst_loss(s, t);
  if (miss.part == 0) return;
  const double has = depth(t, miss.has.imag(), miss.row), wanted = depth(t, t.table.k[miss.row], miss.row);
  const std::string effect = wanted > opaque
                                 ? "absorbed power is off by as much"
                                 : fmt::format("{:.3g} um of it absorb {:.3g} % in place of {:.3g} %",
                                               t.length, -100 * std::expm1(-has), -100 * std::expm1(-wanted));
  found.push_back(
      {Severity::warning,
       fmt::format("material '{}': its poles miss what {} absorbs by {:.2g} % at {:.5g} um ({}: {}); "
                   "{}",
                   t.spec.name, t.spec.nk_file, 100 * miss.part, t.table.wavelength_um[miss.row],
                   in_place_of(t, miss), effect, remedy(s, t))});
}

void report_phase(const Simulation& s, const Tabulated& t, Findings& found) {
  const Miss miss = worst_phase(s, t);
  if (miss.part == 0) return;
  found.push_back(
      {Severity::warning,
       fmt::format(
           "material '{}': its poles miss n of {} by {:.2g} % at {:.5g} um ({}: once through {:.3g} um "
           "waves are off by {:.2g} rad); {}",
           t.spec.name, t.spec.nk_file, 100 * miss.part, t.table.wavelength_um[miss.row],
           in_place_of(t, miss), t.length, miss.matters, remedy(s, t))});
}

/// Of the whole table, at its rows and between them.
void report_fit(const Simulation& s, const Tabulated& t, Findings& found) {
  constexpr double noticeable = 0.02;  // tables of films are seldom better
  if (t.poles.fit_error <= materials::FitOptions{}.target) return;
  found.push_back(
      {t.poles.fit_error > noticeable ? Severity::warning : Severity::note,
       fmt::format("material '{}': its poles miss n and k of {} by {:.2g} % (rms at its rows, or the "
                   "farthest swing between two of them); {}",
                   t.spec.name, t.spec.nk_file, 100 * t.poles.fit_error, remedy(s, t))});
}

}  // namespace

/// A fit to the user's table that misses it: what is computed is another material.
void validate_fits(const Simulation& s, const Scene& scene, Findings& found) {
  for (const auto& spec : s.materials)
    for (const auto& m : scene.materials()) {
      if (spec.nk_file.empty() || m.name != spec.name || !m.range_um) continue;
      const Tabulated t = tabulated(s, spec, m);
      report_fit(s, t, found);
      report_loss(s, t, found);
      report_phase(s, t, found);
    }
}

}  // namespace umov::fdtd
