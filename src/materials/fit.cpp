// Fits of poles to n-k tables: starts tried one pole at a time, each refined by Levenberg-Marquardt.
#include "materials/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unsupported/Eigen/NonLinearOptimization>
#include <vector>

#include "core/error.hpp"
#include "materials/pole_model.hpp"

namespace umov::materials {

namespace {

struct Candidate {
  PoleLayout layout;
  Eigen::VectorXd x;
  double cost = 1e300;
};

/// Levenberg-Marquardt from where the candidate is; keeps what is better.
void refine(const Samples& samples, Candidate& candidate, int evaluations, double guard_weight = 10) {
  PoleResiduals functor{samples, candidate.layout, guard_weight};
  Eigen::LevenbergMarquardt<PoleResiduals> solver(functor);
  solver.parameters.maxfev = evaluations;
  solver.parameters.ftol = solver.parameters.xtol = 1e-10;
  Eigen::VectorXd x = candidate.x, residual;
  pull_in(samples, candidate.layout, x);
  solver.minimize(x);
  if (!x.allFinite()) return;
  functor(x, residual);
  if (residual.norm() >= candidate.cost) return;
  candidate.x = x;
  candidate.cost = residual.norm();
}

/// The same poles and a new one of small strength behind the last Lorentz pole.
Candidate with_lorentz(const Candidate& from, double strength, double w0, double gamma) {
  Candidate c;
  c.layout = from.layout;
  ++c.layout.lorentz;
  c.x.resize(c.layout.variables());
  const int before = from.layout.drude_at(), added = c.layout.per_pole();
  c.x.head(before) = from.x.head(before);
  c.x[before] = c.layout.either_sign ? strength : std::log(strength);
  c.x[before + 1] = std::log(w0);
  if (!c.layout.lossless) c.x[before + 2] = std::log(gamma);
  c.x.tail(c.x.size() - before - added) = from.x.tail(from.x.size() - before);
  return c;
}

Candidate with_drude(const Candidate& from, double wp) {
  Candidate c;
  c.layout = from.layout;
  c.layout.drude = true;
  c.x.resize(c.layout.variables());
  c.x.head(from.x.size()) = from.x;
  c.x.tail(2) << 2 * std::log(wp), std::log(0.05 * wp);
  return c;
}

/// All starts with one pole more: resonances from below the table's band to far above it, narrow and wide.
std::vector<Candidate> one_more(const Candidate& from, double low, double high) {
  std::vector<Candidate> starts;
  if (!from.layout.lossless && !from.layout.drude)
    for (const double wp : {0.3 * low, 2 * low, 2 * high}) starts.push_back(with_drude(from, wp));
  constexpr int places = 10;
  const double first = 0.5 * low, last = 3 * high;
  for (int i = 0; i < places; ++i) {
    const double w0 = first * std::pow(last / first, i / (places - 1.0));
    // An undamped pole inside the band is a singularity there.
    if (from.layout.lossless && w0 > 0.9 * low && w0 < 1.1 * high) continue;
    for (const double damping : {0.05, 0.4}) {
      starts.push_back(with_lorentz(from, 0.05, w0, damping * w0));
      if (from.layout.either_sign) starts.push_back(with_lorentz(from, -0.05, w0, damping * w0));
      if (from.layout.lossless) break;
    }
  }
  return starts;
}

/// Presses a fit with negative strengths to where it is passive; gives up (cost infinite) if that fails.
void make_passive(const Samples& samples, Candidate& fit) {
  for (double weight = 100; !passive(material_of(fit.layout, fit.x)); weight *= 10) {
    if (weight > 1e6) {
      fit.cost = 1e300;
      return;
    }
    fit.cost = 1e300;  // another weight, another cost
    refine(samples, fit, 1000, weight);
  }
}

/// A Drude term with one resonance each. In a metal with interband absorption either alone runs into a
/// corner.
std::vector<Candidate> drude_pairs(const Candidate& empty, double low, double high) {
  std::vector<Candidate> starts;
  for (const auto& start : one_more(empty, low, high))
    if (start.layout.drude)
      for (auto& pair : one_more(start, low, high)) starts.push_back(std::move(pair));
  return starts;
}

/// The variables of a fitted material.
Candidate candidate_of(const Material& m, bool either_sign, bool lossless = false) {
  Candidate c;
  c.layout.either_sign = either_sign;
  c.layout.lossless = lossless;
  for (const auto& p : m.poles) (p.kind == Pole::Kind::drude ? c.layout.drude = true : ++c.layout.lorentz);
  c.x.resize(c.layout.variables());
  c.x[0] = std::sqrt(m.eps[0] - 1);
  int at = 1;
  for (const auto& p : m.poles) {
    if (p.kind == Pole::Kind::drude) {
      c.x.tail(2) << std::log(p.strength), std::log(p.gamma);
      continue;
    }
    c.x.segment(at, 2) << (either_sign ? p.strength : std::log(p.strength)), std::log(p.omega);
    if (!lossless) c.x[at + 2] = std::log(p.gamma);
    at += c.layout.per_pole();
  }
  return c;
}

/// A short look at every start, then the best few to the end.
Candidate best_of(const Samples& samples, std::vector<Candidate> starts) {
  constexpr int look = 40, finish = 500, passes = 3;
  constexpr std::size_t finalists = 3;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < starts.size(); ++i) refine(samples, starts[i], look);
  std::ranges::stable_sort(starts, {}, &Candidate::cost);
  if (starts.size() > finalists) starts.resize(finalists);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < starts.size(); ++i) {
    for (int pass = 0; pass < passes; ++pass) refine(samples, starts[i], finish);
    make_passive(samples, starts[i]);
  }
  return *std::ranges::min_element(starts, {}, &Candidate::cost);
}

}  // namespace

