// Time steps: stages of a diagonally implicit Runge-Kutta method in conservative form, and their error; or
// those of a stabilised explicit one (stabilised.hpp), or of both in turn.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/contract.hpp"
#include "eqs/integrators/tableau.hpp"
#include "eqs/time/method_choice.hpp"
#include "eqs/time/shooting.hpp"
#include "eqs/time/stabilised.hpp"

namespace umov::eqs {

/// The equations are d q(u) / dt + i(u) = 0. Besides u the charge q is kept: a step changes it by exactly
/// what was conducted, q' = q - dt sum b_s i(U_s), and what a stage's iteration left over is made up by the
/// next step instead of adding up.
template <class Device>
class Transient {
  using Vector = typename Device::template Array<double>;

 public:
  Transient(System<Device>& system, Newton<Device>& newton, const Problem& p)
      : system_(system),
        newton_(newton),
        p_(p),
        t_(tableau(p.time.scheme)),
        start_(p.time.scheme == Scheme::esdirk3 ? tableau(Scheme::sdirk3) : t_),
        volume_(system.volumes()),
        choice_(p.time.step_tolerance()),
        keeps_(is_stabilised(p.time.scheme) && p.time.spectral_radius == SpectralRadius::richter) {
    for (Vector* v : {&u, &q_, &i_, &before_, &trial_u_, &trial_q_, &target_, &error_}) *v = system.vector();
    for (int s = 0; s < t_.stages; ++s) {
      stage_i_.push_back(system.vector());
      stage_u_.push_back(system.vector());
    }
    if (keeps_)
      for (Vector* v : {&q_before_, &i_before_}) *v = system.vector();
    // with permittivities that depend on the field stabilised stages have Newton iterations, too
    automatic_ = p.time.scheme == Scheme::automatic && system.constant_permittivity();
    if (is_stabilised(p.time.scheme) || automatic_)
      stabilised_ = std::make_unique<Stabilised<Device>>(system, newton, p);
  }

  /// u holds the state at time t with electrodes set; charge and conduction are taken from it.
  void begin(double t, Effort& effort) {
    take_conduction(t);
    copy(newton_.charge, q_);
    largest_ = system_.field_size(u.data());
    system_.device().synchronize();
    if (stabilised_) stabilised_->note(here(), effort);
  }

  /// See Engine.
  void begin_shot(double sign) {
    UMOV_EXPECT(!stabilised_, "shots are of implicit steps");
    if (!shooting_) shooting_ = std::make_unique<Shooting<Device>>(system_, newton_, p_);
    shooting_->begin(u, q_, time_, sign, system_.field_size(u.data()));
  }
  ShotEnd end_shot(bool learns) {
    UMOV_EXPECT(shooting_, "no shot has begun");
    ShotEnd end = shooting_->end(u, q_, time_, learns, volume_);
    restore_electrodes();
    return end;
  }
  /// What its end took besides, for a while.
  std::size_t shot_bytes() const { return shooting_ ? shooting_->solver_bytes() : 0; }
  void next_shot() {
    UMOV_EXPECT(shooting_, "no shot has begun");
    copy(shooting_->next_u, u);
    copy(shooting_->next_q, q_);
    system_.set_fixed(potentials_at(p_, shooting_->begun()));
    take_conduction(shooting_->begun());
    // what the first steps are measured by
    largest_ = shooting_->largest();
    begin_shot(shooting_->sign());
  }

  /// See Engine.
  double first_step(double most, double tolerance, Effort& effort) {
    if (!is_stabilised(p_.time.scheme)) return 0;
    const double h = stabilised_->first_step(here(), most, tolerance, effort);
    restore_electrodes();
    return h;
  }
  double plan(double dt, double most) {
    if (automatic_) choice_.choose(dt, most, [this](double h) { return stabilised_->stages(h, last_step_); });
    return takes_stabilised() ? stabilised_->longest(dt, last_step_) : dt;
  }

  StepTry attempt(double dt) {
    const double decay = last_step_ == 0 ? first_rate() : 0;
    StepTry result = takes_stabilised() ? attempt_stabilised(dt) : attempt_implicit(dt);
    result.first_rate = decay;
    restore_electrodes();
    if (automatic_) choice_.tried(result);
    trial_error_ = result.error;
    return result;
  }

