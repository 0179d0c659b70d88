// Stabilised explicit time steps: stages of RKC or RKL2 on the charges.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "eqs/integrators/stage_count.hpp"
#include "eqs/model/electrode_potentials.hpp"
#include "eqs/time/spectral_radius.hpp"

namespace umov::eqs {

/// The state at the end of a step.
template <class Device>
struct StepEnd {
  typename Device::template Array<double> u, q, i;
  double power = 0, lost = 0;  ///< W; J over the step
  FieldSize size;
};

/// d q / dt = -i(u(q, t)) in the charges q: a stage is a linear combination of charges and conduction
/// currents, the potentials that belong to its charges (one solve with the matrix of the permittivities,
/// which does not change), and their conduction. As in the implicit methods a step changes q by exactly what
/// was conducted, so that what the solves leave over does not add up, and voltages may have bends. Six
/// vectors, whatever the number of stages; two more for guesses.
template <class Device>
class Stabilised {
  using Vector = typename Device::template Array<double>;

 public:
  /// The accepted state, of the caller. `before`: the potentials `last_step` before it (0: none).
  struct Start {
    double time;
    const Vector &u, &q, &i, &before;
    double last_step, power;
    const FieldSize& largest;  ///< so far
  };

  Stabilised(System<Device>& system, Newton<Device>& newton, const Problem& p)
      : system_(system),
        p_(p),
        scheme_(stabilised_part(p.time.scheme)),
        solver_(system, newton, p),
        radius_(system, solver_, p),
        count_(scheme_, p.time.max_stages),
        volume_(system.volumes()) {
    for (Vector* v : {&end.u, &end.q, &end.i, &other_u_, &other_q_, &unused_, &size_, &error_})
      *v = system.vector();
  }

  /// The accepted state has come about otherwise (a start, an implicit step): its rate.
  void note(const Start& s, Effort& effort) {
    const double now = radius_.at(s.u.data(), s.i.data(), s.largest.energy, effort);
    rate_before_ = s.last_step > 0 ? rate_ : 0;
    rate_ = now;
    rate_age_ = 0;
  }
  double rate() const { return rate_; }

  /// The fastest decay to be laid out for in a step of dt: where the rate grows, as it did over the last step
  /// (a curve is nearly exponential in the field), up to three times.
  double expected_rate(double dt, double last_step) const {
    if (!(rate_ > rate_before_) || !(rate_before_ > 0) || !(last_step > 0)) return rate_;
    return rate_ * std::min(std::pow(rate_ / rate_before_, dt / last_step), 3.0);
  }
  int stages(double dt, double last_step) const {
    return stages_for(scheme_, dt * expected_rate(dt, last_step), p_.time.max_stages);
  }
  /// The longest step, up to dt, that max_stages are enough for.
  double longest(double dt, double last_step) const {
    const double most = furthest();
    double h = dt;
    if (radius_.none()) return dt;
    for (int k = 0; k < 3 && h * expected_rate(h, last_step) > most; ++k)
      h = most / expected_rate(h, last_step);
    return std::min(h, dt);
  }

  /// A step from s to `end`; false, with the reason in the result, where it could not be done.
  bool attempt(const Start& s, double dt, StepTry& result) {
    solver_.prepare(result.effort);
    if (radius_.none()) return attempt_counted(s, dt, result);
    if (holds_rate() && tries_++ > 0) note(s, result.effort);
    double rate = expected_rate(dt, s.last_step);
    for (int k = 0; k < 4; ++k) {
      if (dt * rate > furthest() * (1 + 1e-6))
        return fail(result, "its stages are more than max_stages (the fastest decay takes " +
                                Newton<Device>::scientific(1 / rate) + " s)");
      const StabilisedScheme& method = coefficients(stages_for(scheme_, dt * rate, p_.time.max_stages));
      result.stages = int(method.stages.size());
      result.rate = rate;
      result.effort.stages += result.stages;
      if (!run(s, dt, method, result)) return false;
      trial_rate_ = rate_after(result.effort);
      const double fastest = std::max(trial_rate_, rate_within());
      if (dt * fastest <= method.reach) {
        estimate(s, dt, result);
        return result.effort.converged;
      }
      // It has left its stability region on the way: again, laid out for what was found.
      ++result.effort.unstable;
      rate = 1.05 * fastest;
    }
    return fail(result, "its stages left their stability region again and again");
  }
  void accept() {
    tries_ = 0;
    if (radius_.none()) return count_.accepted();
    rate_before_ = holds_rate() ? 0 : rate_;
    rate_ = radius_.rayleigh() ? std::max(trial_rate_, 0.8 * rate_) : trial_rate_;
    rate_age_ = due() ? 0 : rate_age_ + 1;
  }

