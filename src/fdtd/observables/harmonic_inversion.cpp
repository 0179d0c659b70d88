// Which of the lines that filter diagonalisation finds stand for something in the signal, and how well.
#include "fdtd/observables/harmonic_inversion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "fdtd/monitors/resonance.hpp"
#include "fdtd/observables/accepted_lines.hpp"
#include "fdtd/observables/filter_diagonalisation.hpp"
#include "fdtd/observables/left_over.hpp"

namespace umov::fdtd {
namespace {

using namespace inversion;

/// Thresholds of filter diagonalisation, in order: rounding, and coarser ones that take as one what noise
/// does not let the finer ones tell apart.
const std::vector<double> thresholds{1e-13, 1e-11, 1e-9, 1e-7, 1e-5, 1e-3};
/// Records that are looked at, as fractions of the whole.
constexpr int shares[] = {1, 4, 16}, next_share = 4;
/// Samples that a record has at least.
constexpr index_t fewest_samples = 32;
constexpr int copies = 4;
/// Standard deviations of noise that are no noise.
constexpr double clearly = 6;
/// How far off lines are that are near each other, by how far they are from those of three quarters of the
/// record: measured up to 2.2.
constexpr double moves = 2;
/// Decays by e within a record after which a line is over long before its end.
constexpr double over = 12;
/// Frequencies beside the band, in units of 1 / duration, whose lines and noise are looked at too.
constexpr double margin = 12;

using Lists = std::vector<std::vector<Line>>;

class Inverter {
 public:
  Inverter(Record c, double step, const Band& band, bool real, const InversionFilter& keep)
      : step_(step),
        band_(band),
        wide_(widened(band, double(c.size()) * step, step)),
        real_(real),
        keep_(keep),
        left_(std::move(c), step, wide_),
        c_(left_.record()) {}

  Inversion run() {
    Inversion out;
    if (c_.size() < 8 || !(left_.size() > 0) || !std::isfinite(left_.size())) return out;
    out.strongest = left_.largest(c_, band_).amplitude;
    find_lines();
    // Where there are many lines, what the strongest leave is more than noise.
    if (const double less = left_.noise_beside(lines_of(accepted_)); less < 0.5 * noise_) {
      noise_ = less;
      find_lines();
    }
    out.noise = noise_;
    const Peak rest = left_.largest(without(c_, lines_of(accepted_)), band_);
    out.rest = rest.amplitude;
    out.rest_at = rest.frequency;
    out.rest_noise = noise_ * left_.per_sample();
    out.lines = resonances(out.beside);
    return out;
  }

 private:
  static Band widened(const Band& band, double duration, double step) {
    const double reach = margin / duration, top = 0.499 / step;
    return {std::max(band.from - reach, band.from < 0 ? -top : 0.0), std::min(band.to + reach, top)};
  }

  void find_lines() {
    accepted_.clear();
    for (const int share : shares) try_record(index_t(c_.size()) / share, share == 1);
  }

  void try_record(index_t samples, bool whole) {
    if (samples < fewest_samples) return;
    const std::span<const cplx> part(c_.data(), samples);
    const Lists found = filter_diagonalisation(part, step_, wide_, thresholds);
    if (!(noise_ > 0)) {
      noise_ = std::numeric_limits<double>::infinity();
      for (const auto& lines : found) noise_ = std::min(noise_, left_.noise_beside_strongest(lines));
    }
    std::vector<Lists> moved(copies);
    for (int copy = 0; copy < copies; ++copy) {
      const Record other = noisy({part.begin(), part.end()}, noise_, copy, real_);
      moved[copy] = filter_diagonalisation(other, step_, wide_, thresholds);
    }
    for (std::size_t t = 0; t < thresholds.size(); ++t) {
      std::vector<AcceptedLine> candidates;
      for (const Line& line : found[t]) {
        double square = 0;
        for (const Lists& lists : moved) square += nearest(line, lists[t]) / copies;
        accept(line, std::sqrt(square), samples, whole, candidates);
      }
      widen(candidates, part, thresholds[t]);
      drop_unresolved(candidates);
      if (whole) seek_pairs(candidates);
      add(candidates, samples, whole);
    }
  }

  bool steady(const Line& line, double deviation, double samples) const {
    return deviation <= keep_.spread * std::max(2 * pi / samples, -line.angular.imag());
  }

  void accept(const Line& line, double deviation, index_t samples, bool whole,
              std::vector<AcceptedLine>& candidates) const {
    const double n = double(samples), decay = -line.angular.imag();
    if (!steady(line, deviation, n)) return;
    // Lines that cannot be told apart beat, which may look like a growth.
    if (-decay * n > std::max(0.1, 3 * deviation * n)) return;
    // Of a shorter record only what decays in it.
    if (!whole && decay * n < 3) return;
    if (!(0.5 * line.angular.real() / std::max(decay, 1e-300) >= keep_.quality)) return;
    candidates.push_back({line, deviation, std::max(0.7 * 2 * pi / n, decay)});
  }

  /// Lines may stay where they are and still not be the signal's, as those of a pair too near to be told
  /// apart: their noise is what they leave around them. Lines near each other must be those of a part of the
  /// record, too.
  void widen(std::vector<AcceptedLine>& list, std::span<const cplx> part, double threshold) const {
    const double n = double(part.size());
    std::optional<Record> rest;
    std::optional<std::vector<Line>> shorter;
    for (AcceptedLine& b : list) {
      const std::vector<Line> cluster = cluster_of(b, list, part.size());
      if (!rest) rest = without({part.begin(), part.end()}, lines_of(list));
      b.deviation *= std::max(1.0, left_around(b.line, cluster, *rest, step_) / noise_);
      if (cluster.size() == 1) continue;
      if (!shorter)
        shorter = filter_diagonalisation(part.first(part.size() * 3 / 4), step_, wide_, {threshold}).front();
      b.deviation = std::max(b.deviation, moves * std::sqrt(nearest(b.line, *shorter)));
    }
    std::erase_if(list, [&](const AcceptedLine& b) { return !steady(b.line, b.deviation, n); });
  }