  void accept() {
    UMOV_EXPECT(ready_, "a step is accepted that was not tried");
    if (keeps_) keep();
    if (p_.systems) p_.systems->note_steps(1);
    std::swap(before_, u);
    std::swap(u, trial_u_);
    std::swap(q_, trial_q_);
    if (trial_stabilised_)
      std::swap(i_, stabilised_->end.i);
    else
      copy(stage_i_[t_.stages - 1], i_);
    time_ += trial_step_;
    last_step_ = trial_step_;
    dissipated_ = trial_dissipated_;
    power_ = trial_power_;
    largest_ = trial_largest_;
    ready_ = false;
    if (shooting_) shooting_->saw(u, time_, last_step_, trial_size_);
    restore_electrodes();
    if (!stabilised_) return;
    Effort unused;  // a bound takes none
    if (trial_stabilised_)
      stabilised_->accept();
    else
      stabilised_->note(here(), unused);
    if (automatic_) choice_.accepted(trial_step_, trial_error_);
  }

  bool go_back() {
    if (!kept_.there) return false;
    if (p_.systems) p_.systems->note_steps(-1);
    copy(before_, u);
    std::swap(q_, q_before_);
    std::swap(i_, i_before_);
    time_ = kept_.time, last_step_ = kept_.last_step;
    dissipated_ = kept_.dissipated, power_ = kept_.power;
    largest_ = kept_.largest;
    kept_.there = ready_ = false;
    restore_electrodes();
    return true;
  }

  double time() const { return time_; }
  double dissipated() const { return dissipated_; }
  const double* charge() const { return q_.data(); }      ///< q of the accepted state
  const double* conduction() const { return i_.data(); }  ///< i of it
  void restore_electrodes() { system_.set_fixed(potentials_at(p_, time_)); }

  /// Lines on the solver of stabilised steps, if there are any.
  std::string describe() const { return stabilised_ ? stabilised_->describe() : std::string(); }

  /// All that a continued run needs, to or from an archive (core/bytes.hpp).
  template <class Archive>
  void state(Archive& archive) {
    for (Vector* v : {&u, &q_, &i_, &before_}) archive.array(system_.device(), *v);
    archive(time_);
    archive(last_step_);
    archive(dissipated_);
    archive(power_);
    largest_.state(archive);
    if (keeps_) {
      for (Vector* v : {&q_before_, &i_before_}) archive.array(system_.device(), *v);
      kept_.state(archive);
    }
    if (stabilised_) stabilised_->state(archive);
    if (automatic_) choice_.state(archive);
    bool shoots = shooting_ != nullptr;
    archive(shoots);
    if (!shoots) return;
    if (!shooting_) shooting_ = std::make_unique<Shooting<Device>>(system_, newton_, p_);
    shooting_->state(archive);
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Vector* v : {&u, &q_, &i_, &before_, &trial_u_, &trial_q_, &target_, &error_})
      sum += v->bytes();
    sum += q_before_.bytes() + i_before_.bytes();
    for (int s = 0; s < t_.stages; ++s) sum += stage_i_[s].bytes() + stage_u_[s].bytes();
    return sum + (stabilised_ ? stabilised_->bytes() : 0) + (shooting_ ? shooting_->bytes() : 0);
  }

 private:
  /// Of the accepted state before the last one, beside `before_`, `q_before_` and `i_before_`.
  struct Kept {
    bool there = false;
    double time = 0, last_step = 0, dissipated = 0, power = 0;
    FieldSize largest;
    template <class Archive>
    void state(Archive& archive) {
      archive(there);
      for (double* v : {&time, &last_step, &dissipated, &power}) archive(*v);
      largest.state(archive);
    }
  };
  /// Before a step is accepted. What is swapped away is written over by it.
  void keep() {
    std::swap(q_before_, q_);
    std::swap(i_before_, i_);
    kept_ = {true, time_, last_step_, dissipated_, power_, largest_};
  }
  /// A course begins with the state u at time t, its electrodes set.
  void take_conduction(double t) {
    time_ = t;
    system_.evaluate(u.data(), {newton_.charge.data(), newton_.conduction.data(), error_.data(), {1, 0}});
    copy(newton_.conduction, i_);
    power_ = system_.forms(u.data()).power;
    dissipated_ = 0;
    last_step_ = 0;
    kept_.there = ready_ = false;
  }
  index_t n() const { return system_.unknowns(); }
  void copy(const Vector& from, Vector& to) { system_.device().for_each(n(), Copy{from.data(), to.data()}); }

