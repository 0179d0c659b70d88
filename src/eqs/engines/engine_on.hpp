// The engine on one device: owns system, solver and state, and answers the run's questions.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "core/bytes.hpp"
#include "core/contract.hpp"
#include "eqs/engine.hpp"
#include "eqs/engines/ranked_state.hpp"
#include "eqs/observables/electrode_currents.hpp"
#include "eqs/observables/floating_electrodes.hpp"
#include "eqs/observables/observation.hpp"
#include "eqs/solve/harmonic.hpp"
#include "eqs/solve/voltage_ramp.hpp"
#include "eqs/time/transient.hpp"
#include "linalg/sparse/multiply.hpp"

namespace umov::eqs {

template <class Device>
class EngineOn final : public Engine {
  using Vector = typename Device::template Array<double>;

 public:
  template <class... Args>
  explicit EngineOn(const Problem& p, Args&&... device)
      : p_(p),
        dev_(std::forward<Args>(device)...),
        system_(dev_, p_),
        newton_(system_, p_),
        observer_(system_, p_),
        target_(system_.vector()),
        fixed_imaginary_(dev_.template allocate<double>(p_.electrodes.size())) {
    if (p_.analysis == Analysis::transient) {
      transient_.emplace(system_, newton_, p_);
      currents_.emplace(system_, newton_, p_);
    } else if (p_.analysis == Analysis::harmonic) {
      harmonic_.emplace(system_, newton_, p_.linear);
    } else {
      u_ = system_.vector();
    }
    note_bytes();
  }

  void tell(std::function<void(const Effort&)> told) override { newton_.told = std::move(told); }
  std::string device() const override {
    const std::string how = sparse::product_variant(dev_);
    return dev_.device_name() + (how.empty() ? "" : ", " + how);
  }
  std::size_t bytes() const override {
    return system_.bytes() + newton_.bytes() + observer_.bytes() + target_.bytes() + u_.bytes() +
           (transient_ ? transient_->bytes() + currents_->bytes() : 0) + (harmonic_ ? harmonic_->bytes() : 0);
  }
  std::size_t peak_bytes() const override { return peak_; }
  std::string describe() const override {
    const std::string more = transient_ ? transient_->describe() : std::string();
    if (more.empty()) return newton_.describe();
    if (is_stabilised(p_.time.scheme)) return more;
    return newton_.describe() + "\nstabilised steps: " + more;
  }

  Effort solve_static(double t) override {
    UMOV_EXPECT(p_.analysis == Analysis::electrostatic || p_.analysis == Analysis::conduction,
                "a static solve of a problem in time");
    Effort effort;
    dev_.fill_zero(u_.data(), system_.unknowns());
    set_electrodes(std::isnan(t) ? amplitudes() : potentials_at(p_, t));
    note_systems(p_, std::isnan(t) ? 0 : t, "solution");
    const bool charge = p_.analysis == Analysis::electrostatic;
    solve_from_linear(system_, newton_, u_.data(), charge, effort);
    time_ = std::isnan(t) ? 0 : t;
    note_bytes();
    return effort;
  }

  Effort solve_harmonic(double omega) override {
    UMOV_EXPECT(p_.analysis == Analysis::harmonic, "a harmonic solve of another analysis");
    if (!(omega > 0)) throw BadInput("a harmonic analysis needs a frequency above 0");
    Effort effort;
    std::vector<double> re, im;
    for (const auto& e : p_.electrodes) {
      const bool driven = e.kind == ElectrodeSpec::Kind::driven;
      const double angle = e.waveform.phase * pi / 180;
      re.push_back(driven ? e.waveform.amplitude * std::cos(angle) : 0);
      im.push_back(driven ? e.waveform.amplitude * std::sin(angle) : 0);
    }
    omega_ = omega;
    harmonic_->solve(omega, re, im, effort);
    if constexpr (!comm::is_ranked<Device>) {
      if (p_.systems && p_.systems->wants()) p_.systems->take(harmonic_->last_system(effort));
    }
    dev_.upload(fixed_imaginary_.data(), im.data(), im.size());
    imaginary_ = im;
    set_electrodes(re);
    note_bytes();
    return effort;
  }

