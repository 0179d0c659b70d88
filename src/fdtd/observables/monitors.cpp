// All monitors of a case together: what is asked of them is asked of each part.
#include "fdtd/observables/monitors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "fdtd/cut_edges.hpp"
#include "fdtd/kind_names.hpp"
#include "fdtd/observables/interpolation.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/observables/references.hpp"
#include "fdtd/observables/sampling.hpp"
#include "fdtd/sources/mode_band.hpp"

namespace umov::fdtd {

namespace {

/// A part with its transforms as they were when they last changed.
struct Watched {
  Part part;
  bool guided = false;  ///< of modes
  TransformValues last;
  double change = infinity;
};

/// What comes to a monitor of modes counts from this share of the amplitude at the one where most comes:
/// below, at a port that symmetry keeps dark, rounding never ends.
constexpr double least_amplitude = 1e-3;

/// Points on a coarse lattice inside the layers: where to look for a steady state without series.
std::vector<Samples> probes(const Simulation& sim, Problem& p) {
  const Whole whole(sim, p);
  const DomainBounds bounds(whole);
  const Component c = recorded_components({}, p.grid.mode).front();
  std::vector<Samples> list;
  const auto at = [&](int a, int i) {
    return bounds.inner.lo[a] + (bounds.inner.hi[a] - bounds.inner.lo[a]) * (i + 0.5) / 3;
  };
  const int n = dimensions(p.grid.mode);
  for (int k = 0; k < (n > 2 ? 3 : 1); ++k)
    for (int j = 0; j < (n > 1 ? 3 : 1); ++j)
      for (int i = 0; i < 3; ++i)
        list.emplace_back(p, c, series_interval({}, sim, p.grid),
                          interpolate(whole, p, c, {at(0, i), n > 1 ? at(1, j) : 0, n > 2 ? at(2, k) : 0}));
  return list;
}

}  // namespace

/// When fluxes, orders and scattered powers are recorded: from `first` on every `spacing` steps; after `most`
/// records every second one goes, and the spacing doubles: the last half, quarter and eighth of the record
/// have records (FluxHistory), whenever the run ends. Where it is known when it ends, only those are made
/// that would be left. `energy` is the largest since the record before, or where one was not made: it swings
/// with the fields.
struct Looks {
  static constexpr int most = 32;
  bool wanted = false;
  long first = 1, spacing = 1;
  int count = 0;
  double energy = 0;

  /// How many of this spacing there are until a step, that included.
  long until(long step) const { return step / spacing - (first - 1) / spacing; }
  long next(long step) const { return (std::max(step, first - 1) / spacing + 1) * spacing; }
  /// One more is made at a step; whether those of the spacing so far are thinned.
  bool made(long step) {
    if (++count < most) return false;
    spacing *= 2;
    count = int(until(step));
    return true;
  }
};

struct Monitors::Parts {
  std::vector<Watched> parts;
  Looks looks;
  std::vector<Samples> probes;
  std::vector<double> continuous;
  std::size_t accumulators = 0;
  double dt = 1;
  long closest = 1;  ///< spacing of looks at the beginning, where the end is not known
  long step = 0;     ///< when samples came last

  /// When the record before that of step n is, or would be if the end were not known; 0: n has the first.
  long look_before(long n) const {
    Looks all{true, looks.first, closest, 0, 0};
    long before = 0;
    for (long at = all.next(0); at < n; at = all.next(at)) all.made(before = at);
    return before;
  }
  std::vector<Samples*> samples() {
    std::vector<Samples*> all;
    for (const Watched& w : parts)
      for (Samples* s : w.part->samples()) all.push_back(s);
    for (Samples& s : probes) all.push_back(&s);
    return all;
  }
};

Monitors::Monitors(const Simulation& sim, const Scene& scene, Problem& p, int threads, const Told& told)
    : parts_(std::make_unique<Parts>()) {
  bool steady = false;
  std::string of;
  SolvedModes solved({threads, [&](int done, int all) {
                        if (told) told(fmt::format("modes of {}: {} of {} solved", of, done, all));
                      }});
  for (const MonitorSpec& m : sim.monitors) {
    of = called(m);
    if (const auto problem = reference_problem(sim, m); !problem.empty())
      throw BadInput(fmt::format("{}: {}", called(m), problem));
    Part part = kind_of(m).make(m, {sim, scene, p, solved});
    if (!part) continue;
    steady |= !part->oscillating().empty();
    parts_->parts.push_back({std::move(part), m.kind == MonitorSpec::Kind::mode, {}});
  }
  parts_->continuous = continuous_frequencies(sim);
  parts_->dt = p.grid.dt;
  if (sim.stop.steady > 0 && !steady) parts_->probes = probes(sim, p);
  parts_->accumulators = p.fouriers.size();
  record_fields(p);
  const double end = sources_end(sim, p);
  const long fixed = sim.stop.steps > 0 ? sim.stop.steps : std::lround(sim.stop.time / p.grid.dt);
  const bool endless = !std::isfinite(end);
  parts_->looks.wanted = (!endless || (sim.normalize && fixed > 0)) &&
                         std::any_of(sim.monitors.begin(), sim.monitors.end(),
                                     [](const auto& m) { return traits_of(m).uncertainty; });
  if (!parts_->looks.wanted) return;
  // What still comes is told by what came since the sources fell; of endless waves the later half counts.
  const double fall = endless ? double(fixed / 2) : sources_fall(sim, p) / p.grid.dt;
  const double span = endless ? fall : end / p.grid.dt - fall;
  Looks& looks = parts_->looks;
  looks.first = std::max(1L, std::lround(fall));
  looks.spacing = std::max(std::lround(span / 16), 4L);
  if (!endless) looks.spacing = std::min(looks.spacing, 100L);
  parts_->closest = looks.spacing;
  while (looks.until(fixed) >= Looks::most) looks.spacing *= 2;
}

Monitors::~Monitors() = default;
Monitors::Monitors(Monitors&&) noexcept = default;

void Monitors::drain(Engine& engine) {
  for (Samples* s : parts_->samples()) s->drain(engine);
  parts_->step = engine.step();
}

double Monitors::fourier_change(const Engine& engine, double most) {
  struct Look {
    TransformValues now;
    double largest = 0;
  };
  std::vector<Look> looks;
  double brightest = 0;
  for (Watched& w : parts_->parts) {
    const Transforms* t = w.part->transforms();
    looks.push_back({});
    if (!t) continue;
    Look& look = looks.back();
    look.now = t->values(engine);
    const std::vector<double> size = squared_norms(look.now, nullptr, t->frequencies().size());
    look.largest = *std::max_element(size.begin(), size.end());
    if (w.guided) brightest = std::max(brightest, look.largest);
  }
  double worst = 0;
  bool any = false;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    Watched& w = parts_->parts[i];
    const Transforms* t = w.part->transforms();
    if (!t) continue;
    const double scale =
        std::max(looks[i].largest, w.guided ? least_amplitude * least_amplitude * brightest : 0);
    w.change = infinity;
    if (scale > 0 && !w.last.empty()) {
      const std::vector<double> change = squared_norms(looks[i].now, &w.last, t->frequencies().size());
      w.change = std::sqrt(*std::max_element(change.begin(), change.end()) / scale);
    }
    if (!(looks[i].largest > 0)) continue;  // nothing has come here, and may never do
    any = true;
    worst = std::max(worst, w.change);
  }
  if (!any) worst = infinity;
  if (worst >= most)
    for (std::size_t i = 0; i < looks.size(); ++i) parts_->parts[i].last = std::move(looks[i].now);
  return worst;
}