  typename Stabilised<Device>::Start here() const {
    return {time_, u, q_, i_, before_, last_step_, power_, largest_};
  }
  bool takes_stabilised() const {
    return stabilised_ && (!automatic_ || choice_.method() == MethodChoice::Method::stabilised_steps);
  }

  StepTry attempt_stabilised(double dt) {
    StepTry result;
    ready_ = false;
    newton_.begin();
    if (!stabilised_->attempt(here(), dt, result)) return result;
    auto& end = stabilised_->end;
    std::swap(end.u, trial_u_);
    std::swap(end.q, trial_q_);
    trial_largest_ = largest_;
    trial_largest_.grow_to(end.size);
    trial_step_ = dt;
    trial_dissipated_ = dissipated_ + end.lost;
    trial_power_ = end.power;
    ready_ = trial_stabilised_ = true;
    return result;
  }

  StepTry attempt_implicit(double dt) {
    StepTry result;
    ready_ = trial_stabilised_ = false;
    newton_.begin();
    const Tableau& m = method();
    double lost = 0;
    for (int s = 0; s < m.stages; ++s) {
      if (!stage(s, dt, result.effort)) {
        result.effort.why_not = "stage " + std::to_string(s + 1) + ": " + result.effort.why_not;
        return result;
      }
      if (m.b[s] != 0)
        lost += m.b[s] * (m.a[s][s] == 0 ? power_ : stage_power_ = system_.forms(stage_u_[s].data()).power);
    }
    auto& dev = system_.device();
    const int last = m.stages - 1;
    dev.for_each(n(), Copy{stage_u_[last].data(), trial_u_.data()});
    dev.for_each(n(), Copy{q_.data(), trial_q_.data()});
    for (int s = 0; s < m.stages; ++s)
      if (m.b[s] != 0) dev.for_each(n(), AddScaled{-dt * m.b[s], stage_i_[s].data(), trial_q_.data()});
    trial_largest_ = largest_;
    trial_size_ = system_.field_size(trial_u_.data());
    trial_largest_.grow_to(trial_size_);
    if (!estimate(dt, result)) return result;
    trial_step_ = dt;
    trial_dissipated_ = dissipated_ + dt * lost;
    trial_power_ = stage_power_;
    ready_ = true;
    return result;
  }

  /// Of a step from the accepted state. An explicit first stage takes the conduction at the start, which a
  /// voltage that is there at once makes anything but smooth (a microvaristor's by decades): its error would
  /// stay in the charges, and the estimate, of the same stage, would not see it.
  const Tableau& method() const { return last_step_ == 0 ? start_ : t_; }
  /// A bound of the fastest decay at the start.
  double first_rate() const {
    double most = system_.nonlinear() ? system_.largest_rate(u.data()) : 0;
    for (const Material& material : p_.materials)
      if (!material.nonlinear())
        most = std::max(most, material.conductivity.value / (eps0 * material.permittivity.value));
    return most;
  }

  bool stage(int s, double dt, Effort& effort) {
    auto& dev = system_.device();
    const Tableau& m = method();
    double* now = stage_u_[s].data();
    if (m.a[s][s] == 0) {
      dev.for_each(n(), Copy{u.data(), now});
      dev.for_each(n(), Copy{i_.data(), stage_i_[s].data()});
      return true;
    }
    dev.for_each(n(), Copy{q_.data(), target_.data()});
    for (int j = 0; j < s; ++j)
      if (m.a[s][j] != 0) dev.for_each(n(), AddScaled{-dt * m.a[s][j], stage_i_[j].data(), target_.data()});
    guess(s, dt, now);
    system_.set_fixed(potentials_at(p_, time_ + m.c[s] * dt));
    note_systems(p_, time_ + m.c[s] * dt, "stage", s + 1);
    if (!newton_.solve(now, target_.data(), {1, dt * m.a[s][s]}, effort)) return false;
    dev.for_each(n(), Copy{newton_.conduction.data(), stage_i_[s].data()});
    return true;
  }

