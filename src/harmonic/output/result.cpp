// Outcome of a time-harmonic cell -> named arrays and tables.
#include <fmt/format.h>

#include "harmonic/output/results.hpp"
#include "results/section.hpp"

namespace umov::harmonic {

namespace {

using results::Section;

std::size_t add_table(results::Result& r, const Outcome& o, const std::string& name,
                      std::vector<std::string> comments = {}) {
  comments.insert(comments.begin(), fmt::format("umov fdtd {}, time-harmonic", o.version));
  if (!o.converged) comments.push_back("NOT CONVERGED: " + o.why_not);
  return results::add_table(r, {name, std::move(comments)});
}

using Points = std::vector<const Spectrum*>;

/// A quantity over the rows: the mean of what `f` takes from a point over these polarizations.
template <class F>
std::vector<double> over_rows(const Outcome& o, const Points& of, const F& f) {
  std::vector<double> out;
  for (std::size_t r = 0; r < o.rows.size(); ++r) {
    double sum = 0;
    for (const auto* s : of) sum += f(s->points[r]);
    out.push_back(sum / double(of.size()));
  }
  return out;
}

/// Calls put(name, text, f) for every power of a row.
template <class Put>
void each_power(const Outcome& o, const Put& put) {
  put("reflection", "reflected power over the incident power",
      [](const SpectrumPoint& p) { return p.budget.reflection; });
  put("transmission", "transmitted power; 0 into an absorbing substrate",
      [](const SpectrumPoint& p) { return p.budget.transmission; });
  for (std::size_t m = 1; m < o.media.size(); ++m)
    put("absorption in " + o.media[m], "absorbed power over the incident power",
        [m](const SpectrumPoint& p) { return p.budget.absorption[m]; });
  put("sum", "of all these: 1 but for the residual", [](const SpectrumPoint& p) { return p.budget.sum(); });
  if (!o.simulation.orders) return;
  put("reflected orders", "sum over the orders above, to compare with the reflection",
      [](const SpectrumPoint& p) { return p.efficiency(false); });
  put("transmitted orders", "sum over the orders below, to compare with the transmission",
      [](const SpectrumPoint& p) { return p.efficiency(true); });
}

void add_places(Section& s) {
  s.again("wavelength", "wavelength");
  s.again("angle", "angle");
  s.again("azimuth", "azimuth");
}

void add_spectrum(results::Result& r, const Outcome& o, const std::string& name, const Points& of) {
  const auto table = add_table(r, o, "spectrum_" + name, {"powers over the incident power"});
  Section places(r, "", table);
  add_places(places);
  Section s(r, name + "/", table);
  const auto put = [&](const std::string& key, const std::string& text, const auto& f) {
    s.add(key, "1", text, over_rows(o, of, f));
  };
  each_power(o, put);
  if (of.size() > 1) return;
  put("flat grid error",
      o.rough_planes == 0
          ? "largest error of a power on the grid, that of the fields: the powers here are exact"
          : "largest error of a power of the cell without textures on this grid; what the "
            "grid does to the textures is not in it",
      [](const SpectrumPoint& p) { return p.grid_error; });
  put("residual", "of the equations", [](const SpectrumPoint& p) { return p.residual; });
  put("iterations", "applications of the layered cell's inverse",
      [](const SpectrumPoint& p) { return double(p.iterations); });
  std::vector<double> density;
  for (const auto& point : of[0]->points)
    for (int k = 0; k < o.planes; ++k) {
      double sum = 0;
      for (const auto& medium : point.budget.density) sum += medium[o.top + k];
      density.push_back(sum);
    }
  s.add("absorption over depth", "um^-1", "absorbed power per depth over the incident power, per row",
        density, {.shape = {o.rows.size(), std::size_t(o.planes)}, .column = false});
}

/// Every row in every polarization in one table.
void add_all_rows(results::Result& r, const Outcome& o,
                  const std::vector<std::pair<std::string, Points>>& of) {
  const auto table = add_table(r, o, "spectrum", {"powers over the incident power"});
  Section s(r, "", table);
  const auto column = [&](const std::string& name, const std::string& unit, const auto& f) {
    std::vector<double> values;
    for (const auto& row : o.rows)
      for (std::size_t p = 0; p < of.size(); ++p) values.push_back(f(row));
    s.column(name, unit, std::move(values));
  };
  column("wavelength", "um", [](const Row& row) { return row.wavelength; });
  column("angle", "degree", [](const Row& row) { return row.incidence.angle; });
  column("azimuth", "degree", [](const Row& row) { return row.incidence.azimuth; });
  std::vector<std::string> letters;
  for (std::size_t i = 0; i < o.rows.size(); ++i)
    for (const auto& [name, points] : of) letters.push_back(name);
  s.texts("polarization", std::move(letters));
  each_power(o, [&](const std::string& key, const std::string&, const auto& f) {
    std::vector<std::vector<double>> lists;
    for (const auto& [name, points] : of) lists.push_back(over_rows(o, points, f));
    std::vector<double> values;
    for (std::size_t i = 0; i < o.rows.size(); ++i)
      for (const auto& list : lists) values.push_back(list[i]);
    s.column(key, "1", std::move(values));
  });
}

/// A row per wavelength, incidence, polarization and order.
void add_orders(results::Result& r, const Outcome& o) {
  if (!o.simulation.orders) return;
  const auto table = add_table(r, o, "orders", {"powers over the incident power"});
  Section s(r, "orders/", table);
  const auto each = [&](const auto& f) {
    std::vector<double> out;
    for (std::size_t i = 0; i < o.rows.size(); ++i)
      for (const auto& spectrum : o.spectra)
        for (const auto& order : spectrum.points[i].orders)
          out.push_back(double(f(o.rows[i], spectrum.polarization, order)));
    return out;
  };
  using Order = DiffractionOrder;
  using P = Polarization;
  s.add("wavelength", "um", "in vacuum",
        each([](const Row& row, P, const Order&) { return row.wavelength; }));
  s.add("angle", "degree", "of incidence",
        each([](const Row& row, P, const Order&) { return row.incidence.angle; }));
  s.add("azimuth", "degree", "of the plane of incidence",
        each([](const Row& row, P, const Order&) { return row.incidence.azimuth; }));
  const auto is_p = each([](const Row&, P p, const Order&) { return p == P::p; });
  const auto is_below = each([](const Row&, P, const Order& x) { return x.transmitted; });
  s.add("p polarized", "1", "0: s, 1: p", is_p, {.column = false});
  s.add("transmitted", "1", "0: reflected, 1: transmitted", is_below, {.column = false});
  std::vector<std::string> letters, sides;
  for (const double x : is_p) letters.push_back(x > 0 ? "p" : "s");
  for (const double x : is_below) sides.push_back(x > 0 ? "transmitted" : "reflected");
  s.texts("polarization", std::move(letters));
  s.texts("side", std::move(sides));
  s.add("m", "1", "order along x", each([](const Row&, P, const Order& x) { return x.m; }));
  s.add("n", "1", "order along y", each([](const Row&, P, const Order& x) { return x.n; }));
  s.add("order angle", "degree", "from the normal, in its half space",
        each([](const Row&, P, const Order& x) { return x.angle; }));
  s.add("order azimuth", "degree", "of its way along the layers, from x towards y",
        each([](const Row&, P, const Order& x) { return x.azimuth; }));
  s.add("efficiency", "1", "power over the incident power",
        each([](const Row&, P, const Order& x) { return x.efficiency(); }));
  s.add("s part", "1", "with E across the order's own plane",
        each([](const Row&, P, const Order& x) { return x.s; }));
  s.add("p part", "1", "with E in the order's own plane",
        each([](const Row&, P, const Order& x) { return x.p; }));
}

/// " at 30 and 45 degrees" where the case has several directions of incidence.
std::string at_text(const Outcome& o, const Incidence& i) {
  return o.incidences.size() > 1 ? fmt::format(" at {:g} and {:g} degrees", i.angle, i.azimuth) : "";
}

void add_depth(results::Result& r, const Outcome& o) {
  std::vector<double> depth;
  for (int k = 0; k < o.planes; ++k) depth.push_back(o.depth(k));
  if (o.sunlit.empty()) {
    r.add("depth/depth", "um", "of the planes, below the mean top of the first layer", depth);
    return;
  }
  const auto table = add_table(r, o, "depth", {"photons of " + o.light});
  Section s(r, "depth/", table);
  s.add("depth", "um", "below the mean top of the first layer", depth);
  for (const auto& lit : o.sunlit) {
    std::vector<double> all;
    for (int k = 0; k < o.planes; ++k) all.push_back(lit.generation_at(k));
    const std::string at = at_text(o, lit.incidence);
    s.add("generation" + at, "m^-2 s^-1 um^-1", "absorbed photons per depth, mean over the polarizations",
          all);
    for (std::size_t m = 1; m < o.media.size(); ++m)
      s.add("generation in " + o.media[m] + at, "m^-2 s^-1 um^-1", "of these the ones absorbed there",
            lit.generation[m]);
  }
}

void add_currents(results::Result& r, const Outcome& o) {
  if (o.sunlit.empty()) return;
  const auto table =
      add_table(r, o, "currents", {"light: " + o.light, "were every absorbed photon one electron"});
  Section s(r, "currents/", table);
  s.texts("medium", std::vector<std::string>(o.media.begin() + 1, o.media.end()));
  for (const auto& lit : o.sunlit)
    s.add("current" + at_text(o, lit.incidence), "mA/cm^2", "of the photons absorbed in layers and substrate",
          std::vector<double>(lit.currents.begin() + 1, lit.currents.end()));
  r.add("currents/available", "mA/cm^2", "of all photons between the wavelengths", o.available_current);
}

void add_cuts(results::Result& r, const Outcome& o) {
  if (o.cuts.empty()) return;
  const auto axis = [&](int cells, double spacing) {
    std::vector<double> out;
    for (int i = 0; i < cells; ++i) out.push_back(i * spacing);
    return out;
  };
  std::vector<double> z;
  for (int k = 0; k < o.planes; ++k) z.push_back(o.depth(k));
  r.add("cuts/x", "um", "of the nodes", axis(o.grid.nx, o.grid.spacing[0]));
  r.add("cuts/y", "um", "of the nodes", axis(o.grid.ny, o.grid.spacing[1]));
  r.add("cuts/depth", "um", "of the nodes, below the mean top of the first layer", z);
  constexpr const char* axes[] = {"depth and x, at y", "depth and y, at x", "y and x, at the depth"};
  for (const auto& c : o.cuts) {
    const std::string name = cut_name(o, c);
    const std::string group =
        fmt::format("cuts/{}{}{}/", point_name(o, c.row, c.polarization), name.empty() ? "" : "-", name);
    const std::string where = fmt::format("over {} = {:g} um", axes[int(c.plane)], c.at);
    const std::vector<std::size_t> shape{std::size_t(c.rows), std::size_t(c.columns)};
    r.add(group + "intensity", "1", "|E|^2 over that of the incident wave, " + where, c.intensity, shape);
    r.add(group + "absorption", "um^-1",
          "absorbed power per volume over the incident power per area, " + where, c.absorption, shape);
  }
}

std::vector<std::pair<std::string, std::string>> attributes(const Outcome& o) {
  return {{"program", "umov fdtd, time-harmonic"},
          {"version", o.version},
          {"backend", o.backend},
          {"device", o.device},
          {"command_line", o.machine.command_line},
          {"converged", o.converged ? "yes" : "no"},
          {"rows", fmt::format("{} of {}", o.rows.size(), o.wanted_rows)},
          {"light", o.light}};
}

}  // namespace

const char* letter(Polarization p) { return p == Polarization::s ? "s" : "p"; }

std::string point_name(const Outcome& o, const Row& row, Polarization p) {
  std::string out = fmt::format("{:g}um", row.wavelength);
  if (o.incidences.size() > 1)
    out += fmt::format("-{:g}deg-{:g}deg", row.incidence.angle, row.incidence.azimuth);
  return out + "-" + letter(p);
}

std::string cut_name(const Outcome& o, const FieldCut& c) {
  constexpr const char* planes[] = {"xz", "yz", "xy"};
  return o.interfaces.size() > 1 ? fmt::format("{}{}", planes[int(c.plane)], c.number + 1) : "";
}

results::Result to_result(const Outcome& o) {
  results::Result r;
  r.for_paraview = false;
  r.attributes = attributes(o);
  const auto each = [&](const auto& f) {
    std::vector<double> out;
    for (const auto& row : o.rows) out.push_back(f(row));
    return out;
  };
  r.add("wavelength", "um", "in vacuum, of each row", each([](const Row& x) { return x.wavelength; }));
  r.add("angle", "degree", "of incidence in the superstrate",
        each([](const Row& x) { return x.incidence.angle; }));
  r.add("azimuth", "degree", "of the plane of incidence, from x towards y",
        each([](const Row& x) { return x.incidence.azimuth; }));
  std::vector<std::pair<std::string, Points>> of;
  Points all;
  for (const auto& s : o.spectra) {
    of.push_back({letter(s.polarization), {&s}});
    all.push_back(&s);
  }
  if (all.size() > 1) of.push_back({"mean", all});
  add_all_rows(r, o, of);
  for (const auto& [name, points] : of) add_spectrum(r, o, name, points);
  add_orders(r, o);
  add_depth(r, o);
  add_currents(r, o);
  add_cuts(r, o);
  return r;
}

}  // namespace umov::harmonic
