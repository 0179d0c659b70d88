// Series monitors: a field over time at a point or over a drawn shape.
#include "fdtd/monitors/series.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "fdtd/observables/drawn_series.hpp"
#include "fdtd/observables/interpolation.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/observables/sampling.hpp"
#include "fdtd/observables/steady.hpp"

namespace umov::fdtd {
namespace {

class Series : public MonitorPart {
 public:
  Series(const MonitorSpec& m, const Simulation& sim, Problem& p)
      : name_(m.name), normalized_(sim.normalize && !m.pixels.empty()), waves_(continuous_frequencies(sim)) {
    const int interval = series_interval(m, sim, p.grid);
    for (const Component c : recorded_components(m, p.grid.mode)) {
      tracks_.push_back({c, Samples(p, c, interval, place(m, c, sim, p)), {}});
      if (!m.pixels.empty())
        tracks_.back().squares.emplace_back(p, c, interval, place(m, c, sim, p, true), true);
    }
  }

  std::vector<Samples*> samples() override {
    std::vector<Samples*> all;
    for (Track& t : tracks_) {
      all.push_back(&t.mean);
      for (Samples& s : t.squares) all.push_back(&s);
    }
    return all;
  }
  std::vector<const Samples*> oscillating() const override {
    std::vector<const Samples*> all;
    for (const Track& t : tracks_) all.push_back(&t.mean);
    return all;
  }

  /// For the run that this one is the reference of. A checkpoint has the samples besides.
  void save(ByteWriter& out) const override {
    for (const Track& t : tracks_)
      if (normalized_) save_series(result(t), out);
  }
  void restore(ByteReader& in) override {
    for (std::size_t k = 0; normalized_ && k < tracks_.size(); ++k) saved_series(in);
  }

  void collect(const Collecting& from, Outcome& out) const override {
    MemoryReader reference(from.reference_record);
    for (const Track& t : tracks_) {
      if (t.mean.thinned())
        out.warnings.push_back(
            fmt::format("monitor '{}' keeps a sample every {:.4g} of time only (the run is long) "
                        "give it an interval",
                        name_, t.mean.step()));
      out.of<SeriesResult>().push_back(result(t));
      if (normalized_ && from.reference) add_pair(t, saved_series(reference), out);
    }
  }

 private:
  struct Track {
    Component component;
    Samples mean;
    std::vector<Samples> squares;  ///< one for a drawn shape
  };

  static void save_series(const SeriesResult& r, ByteWriter& out) {
    for (const auto* list : {&r.time, &r.value, &r.imag, &r.rms}) out(*list);
  }
  static SeriesResult saved_series(ByteReader& in) {
    SeriesResult r;
    for (auto* list : {&r.time, &r.value, &r.imag, &r.rms}) in(*list);
    return r;
  }

  /// The incident series, of the reference run, and the scattered one, which is the rest of the total.
  void add_pair(const Track& t, SeriesResult incident, Outcome& out) const {
    const SeriesResult total = result(t);
    prolong(incident, total);
    if (incident.time.size() < total.time.size() || total.time.empty()) return;
    for (auto* list : {&incident.time, &incident.value, &incident.imag, &incident.rms})
      if (list->size() > total.time.size()) list->resize(total.time.size());
    SeriesResult scattered;
    scattered.time = total.time;
    for (std::size_t s = 0; s < total.time.size(); ++s) {
      scattered.value.push_back(total.value[s] - incident.value[s]);
      if (!total.imag.empty()) scattered.imag.push_back(total.imag[s] - incident.imag[s]);
    }
    for (const auto& [series, ending] :
         {std::pair(&incident, incident_ending), std::pair(&scattered, scattered_ending)}) {
      series->name = name_ + ending;
      series->component = t.component;
      set_rms_at_end(*series, waves_);
      out.of<SeriesResult>().push_back(std::move(*series));
    }
  }

  /// A reference run is steady, and ends, before the run: its waves go on as they are at its end.
  void prolong(SeriesResult& r, const SeriesResult& longer) const {
    const std::size_t there = r.time.size();
    if (there >= longer.time.size() || waves_.empty() || there < 2) return;
    const auto count = std::size_t(std::ceil(window_of(waves_) / (r.time[1] - r.time[0])));
    if (there < count || r.time[1] != longer.time[1]) return;
    const auto fitted = fit_waves(
        count, [&](std::size_t i) { return r.time[there - count + i]; },
        [&](std::size_t i) {
          const std::size_t s = there - count + i;
          return cplx(r.value[s], r.imag.empty() ? 0 : r.imag[s]);
        },
        waves_);
    r.rms.clear();  // of the mean over the shape alone the phase is known
    for (std::size_t s = there; s < longer.time.size(); ++s) {
      const double time = longer.time[s];
      cplx value = 0;
      for (std::size_t f = 0; f < waves_.size(); ++f)
        value += fitted[2 * f] * std::cos(2 * pi * waves_[f] * time) +
                 fitted[2 * f + 1] * std::sin(2 * pi * waves_[f] * time);
      r.time.push_back(time);
      r.value.push_back(value.real());
      if (!r.imag.empty()) r.imag.push_back(value.imag());
    }
  }

  SeriesResult result(const Track& t) const {
    SeriesResult r;
    r.name = name_;
    r.component = t.component;
    r.value.assign(t.mean.value().begin(), t.mean.value().end());
    r.imag.assign(t.mean.imag().begin(), t.mean.imag().end());
    for (std::size_t s = 0; s < t.mean.size(); ++s) r.time.push_back(t.mean.time(s));
    for (const Samples& s : t.squares)
      for (std::size_t i = 0; i < s.size() && i < r.value.size(); ++i)
        r.rms.push_back(std::sqrt(s.value()[i] + (s.imag().empty() ? 0 : s.imag()[i])));
    set_rms_at_end(r, waves_);
    return r;
  }

  std::string name_;
  bool normalized_;
  std::vector<double> waves_;  ///< frequencies of the sources that never end
  std::vector<Track> tracks_;
};

}  // namespace

Part make_series(const MonitorSpec& m, const Simulation& sim, Problem& p) {
  return std::make_unique<Series>(m, sim, p);
}

}  // namespace umov::fdtd
