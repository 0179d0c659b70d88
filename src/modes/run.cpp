// Modes over wavelength: solved side by side, followed, differentiated, extrapolated.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>

#include "core/error.hpp"
#include "core/timer.hpp"
#include "fdtd/sources/local.hpp"
#include "fdtd/sources/mode_rim.hpp"
#include "modes/measure.hpp"

namespace umov::modes {
namespace {

using Told = std::function<bool(const std::string&, int, int)>;

/// solve() at each wavelength by all threads; of errors the first in their order is thrown, and
/// Error(Exit::interrupted) once `told` wants no more.
std::vector<std::vector<Mode>> solve_each(const Section& s, const Simulation& sim,
                                          const std::vector<double>& wavelengths, int threads,
                                          const std::string& what, const Told& told) {
  const int n = int(wavelengths.size()), most = threads > 0 ? threads : omp_get_max_threads();
  std::vector<std::vector<Mode>> modes(wavelengths.size());
  std::vector<std::exception_ptr> failed(wavelengths.size());
  int done = 0;
  std::atomic<bool> stopped{false};
#pragma omp parallel for num_threads(std::min(n, most)) schedule(dynamic) if (n > 1 && most > 1)
  for (int i = 0; i < n; ++i) try {
      if (stopped) continue;
      const double wavelength = wavelengths[std::size_t(i)];
      modes[std::size_t(i)] = solve(s, sim, 1 / wavelength);
      for (Mode& m : modes[std::size_t(i)]) m.wavelength = wavelength;
#pragma omp critical(umov_modes_told)
      if (told && !told(what, ++done, n)) stopped = true;
    } catch (...) {
      failed[std::size_t(i)] = std::current_exception();
    }
  for (const auto& e : failed)
    if (e) std::rethrow_exception(e);
  if (stopped) throw Error(Exit::interrupted, "stopped while modes were solved; nothing is kept of it");
  return modes;
}

double likeness(const Section& s, const Mode& a, const Mode& b) {
  const double own = std::abs(product(s, a, a)) * std::abs(product(s, b, b));
  return own > 0 ? std::abs(product(s, a, b)) / std::sqrt(own) : 0;
}

/// Puts the modes of each frequency in the order of those at its neighbour that they are most like; a mode
/// without one there comes behind. From the middle to both ends.
void follow(const Section& s, std::vector<std::vector<Mode>>& modes) {
  const int n = int(modes.size());
  const auto sort = [&](int at, int by) {
    auto& rest = modes[std::size_t(at)];
    std::vector<Mode> sorted;
    for (const Mode& known : modes[std::size_t(by)]) {
      if (rest.empty()) break;
      const auto best = std::max_element(rest.begin(), rest.end(), [&](const Mode& a, const Mode& b) {
        return likeness(s, a, known) < likeness(s, b, known);
      });
      if (likeness(s, *best, known) < 0.5) break;
      sorted.push_back(std::move(*best));
      rest.erase(best);
    }
    for (Mode& m : rest) sorted.push_back(std::move(m));
    rest = std::move(sorted);
  };
  for (int i = n / 2 + 1; i < n; ++i) sort(i, i - 1);
  for (int i = n / 2 - 1; i >= 0; --i) sort(i, i + 1);
}

/// dy/dx at x[at] of the polynomial through the five nearest points, or all of fewer.
double derivative(const std::vector<double>& x, const std::vector<double>& y, std::size_t at) {
  const std::size_t few = std::min<std::size_t>(5, x.size());
  const std::size_t first = std::min(at > few / 2 ? at - few / 2 : 0, x.size() - few);
  double sum = 0;
  for (std::size_t i = first; i < first + few; ++i) {
    // Lagrange's polynomial i, differentiated at x[at].
    double slope = 0;
    for (std::size_t k = first; k < first + few; ++k) {
      if (k == i) continue;
      double term = 1 / (x[i] - x[k]);
      for (std::size_t j = first; j < first + few; ++j)
        if (j != i && j != k) term *= (x[at] - x[j]) / (x[i] - x[j]);
      slope += term;
    }
    sum += slope * y[i];
  }
  return sum;
}

/// D = dn_g / dlambda / c of a slope per unit, in ps / (nm km).
double dispersion(double slope, double unit_um) { return 1e12 / 299792458.0 * slope / unit_um; }

/// Two wavelengths that are a hundredth apart or nearer have the dispersion between them.
constexpr double near_enough = 0.01, beside = 0.002;

void differentiate(const Section& s, const Simulation& sim, std::vector<std::vector<Mode>>& modes,
                   int threads, const Told& told) {
  const auto& lambda = sim.wavelengths;
  const double unit = sim.model.unit_um;
  bool dense = lambda.size() >= 5;
  for (std::size_t i = 0; i + 1 < lambda.size(); ++i)
    dense = dense && lambda[i + 1] - lambda[i] <= near_enough * lambda[i];
  if (dense) {
    for (std::size_t m = 0; m < modes.front().size(); ++m) {
      std::vector<double> x, group;
      for (std::size_t i = 0; i < lambda.size() && m < modes[i].size(); ++i)
        x.push_back(lambda[i]), group.push_back(modes[i][m].n_group);
      for (std::size_t i = 0; i < x.size() && x.size() > 2; ++i)
        modes[i][m].dispersion = dispersion(derivative(x, group, i), unit);
    }
    return;
  }
  std::vector<double> sides;
  for (const double l : lambda)
    for (const double side : {1 - beside, 1 + beside}) sides.push_back(l * side);
  const auto around = solve_each(s, sim, sides, threads, "dispersion", told);
  for (std::size_t i = 0; i < lambda.size(); ++i)
    for (Mode& m : modes[i]) {
      double group[2] = {unknown, unknown};
      for (int side = 0; side < 2; ++side) {
        double most = 0.5;
        for (const Mode& other : around[2 * i + std::size_t(side)])
          if (const double like = likeness(s, other, m); like > most)
            most = like, group[side] = other.n_group;
      }
      m.dispersion = dispersion((group[1] - group[0]) / (2 * beside * lambda[i]), unit);
    }
}

/// First, middle and last of the wavelengths, or all of fewer.
std::vector<std::size_t> some_of(std::size_t n) {
  std::vector<std::size_t> out{0, n / 2, n - 1};
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// Of each mode the number of its partner among those of another size of cells, -1 for none: pairs by falling
/// overlap of their fields, each partner once. One is convincing that has half of the mode's power, together
/// with those whose index is the same but for a tenth of what the cells change: degenerate modes turn among
/// each other. `most` becomes that share.
std::vector<int> partners(const Section& s, const std::vector<Mode>& modes, const Section& finer,
                          const std::vector<Mode>& found, std::vector<double>& most) {
  struct Pair {
    std::size_t mode, other;
    double overlap;
  };
  std::vector<Pair> pairs;
  std::vector<std::vector<double>> overlap(modes.size());
  for (std::size_t i = 0; i < modes.size(); ++i)
    for (std::size_t j = 0; j < found.size(); ++j) {
      overlap[i].push_back(coupled(s, modes[i], finer, found[j]));
      pairs.push_back({i, j, overlap[i].back()});
    }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.overlap > b.overlap; });
  std::vector<int> partner(modes.size(), -1);
  std::vector<char> used(found.size(), 0);
  most.assign(modes.size(), 0);
  for (const Pair& p : pairs) {
    if (partner[p.mode] >= 0 || used[p.other]) continue;
    const cplx n = found[p.other].n_eff;
    double share = 0;
    for (std::size_t j = 0; j < found.size(); ++j)
      if (std::abs(found[j].n_eff - n) <= 0.1 * std::abs(n - modes[p.mode].n_eff))
        share += overlap[p.mode][j];
    most[p.mode] = std::max(most[p.mode], share);
    if (!(share > 0.5)) continue;
    partner[p.mode] = int(p.other);
    used[p.other] = 1;
  }
  return partner;
}

void add(Extrapolated& e, double dx, const Mode& m) {
  e.dx.push_back(dx);
  e.index.push_back(m.n_eff.real());
  e.group.push_back(m.n_group);
  e.dispersion.push_back(m.dispersion);
}

/// The cells of the case halved, and cut in three: surfaces on grid lines stay there.
std::vector<Extrapolated> extrapolate(const Section& s, const Simulation& sim,
                                      const std::vector<std::vector<Mode>>& modes, int threads,
                                      const Told& told, std::vector<std::string>& notes) {
  std::vector<Extrapolated> out;
  const auto chosen = some_of(sim.wavelengths.size());
  Simulation few = sim;
  few.wavelengths.clear();
  for (const std::size_t i : chosen) {
    few.wavelengths.push_back(sim.wavelengths[i]);
    for (std::size_t m = 0; m < modes[i].size(); ++m) {
      out.push_back({1 / sim.wavelengths[i], m, {}, {}, {}, {}, {}, {}, {}});
      add(out.back(), s.dx(), modes[i][m]);
    }
  }
  std::vector<char> alone(out.size(), false);
  for (int level = 1; level < sim.levels; ++level) {
    const Section finer = make_section(few, 1 + level);
    std::vector<std::vector<Mode>> found;
    std::vector<std::vector<int>> partner(chosen.size());
    std::vector<std::vector<double>> most(chosen.size());
    // Once more with more modes where some have no partner: the cells may change their order.
    for (const int more : {0, 4}) {
      few.count = sim.count + more;
      found = solve_each(finer, few, few.wavelengths, threads, "finer cells", told);
      bool all = true;
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        partner[k] = partners(s, modes[chosen[k]], finer, found[k], most[k]);
        all = all && std::count(partner[k].begin(), partner[k].end(), -1) == 0;
      }
      if (all) break;
    }
    if (sim.dispersion) differentiate(finer, few, found, threads, told);
    std::size_t row = 0;
    for (std::size_t k = 0; k < chosen.size(); ++k)
      for (std::size_t m = 0; m < modes[chosen[k]].size(); ++m) {
        Extrapolated& e = out[row++];
        if (const int same = partner[k][m]; same >= 0) {
          add(e, finer.dx(), found[k][std::size_t(same)]);
          continue;
        }
        alone[row - 1] = true;
        notes.push_back(fmt::format(
            "wavelength {:g}, mode {}: no values at cells of size 0 (with cells of {:.4g} the mode most "
            "like it has {:.0f} % of its power); raise domain.resolution",
            few.wavelengths[k], m + 1, finer.dx(), 100 * most[k][m]));
      }
  }
  for (std::size_t row = 0; row < out.size(); ++row)
    if (alone[row])
      for (auto* values : {&out[row].dx, &out[row].index, &out[row].group, &out[row].dispersion})
        values->resize(1);
  for (Extrapolated& e : out) {
    e.n_eff = limit(e.dx, e.index);
    e.n_group = limit(e.dx, e.group);
    e.d = limit(e.dx, e.dispersion);
  }
  return out;
}

