#include "eqs/run/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "core/text.hpp"
#include "eqs/integrators/stabilised_scheme.hpp"
#include "eqs/model/model_parts.hpp"
#include "eqs/model/pattern.hpp"
#include "eqs/run/solutions.hpp"
#include "run/version.hpp"

namespace umov::eqs {

namespace {

/// Times at which the size of the potentials is taken.
constexpr int norms = 16;

constexpr Method methods[] = {
    {'B', "sdirk3, preconditioners set up anew", Scheme::sdirk3, SpectralRadius::bound, StartVector::last,
     false},
    {'C', "sdirk3, preconditioners reused", Scheme::sdirk3, SpectralRadius::bound, StartVector::last},
    {'D', "rkc, start vectors: last", Scheme::rkc, SpectralRadius::richter, StartVector::last},
    {'E', "rkc, start vectors: spe", Scheme::rkc, SpectralRadius::richter, StartVector::spe},
    {'F', "rkc, start vectors: pod", Scheme::rkc, SpectralRadius::richter, StartVector::pod},
    {'G', "rkc, start vectors: pod-renewed", Scheme::rkc, SpectralRadius::richter, StartVector::pod_renewed},
    {'H', "sdirk3, start vectors: spe", Scheme::sdirk3, SpectralRadius::bound, StartVector::spe},
    {'I', "rkc by the power method, start vectors: last", Scheme::rkc, SpectralRadius::power,
     StartVector::last},
    {'J', "rkc by the bound, start vectors: spe", Scheme::rkc, SpectralRadius::bound, StartVector::spe}};

const Method* find(std::string_view word) {
  const auto at = std::find_if(std::begin(methods), std::end(methods),
                               [&](const Method& m) { return word == std::string_view(&m.letter, 1); });
  return at == std::end(methods) ? nullptr : at;
}

std::vector<Method> chosen(const ComparisonSpec& spec) {
  std::vector<Method> out;
  if (spec.methods.empty()) return {std::begin(methods), std::end(methods)};
  for (const std::string& word : spec.methods) {
    if (word == "A")
      throw BadInput(
          "'compare.methods' has 'A' (it is B on processors); ask for B with machine.backend = \"cpu\"");
    const Method* method = find(word);
    if (!method)
      throw BadInput(fmt::format("'compare.methods' has '{}' (known: B to J); correct it", shortened(word)));
    out.push_back(*method);
  }
  return out;
}

double norm_of(const std::vector<double>& u) {
  double sum = 0;
  for (const double x : u) sum += x * x;
  return std::sqrt(sum);
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// Of a field that is zero at all times, say of electrodes at 0 V, an error is none of it: it is in V then.
double relative(double error, double scale) { return scale > 0 ? error / scale : error; }

/// Keeps the potentials of the last frame, and the largest norm of one.
class LastFrame final : public FrameSink {
 public:
  void begin(const Problem& p, const std::vector<double>&, std::size_t) override { nodes_ = p.nodes; }
  void frame(std::size_t, const double* u, const std::vector<float>&) override {
    potential.assign(u, u + nodes_);
    largest = std::max(largest, norm_of(potential));
  }
  std::vector<double> potential;
  double largest = 0;

 private:
  int nodes_ = 0;
};

class Comparer {
 public:
  Comparer(const Simulation& sim, const run::Machine& machine, const ComparisonSpec& spec,
           const RunObserver& observer)
      : asked_(sim), spec_(spec), journal_(observer), methods_(chosen(spec)) {
    if (sim.analysis != Analysis::transient)
      throw BadInput(
          "a comparison is of methods in time, and the analysis has no steps; set analysis = "
          "\"transient\"");
    if (sim.time.steady_state)
      throw BadInput(
          "a comparison is of methods that march from the start (time.steady_state does not); leave "
          "time.steady_state out");
    for (const std::string& note : comparison_notes(sim, machine, methods_)) journal_.warn(note);
    Simulation bare = sim;
    bare.outputs.vtk = bare.outputs.vtu = bare.outputs.pictures = false;
    bare.outputs.lines.clear(), bare.outputs.surfaces.clear(), bare.outputs.cuts.clear(),
        bare.outputs.points.clear();
    bare.outputs.times.clear();
    bare.outputs.capacitance = false;
    bare.outputs.interval = *sim.time.moment() / norms;
    bare.time.step = 0;
    run::Machine own = machine;
    own.output_dir.clear();
    base_ = prepare(bare, own, journal_);
    base_.problem.patterns = std::make_shared<SharedPatterns>();
    require_memory(base_);
    choose_steps();
  }

  Comparison take() {
    auto& out = out_;
    out.simulation = asked_;
    out.machine = base_.machine;
    out.version = run::version();
    out.mesh = base_.summary.source;
    out.unknowns = base_.summary.unknowns;
    out.order = base_.summary.order;
    out.end = base_.schedule.end;
    if (spec_.errors) {
      journal_.stage("reference");
      reference();
    }
    for (const Method& m : methods_) {
      journal_.stage(fmt::format("method {}", m.letter));
      run_method(m);
    }
    bool implicit = false, stabilised = false;
    for (const Method& m : methods_) (m.scheme == Scheme::sdirk3 ? implicit : stabilised) = true;
    if (spec_.errors && implicit) take_errors(*find("C"));
    if (spec_.errors && stabilised) take_errors(*find("D"));
    out.warnings = journal_.warnings();
    return std::move(out);
  }

 private:
  void choose_steps() {
    const double end = base_.schedule.end;
    steps_ = spec_.steps;
    if (steps_.empty()) {
      const double longest = (base_.schedule.period > 0 ? std::min(base_.schedule.period, end) : end) / 20;
      for (int k = 0; k < 5; ++k) steps_.push_back(longest / (1 << k));
    }
    for (const double h : steps_)
      if (!(h > 0) || std::abs(end / h - std::round(end / h)) > 1e-6 * end / h)
        throw BadInput(
            fmt::format("'compare.steps' has {} s (of which the end, {} s, is no multiple); take another",
                        shortest(h), shortest(end)));
    std::sort(steps_.rbegin(), steps_.rend());
    out_.reference_step = steps_.back() / 4;
  }

  Problem problem_of(const Method& m, bool fixed) const {
    Problem p = base_.problem;
    p.time.scheme = m.scheme;
    // fixed steps have no errors that stages could follow from
    const bool by_errors = m.spectral_radius == SpectralRadius::richter;
    p.time.spectral_radius = fixed && by_errors ? SpectralRadius::bound : m.spectral_radius;
    p.linear.start_vector = m.start_vector;
    p.linear.reuse = p.linear.reuse && m.reuse;
    // bases of bodies are for implicit steps alone, as in a run of this method by itself
    if (is_stabilised(m.scheme) != is_stabilised(base_.problem.time.scheme)) {
      find_bodies(p);
      p.warnings = base_.problem.warnings;
    }
    p.time.step = fixed ? out_.reference_step : 0;
    return p;
  }
  std::unique_ptr<Engine> engine_of(const Problem& p) {
    const run::Machine& m = base_.machine;
    auto engine = make_engine(p, {m.backend, m.threads, m.gpu()});
    out_.device = engine->device();
    return engine;
  }
  void stop_if_asked(const Engine& engine, long steps) {
    const auto& watch = journal_.observer().time;
    if (watch && !watch({engine.time(), base_.schedule.end, steps, 0, newton_, linear_}))
      throw run::Interrupted("interrupted; of a comparison nothing is kept");
  }

  /// Equal steps to a time; false where one cannot be taken. `estimates` gets what each step says of its
  /// error.
  bool march(Engine& engine, double to, double step, std::vector<double>* estimates = nullptr) {
    const double from = engine.time();
    const long n = std::max(1L, std::lround((to - from) / step));
    for (long k = 0; k < n; ++k) {
      const double dt = from + (to - from) * double(k + 1) / double(n) - engine.time();
      if (engine.plan(dt, dt) < dt * (1 - 1e-12)) return false;
      const StepTry tried = engine.attempt(dt);
      const Effort& effort = tried.effort;
      newton_ += effort.newton, linear_ += effort.linear;
      if (!effort.converged) {
        why_not_ = effort.why_not;
        return false;
      }
      if (estimates) estimates->push_back(tried.error);
      engine.accept();
      stop_if_asked(engine, k + 1);
    }
    return true;
  }

  void reference() {
    const Problem p = problem_of(*find("H"), true);
    const auto engine = engine_of(p);
    newton_ = linear_ = 0;
    const Effort effort = engine->start(0);
    bool there = effort.converged;
    why_not_ = effort.why_not;
    for (int k = 1; there && k <= norms; ++k) {
      there = march(*engine, base_.schedule.end * k / norms, out_.reference_step);
      reference_ = engine->potential();
      scale_ = std::max(scale_, norm_of(reference_));
    }
    if (!there)
      throw BadInput(
          fmt::format("the reference (sdirk3 in steps of {}) cannot be computed: {}; take smaller "
                      "'compare.steps'",
                      format_time(out_.reference_step), why_not_));
  }

  void run_method(const Method& m) {
    Prepared p = base_;
    p.problem = problem_of(m, false);
    p.sim.time.scheme = m.scheme;
    p.sim.time.spectral_radius = m.spectral_radius;
    p.sim.linear.start_vector = m.start_vector;
    MethodRow row;
    row.method = m;
    try {
      Problem checked = p.problem;
      check_stabilised(p.sim, checked);  // what a run of this method by itself is refused for
    } catch (const BadInput& e) {
      row.converged = false;
      row.why_not = e.what();
      row.difference = nan;
      out_.methods.push_back(row);
      return;
    }
    LastFrame last;
    const Outcome o = run_prepared(p, journal_, &last);
    row.converged = o.converged;
    row.why_not = o.why_not;
    row.seconds = o.seconds;
    row.steps = o.steps, row.rejected = o.rejected, row.stages = o.stages;
    row.newton = o.newton, row.linear = o.linear, row.setups = o.setups, row.refreshes = o.refreshes;
    if (reference_.empty() && o.converged) reference_ = last.potential, scale_ = last.largest;
    row.difference = o.converged ? relative(difference(last.potential, reference_), scale_) : nan;
    out_.methods.push_back(row);
  }

  void take_errors(const Method& m) {
    journal_.stage(fmt::format("errors of method {}", m.letter));
    const Problem p = problem_of(m, true);
    const auto engine = engine_of(p);
    newton_ = linear_ = 0;
    if (!engine->start(0).converged) return;
    const auto begin = engine->save();
    const double half = base_.schedule.end / 2;
    const bool there = march(*engine, half, out_.reference_step);
    const auto middle = there ? engine->save() : begin;
    std::vector<std::vector<double>> ends;
    for (const double h : steps_) {
      StepErrorRow row{m, h, nan, nan, nan, nan, nan};
      if (there) row.local = local_error(*engine, middle, half, h);
      engine->restore(begin);
      ends.push_back(whole_run(*engine, h, row));
      out_.errors.push_back(row);
    }
    StepErrorRow* rows = &out_.errors[out_.errors.size() - ends.size()];
    for (std::size_t k = 0; k < ends.size(); ++k)
      if (!ends[k].empty() && !ends.back().empty())
        rows[k].own = relative(difference(ends[k], ends.back()), scale_);
  }

  /// Of one step from half the time, against many small ones; nan where one cannot be taken.
  double local_error(Engine& engine, const std::vector<std::byte>& middle, double half, double h) {
    engine.restore(middle);
    if (!march(engine, half + h, h)) return nan;
    const auto one = engine.potential();
    engine.restore(middle);
    return march(engine, half + h, out_.reference_step)
               ? relative(difference(one, engine.potential()), scale_)
               : nan;
  }

  /// Potentials at the end of a run in steps of `h`, with its errors; empty where one cannot be taken.
  std::vector<double> whole_run(Engine& engine, double h, StepErrorRow& row) {
    std::vector<double> estimates;
    if (!march(engine, base_.schedule.end, h, &estimates)) return {};
    row.global = relative(difference(engine.potential(), reference_), scale_);
    estimates.erase(estimates.begin(), estimates.begin() + std::ptrdiff_t(estimates.size() / 2));
    row.estimate_largest = *std::max_element(estimates.begin(), estimates.end());
    row.estimate_mean = std::accumulate(estimates.begin(), estimates.end(), 0.0) / double(estimates.size());
    return engine.potential();
  }

  const Simulation& asked_;
  const ComparisonSpec& spec_;
  Journal journal_;
  std::vector<Method> methods_;
  Prepared base_;
  std::vector<double> steps_, reference_;
  double scale_ = 0;              ///< the largest norm of the reference
  long newton_ = 0, linear_ = 0;  ///< iterations of the fixed steps under way
  std::string why_not_;           ///< of the last step that could not be taken
  Comparison out_;
};

}  // namespace

std::span<const Method> known_methods() { return methods; }

Comparison compare(const Simulation& sim, const run::Machine& machine, const ComparisonSpec& spec,
                   const RunObserver& observer) {
  return Comparer(sim, machine, spec, observer).take();
}

}  // namespace umov::eqs