  /// A start for a stage: the straight line through the old state and the latest point known (the stage
  /// before, or the state before the old one).
  void guess(int s, double dt, double* out) {
    auto& dev = system_.device();
    const Tableau& m = method();
    const bool has_stage = s > 0 && m.c[s - 1] > 0;
    if (!has_stage && last_step_ == 0) return dev.for_each(n(), Copy{u.data(), out});
    const double reach = has_stage ? m.c[s] / m.c[s - 1] : -m.c[s] * dt / last_step_;
    const double* point = has_stage ? stage_u_[s - 1].data() : before_.data();
    dev.for_each(n(), Blend{1 - reach, u.data(), reach, point, out});
  }

  /// The difference to the embedded method and, where the method has one, the second estimate.
  bool estimate(double dt, StepTry& result) {
    const Tableau& m = method();
    std::array<double, 4> difference{};
    for (int s = 0; s < m.stages; ++s) difference[s] = m.b[s] - m.embedded[s];
    result.error = 0;
    if (!add_error_of(difference, 0, 1e-3, dt, result)) return false;
    return !watched() || add_error_of(m.watch, m.watch_start, 1e-2, dt, result);
  }
  /// sdirk3 has its second estimate for switches, which linear materials have not; nor has a course that
  /// begins at rest, where currents set in at once and the old state's are none of the step's.
  bool watched() const {
    const Tableau& m = method();
    if (m.watch == std::array<double, 4>{}) return false;
    return m.watch_start == 0 || (system_.nonlinear() && (last_step_ > 0 || power_ > stage_power_));
  }

  /// A charge, through the last stage's matrix: small modes in time keep their size, those that decay within
  /// the step lose the error an A-stable companion makes of them (Hosea and Shampine 1996, Appl. Numer. Math.
  /// 20, 21). `start` weighs the old state's current, `digits` are those of the estimate. False where
  /// that cannot be solved.
  bool add_error_of(const std::array<double, 4>& weights, double start, double digits, double dt,
                    StepTry& result) {
    auto& dev = system_.device();
    const Tableau& m = method();
    dev.fill_zero(target_.data(), n());
    if (start != 0) dev.for_each(n(), AddScaled{-dt * start, i_.data(), target_.data()});
    for (int s = 0; s < m.stages; ++s)
      if (weights[s] != 0) dev.for_each(n(), AddScaled{-dt * weights[s], stage_i_[s].data(), target_.data()});
    const Weights w{1, dt * m.a[m.stages - 1][m.stages - 1]};
    if (!newton_.has_matrix(w)) newton_.prepare(trial_u_.data(), w, result.effort);
    note_systems(p_, time_ + dt, "error");
    if (!newton_.solve_linear(target_.data(), error_.data(), digits, result.effort)) return false;
    system_.set_fixed(std::vector<double>(p_.electrodes.size(), 0.0));
    const FieldSize error = system_.field_size(error_.data());
    result.error = std::max(result.error, relative_error(error, trial_largest_, volume_));
    grow_to_means(result.material_error, error, volume_);
    return true;
  }

  System<Device>& system_;
  Newton<Device>& newton_;
  const Problem& p_;
  Tableau t_, start_;  ///< start_: of the first step; as many stages

 public:
  Vector u;  ///< the accepted state

 private:
  Vector q_, i_, before_, trial_u_, trial_q_, target_, error_;
  std::vector<Vector> stage_i_, stage_u_;
  double time_ = 0, last_step_ = 0, dissipated_ = 0, power_ = 0;
  double trial_step_ = 0, trial_dissipated_ = 0, trial_power_ = 0, stage_power_ = 0;
  FieldSize largest_, trial_largest_, trial_size_;
  std::vector<double> volume_;  ///< of the materials
  double trial_error_ = 0;
  bool ready_ = false, trial_stabilised_ = false, automatic_ = false;
  std::unique_ptr<Stabilised<Device>> stabilised_;
  std::unique_ptr<Shooting<Device>> shooting_;
  MethodChoice choice_;
  bool keeps_;  ///< the state before the last one, for go_back()
  Kept kept_;
  Vector q_before_, i_before_;
};

}  // namespace umov::eqs