/// Holds the modes of each wavelength against those of another cross-section.
void couple(const Section& s, const Simulation& sim, std::vector<std::vector<Mode>>& modes, int threads,
            const Told& told) {
  Simulation other = *sim.other;
  other.wavelengths = sim.wavelengths;
  const Section there = make_section(other);
  auto found = solve_each(there, other, other.wavelengths, threads, "other cross-section", told);
  follow(there, found);
  for (std::size_t i = 0; i < modes.size(); ++i)
    for (Mode& m : modes[i])
      for (const Mode& next : found[i]) m.coupled.push_back(coupled(s, m, there, next));
}

/// Real parts at the middles of cells: of a component between the two points of it that are nearest.
std::vector<double> permittivity(const Section& s, double w) {
  std::vector<double> out;
  const auto& g = s.problem.grid;
  const fdtd::Layout layout(g);
  const int first = has_component(g.mode, s.axis(0)) ? 0 : 1;
  const int c = has_component(g.mode, s.axis(first)) ? s.axis(first) : 2;
  for (int j = 0; j < s.cells(1); ++j)
    for (int i = 0; i < s.cells(0); ++i) {
      Int3 cell = s.plane.lo;
      cell[s.axis(0)] += i;
      cell[s.axis(1)] += j;
      double sum = 0;
      for (const int end : {0, 1}) {
        Int3 at = cell;
        for (int k = 0; k < 2; ++k) {
          const int a = s.axis(k);
          if (g.active(a) && !at_half(s, c, k) && at[a] + end < g.cells[a]) at[a] += end;
        }
        const double eps = fdtd::discrete_medium(s.problem, fdtd::Component(c), layout.at(at), w).real();
        sum += std::isfinite(eps) ? eps / 2 : 0;
      }
      out.push_back(sum);
    }
  return out;
}

