// Outcome of `umov modes` -> named arrays, a table, texts.
#include "modes/output/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/section.hpp"

namespace umov::modes {
namespace {

constexpr const char* names[] = {"Ex", "Ey", "Ez", "Hx", "Hy", "Hz"};

std::vector<const Mode*> all_modes(const Outcome& o) {
  std::vector<const Mode*> out;
  for (const auto& list : o.modes)
    for (const Mode& m : list) out.push_back(&m);
  return out;
}

template <class F>
std::vector<double> over(const std::vector<const Mode*>& modes, const F& f) {
  std::vector<double> out;
  for (const Mode* m : modes) out.push_back(f(*m));
  return out;
}

const Extrapolated* extrapolated_of(const Outcome& o, double frequency, std::size_t mode) {
  for (const auto& e : o.extrapolated)
    if (e.mode == mode && e.frequency == frequency) return &e;
  return nullptr;
}

/// What a quantity of a mode changes by at cells of size 0, and its error, between the wavelengths where that
/// was found by the polynomial through them.
std::pair<double, double> correction(const Outcome& o, double frequency, std::size_t mode,
                                     Limit Extrapolated::*limit, std::vector<double> Extrapolated::*values) {
  std::vector<const Extrapolated*> at;
  for (const auto& e : o.extrapolated)
    if (e.mode == mode) at.push_back(&e);
  double sum = at.empty() ? unknown : 0, error = sum;
  for (const Extrapolated* e : at) {
    double weight = 1;
    for (const Extrapolated* other : at)
      if (other != e) weight *= (frequency - other->frequency) / (e->frequency - other->frequency);
    sum += weight * ((e->*limit).value - (e->*values).front());
    const double own = (e->*limit).error;
    error = std::isnan(own) ? own : std::max(error, own);
  }
  return {sum, error};
}

void add_table(results::Result& r, const Outcome& o) {
  const auto modes = all_modes(o);
  const auto table = results::add_table(
      r, {"modes",
          {"umov modes " + o.version, "n_eff is that of the grid; n_extrapolated that of cells of size 0"}});
  results::Section s(r, "", table);
  std::vector<double> number, value, error, group, dispersion;
  for (const auto& list : o.modes)
    for (std::size_t i = 0; i < list.size(); ++i) {
      number.push_back(double(i + 1));
      const Mode& m = list[i];
      const auto [by, off] = correction(o, m.frequency, i, &Extrapolated::n_eff, &Extrapolated::index);
      value.push_back(m.n_eff.real() + by);
      error.push_back(off);
      group.push_back(m.n_group +
                      correction(o, m.frequency, i, &Extrapolated::n_group, &Extrapolated::group).first);
      dispersion.push_back(m.dispersion +
                           correction(o, m.frequency, i, &Extrapolated::d, &Extrapolated::dispersion).first);
    }
  s.add("wavelength", "unit", "in vacuum", over(modes, [](const Mode& m) { return m.wavelength; }));
  s.add("mode", "1", "number, from 1", number);
  std::vector<cplx> index;
  for (const Mode* m : modes) index.push_back(m->n_eff);
  s.add("n_eff", "1", "effective index on this grid", std::move(index));
  if (!o.extrapolated.empty()) {
    s.add("n_extrapolated", "1", "effective index at cells of size 0", std::move(value));
    s.add("n_error", "1", "how far off that may be", std::move(error));
  }
  s.add("n_group", "1", "group index on this grid", over(modes, [](const Mode& m) { return m.n_group; }));
  if (!o.extrapolated.empty()) s.add("n_group_extrapolated", "1", "group index at cells of size 0", group);
  if (std::any_of(modes.begin(), modes.end(), [](const Mode* m) { return !std::isnan(m->dispersion); })) {
    s.add("dispersion", "ps/(nm km)", "D = dn_g/dlambda / c",
          over(modes, [](const Mode& m) { return m.dispersion; }));
    if (!o.extrapolated.empty())
      s.add("dispersion_extrapolated", "ps/(nm km)", "D at cells of size 0", dispersion);
  }
  s.add("loss", "dB/cm", "of power", over(modes, [](const Mode& m) { return m.loss; }));
  s.add("te", "1", "share of the transverse |E|^2 along the plane's first axis",
        over(modes, [](const Mode& m) { return m.te; }));
  s.add("area", "unit^2", "(int |E|^2)^2 / int |E|^4", over(modes, [](const Mode& m) { return m.area; }));
  for (std::size_t k = 0; k < o.materials.size(); ++k)
    s.add("in " + o.materials[k], "1", "share of the power",
          over(modes, [&](const Mode& m) { return m.confined[k]; }));
  std::size_t others = 0;
  for (const Mode* m : modes) others = std::max(others, m->coupled.size());
  for (std::size_t k = 0; k < others; ++k)
    s.add(fmt::format("into mode {}", k + 1), "1", "power that the mode of the other cross-section takes",
          over(modes, [&](const Mode& m) { return k < m.coupled.size() ? m.coupled[k] : 0; }));
  if (std::any_of(modes.begin(), modes.end(), [](const Mode* m) { return !std::isnan(m->beam); }))
    s.add("beam", "1", "power that the Gaussian beam couples",
          over(modes, [](const Mode& m) { return m.beam; }));
  s.add("in layers", "1", "share of |E|^2 in the absorbing layers",
        over(modes, [](const Mode& m) { return m.rim; }));
  s.add("residual", "1", "of the eigenvalue problem", over(modes, [](const Mode& m) { return m.residual; }));
}

void add_fields(results::Result& r, const Outcome& o) {
  for (std::size_t w = 0; w < o.modes.size(); ++w)
    for (std::size_t i = 0; i < o.modes[w].size(); ++i)
      for (int c = 0; c < 6; ++c) {
        const auto& field = o.modes[w][i].fields[c];
        if (!field.empty())
          r.add(fmt::format("fields/wavelength{}/mode{}/{}", w + 1, i + 1, names[c]), "1",
                "at the points of its grid, of unit power; the second transverse axis first", field,
                {std::size_t(o.cells[1] + 1), std::size_t(o.cells[0] + 1)});
      }
}

std::string line_of(const Outcome& o, const Mode& m, std::size_t number) {
  std::string out = fmt::format("mode {}: n_eff {:.7g}", number + 1, m.n_eff.real());
  if (std::abs(m.n_eff.imag()) > 1e-12)
    out += fmt::format(" + {:.3g}i ({:.4g} dB/cm)", m.n_eff.imag(), m.loss);
  out += fmt::format(", n_group {:.6g}", m.n_group);
  if (!std::isnan(m.dispersion)) out += fmt::format(", D {:.5g} ps/(nm km)", m.dispersion);
  out += " on this grid; ";
  if (const auto* e = extrapolated_of(o, m.frequency, number); e && e->dx.size() > 1) {
    out += fmt::format("n_eff {:.7g} +- {:.1g}, n_group {:.6g}", e->n_eff.value, e->n_eff.error,
                       e->n_group.value);
    if (!std::isnan(e->d.value)) out += fmt::format(", D {:.5g}", e->d.value);
    out += " at cells of size 0; ";
  }
  out += fmt::format("TE {:.1f} %, area {:.4g}", 100 * m.te, m.area);
  for (std::size_t k = 0; k < m.coupled.size(); ++k)
    out += fmt::format(", {:.3f} % into mode {} of the other", 100 * m.coupled[k], k + 1);
  if (!std::isnan(m.beam)) out += fmt::format(", beam {:.2f} %", 100 * m.beam);
  return out + "\n";
}

}  // namespace

results::Result to_result(const Outcome& o, bool fields) {
  results::Result r;
  r.for_paraview = false;
  r.attributes = {{"version", o.version}, {"command", o.command_line}};
  add_table(r, o);
  r.add("cell", "unit", o.lines[0].empty() ? "edge of a cell" : "longest edge of a cell", o.dx);
  for (int k = 0; k < 2; ++k)
    if (!o.lines[std::size_t(k)].empty())
      r.add(fmt::format("lines/{}", "xyz"[(o.normal + 1 + k) % 3]), "unit", "ends of the cells",
            o.lines[std::size_t(k)]);
  r.add("low", "unit", "low ends of the plane along its two axes", std::vector<double>{o.low[0], o.low[1]});
  r.add("permittivity", "1", "real part by cells at the first wavelength", o.permittivity,
        {std::size_t(o.cells[1]), std::size_t(o.cells[0])});
  if (fields) add_fields(r, o);
  return r;
}

std::string summary_text(const Outcome& o) {
  if (o.modes.empty()) return "";
  std::string out = fmt::format("wavelength {:g}, {} x {} cells of {}{:.4g}\n",
                                o.modes[0].empty() ? 0 : o.modes[0][0].wavelength, o.cells[0], o.cells[1],
                                o.lines[0].empty() ? "" : "up to ", o.dx);
  for (std::size_t i = 0; i < o.modes[0].size(); ++i) out += line_of(o, o.modes[0][i], i);
  return out;
}

std::string log_text(const Outcome& o) {
  std::string out = fmt::format("umov {}\n{}\n\nmodes travel along {}; {} x {} cells of {}{:.6g}\n",
                                o.version, o.command_line, "xyz"[o.normal], o.cells[0], o.cells[1],
                                o.lines[0].empty() ? "" : "up to ", o.dx);
  for (const auto& note : o.notes) out += note + "\n";
  for (const auto& warning : o.warnings) out += "warning: " + warning + "\n";
  for (const auto& list : o.modes) {
    if (list.empty()) continue;
    out += fmt::format("\nwavelength {:g}\n", list[0].wavelength);
    for (std::size_t i = 0; i < list.size(); ++i) out += line_of(o, list[i], i);
  }
  for (const auto& e : o.extrapolated) {
    if (e.dx.size() < 2) continue;
    out += fmt::format("\nextrapolated, wavelength {:g}, mode {}: order {:.2f}{},", 1 / e.frequency,
                       e.mode + 1, e.n_eff.order, e.dx.size() > 2 ? "" : " (taken)");
    for (std::size_t i = 0; i < e.dx.size(); ++i)
      out += fmt::format(" {:.8g} at {:.4g},", e.index[i], e.dx[i]);
    out += fmt::format(" {:.8g} +- {:.1g} at 0", e.n_eff.value, e.n_eff.error);
  }
  out += fmt::format(
      "\n\northogonality: two modes of a wavelength have {:.1e} of their power in common at most\n",
      o.orthogonality);
  out += "\nwhere the time of the solution went (s)\n";
  for (const auto& [what, seconds] : o.seconds) out += fmt::format("  {:<18} {:>8.3f}\n", what, seconds);
  return out;
}

}  // namespace umov::modes