  Effort start(double t) override {
    expect_transient();
    Effort effort;
    note_systems(p_, t, "electrode");
    currents_->prepare(effort);
    note_systems(p_, t, "start");
    const Effort currents = effort;
    double* u = transient_->u.data();
    dev_.fill_zero(u, system_.unknowns());
    set_electrodes(potentials_at(p_, t));
    if (system_.has_bodies()) {
      PlainSystem<Device> plain(dev_, p_);
      plain.system.set_fixed(fixed_now_);
      solve_from_linear(plain.system, plain.newton, u, true, effort);
      system_.update(u);
      dev_.for_each(system_.unknowns(), TakeBaseOff{system_.held(), system_.fixed(), u});
      note_bytes(plain.system.bytes() + plain.newton.bytes());
    } else {
      solve_from_linear(system_, newton_, u, true, effort);
    }
    transient_->begin(t, effort);
    note_bytes();
    if (!currents.converged) effort.converged = false, effort.why_not = currents.why_not;
    return effort;
  }
  double first_step(double most, double tolerance, Effort& effort) override {
    expect_transient();
    return transient_->first_step(most, tolerance, effort);
  }
  double plan(double dt, double most) override {
    expect_transient();
    return transient_->plan(dt, most);
  }
  StepTry attempt(double dt) override {
    expect_transient();
    UMOV_EXPECT(dt > 0 && std::isfinite(dt), "a time step is no positive time");
    auto result = transient_->attempt(dt);
    note_bytes();
    return result;
  }
  void accept() override { transient_->accept(); }
  bool go_back() override { return transient_->go_back(); }
  void begin_shot(double sign) override {
    expect_transient();
    transient_->begin_shot(sign);
  }
  ShotEnd end_shot(bool learns) override {
    expect_transient();
    auto end = transient_->end_shot(learns);
    note_bytes(transient_->shot_bytes());
    return end;
  }
  void next_shot() override { transient_->next_shot(); }
  double time() const override { return transient_ ? transient_->time() : time_; }

  Observation observe() override {
    Observation o;
    o.time = time();
    const StateView s = state();
    observer_.fill(s, o);
    if (harmonic_)
      observe_harmonic(o);
    else
      observe_real(o);
    for (auto* list : {&o.charge, &o.conduction, &o.current, &o.charge_imaginary, &o.conduction_imaginary,
                       &o.current_imaginary})
      for (double& v : *list) v *= p_.symmetry_factor;
    if (transient_) o.dissipated = p_.symmetry_factor * transient_->dissipated();
    if (p_.analysis == Analysis::electrostatic) forget_conduction(o);
    return o;
  }

  std::vector<double> potential() const override {
    const StateView s = state();
    auto values = observer_.potential(s.u, s.fixed);
    if (s.u_imaginary) {
      const auto more = observer_.potential(s.u_imaginary, s.fixed_imaginary);
      values.insert(values.end(), more.begin(), more.end());
    }
    return values;
  }
  std::vector<float> field() const override {
    const StateView s = state();
    auto values = observer_.field(s.u, s.fixed);
    if (s.u_imaginary) {
      const auto more = observer_.field(s.u_imaginary, s.fixed_imaginary);
      values.insert(values.end(), more.begin(), more.end());
    }
    return values;
  }

  std::vector<std::byte> save() const override {
    expect_transient();
    const auto write = [this](auto&& out) {
      out(magic);
      transient_->state(out);
      newton_.state(out);
      return out.take();
    };
    if constexpr (comm::is_ranked<Device>)
      return write(RankedWriter(dev_.comm(), *p_.share));
    else
      return write(MemoryWriter());
  }
  void restore(const std::vector<std::byte>& bytes) override {
    expect_transient();
    if constexpr (comm::is_ranked<Device>)
      read(RankedReader(dev_.comm(), *p_.share, bytes));
    else
      read(MemoryReader(bytes));
  }

 private:
  static constexpr std::uint64_t magic = 0x32305351455655ull;

  template <class Reader>
  void read(Reader&& in) {
    std::uint64_t found = 0;
    in(found);
    if (found != magic)
      throw BadInput("these bytes are no saved state of an electroquasistatic run; start anew");
    transient_->state(in);
    Effort effort;
    if (!currents_->prepare(effort)) throw MachineFailure(effort.why_not);
    newton_.state(in);
    in.finish();
    transient_->restore_electrodes();
  }

  void expect_transient() const {
    UMOV_EXPECT(p_.analysis == Analysis::transient, "a run in time of another analysis");
  }
  void note_bytes(std::size_t more = 0) { peak_ = std::max(peak_, bytes() + more); }
  void set_electrodes(const std::vector<double>& g) {
    system_.set_fixed(g);
    fixed_now_ = g;
  }
  std::vector<double> amplitudes() const {
    std::vector<double> g;
    for (const auto& e : p_.electrodes)
      g.push_back(e.kind == ElectrodeSpec::Kind::driven ? amplitude_of(e.waveform) : 0);
    return g;
  }