/// Cells to a wavelength in the densest medium below which waves are noticeably too short, as in `umov fdtd`.
constexpr double fewest_cells = 10;

std::string coarse_cells(const Section& s, const Outcome& o, double wavelength) {
  double densest = *std::max_element(o.permittivity.begin(), o.permittivity.end());
  if (s.problem.grid.graded()) {
    densest = 0;  // in cells of dx
    for (int j = 0; j < s.cells(1); ++j)
      for (int i = 0; i < s.cells(0); ++i) {
        double edge = 0;
        for (const auto& [k, at] : {std::pair{0, i}, std::pair{1, j}})
          if (s.problem.grid.active(s.axis(k))) edge = std::max(edge, s.edge(k, at));
        densest = std::max(
            densest, o.permittivity[std::size_t(j) * std::size_t(s.cells(0)) + std::size_t(i)] * edge * edge);
      }
  }
  if (!(densest > 0)) return "";
  const double index = std::sqrt(densest), cells = wavelength / (index * s.dx());
  if (cells >= fewest_cells * (1 - 1e-6)) return "";
  return fmt::format(
      "{:.3g} cells to the wavelength {:g} in the densest medium (index {:.4g}; fewer than {:g} shorten "
      "waves by "
      "more than a per cent); raise domain.resolution to {:.3g} or more",
      cells, wavelength, index, fewest_cells, fewest_cells / cells / s.dx());
}