long Monitors::next_record(long step) const {
  const Looks& looks = parts_->looks;
  if (!looks.wanted) return std::numeric_limits<long>::max();
  return looks.next(step);
}

void Monitors::note_energy(double energy) {
  if (!parts_->looks.wanted || parts_->step <= parts_->look_before(next_record(parts_->step - 1))) return;
  parts_->looks.energy = std::max(parts_->looks.energy, energy);
}

void Monitors::record(const Engine& engine) {
  Looks& looks = parts_->looks;
  const long step = engine.step();
  if (!looks.wanted || step < looks.first || step % looks.spacing != 0) return;
  for (Watched& w : parts_->parts) w.part->record(engine, double(step) * parts_->dt, looks.energy);
  looks.energy = 0;
  if (!looks.made(step)) return;
  for (Watched& w : parts_->parts) w.part->thin(looks.spacing);
}

Settling Monitors::settling() const {
  std::vector<Oscillation> series;
  const auto add = [&](const Samples& s) { series.push_back({s.time(0), s.step(), s.value(), s.imag()}); };
  for (const Watched& w : parts_->parts)
    for (const Samples* s : w.part->oscillating()) add(*s);
  for (const Samples& s : parts_->probes) add(s);
  return fdtd::settling(series, parts_->continuous);
}

ReferenceFields Monitors::reference(const Engine& engine) const {
  ReferenceFields r;
  for (std::size_t a = 0; a < parts_->accumulators; ++a) r.fourier.push_back(engine.fourier(int(a)));
  for (const Watched& w : parts_->parts) {
    MemoryWriter record;
    w.part->save(record);
    r.records.push_back(record.take());
  }
  return r;
}

bool Monitors::match(const ReferenceFields& reference) const {
  return reference.fourier.size() == parts_->accumulators && reference.records.size() == parts_->parts.size();
}

void Monitors::collect(const Engine& engine, const ReferenceFields* reference, Outcome& out,
                       FourierSink* fouriers) const {
  if (reference && !match(*reference))
    throw BadInput(
        "the reference run has other monitors than the run itself (their fields are compared point by "
        "point); use one case for both");
  const auto collect_those = [&](bool after_fluxes) {
    for (std::size_t i = 0; i < parts_->parts.size(); ++i) {
      const MonitorPart& part = *parts_->parts[i].part;
      if (part.after_fluxes() != after_fluxes) continue;
      std::span<const std::byte> record;
      if (reference) record = reference->records[i];
      part.collect({engine, reference, record, fouriers}, out);
    }
  };
  collect_those(false);
  for (const MonitorKind* kind : monitor_kinds()) kind->finish(out);
  collect_those(true);
}

std::vector<std::byte> Monitors::save() const {
  MemoryWriter out;
  for (const Samples* s : parts_->samples()) s->save(out);
  for (const Watched& w : parts_->parts) {
    out(w.change);
    fdtd::save(w.last, out);
    w.part->save(out);
  }
  out(parts_->looks);
  return out.take();
}

void Monitors::restore(const std::vector<std::byte>& bytes) {
  MemoryReader in(bytes);
  for (Samples* s : parts_->samples()) s->restore(in);
  for (Watched& w : parts_->parts) {
    in(w.change);
    fdtd::restore(w.last, in);
    w.part->restore(in);
  }
  in(parts_->looks);
  in.finish();
}

}  // namespace umov::fdtd
