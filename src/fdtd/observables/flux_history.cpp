// Records of fluxes, and the tail of their transforms.
#include "fdtd/observables/flux_history.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace umov::fdtd {

void FluxHistory::add(long step, double time, double energy, std::vector<double> flux) {
  records_.push_back({step, time, energy, std::move(flux)});
}

void FluxHistory::thin(long spacing) {
  std::erase_if(records_, [&](const Record& r) { return r.step % spacing != 0; });
}

namespace {

/// Largest extrapolation, in changes over a window and, where the energy allows no more, in changes over all
/// of the record; safety.
constexpr double most = 200, most_of_all = 3, safety = 2;
/// Fewest records of a window: fields swing.
constexpr std::size_t fewest = 3;
/// Records from which on rates of parts of the record mean something.
constexpr std::size_t enough = 12;

double largest(const std::vector<double>& v) { return *std::max_element(v.begin(), v.end()); }

/// How many records the last half, quarter or eighth has.
std::size_t window(std::size_t records, int which) {
  const std::size_t share = 2u << which;
  return std::min(records, std::max((records + share / 2) / share, fewest));
}

/// The rate k at which (exp(k long) - 1) / (exp(k short) - 1) is a quotient; 0 where it is at most long /
/// short.
double rate_of(double quotient, double longer, double shorter) {
  double low = 1e-6 / shorter, high = 500 / longer;
  const auto of = [&](double k) { return std::expm1(k * longer) / std::expm1(k * shorter); };
  if (!(quotient > of(low))) return 0;
  for (int i = 0; i < 80; ++i) {
    const double k = std::sqrt(low * high);
    (of(k) < quotient ? low : high) = k;
  }
  return low;
}

/// By how much the flux G changes a flux F when their fields add.
double beside(double f, double g) { return 2 * std::sqrt(std::fabs(f) * g) + g; }

}  // namespace

double FluxHistory::amplitude_rate(std::size_t from) const {
  double t = 0, y = 0, tt = 0, ty = 0;
  const double n = double(records_.size() - from);
  const auto level = [](const Record& r) { return 0.5 * std::log(std::max(r.energy, 1e-300)); };
  for (std::size_t i = from; i < records_.size(); ++i) t += records_[i].time / n, y += level(records_[i]) / n;
  for (std::size_t i = from; i < records_.size(); ++i) {
    const double u = records_[i].time - t;
    tt += u * u;
    ty += u * (level(records_[i]) - y);
  }
  return tt > 0 ? -ty / tt : 0;
}

std::vector<double> FluxHistory::changes(std::size_t from, const std::vector<double>& flux) const {
  std::vector<double> change(flux.size(), 0);
  for (std::size_t i = from; i < records_.size(); ++i)
    for (std::size_t f = 0; f < flux.size(); ++f)
      change[f] = std::max(change[f], std::abs(records_[i].flux[f] - flux[f]));
  return change;
}

double FluxHistory::energy_rate() const {
  const std::size_t n = records_.size();
  const double rate = amplitude_rate(n - n / 2 < fewest ? 0 : n / 2);
  return n < enough ? rate : std::min(rate, amplitude_rate(2 * n / 3));
}

std::vector<double> FluxHistory::by_energy(double time, const std::vector<double>& flux) const {
  const double rate = energy_rate();
  std::vector<double> best;
  for (int w = 0; w < 3; ++w) {
    const std::size_t from = records_.size() - window(records_.size(), w);
    std::vector<double> change = changes(from, flux);
    const double q = rate > 0 ? std::exp(-rate * (time - records_[from].time)) : 1;
    for (double& c : change) c *= safety * std::min(most, q < 1 ? q / (1 - q) : most);
    if (best.empty() || largest(change) < largest(best)) best = std::move(change);
  }
  return best;
}

double FluxHistory::by_changes(double time, const std::vector<double>& flux) const {
  std::array<double, 3> change, length;
  for (int w = 0; w < 3; ++w) {
    const std::size_t from = records_.size() - window(records_.size(), w);
    change[w] = largest(changes(from, flux));
    length[w] = time - records_[from].time;
  }
  double rest = 0;
  for (int w = 0; w < 2; ++w) {
    if (!(change[w + 1] > 0) || !(length[w] > length[w + 1])) continue;
    const double k = rate_of(change[w] / change[w + 1], length[w], length[w + 1]);
    const double q = std::exp(-k * length[w + 1]);
    rest = std::max(rest, change[w + 1] * std::min(most, q < 1 ? q / (1 - q) : most));
  }
  return safety * rest;
}

std::vector<double> FluxHistory::remaining(double time, const std::vector<double>& flux,
                                           const LeftOver& left) const {
  if (records_.size() < fewest + 1 || flux.empty()) return {};
  std::vector<double> rest = by_energy(time, flux);
  if (const double most_said = largest(rest), seen = by_changes(time, flux); seen < most_said)
    for (double& r : rest) r *= seen / most_said;
  if (!(left.bandwidth > 0)) return rest;
  const double spread = records_.back().energy / (4 * left.bandwidth),
               passing = records_.back().energy / 4 * std::min(1 / left.bandwidth, left.passing),
               highest = most_of_all * largest(changes(0, flux));
  for (std::size_t f = 0; f < rest.size(); ++f) {
    rest[f] = std::min(rest[f], std::max(highest, beside(flux[f], spread)));
    if (left.passing > 0) rest[f] = std::max(rest[f], beside(flux[f], passing));
  }
  return rest;
}

std::vector<double> FluxHistory::unsteady(double time, const std::vector<double>& flux,
                                          const FluxHistory& reference,
                                          const std::vector<double>& reference_flux) const {
  constexpr double more = 1.5;
  if (records_.size() < fewest || records_.size() != reference.records_.size()) return {};
  const auto quotient = [](double a, double b) { return b != 0 ? a / b : 0; };
  std::vector<double> change(flux.size(), 0);
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const Record &r = records_[i], &one = reference.records_[i];
    if (r.step != one.step || !(r.time < time)) continue;
    // from a change since t to that until the end of time: 1 / T over 1 / t - 1 / T
    const double rest = std::min(3.0, r.time / (time - r.time));
    for (std::size_t f = 0; f < flux.size(); ++f)
      change[f] = std::max(
          change[f],
          more * rest * std::abs(quotient(r.flux[f], one.flux[f]) - quotient(flux[f], reference_flux[f])));
  }
  return change;
}

void FluxHistory::save(ByteWriter& out) const {
  out.each(records_, [&](const Record& r) {
    out(r.step);
    out(r.time);
    out(r.energy);
    out(r.flux);
  });
}

void FluxHistory::restore(ByteReader& in) {
  in.each(records_, [&](Record& r) {
    in(r.step);
    in(r.time);
    in(r.energy);
    in(r.flux);
  });
}

}  // namespace umov::fdtd
