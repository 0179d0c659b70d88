// Series monitors: a field over time at a point or over a drawn shape.
#include <fmt/format.h>

#include <cmath>

#include "fdtd/observables/interpolation.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/observables/sampling.hpp"

namespace umov::fdtd {
namespace {

class Series : public MonitorPart {
 public:
  Series(const MonitorSpec& m, const Simulation& sim, Problem& p) : name_(m.name) {
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

  void collect(const Collecting&, Outcome& out) const override {
    for (const Track& t : tracks_) {
      if (t.mean.thinned())
        out.warnings.push_back(
            fmt::format("monitor '{}' keeps a sample every {:.4g} of time only (the run is long) "
                        "give it an interval",
                        name_, t.mean.step()));
      out.series.push_back(result(t));
    }
  }

 private:
  struct Track {
    Component component;
    Samples mean;
    std::vector<Samples> squares;  ///< one for a drawn shape
  };

  SeriesResult result(const Track& t) const {
    SeriesResult r;
    r.name = name_;
    r.component = t.component;
    r.value.assign(t.mean.value().begin(), t.mean.value().end());
    r.imag.assign(t.mean.imag().begin(), t.mean.imag().end());
    for (std::size_t s = 0; s < t.mean.size(); ++s) r.time.push_back(t.mean.time(s));
    std::vector<double> square(r.value.size());
    for (std::size_t s = 0; s < square.size(); ++s)
      square[s] = r.value[s] * r.value[s] + (r.imag.empty() ? 0 : r.imag[s] * r.imag[s]);
    for (const Samples& s : t.squares) {
      for (std::size_t i = 0; i < s.size() && i < square.size(); ++i) {
        square[i] = s.value()[i] + (s.imag().empty() ? 0 : s.imag()[i]);
        r.rms.push_back(std::sqrt(square[i]));
      }
    }
    const std::size_t tail = (square.size() + 9) / 10;
    double sum = 0;
    for (std::size_t s = square.size() - tail; s < square.size(); ++s) sum += square[s];
    r.rms_total = tail > 0 ? std::sqrt(sum / double(tail)) : 0;
    return r;
  }

  std::string name_;
  std::vector<Track> tracks_;
};

}  // namespace

Part make_series(const MonitorSpec& m, const Simulation& sim, Problem& p) {
  return std::make_unique<Series>(m, sim, p);
}

}  // namespace umov::fdtd