  /// A first step of controlled length: Sommeijer et al. 1998, section 2.3 (1 / rho, a step of Euler's method
  /// over it, and where its error would be a hundredth of the tolerance). 0 where that fails.
  double first_step(const Start& s, double most, double tolerance, Effort& effort) {
    auto& dev = system_.device();
    const double h = rate_ > 0 ? std::min(most, 1 / rate_) : most;
    dev.for_each(n(), Blend{1, s.q.data(), -h, s.i.data(), end.q.data()});
    system_.set_fixed(potentials_at(p_, s.time + h));
    dev.for_each(n(), Copy{s.u.data(), end.u.data()});
    Effort own;
    const bool good = solver_.potentials(end.q.data(), end.u.data(), own);
    double change = 0, norm = s.largest.energy;
    if (good) {
      conduct(end.u.data(), end.i.data());
      norm = std::max(norm, std::sqrt(system_.forms(end.u.data()).energy_square));
      dev.for_each(n(), Blend{1, end.i.data(), -1, s.i.data(), other_q_.data()});
      change = energy_norm(other_q_.data(), end.u.data(), own);
    }
    effort.add_work(own);
    if (!good || !(change >= 0) || !(norm > 0)) return 0;
    const double error = h * change / (tolerance * norm);
    return 0.1 * h < most * std::sqrt(error) ? 0.1 * h / std::sqrt(error) : most;
  }

  std::string describe() const { return solver_.describe(); }
  std::size_t bytes() const { return 8 * end.u.bytes() + solver_.bytes() + radius_.bytes(); }
  template <class Archive>
  void state(Archive& archive) {
    archive(rate_);
    archive(rate_before_);
    archive(rate_age_);
    count_.state(archive);
    radius_.state(archive);
    solver_.state(archive);
  }

  StepEnd<Device> end;

 private:
  index_t n() const { return system_.unknowns(); }
  double furthest() const {
    // of rkl2, an odd number
    const int most =
        scheme_ == Scheme::rkc || p_.time.max_stages % 2 ? p_.time.max_stages : p_.time.max_stages - 1;
    return reach_of(scheme_, most) * (1 - 2e-6);
  }
  const StabilisedScheme& coefficients(int stages) {
    if (int(method_.stages.size()) != stages) method_ = stabilised_scheme(scheme_, stages);
    return method_;
  }
  static bool fail(StepTry& result, const std::string& why) {
    result.effort.converged = false;
    result.effort.why_not = "stabilised step: " + why;
    return false;
  }
  void conduct(const double* u, double* i) { system_.conduct(u, {unused_.data(), i, size_.data(), {0, 1}}); }

  /// Whether a rate found by the power method serves for some steps: where an error tells when it does not.
  bool holds_rate() const {
    return radius_.power() && p_.time.power_steps > 1 && p_.time.step_tolerance() > 0;
  }
  /// Whether the step at hand ends with a power iteration.
  bool due() const { return rate_age_ + 1 >= p_.time.power_steps; }

  /// A step of as many stages as errors have come to; whether they are enough its own error tells.
  bool attempt_counted(const Start& s, double dt, StepTry& result) {
    const StabilisedScheme& method =
        coefficients(count_.of_step(stages_for(scheme_, dt * rate_, p_.time.max_stages)));
    result.stages = int(method.stages.size());
    result.rate = method.reach / dt;
    result.effort.stages += result.stages;
    if (run(s, dt, method, result)) estimate(s, dt, result);
    count_.tried(result.effort.converged ? result.error / p_.time.step_tolerance() : INFINITY);
    return result.effort.converged;
  }

  bool run(const Start& s, double dt, const StabilisedScheme& method, StepTry& result) {
    auto& dev = system_.device();
    powers_ = {s.power};
    observed_ = within_ = 0;
    for (std::size_t j = 1; j <= method.stages.size(); ++j) {
      const StabilisedStage& t = method.stages[j - 1];
      // end.* is the last stage, other_* the one before, then this one
      const double *last_q = j > 1 ? end.q.data() : s.q.data(), *last_i = j > 1 ? end.i.data() : s.i.data();
      if (j <= 2) dev.for_each(n(), Copy{s.q.data(), other_q_.data()});
      dev.for_each(n(), StageCharge{t, dt, s.q.data(), last_q, last_i, s.i.data(), other_q_.data()});
      guess(s, dt, method, int(j));
      std::swap(end.q, other_q_);
      std::swap(end.u, other_u_);
      system_.set_fixed(potentials_at(p_, s.time + t.c * dt));
      note_systems(p_, s.time + t.c * dt, "stage", int(j));
      if (!solver_.potentials(end.q.data(), end.u.data(), result.effort))
        return fail(result, "stage " + std::to_string(j) + " of " + std::to_string(method.stages.size()) +
                                ": " + result.effort.why_not);
      conduct(end.u.data(), end.i.data());
      if (radius_.rayleigh())
        observe_quotient();
      else if (!radius_.none() && system_.nonlinear() && j < method.stages.size())
        within_ = std::max(within_, radius_.bound(end.u.data()));
      powers_.push_back(system_.forms(end.u.data()).power);
    }
    end.size = system_.field_size(end.u.data());
    end.lost = dt * integral_over_stages(method, powers_);
    end.power = powers_.back();
    return true;
  }