  /// A line alone that lasts through the record may be two. Of shorter records the rest has lines that are
  /// not in the list.
  void seek_pairs(std::vector<AcceptedLine>& list) const {
    if (list.empty()) return;
    const Record rest = without(c_, lines_of(list));
    for (AcceptedLine& b : list) {
      if (-b.line.angular.imag() * double(c_.size()) > over || cluster_of(b, list, c_.size()).size() > 1)
        continue;
      const Split split = split_of(b.line, rest, step_, noise_);
      b.hidden = std::sqrt(clearly * split.noise);
      if (split.moment > clearly * split.noise) b.pair = std::sqrt(split.moment);
    }
  }

  void add(const std::vector<AcceptedLine>& candidates, index_t samples, bool whole) {
    std::vector<AcceptedLine> narrow, broad;
    for (const AcceptedLine& c : candidates) {
      const bool lasts = whole && -c.line.angular.imag() * double(samples) <= over;
      if (!is_known(accepted_, c, lasts)) (lasts ? narrow : broad).push_back(c);
    }
    accepted_.insert(accepted_.end(), narrow.begin(), narrow.end());
    std::vector<AcceptedLine> explaining;
    for (const AcceptedLine& c : broad)
      if (explains(c, broad, samples)) explaining.push_back(c);
    accepted_.insert(accepted_.end(), explaining.begin(), explaining.end());
  }

  /// Whether a line that is over before the record's end, and those found with it, are in what the other
  /// lines leave at its beginning: many lines outside a window, or more than a short record has room for, may
  /// look like such a line whatever the noise.
  bool explains(const AcceptedLine& c, const std::vector<AcceptedLine>& found, index_t samples) const {
    while (-c.line.angular.imag() * double(samples) > over && samples / next_share >= fewest_samples)
      samples /= next_share;
    const double f = c.line.angular.real() / (2 * pi * step_), reach = around / (double(samples) * step_);
    const WindowedSpectrum spectrum(samples, step_, {f - reach, f + reach});
    const Record before = without({c_.begin(), c_.begin() + samples}, lines_of(accepted_));
    return length(spectrum.of(without(before, lines_of(found)))) < 0.7 * length(spectrum.of(before));
  }

  std::vector<Resonance> resonances(Resonance& beside) const {
    std::vector<Resonance> list;
    double most = 0;
    for (const AcceptedLine& b : accepted_) {
      const Resonance r = resonance(b);
      if (r.frequency < band_.from || r.frequency > band_.to) {
        if (r.amplitude > beside.amplitude) beside = r;
        continue;
      }
      list.push_back(r);
      most = std::max(most, r.amplitude);
    }
    std::erase_if(list, [&](const Resonance& r) { return r.amplitude < keep_.amplitude * most; });
    std::sort(list.begin(), list.end(),
              [](const Resonance& a, const Resonance& b) { return a.frequency < b.frequency; });
    return list;
  }

  Resonance resonance(const AcceptedLine& b) const {
    const double w = b.line.angular.real(), decay = -b.line.angular.imag();
    const double uncertain = std::max({2 * b.deviation, b.pair, 1e-15 * std::abs(w)});
    Resonance r;
    r.frequency = w / (2 * pi * step_);
    r.at_least = decay <= std::max(uncertain, b.hidden);
    r.quality = 0.5 * std::abs(w) / (r.at_least ? std::abs(decay) + uncertain : decay);
    r.amplitude =
        std::abs(b.line.amplitude) * (real_ ? 2 : 1);  // the other half is at the negative frequency
    r.phase = std::arg(b.line.amplitude) * 180 / pi;
    r.error = uncertain / std::abs(w);
    return r;
  }

  double step_;
  Band band_, wide_;
  bool real_;
  InversionFilter keep_;
  LeftOver left_;
  const Record& c_;
  double noise_ = 0;
  std::vector<AcceptedLine> accepted_;
};

void check_band(double step, double from, double to) {
  if (!(from < to))
    throw BadInput(
        fmt::format("empty frequency band {} to {} (from must be below to); exchange them", from, to));
  if (!(std::max(std::abs(from), std::abs(to)) * step < 0.5))
    throw BadInput(
        fmt::format("frequency band {} to {} ends above half the sampling rate {} (aliases); sample "
                    "more often or lower the band",
                    from, to, 0.5 / step));
}

}  // namespace

Inversion invert(std::span<const cplx> samples, double step, double from, double to,
                 const InversionFilter& keep) {
  check_band(step, from, to);
  return Inverter(Record(samples.begin(), samples.end()), step, {from, to}, false, keep).run();
}

Inversion invert(std::span<const double> samples, double step, double from, double to,
                 const InversionFilter& keep) {
  check_band(step, from, to);
  return Inverter(Record(samples.begin(), samples.end()), step, {from, to}, true, keep).run();
}

std::vector<Resonance> harmonic_inversion(std::span<const double> samples, double step, double from,
                                          double to) {
  return invert(samples, step, from, to).lines;
}

std::vector<Resonance> harmonic_inversion(std::span<const cplx> samples, double step, double from,
                                          double to) {
  return invert(samples, step, from, to).lines;
}

}  // namespace umov::fdtd