  /// Electrostatics (with the floating conductors' charges) or conduction from u.
  void solve_from_linear(System<Device>& system, Newton<Device>& newton, double* u, bool charge,
                         Effort& effort) {
    std::vector<double> host(system_.unknowns(), 0.0);
    if (charge)
      for (const auto& e : p_.electrodes)
        if (e.unknown >= 0 && e.unknown < system_.unknowns()) host[e.unknown] = e.charge / p_.symmetry_factor;
    dev_.upload(target_.data(), host.data(), host.size());
    const Weights w = charge ? Weights{1, 0} : Weights{0, 1};
    if (system.nonlinear() && !newton.start_linear(u, target_.data(), w, effort)) return;
    if (newton.solve(u, target_.data(), w, effort) || !system.nonlinear()) return;
    VoltageRamp<Device>(system, newton, host, target_.data()).solve(u, w, effort);
  }

  StateView state() const {
    if (transient_) return {transient_->u.data(), system_.fixed(), nullptr, nullptr};
    if (!harmonic_) return {u_.data(), system_.fixed(), nullptr, nullptr};
    return {harmonic_->x.data(), system_.fixed(), harmonic_->x.data() + system_.stride(),
            fixed_imaginary_.data()};
  }

  /// What the materials' conductivities would carry is no part of electrostatics.
  static void forget_conduction(Observation& o) {
    o.conduction.clear();
    o.current.clear();
    o.power = 0;
    o.material_power.assign(o.material_power.size(), 0);
  }
  void observe_real(Observation& o) {
    const StateView s = state();
    if (transient_) fixed_now_ = potentials_at(p_, time());
    system_.set_fixed(fixed_now_);
    const ElectrodeSums sums = system_.electrode_sums(s.u);
    o.potential = fixed_now_;
    o.charge = sums.charge;
    o.conduction = sums.conduction;
    const double* q = transient_ ? transient_->charge() : newton_.charge.data();
    const double* i = transient_ ? transient_->conduction() : newton_.conduction.data();
    const ElectrodeSums bodies = system_.held_sums(q, i);
    for (std::size_t e = 0; e < p_.electrodes.size(); ++e) {
      const int n = p_.electrodes[e].unknown;
      if (n < 0) continue;
      o.potential[e] = floating_.potential(e, s.u, fixed_now_);
      o.charge[e] = floating_.at(q, n) - bodies.charge[e];
      o.conduction[e] = floating_.at(i, n) - bodies.conduction[e];
    }
    o.current = o.conduction;
    if (!transient_) return;
    const auto rates = currents_->charge_rates(s.u, i, fixed_now_, slopes_at(p_, time()));
    for (std::size_t e = 0; e < p_.electrodes.size(); ++e)
      o.current[e] = p_.electrodes[e].unknown >= 0 ? 0 : o.conduction[e] + rates[e];
    o.why_not = currents_->why_not();
  }

  void observe_harmonic(Observation& o) {
    const StateView s = state();
    const auto part = [&](const double* u, const std::vector<double>& fixed, std::vector<double>& potential,
                          std::vector<double>& charge, std::vector<double>& conduction) {
      system_.set_fixed(fixed);
      const ElectrodeSums sums = system_.electrode_sums(u);
      potential = fixed;
      charge = sums.charge;
      conduction = sums.conduction;
      system_.evaluate(u, {newton_.charge.data(), newton_.conduction.data(), target_.data(), {1, 0}});
      const ElectrodeSums bodies = system_.held_sums(newton_.charge.data(), newton_.conduction.data());
      for (std::size_t e = 0; e < p_.electrodes.size(); ++e) {
        const int n = p_.electrodes[e].unknown;
        if (n < 0) continue;
        potential[e] = floating_.potential(e, u, fixed);
        charge[e] = floating_.at(newton_.charge.data(), n) - bodies.charge[e];
        conduction[e] = floating_.at(newton_.conduction.data(), n) - bodies.conduction[e];
      }
    };
    part(s.u_imaginary, imaginary_, o.potential_imaginary, o.charge_imaginary, o.conduction_imaginary);
    part(s.u, fixed_now_, o.potential, o.charge, o.conduction);
    for (std::size_t e = 0; e < p_.electrodes.size(); ++e) {
      o.current.push_back(o.conduction[e] - omega_ * o.charge_imaginary[e]);
      o.current_imaginary.push_back(o.conduction_imaginary[e] + omega_ * o.charge[e]);
    }
  }

  Problem p_;  // its mesh is looked up for places
  mutable Device dev_;
  FloatingElectrodes<Device> floating_{dev_, p_};
  mutable System<Device> system_;
  mutable Newton<Device> newton_;
  mutable Observer<Device> observer_;
  Vector target_, u_, fixed_imaginary_;
  mutable std::optional<Transient<Device>> transient_;
  std::optional<ElectrodeCurrents<Device>> currents_;
  std::optional<Harmonic<Device>> harmonic_;
  std::vector<double> fixed_now_, imaginary_;
  double time_ = 0, omega_ = 0;
  std::size_t peak_ = 0;
};

}  // namespace umov::eqs