  /// A start for the potentials of stage j, into other_u_: the parabola (or line) through the last points
  /// known; the stage before where earlier solutions are projected on, which takes fewer iterations then
  /// (benchmarks/ladder/eqs_start_vectors.md).
  void guess(const Start& s, double dt, const StabilisedScheme& method, int j) {
    auto& dev = system_.device();
    if (solver_.extrapolates())
      return dev.for_each(n(), Copy{j == 1 ? s.u.data() : end.u.data(), other_u_.data()});
    const double x = method.stages[j - 1].c;
    const double earlier = s.last_step > 0 ? -s.last_step / dt : 0;
    if (j == 1 && earlier == 0) return dev.for_each(n(), Copy{s.u.data(), other_u_.data()});
    if (j == 1) {
      const double w = x / -earlier;
      return dev.for_each(n(), Blend{1 + w, s.u.data(), -w, s.before.data(), other_u_.data()});
    }
    const double a = method.stages[j - 2].c, b = j > 2 ? method.stages[j - 3].c : earlier;
    const double* point = j > 2 ? other_u_.data() : b != 0 ? s.before.data() : nullptr;
    // Lagrange's weights at x of values at 0, a and b
    const double wb = point ? x * (x - a) / (b * (b - a)) : 0;
    const double wa = x / a * (point ? (x - b) / (a - b) : 1);
    dev.for_each(n(), Blend3{1 - wa - wb, s.u.data(), wa, end.u.data(), wb, point, other_u_.data()});
  }

  /// Rayleigh's quotient of what a stage's solve added to its guess, where it is well above rounding. No more
  /// than the bound, as what the solve left unsolved can have a larger one.
  void observe_quotient() {
    if (!(solver_.change() > 1e-7)) return;
    auto& dev = system_.device();
    if (guess_i_.size() == 0) guess_i_ = system_.vector();
    dev.for_each(n(), Blend{1, end.u.data(), -1, solver_.correction(), error_.data()});
    conduct(error_.data(), guess_i_.data());
    const auto sums = dev.template map_reduce<2, double>(
        n(), QuotientOf{solver_.correction(), end.i.data(), guess_i_.data(), solver_.correction_charge()});
    if (sums.v[1] > 0 && sums.v[0] > observed_ * sums.v[1])
      observed_ = std::max(observed_, std::min(sums.v[0] / sums.v[1], radius_.bound(end.u.data())));
  }
  double rate_after(Effort& effort) {
    if (radius_.rayleigh()) return 1.25 * observed_;
    if (holds_rate() && !due()) return rate_;
    return radius_.at(end.u.data(), end.i.data(), end.size.energy, effort);
  }

  /// The fastest decay that the stages met on the way: a curve may have switched and be back at the end. Of
  /// the bound, in the proportion in which the step's end has it.
  double rate_within() const {
    if (!(within_ > 0)) return 0;
    const double end_bound = radius_.bound(end.u.data());
    return end_bound > 0 ? within_ * std::min(1.0, trial_rate_ / end_bound) : within_;
  }

  /// Square root of b M^-1 b: the energy norm of the potentials that a charge b makes. A hundredth of itself
  /// is enough for an error; what the conjugate gradients have not found yet is of that size.
  double energy_norm(const double* b, const double* u, Effort& effort) {
    if (p_.systems) p_.systems->of("error");
    if (!solver_.solve(b, u, error_.data(), 1e-2, effort)) return NAN;
    const double square = system_.device().template map_reduce<1, double>(n(), DotOf{b, error_.data()}).v[0];
    return square >= 0 ? std::sqrt(square) : NAN;
  }
  void estimate(const Start& s, double dt, StepTry& result) {
    system_.device().for_each(
        n(), StabilisedError{dt, s.q.data(), end.q.data(), s.i.data(), end.i.data(), other_q_.data()});
    const double energy = energy_norm(other_q_.data(), end.u.data(), result.effort);
    system_.set_fixed(std::vector<double>(p_.electrodes.size(), 0.0));
    FieldSize error = system_.field_size(error_.data()), largest = s.largest;
    error.energy = energy;
    largest.grow_to(end.size);
    result.error = relative_error(error, largest, volume_);
    grow_to_means(result.material_error, error, volume_);
    if (!result.effort.converged || std::isfinite(result.error)) return;
    fail(result, "its error is no number");
  }

  System<Device>& system_;
  const Problem& p_;
  Scheme scheme_;
  ChargeSolver<Device> solver_;
  SpectralEstimate<Device> radius_;
  StageCount count_;
  int rate_age_ = 0, tries_ = 0;  ///< accepted steps since the last power iteration; of the step at hand
  std::vector<double> volume_;    ///< of the materials
  StabilisedScheme method_;
  Vector other_u_, other_q_, unused_, size_, error_, guess_i_;
  std::vector<double> powers_;  ///< at the start of the step and at its stages
  double rate_ = 0, rate_before_ = 0, trial_rate_ = 0, observed_ = 0, within_ = 0;
};

}  // namespace umov::eqs