/// Of a mode as mode sources and monitors have it, what the looks at its rim need.
fdtd::ModeProfile moduli(const Section& s, const Mode& m) {
  fdtd::ModeProfile out;
  out.axis = s.plane.axis, out.dx = s.along(), out.frequency = m.frequency;
  out.n_eff = m.n_eff.real(), out.beta = 2 * pi * m.frequency * out.n_eff;
  const fdtd::Layout layout(s.problem.grid);
  for (int k = 0; k < 2; ++k) {
    const auto& field = m.fields[std::size_t(s.axis(k))];
    fdtd::ModeProfile::Part part{fdtd::Component(s.axis(k)), {}, {}, {}};
    for (std::size_t i = 0; i < field.size(); ++i) {
      if (field[i] == 0.0) continue;
      Int3 cell = s.plane.lo;
      cell[s.axis(0)] += int(i) % (s.cells(0) + 1), cell[s.axis(1)] += int(i) / (s.cells(0) + 1);
      part.cells.push_back(layout.at(cell)), part.values.push_back(std::abs(field[i]));
    }
    if (!part.cells.empty()) out.electric.push_back(std::move(part));
  }
  return out;
}

/// What of the answer the plane or its cells spoil, at the longest wavelength, where modes are widest.
void doubt(const Section& s, const Simulation& sim, Outcome& o) {
  if (const auto text = coarse_cells(s, o, sim.wavelengths.front()); !text.empty())
    o.warnings.push_back(text);
  for (std::size_t i = 0; i < o.modes.size(); ++i)
    if (int(o.modes[i].size()) < sim.count) {
      o.warnings.push_back(fmt::format(
          "at wavelength {:g} the plane has {} of the {} modes that were asked for; lower `modes.count`",
          sim.wavelengths[i], o.modes[i].size(), sim.count));
      break;
    }
  if (sim.absorber > 0 || sim.bend_radius > 0) return;  // what comes to the rim leaves there
  for (std::size_t m = 0; m < o.modes.back().size(); ++m)
    if (const auto text =
            fdtd::rim_warning(s.problem, s.plane, moduli(s, o.modes.back()[m]),
                              fmt::format("wavelength {:g}, mode {}", sim.wavelengths.back(), m + 1));
        !text.empty())
      o.warnings.push_back(text);
}

}  // namespace

