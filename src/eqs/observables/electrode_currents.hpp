// Currents of the electrodes: what is conducted, and how fast their charges change.
#pragma once

#include <memory>
#include <vector>

#include "eqs/solve/without_bodies.hpp"
#include "eqs/time/transient.hpp"

namespace umov::eqs {

/// d(charge)/dt of fixed electrode e at a state with conduction i, without differences in time. Where eps is
/// constant by the theorem of Shockley and Ramo: with w_e the field of 1 V on e (others 0, nothing
/// conducting), dQ_e/dt = w_e . i + sum over f of C_ef dV_f/dt, C the capacitance matrix. Otherwise by
/// solving for du/dt with the differential permittivity.
template <class Device>
class ElectrodeCurrents {
  using Vector = typename Device::template Array<double>;

 public:
  ElectrodeCurrents(System<Device>& system, Newton<Device>& newton, const Problem& p)
      : system_(system), newton_(newton), p_(p) {
    for (const Material& m : p.materials) constant_ = constant_ && !m.permittivity.nonlinear();
    for (Vector* v : {&rate_, &rhs_, &unused_, &size_}) *v = system.vector();
  }

  /// The fields of single electrodes, by Newton's solver; false, with the reason in `effort`, if one failed.
  bool prepare(Effort& effort) {
    if (!constant_ || known_) return true;
    if (!system_.has_bodies()) return prepare_with(system_, newton_, effort);
    PlainSystem<Device> plain(system_.device(), p_);
    return prepare_with(plain.system, plain.newton, effort);
  }

  /// At the state u with conduction i and electrodes' slopes dV/dt.
  std::vector<double> charge_rates(const double* u, const double* i, const std::vector<double>& potentials,
                                   const std::vector<double>& slopes) {
    std::vector<double> out(p_.electrodes.size(), 0.0);
    if (!constant_) return general_rates(u, i, potentials, slopes);
    const ElectrodeSums bodies = system_.held_sums(i, i);
    for (std::size_t e = 0; e < out.size(); ++e) {
      if (p_.electrodes[e].kind == ElectrodeSpec::Kind::floating) continue;
      out[e] = bodies.conduction[e] +
               system_.device()
                   .template map_reduce<1, double>(system_.unknowns(), DotOf{fields_[e].data(), i})
                   .v[0];
      for (std::size_t f = 0; f < out.size(); ++f) out[e] += capacitance_[e][f] * slopes[f];
    }
    return out;
  }

  std::size_t bytes() const {
    std::size_t sum = rate_.bytes() * 4 + (solver_ ? solver_->bytes() : 0);
    for (const auto& v : fields_) sum += v.bytes();
    return sum;
  }
  /// Not empty: a solution for rates did not converge, and why.
  const std::string& why_not() const { return why_not_; }

 private:
  bool prepare_with(System<Device>& system, Newton<Device>& newton, Effort& effort) {
    const std::size_t count = p_.electrodes.size();
    capacitance_.assign(count, std::vector<double>(count, 0.0));
    fields_.clear();
    for (std::size_t e = 0; e < count; ++e) {  // all, so that a state can be observed where one failed
      fields_.push_back(system_.vector());
      system_.device().fill_zero(fields_[e].data(), system_.unknowns());
    }
    for (std::size_t e = 0; e < count; ++e) {
      if (p_.electrodes[e].kind == ElectrodeSpec::Kind::floating) continue;
      std::vector<double> unit(count, 0.0);
      unit[e] = 1;
      system.set_fixed(unit);
      if (!newton.solve(fields_[e].data(), nullptr, {1, 0}, effort)) return false;
      capacitance_[e] = system.electrode_sums(fields_[e].data()).charge;
      if (system_.has_bodies()) system_.update(fields_[e].data());
      if (system_.has_bodies())
        system_.device().for_each(system_.unknowns(),
                                  TakeBaseOff{system_.held(), system.fixed(), fields_[e].data()});
    }
    return known_ = true;
  }

  std::vector<double> general_rates(const double* u, const double* i, const std::vector<double>& potentials,
                                    const std::vector<double>& slopes) {
    auto& dev = system_.device();
    const index_t n = system_.unknowns();
    system_.set_fixed(potentials);
    system_.assemble(u, {1, 0});
    if (!solver_) solver_ = make_solver(dev, p_, nested_prolongations(p_));
    solver_->renew(system_.matrices(), amg::Refresh::all);
    system_.set_fixed(slopes);
    dev.fill_zero(rate_.data(), n);
    const Evaluation out{rhs_.data(), unused_.data(), size_.data(), {1, 0}};
    system_.evaluate_linearised(rate_.data(), out);
    dev.for_each(n, Blend{-1, rhs_.data(), -1, i, rhs_.data()});
    if (p_.systems) p_.systems->of("electrode");
    const auto info =
        solver_->solve(rhs_.data(), rate_.data(), p_.linear.tolerance, p_.linear.max_iterations);
    // the size of their own rounding is what fluxes of very flat elements leave
    if (!info.converged && info.residual > 1e-8)
      why_not_ = "the solution for the electrodes' currents stopped at a relative residual of " +
                 Newton<Device>::scientific(info.residual);
    const auto rates = system_.evaluate_linearised(rate_.data(), out).charge;
    system_.set_fixed(potentials);
    return rates;
  }

  System<Device>& system_;
  Newton<Device>& newton_;
  const Problem& p_;
  bool constant_ = true, known_ = false;
  std::vector<Vector> fields_;
  std::vector<std::vector<double>> capacitance_;  // of the fixed electrodes, floating ones floating
  Vector rate_, rhs_, unused_, size_;
  std::unique_ptr<LinearSolver<Device>> solver_;
  std::string why_not_;
};

}  // namespace umov::eqs
