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

/// Largest factor by which amplitudes count as falling over a window; changes over all of the record that are
/// believed where the energy allows no more; safety.
constexpr double slowest = 0.995, most_of_all = 3, safety = 2;
/// Fewest records of a window: fields swing.
constexpr std::size_t fewest_records = 3;

double largest(const std::vector<double>& v) { return *std::max_element(v.begin(), v.end()); }

/// By how much the flux G changes a flux F when their fields add.
double beside(double f, double g) { return 2 * std::sqrt(std::fabs(f) * g) + g; }

}  // namespace

double FluxHistory::fall(std::size_t from, double time) const {
  constexpr double nothing = 1e-300;
  double energy = nothing;
  for (std::size_t i = from; i < records_.size(); ++i) energy = std::max(energy, records_[i].energy);
  const Record &first = records_[from], &last = records_.back();
  if (!(last.time > first.time)) return slowest;
  const double rate = 0.5 * std::log(energy / std::max(last.energy, nothing)) / (last.time - first.time);
  return std::min(slowest, std::exp(-rate * (time - first.time)));
}

std::pair<std::size_t, std::size_t> FluxHistory::windows(double time, double round_trip) const {
  constexpr double enough = 0.5, longest = 2;
  const auto length = [&](std::size_t i) { return time - records_[i].time; };
  std::size_t last = records_.size() - fewest_records;
  while (last > 0 && (length(last) < round_trip || fall(last, time) > enough)) --last;
  std::size_t first = last;
  while (first > 0 && length(first - 1) <= longest * length(last)) --first;
  return {first, last};
}

std::vector<double> FluxHistory::changes(std::size_t from, const std::vector<double>& flux) const {
  std::vector<double> change(flux.size(), 0);
  for (std::size_t i = from; i < records_.size(); ++i)
    for (std::size_t f = 0; f < flux.size(); ++f)
      change[f] = std::max(change[f], std::abs(records_[i].flux[f] - flux[f]));
  return change;
}

std::vector<double> FluxHistory::by_energy(double time, const std::vector<double>& flux,
                                           double round_trip) const {
  const auto [first, last] = windows(time, round_trip);
  std::vector<double> rest(flux.size(), 0);
  for (std::size_t from = first; from <= last; ++from) {
    const std::vector<double> change = changes(from, flux);
    const double q = fall(from, time);
    for (std::size_t f = 0; f < rest.size(); ++f)
      rest[f] = std::max(rest[f], safety * change[f] * q / (1 - q));
  }
  return rest;
}

std::vector<double> FluxHistory::remaining(double time, const std::vector<double>& flux,
                                           const LeftOver& left) const {
  if (records_.size() < fewest_records + 1 || flux.empty()) return {};
  std::vector<double> rest = by_energy(time, flux, left.round_trip);
  if (!(left.bandwidth > 0)) return rest;
  const double narrowest = 1 / (time - records_.front().time);
  const double spread = records_.back().energy / (4 * std::min(left.bandwidth, narrowest)),
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
  if (records_.size() < fewest_records || records_.size() != reference.records_.size()) return {};
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
