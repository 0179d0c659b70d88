#include "eqs/observables/scalar_results.hpp"

#include <algorithm>
#include <cmath>

#include "eqs/observables/peaks.hpp"

namespace umov::eqs {

namespace {

/// The largest size in a list; NaN where there is none.
template <class List>
double largest(const List& list) {
  double most = nan;
  for (const auto x : list)
    if (!std::isnan(x)) most = std::isnan(most) ? std::abs(double(x)) : std::max(most, std::abs(double(x)));
  return most;
}

double at(const std::vector<double>& list, std::size_t i) { return i < list.size() ? list[i] : 0; }

class Scalars {
 public:
  explicit Scalars(const Outcome& o) : o_(o), peaks_(o), lasting_(o, o.first_lasting()) {}

  std::vector<ScalarResult> take() {
    materials();
    electrodes();
    whole();
    places();
    capacitances();
    effort();
    return std::move(out_);
  }

 private:
  void add(const std::string& name, const char* unit, const std::string& text, double value) {
    out_.push_back({name, unit, text, value});
  }
  template <class F>
  std::vector<double> series(const F& f) const {
    std::vector<double> values;
    for (const Record& r : o_.history) values.push_back(f(r));
    return values;
  }
  /// The largest size, between steps too.
  template <class F>
  double peak(const F& f) const {
    return peak(f, peaks_);
  }
  template <class F>
  double peak(const F& f, const Peaks& instants) const {
    std::vector<double> sizes = series(f);
    for (double& v : sizes) v = std::abs(v);
    const double found = sizes.empty() ? nan : instants.find(sizes).value;
    return std::isnan(found) ? largest(sizes) : found;
  }

  void materials() {
    const auto most = extremes(o_);
    for (std::size_t m = 0; m < most.size(); ++m)
      add(o_.material_names[m] + " peak", "V/m", "largest |E| in material " + o_.material_names[m],
          o_.history.empty() ? nan : most[m].field);
  }

  void electrodes() {
    for (std::size_t e = 0; e < o_.electrode_names.size(); ++e) {
      const auto size = [&](const std::vector<double> Observation::*re,
                            const std::vector<double> Observation::*im) {
        const auto of = [&](const Record& r) { return std::hypot(at(r.seen.*re, e), at(r.seen.*im, e)); };
        if (re == &Observation::current) return peak(of, lasting_);
        if (re != &Observation::potential || !driven_in_time(e)) return peak(of);
        const WaveformSpec& w = o_.simulation.electrodes[e].waveform;
        // a table bends where steps end, and the case has its file's name alone
        return w.kind == WaveformSpec::Kind::table ? largest(series(of)) : peaks_.largest(w);
      };
      const std::string& name = o_.electrode_names[e];
      add(name + " potential", "V", "largest potential of " + name,
          size(&Observation::potential, &Observation::potential_imaginary));
      add(name + " charge", "C", "largest charge of " + name,
          size(&Observation::charge, &Observation::charge_imaginary));
      if (o_.conducts())
        add(name + " current", "A", "largest current of " + name,
            size(&Observation::current, &Observation::current_imaginary));
    }
  }

  void whole() {
    add("energy", "J", "largest stored energy", peak([](const Record& r) { return r.seen.energy; }));
    if (!o_.conducts()) return;
    add("power", "W", "largest lost power", peak([](const Record& r) { return r.seen.power; }, lasting_));
    for (std::size_t m = 0; m < o_.material_names.size(); ++m)
      add(o_.material_names[m] + " power", "W", "largest power lost in material " + o_.material_names[m],
          peak([&](const Record& r) { return at(r.seen.material_power, m); },
               m < o_.passing.size() && o_.passing[m] ? lasting_ : peaks_));
    if (o_.simulation.analysis != Analysis::transient) return;
    const double lost = o_.history.empty() ? nan : o_.history.back().seen.dissipated;
    add("dissipated", "J", "energy lost in the run", lost);
    const auto periods = energy_per_period(o_);
    // a last period that is not whole has none
    add("loss", "W", "mean power lost in the last whole period; without one, over the run",
        periods.empty() ? lost / o_.end : periods.back() / o_.period);
  }

  void places() {
    const auto& points = o_.simulation.outputs.points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      add(points[i].name + " E", "V/m", "largest |E| at point " + points[i].name,
          peak([&](const Record& r) { return r.point_magnitude(i); }));
      add(points[i].name + " potential", "V", "largest potential at point " + points[i].name,
          peak([&](const Record& r) { return at(r.point_potential, i); }));
    }
    for (const auto& line : o_.lines) {
      add(line.name + " E", "V/m", "largest |E| along line " + line.name + " at the saved times",
          largest(line.magnitude));
      add(line.name + " tangential", "V/m", "largest E along line " + line.name + " at the saved times",
          largest(line.tangential));
    }
    for (const auto& surface : o_.surfaces)
      add(surface.name + " tangential", "V/m",
          "largest E along surface " + surface.name + " at the saved times", largest(surface.tangential));
  }

  void capacitances() {
    for (std::size_t a = 0; a < o_.capacitance.size(); ++a)
      for (std::size_t b = 0; b <= a; ++b)
        add("C " + o_.electrode_names[a] + " " + o_.electrode_names[b], "F",
            "charge on " + o_.electrode_names[a] + " per volt on " + o_.electrode_names[b],
            o_.capacitance[a][b]);
  }

  void effort() {
    add("unknowns", "1", "unknowns", double(o_.model.unknowns));
    add("steps", "1", "accepted steps", double(o_.steps));
    add("newton", "1", "iterations of Newton's method", double(o_.newton));
    add("linear", "1", "iterations of the conjugate gradients", double(o_.linear));
    add("seconds", "s", "time of steps and solutions, beside what else was computed", o_.seconds);
  }

  bool driven_in_time(std::size_t e) const {
    const auto& all = o_.simulation.electrodes;
    return o_.simulation.analysis == Analysis::transient && !o_.history.empty() && e < all.size() &&
           all[e].kind == ElectrodeSpec::Kind::driven;
  }

  const Outcome& o_;
  Peaks peaks_, lasting_;  ///< of all records; of those that largest currents are taken from
  std::vector<ScalarResult> out_;
};

}  // namespace

std::vector<ScalarResult> scalar_results(const Outcome& o) { return Scalars(o).take(); }

const std::vector<std::string>& effort_names() {
  static const std::vector<std::string> names{"unknowns", "steps", "newton", "linear", "seconds"};
  return names;
}

}  // namespace umov::eqs