namespace {

/// The table with points on the straight connections of its rows.
NkTable filled_in(const NkTable& table) {
  constexpr int points = 8;
  NkTable out = table;
  out.wavelength_um.clear(), out.n.clear(), out.k.clear();
  for (std::size_t i = 0; i < table.size(); ++i)
    for (int part = 0; part < (i + 1 < table.size() ? points : 1); ++part) {
      const double t = double(part) / points;
      const auto at = [&](const std::vector<double>& v) {
        return part == 0 ? v[i] : (1 - t) * v[i] + t * v[i + 1];
      };
      out.wavelength_um.push_back(at(table.wavelength_um));
      out.n.push_back(at(table.n));
      out.k.push_back(at(table.k));
    }
  return out;
}

double larger_error(const PoleFit& fit) { return std::max(fit.rms_error, fit.between_error); }

}  // namespace

namespace {

/// Adds poles until the target is reached, their number runs out or one more does not help; `pairs` to begin
/// with a Drude term and a resonance at once.
Candidate grown(const Samples& samples, const NkTable& table, const FitOptions& options, Candidate best,
                bool pairs, double least_k) {
  const double low = samples.w.minCoeff(), high = samples.w.maxCoeff();
  while (best.layout.poles() < options.max_poles) {
    Candidate next = best_of(samples, pairs ? drude_pairs(best, low, high) : one_more(best, low, high));
    if (next.cost > best.cost * (1 - 1e-3)) break;
    pairs = false;
    best = next;
    const PoleFit fit = compare(material_of(best.layout, best.x), table, least_k);
    if (fit.rms_error <= options.target && fit.loss_error <= options.loss_target) break;
  }
  return best;
}

PoleFit grow(const Samples& samples, const NkTable& table, const FitOptions& options, Candidate empty,
             bool pairs) {
  const Candidate best = grown(samples, table, options, std::move(empty), pairs, faintest_k);
  PoleFit fit = compare(material_of(best.layout, best.x), table);
  fit.reached = fit.rms_error <= options.target;
  return fit;
}

}  // namespace

