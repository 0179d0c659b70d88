// Where the next period begins, so that it ends as it began: from how those before it closed.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "eqs/model/electrode_potentials.hpp"
#include "eqs/solve/newton.hpp"
#include "eqs/solve/residual_weights.hpp"
#include "eqs/solve/slow_charges.hpp"

namespace umov::eqs {

/// A shot takes the charges q that it begins with to P(q): those after a period, or after half of it with the
/// other sign. Wanted is q = P(q). Each shot has a step: the residual r = P(q) - q of half a period, where 1
/// - P' is between 1 and 2; of a whole one that of SlowCharges, which is near what q lacks whatever relaxes
/// how slowly. Anderson's method (1965, J. ACM 12, 547): of the last shots' starts and steps the combination
/// whose step is smallest begins the next one, plus that step. For a linear P these are the iterates of GMRES
/// (Walker and Ni 2011, SIAM J. Numer. Anal. 49, 1715), each for one period, as in shooting with a Krylov
/// method (Telichevesky, Kundert and White 1995, DAC, 480). Lengths are in the energy norm, q . u. Whole
/// periods of a nonlinear model take their step alone: it is Newton's, and earlier ones are of other models.
///
/// Charges, not potentials: marching changes them by exactly what was conducted, and those that nothing
/// conducts (in insulators, on floating electrodes in them) are kept by every combination whose weights add
/// up to one.
template <class Device>
class Shooting {
  using Vector = typename Device::template Array<double>;
  static constexpr std::size_t most_shots = 5;

 public:
  Shooting(System<Device>& system, Newton<Device>& newton, const Problem& p)
      : system_(system), newton_(newton), p_(p), slow_(system, p) {
    for (Vector* v : {&start_u_, &start_q_, &next_u, &next_q, &change_}) *v = system.vector();
  }

  /// From potentials u and charges q at time t; `sign`: of its end, -1 after half a period.
  void begin(const Vector& u, const Vector& q, double t, double sign, const FieldSize& size) {
    copy(u, start_u_);
    copy(q, start_q_);
    begun_ = t;
    sign_ = sign;
    largest_ = size;
    slow_.begin();
  }
  /// A state on the way, at the end of a step.
  void saw(const Vector& u, double time, double step, const FieldSize& size) {
    largest_.grow_to(size);
    if (whole()) slow_.saw(u, time, step);
  }

  /// At potentials u and charges q; next_u and next_q are set.
  ShotEnd end(const Vector& u, const Vector& q, double time, bool learns, const std::vector<double>& volume) {
    ShotEnd out;
    const bool alone = whole() && system_.nonlinear();
    if (!learns || alone) shots_.clear();
    if (shots_.size() == most_shots) shots_.erase(shots_.begin());
    shots_.push_back(
        {clone(start_u_), clone(start_q_), difference(sign_, u, start_u_), difference(sign_, q, start_q_)});
    Shot& shot = shots_.back();
    out.residual = relative(shot.su, volume);
    if (whole() && !slow_.correct(start_u_, begun_, u, time, largest_.energy, shot.su, shot.sq, out.effort))
      return out;
    const double step = relative(shot.su, volume);

    const auto s = products();
    const auto weight = minimal_residual_weights(s);
    combine(weight);
    system_.set_fixed(potentials_at(p_, begun_));
    newton_.begin();
    newton_.solve(next_u.data(), next_q.data(), {1, 0}, out.effort);

    system_.device().for_each(n(), Blend{1, next_u.data(), -1, start_u_.data(), change_.data()});
    out.error = std::max(step, relative(change_, volume));
    const double least = length(s, weight) / (largest_.energy > 0 ? largest_.energy : 1);
    if (alone)
      by_contraction(step, out);
    else
      out.predicted = (whole() ? 0.1 : 1) * least + (system_.nonlinear() ? 0.1 * out.error * out.error : 0);
    if (!learns) shots_.clear();
    return out;
  }

  double begun() const { return begun_; }
  const FieldSize& largest() const { return largest_; }

  double sign() const { return sign_; }

