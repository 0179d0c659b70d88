// Records of fluxes, and the tail of their transforms.
#include "fdtd/observables/flux_history.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fdtd/observables/saved_bytes.hpp"

namespace umov::fdtd {

void FluxHistory::add(long step, double time, double energy, std::vector<double> flux) {
  records_.push_back({step, time, energy, std::move(flux)});
}

void FluxHistory::thin(long spacing) {
  std::erase_if(records_, [&](const Record& r) { return r.step % spacing != 0; });
}

namespace {

/// Largest extrapolation, in changes over a window and in changes over all of the record; safety.
constexpr double most = 20, most_of_all = 3, safety = 2;
/// Fewest records of a window: fields swing.
constexpr std::size_t fewest = 3;
/// Records from which on rates of parts of the record mean something.
constexpr std::size_t enough = 12;

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

std::vector<double> FluxHistory::remaining(double time, const std::vector<double>& flux) const {
  const std::size_t n = records_.size();
  if (n < fewest + 1 || flux.empty()) return {};
  const auto largest = [](const std::vector<double>& v) { return *std::max_element(v.begin(), v.end()); };
  std::array<std::vector<double>, 3> change;
  std::array<double, 3> window;
  for (std::size_t w = 0; w < 3; ++w) {
    const std::size_t share = 2u << w, count = std::max((n + share / 2) / share, fewest);
    change[w] = changes(n - std::min(n, count), flux);
    window[w] = time - records_[n - std::min(n, count)].time;
  }
  const double rate = energy_rate();
  std::vector<double> best;
  for (std::size_t w = 0; w < 3; ++w) {
    const double q = rate > 0 ? std::exp(-rate * window[w]) : 1;
    for (double& c : change[w]) c *= safety * std::min(most, q < 1 ? q / (1 - q) : most);
    if (best.empty() || largest(change[w]) < largest(best)) best = change[w];
  }
  const double highest = most_of_all * largest(changes(0, flux));
  for (double& c : best) c = std::min(c, highest);
  return best;
}

void FluxHistory::save(std::vector<std::byte>& out) const {
  const std::size_t n = records_.size();
  put(out, &n, 1);
  for (const Record& r : records_) {
    const std::size_t count = r.flux.size();
    put(out, &r.step, 1);
    put(out, &r.time, 1);
    put(out, &r.energy, 1);
    put(out, &count, 1);
    put(out, r.flux.data(), count);
  }
}

void FluxHistory::restore(std::span<const std::byte>& in) {
  std::size_t n = 0;
  take(in, &n, 1);
  records_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    Record r;
    std::size_t count = 0;
    take(in, &r.step, 1);
    take(in, &r.time, 1);
    take(in, &r.energy, 1);
    take(in, &count, 1);
    if (count > in.size() / sizeof(double))
      throw BadInput("the checkpoint's fluxes end early (damaged, or of another case) start anew");
    r.flux.resize(count);
    take(in, r.flux.data(), count);
    records_.push_back(std::move(r));
  }
}

}  // namespace umov::fdtd