namespace {

/// By the weights of the options alone.
PoleFit fit_once(const NkTable& table, FitOptions options, double least_damping) {
  options.loss_target = infinity;  // the weights do not see it
  const Samples samples = samples_of(table, options);
  Candidate empty;
  empty.layout.least_damping = least_damping;
  empty.layout.lossless = (samples.eps.imag().array() == 0).all();
  empty.x = Eigen::VectorXd::Constant(1, std::sqrt(std::max(samples.eps.real().minCoeff() - 1, 0.04)));
  PoleFit fit = grow(samples, table, options, empty, false);
  const auto also = [&](bool pairs) {
    if (fit.reached || empty.layout.lossless || options.max_poles < 2) return;
    const PoleFit other = grow(samples, table, options, empty, pairs);
    // Negative strengths need a finer time step: only where they are clearly better.
    const double wanted = empty.layout.either_sign ? 0.8 * fit.rms_error : fit.rms_error;
    if (other.rms_error < wanted) fit = other;
  };
  also(true);
  if (options.either_sign) {
    empty.layout.either_sign = true;
    empty.layout.least_damping = std::max(least_damping, 0.05 * samples.w.minCoeff());
    also(false);
  }
  return fit;
}

/// Every so many-th row, so that about `rows` are left.
NkTable thinned(const NkTable& table, std::size_t rows) {
  NkTable out = table;
  const std::size_t stride = (table.size() + rows - 1) / rows;
  out.wavelength_um.clear(), out.n.clear(), out.k.clear();
  for (std::size_t i = 0; i < table.size(); i += stride) {
    out.wavelength_um.push_back(table.wavelength_um[i]);
    out.n.push_back(table.n[i]);
    out.k.push_back(table.k[i]);
  }
  return out;
}

/// From the poles of a fit that misses a small k, by weights that value it: more of them are looked for on
/// some rows, and settled on all. Faint ones of a fit without negative strengths are looked for without:
/// those need dampings that absorb more.
PoleFit valuing_loss(const PoleFit& first, const NkTable& table, FitOptions options, double least_damping,
                     double least_k) {
  constexpr std::size_t some_rows = 60;
  options.loss_floor = std::min(options.loss_floor, least_k);
  if (least_k < small_k &&
      std::ranges::none_of(first.material.poles, [](const Pole& p) { return p.strength < 0; }))
    options.either_sign = false;
  const NkTable few = thinned(table, some_rows);
  const Samples look = samples_of(few, options), all = samples_of(table, options);
  Candidate best = candidate_of(first.material, options.either_sign);
  best.layout.least_damping = std::max(least_damping, options.either_sign ? 0.05 * all.w.minCoeff() : 0);
  refine(look, best, 500);
  best = grown(look, few, options, best, false, least_k);
  best.cost = 1e300;
  refine(all, best, 500);
  if (best.layout.either_sign) make_passive(all, best);
  return best.cost < 1e300 ? compare(material_of(best.layout, best.x), table, least_k) : first;
}

PoleFit best_fit(const NkTable& table, const FitOptions& options, double least_damping = 0) {
  const auto error_of = [&](const PoleFit& fit, double k) {
    return compare(fit.material, table, k).loss_error;
  };
  PoleFit fit = fit_once(table, options, least_damping);
  for (const double least_k : {small_k, 1e-4, faintest_k}) {
    const double error = error_of(fit, least_k), of_larger = error_of(fit, small_k);
    const bool first = least_k == small_k, same = error <= of_larger * (1 + 1e-6);  // no k is so small
    if (error <= options.loss_target || (same && !first)) continue;
    const PoleFit other = valuing_loss(fit, table, options, least_damping, least_k);
    const double of_other = error_of(other, least_k);
    const bool holds = larger_error(other) <= std::max(options.target, larger_error(fit)) &&
                       error_of(other, small_k) <= std::max(options.loss_target, of_larger);
    if (holds && of_other < error && (first || of_other <= options.loss_target))
      fit = other;
    else if (!first)
      break;
  }
  return compare(fit.material, table);
}

/// k down to which a fit holds absorption.
double held_k(const PoleFit& fit, const NkTable& table, const FitOptions& options) {
  double held = options.loss_floor;
  for (const double k : {small_k, 1e-4, faintest_k})
    if (compare(fit.material, table, k).loss_error <= options.loss_target) held = std::min(held, k);
  return held;
}

/// Whether a fit holds absorption where another does, or as well.
bool holds_loss(const PoleFit& fit, const PoleFit& other, const NkTable& table, const FitOptions& options) {
  return std::ranges::all_of(std::array{small_k, 1e-4, faintest_k}, [&](double k) {
    const double most = std::max(options.loss_target, compare(other.material, table, k).loss_error);
    return compare(fit.material, table, k).loss_error <= most;
  });
}

/// Smooth data are held far better than the target by a pole or two more: each is kept that leaves a third of
/// the miss or less. Of fits with negative strengths, which are many poles already, none is looked for.
PoleFit finer(PoleFit fit, const NkTable& table, FitOptions options) {
  constexpr double left = 1.0 / 3;
  constexpr std::size_t some_rows = 60;
  if (std::ranges::any_of(fit.material.poles, [](const Pole& p) { return p.strength < 0; })) return fit;
  options.loss_floor = held_k(fit, table, options);
  const NkTable few = thinned(table, some_rows);
  const Samples look = samples_of(few, options), all = samples_of(table, options);
  const bool lossless = (all.eps.imag().array() == 0).all();
  while (int(fit.material.poles.size()) < options.max_poles && larger_error(fit) > options.fine_target) {
    const Candidate from = candidate_of(fit.material, false, lossless);
    Candidate next = best_of(look, one_more(from, all.w.minCoeff(), all.w.maxCoeff()));
    next.cost = 1e300;
    refine(all, next, 500);
    const PoleFit other = compare(material_of(next.layout, next.x), table);
    if (larger_error(other) > left * larger_error(fit) || !holds_loss(other, fit, table, options)) break;
    fit = other;
  }
  return fit;
}

}  // namespace

FitOptions ending_at(double target) {
  FitOptions options;
  options.target = options.fine_target = target;
  return options;
}

PoleFit fit_poles(const NkTable& table, const FitOptions& options) {
  if (table.size() < 3)
    throw BadInput(fmt::format("{} rows to fit in '{}' (poles need at least 3); give a longer table",
                               table.size(), table.source));
  if (options.max_poles < 1)
    throw BadInput(fmt::format("{} poles at most (a fit needs one); allow more", options.max_poles));
  PoleFit fit = best_fit(table, options);
  if (fit.rms_error <= options.target && options.fine_target < options.target)
    fit = finer(fit, table, options);
  if (fit.between_error > std::max(options.target, fit.rms_error)) {
    // No line narrower than half the distance of two rows: the table would not show it.
    const double band =
        angular_frequency(table.wavelength_um.front()) - angular_frequency(table.wavelength_um.back());
    const double narrowest = 0.5 * band / double(table.size() - 1);
    const PoleFit calm = compare(best_fit(filled_in(table), options, narrowest).material, table);
    if (larger_error(calm) < larger_error(fit)) fit = calm;
  }
  fit.reached = larger_error(fit) <= options.target && fit.loss_error <= options.loss_target;
  fit.material.name = table.name;
  fit.material.source = table.source;
  fit.material.fit_error = larger_error(fit);
  fit.material.range_um = {table.wavelength_um.front(), table.wavelength_um.back()};
  return fit;
}

}  // namespace umov::materials
