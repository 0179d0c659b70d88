// How far from a periodic state a period began, from how little it moved: charges that leak slowly.
#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "eqs/model/electrode_potentials.hpp"
#include "eqs/model/model_parts.hpp"
#include "eqs/solve/kept_charges.hpp"
#include "eqs/solve/newton.hpp"

namespace umov::eqs {

/// A period of length T leaves of a small error e of the charges E e, E = exp(-X), X = T K M^-1 with the
/// matrices M of the (differential) permittivities and K of the conductivities, in their mean over the
/// period; its end less its start is the residual r = -(1 - E) e. A slow part, of small X, hardly shows in
/// that, and fast ones hide it. Wanted is the step -e = (1 - E)^-1 r. Here it is
///
///     r + X^-1 r - 3 (6 + X)^-1 r,    as  1 / (1 - exp(-x)) = 1 / x + 1 - 3 / (6 + x)
///
/// for x -> 0 (to x^2 / 72) and for x -> infinity, and within 9 % for all x > 0, so that each step leaves at
/// most 9 % of an error, however many parts there are and however slow. X^-1 r is steady conduction: the
/// charges M v of the potentials v with T K v = r.
///
/// Of a nonlinear model the mean is taken of the differential conductivities in states on the way: Newton's
/// step for what is slow.
template <class Device>
class SlowCharges {
  using Vector = typename Device::template Array<double>;

 public:
  SlowCharges(System<Device>& system, const Problem& p) : system_(system), p_(p), kept_(system, p) {}

  void begin() {
    samples_.clear();
    stride_ = 1, steps_ = 0, span_ = 0;
  }
  /// A state u on the way, at the end of a step. Of a nonlinear model some are kept, evenly by their steps.
  void saw(const Vector& u, double time, double step) {
    if (!system_.nonlinear()) return;
    span_ += step;
    if (++steps_ < stride_) return;
    take(u, time);
    if (samples_.size() < most_samples) return;
    for (std::size_t k = 0; 2 * k + 1 < samples_.size(); ++k) {
      samples_[2 * k + 1].span += samples_[2 * k].span;
      samples_[k] = std::move(samples_[2 * k + 1]);
    }
    samples_.erase(samples_.begin() + most_samples / 2, samples_.end());
    stride_ *= 2;
  }