Limit limit(const std::vector<double>& dx, const std::vector<double>& y) {
  Limit l;
  const std::size_t n = dx.size();
  if (n < 2) return l;
  const double a = dx[n - 2], b = dx[n - 1], step = y[n - 1] - y[n - 2];
  const auto with = [&](double p) { return y[n - 1] + step / (std::pow(a / b, p) - 1); };
  l.value = with(2);
  l.error = std::abs(l.value - y[n - 1]);
  if (n < 3) return l;
  const double c = dx[n - 3], ratio = (y[n - 2] - y[n - 3]) / step;
  const auto wanted = [&](double p) {
    return (std::pow(c, p) - std::pow(a, p)) / (std::pow(a, p) - std::pow(b, p)) - ratio;
  };
  double low = 0.7, high = 4;
  if (!(wanted(low) < 0 && wanted(high) > 0)) {
    for (const double v : y) l.error = std::max(l.error, std::abs(v - l.value));
    return l;
  }
  for (int i = 0; i < 60; ++i) (wanted((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
  l.order = low;
  const double by_second_order = l.value;
  l.value = with(l.order);
  l.error = std::max(std::abs(l.value - by_second_order), 0.1 * std::abs(l.value - y[n - 1]));
  return l;
}

Outcome run(const Simulation& sim, int threads, const Told& told) {
  Outcome out;
  Stopwatch watch;
  const auto took = [&](const char* what) {
    out.seconds.emplace_back(what, watch.seconds());
    watch = {};
  };
  const Section s = make_section(sim);
  out.cells = {s.cells(0), s.cells(1)};
  out.low = {s.low(0), s.low(1)};
  out.normal = s.plane.axis;
  out.dx = s.dx();
  for (int k = 0; k < 2 && s.problem.grid.graded(); ++k)
    for (int i = 0; i <= s.cells(k); ++i) out.lines[std::size_t(k)].push_back(s.place(k, i));
  out.unit_um = sim.model.unit_um;
  for (const auto& m : s.scene->materials()) out.materials.push_back(m.name);
  out.permittivity = permittivity(s, 2 * pi / sim.wavelengths.front());
  took("model");
  out.modes = solve_each(s, sim, sim.wavelengths, threads, "modes", told);
  std::size_t found = 0;
  for (const auto& list : out.modes) found = std::max(found, list.size());
  if (found == 0)
    throw BadInput(fmt::format(
        "the plane guides no mode at {} (what is faster than the waves of the media at its rim leaves "
        "through it); "
        "check that it crosses the waveguide and leaves room around it, or give `modes.absorber` and "
        "`modes.index_guess` for modes that leak",
        sim.wavelengths.size() == 1 ? "this wavelength" : "these wavelengths"));
  follow(s, out.modes);
  took("modes");
  for (const auto& list : out.modes)
    for (std::size_t i = 0; i < list.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        out.orthogonality = std::max(out.orthogonality, likeness(s, list[i], list[j]));
  took("orthogonality");
  if (sim.other) couple(s, sim, out.modes, threads, told);
  took("overlaps");
  if (sim.dispersion) differentiate(s, sim, out.modes, threads, told);
  took("dispersion");
  if (sim.levels > 1) out.extrapolated = extrapolate(s, sim, out.modes, threads, told, out.notes);
  took("finer cells");
  doubt(s, sim, out);
  return out;
}

}  // namespace umov::modes