  std::size_t bytes() const { return (5 + 4 * shots_.size()) * next_u.bytes() + slow_.bytes(); }
  std::size_t solver_bytes() const { return slow_.solver_bytes(); }
  /// To or from an archive (core/bytes.hpp).
  template <class Archive>
  void state(Archive& archive) {
    auto& dev = system_.device();
    for (Vector* v : {&start_u_, &start_q_, &next_u, &next_q}) archive.array(dev, *v);
    archive(begun_);
    archive(sign_);
    archive(last_step_);
    slow_.state(archive);
    largest_.state(archive);
    std::size_t count = shots_.size();
    archive(count);
    if constexpr (requires { archive.reading; }) {
      if (count > most_shots) archive.damaged();
      shots_.clear();
      for (std::size_t k = 0; k < count; ++k)
        shots_.push_back({system_.vector(), system_.vector(), system_.vector(), system_.vector()});
    }
    for (Shot& s : shots_)
      for (Vector* v : {&s.u, &s.q, &s.su, &s.sq}) archive.array(dev, *v);
  }

  Vector next_u, next_q;

 private:
  struct Shot {
    Vector u, q, su, sq;  ///< its start, and the step from there
  };

  bool whole() const { return sign_ > 0; }

  /// Newton's steps that shrink by no more than a factor c leave 1 / (1 - c) of the last one: so far up on a
  /// steep curve, i = E^p, its steps are E / p.
  void by_contraction(double step, ShotEnd& out) {
    constexpr double most = 0.99;
    const double c = last_step_ > 0 ? std::min(step / last_step_, most) : most;
    out.error /= 1 - c;
    out.predicted = c * out.error;
    last_step_ = step;
  }

  index_t n() const { return system_.unknowns(); }
  void copy(const Vector& from, Vector& to) { system_.device().for_each(n(), Copy{from.data(), to.data()}); }
  Vector clone(const Vector& from) {
    Vector to = system_.vector();
    copy(from, to);
    return to;
  }
  Vector difference(double sign, const Vector& end, const Vector& start) {
    Vector to = system_.vector();
    system_.device().for_each(n(), Blend{sign, end.data(), -1, start.data(), to.data()});
    return to;
  }

  /// Of a difference of potentials beside the largest field of the shot.
  double relative(const Vector& u, const std::vector<double>& volume) {
    system_.set_fixed(std::vector<double>(p_.electrodes.size(), 0.0));
    return relative_error(system_.field_size(u.data()), largest_, volume);
  }

  /// Inner products u . q of all steps; permittivities that depend on the field make the two orders differ.
  linalg::SmallMatrix products() {
    const int count = int(shots_.size());
    linalg::SmallMatrix g(count, count);
    const auto dot = [&](int i, int j) {
      const DotOf of{shots_[std::size_t(i)].su.data(), shots_[std::size_t(j)].sq.data()};
      return system_.device().template map_reduce<1, double>(n(), of).v[0];
    };
    for (int i = 0; i < count; ++i)
      for (int j = 0; j <= i; ++j) g(i, j) = g(j, i) = i == j ? dot(i, i) : 0.5 * (dot(i, j) + dot(j, i));
    return g;
  }
  static double length(const linalg::SmallMatrix& g, const std::vector<double>& weight) {
    double sum = 0;
    for (int i = 0; i < g.rows; ++i)
      for (int j = 0; j < g.rows; ++j) sum += weight[std::size_t(i)] * g(i, j) * weight[std::size_t(j)];
    return std::sqrt(std::max(sum, 0.0));
  }

  /// Of all shots, start + step.
  void combine(const std::vector<double>& weight) {
    auto& dev = system_.device();
    for (Vector* v : {&next_u, &next_q}) dev.fill_zero(v->data(), n());
    for (std::size_t k = 0; k < shots_.size(); ++k) {
      const Shot& s = shots_[k];
      for (const Vector* v : {&s.u, &s.su}) dev.for_each(n(), AddScaled{weight[k], v->data(), next_u.data()});
      for (const Vector* v : {&s.q, &s.sq}) dev.for_each(n(), AddScaled{weight[k], v->data(), next_q.data()});
    }
  }

  System<Device>& system_;
  Newton<Device>& newton_;
  const Problem& p_;
  std::vector<Shot> shots_;  ///< oldest first
  Vector start_u_, start_q_, change_;
  double begun_ = 0, sign_ = 1;
  double last_step_ = 0;  ///< of the shot before, beside the largest field; 0: there is none
  FieldSize largest_;
  SlowCharges<Device> slow_;
};

}  // namespace umov::eqs