  /// The residual (ru, rq) of a period becomes that step: of one that began with `start` at time `begun` and
  /// ended with `end` at `time`. In a nonlinear model the field of what is slow changes by `most` at most, in
  /// the energy norm. False, with the reason, where it cannot be solved for.
  bool correct(const Vector& start, double begun, const Vector& end, double time, double most, Vector& ru,
               Vector& rq, Effort& effort) {
    const Period of{start.data(), begun, time - begun, potentials_at(p_, begun)};
    auto& dev = system_.device();
    const index_t n = system_.unknowns();
    if (steps_ > 0) take(end, time);
    kept_.keep(rq.data());
    if (dev.template map_reduce<1, double>(n, DotOf{rq.data(), rq.data()}).v[0] == 0) return true;
    Vector step = system_.vector(), middling = system_.vector();
    if (!resolve(least_shift(of.length), of, rq, step, effort) || !resolve(6, of, rq, middling, effort))
      return false;
    dev.for_each(n, AddScaled{-3, middling.data(), step.data()});
    limit(step, most);
    add(of, step, ru, rq);
    return true;
  }

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Sample& s : samples_) sum += s.u.bytes();
    return sum;
  }
  std::size_t solver_bytes() const { return solver_bytes_; }  ///< held by the last correct(), for a while
  /// To or from an archive (core/bytes.hpp).
  template <class Archive>
  void state(Archive& archive) {
    archive(stride_);
    archive(steps_);
    archive(span_);
    std::size_t count = samples_.size();
    archive(count);
    if constexpr (requires { archive.reading; }) {
      if (count > most_samples) archive.damaged();
      samples_.clear();
      for (std::size_t k = 0; k < count; ++k) samples_.push_back({system_.vector()});
    }
    for (Sample& s : samples_) {
      archive.array(system_.device(), s.u);
      archive(s.time);
      archive(s.span);
    }
  }

 private:
  static constexpr std::size_t most_samples = 16;
  struct Sample {
    Vector u;
    double time = 0, span = 0;  ///< at which it was, and for how long it stands, s
  };

  struct Period {
    const double* start;
    double begun, length;
    std::vector<double> potential;  ///< of the electrodes at the start
  };

  void take(const Vector& u, double time) {
    samples_.push_back({system_.vector(), time, span_});
    system_.device().for_each(system_.unknowns(), Copy{u.data(), samples_.back().u.data()});
    steps_ = 0, span_ = 0;
  }

  /// (shift M + T K) x = b.
  bool resolve(double shift, const Period& of, const Vector& b, Vector& x, Effort& effort) {
    system_.forget_matrix();
    const auto held = tensors(shift, of);
    system_.set_fixed(of.potential);
    system_.hold_tensors(held.data());
    note_systems(p_, of.begun, "leak");
    Newton<Device> solver(system_, p_);
    solver.prepare(of.start, {shift, of.length}, effort);
    const bool good = solve(solver, b, x, effort);
    solver_bytes_ = solver.bytes() + held.bytes() + 2 * x.bytes();
    system_.hold_tensors(nullptr);
    system_.forget_matrix();
    return good;
  }
  /// Where parts are insulated their potentials are held by the shift alone, and rounding ends a solve early:
  /// nine digits of a step are more than tolerances of a search ask for.
  bool solve(Newton<Device>& solver, const Vector& b, Vector& x, Effort& effort) {
    constexpr double enough = 1e-9;
    for (;;) {
      const auto info =
          solver.solver().solve(b.data(), x.data(), p_.linear.tolerance, p_.linear.max_iterations);
      effort.linear += info.iterations;
      if (info.converged || info.residual <= enough || solver.at_rounding(b.data(), x.data(), info.residual))
        return true;
      if (solver.repair_in_double(effort) || solver.repair_smoother(effort)) continue;
      effort.converged = false;
      effort.why_not = "what a period of the steady state lacks is known to a relative residual of " +
                       Newton<Device>::scientific(info.residual) + " only (" + info.why_not + ")";
      return false;
    }
  }
  /// What keeps T K definite where something is insulated: parts that relax in more than 1 / shift periods
  /// count as that. A hundredth of the slowest leak where that is known to be needed.
  double least_shift(double period) const {
    constexpr double least = 1e-10;  // rounding of charges is 1e-15
    if (p_.island.empty()) return least;
    double slowest = 1;
    for (const Material& m : p_.materials) {
      const double kappa = least_value(m.conductivity, 1, 1e9);
      const double eps = eps0 * least_value(m.permittivity, 1, 1e9);
      if (kappa > 0) slowest = std::min(slowest, period * kappa / eps);
    }
    return std::clamp(0.01 * slowest, least, 1e-3);
  }
  /// Of nonlinear elements the same matrix: permittivities at the start, conductivities over the period.
  auto tensors(double shift, const Period& of) {
    auto held = system_.tensors();
    if (!system_.nonlinear()) return held;
    auto& dev = system_.device();
    auto one = system_.tensors();
    const auto at = [&](const double* u, const std::vector<double>& potential, const Weights& w,
                        double keep) {
      system_.set_fixed(potential);
      system_.update(u);
      system_.find_tensors(u, w, nullptr, one.data());
      dev.for_each(index_t(held.size()), AddTensors{one.data(), keep, held.data()});
    };
    at(of.start, of.potential, {shift, 0}, 0);
    for (const Sample& s : samples_) at(s.u.data(), potentials_at(p_, s.time), {0, s.span}, 1);
    return held;
  }

  /// A steep curve that was seen at low fields alone asks for any field.
  void limit(Vector& step, double most) {
    if (!system_.nonlinear()) return;
    system_.set_fixed(std::vector<double>(p_.electrodes.size(), 0.0));
    const double size = system_.field_size(step.data()).energy;
    if (size > most)
      system_.device().for_each(system_.unknowns(),
                                Blend{most / size, step.data(), 0, step.data(), step.data()});
  }

  /// The potentials and their charges, of permittivities that may depend on the field.
  void add(const Period& of, Vector& step, Vector& ru, Vector& rq) {
    auto& dev = system_.device();
    const index_t n = system_.unknowns();
    Vector u = system_.vector(), before = system_.vector(), after = system_.vector(), i = system_.vector(),
           size = system_.vector();
    system_.set_fixed(of.potential);
    system_.evaluate(of.start, {before.data(), i.data(), size.data(), {1, 0}});
    dev.for_each(n, Blend{1, of.start, 1, step.data(), u.data()});
    system_.evaluate(u.data(), {after.data(), i.data(), size.data(), {1, 0}});
    dev.for_each(n, Blend{1, after.data(), -1, before.data(), after.data()});
    kept_.keep(after.data());
    dev.for_each(n, AddScaled{1, after.data(), rq.data()});
    dev.for_each(n, AddScaled{1, step.data(), ru.data()});
  }

  System<Device>& system_;
  const Problem& p_;
  KeptCharges<Device> kept_;
  std::vector<Sample> samples_;
  int stride_ = 1, steps_ = 0;  ///< of every so many steps the last is kept; since the last one
  double span_ = 0;             ///< the time of these, s
  std::size_t solver_bytes_ = 0;
};

}  // namespace umov::eqs
