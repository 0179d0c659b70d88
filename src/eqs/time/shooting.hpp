// Where the next period begins, so that it ends as it began: from how those before it closed.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "eqs/model/electrode_potentials.hpp"
#include "eqs/solve/newton.hpp"
#include "eqs/solve/residual_weights.hpp"

namespace umov::eqs {

/// A shot takes the charges q that it begins with to P(q): those after a period, or after half of it with the
/// other sign. Wanted is q = P(q). Anderson's method (1965, J. ACM 12, 547): of the last shots' starts q_j
/// and residuals r_j = P(q_j) - q_j the combination whose residual is smallest begins the next one, plus that
/// residual. For a linear P these are the iterates of GMRES on 1 - P (Walker and Ni 2011, SIAM J. Numer.
/// Anal. 49, 1715), each for one period, as in shooting with a Krylov method (Telichevesky, Kundert and White
/// 1995, DAC, 480). Lengths are in the energy norm, q . u.
///
/// Charges, not potentials: marching changes them by exactly what was conducted, and those that nothing
/// conducts (in insulators, on floating electrodes in them) are kept by every combination whose weights add
/// up to one.
///
/// What decays within thousands of periods leaves next to nothing of itself in a residual. So the first two
/// shots lie `probe` of the largest field apart, and an error is expected to be as many times its residual as
/// differences of starts were those of residuals.
template <class Device>
class Shooting {
  using Vector = typename Device::template Array<double>;
  static constexpr std::size_t most_shots = 5;
  static constexpr double probe = 0.1;

 public:
  Shooting(System<Device>& system, Newton<Device>& newton, const Problem& p)
      : system_(system), newton_(newton), p_(p) {
    for (Vector* v : {&start_u_, &start_q_, &next_u, &next_q, &change_}) *v = system.vector();
  }

  /// From potentials u and charges q at time t.
  void begin(const Vector& u, const Vector& q, double t, const FieldSize& size) {
    copy(u, start_u_);
    copy(q, start_q_);
    begun_ = t;
    largest_ = size;
  }
  /// A field on the way.
  void saw(const FieldSize& size) { largest_.grow_to(size); }

  /// At potentials u and charges q; next_u and next_q are set.
  ShotEnd end(const Vector& u, const Vector& q, double sign, bool learns, const std::vector<double>& volume) {
    ShotEnd out;
    if (!learns) shots_.clear();
    if (shots_.size() == most_shots) shots_.erase(shots_.begin());
    shots_.push_back(
        {clone(start_u_), clone(start_q_), difference(sign, u, start_u_), difference(sign, q, start_q_)});
    out.residual = relative(shots_.back().ru, volume);

    const auto r = products(&Shot::ru, &Shot::rq), x = products(&Shot::u, &Shot::q);
    const auto weight = minimal_residual_weights(r);
    const double least = length(r, weight), first = std::sqrt(std::max(r(0, 0), 0.0));
    const bool probes = learns && sign > 0 && shots_.size() == 1;
    combine(weight, probes && first > 0 ? std::clamp(probe * largest_.energy / first, 1.0, 1e6) : 1.0);
    system_.set_fixed(potentials_at(p_, begun_));
    newton_.begin();
    newton_.solve(next_u.data(), next_q.data(), {1, 0}, out.effort);

    system_.device().for_each(n(), Blend{1, next_u.data(), -1, start_u_.data(), change_.data()});
    const double scale = largest_.energy > 0 ? largest_.energy : 1, slowness = slowest(x, r);
    out.error = relative(change_, volume) + (slowness - 1) * least / scale;
    out.predicted = slowness * least / scale + (system_.nonlinear() ? 0.1 * out.error * out.error : 0);
    if (learns && !probes) return out;
    // nothing is known of what is slow yet
    out.error = out.predicted = std::max(out.error, 1.0);
    if (!learns) shots_.clear();
    return out;
  }

  double begun() const { return begun_; }
  const FieldSize& largest() const { return largest_; }

  std::size_t bytes() const { return (5 + 4 * shots_.size()) * next_u.bytes(); }
  /// To or from an archive (core/bytes.hpp).
  template <class Archive>
  void state(Archive& archive) {
    auto& dev = system_.device();
    for (Vector* v : {&start_u_, &start_q_, &next_u, &next_q}) archive.array(dev, *v);
    archive(begun_);
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
      for (Vector* v : {&s.u, &s.q, &s.ru, &s.rq}) archive.array(dev, *v);
  }

  Vector next_u, next_q;

 private:
  struct Shot {
    Vector u, q, ru, rq;  ///< its start; its end less its start
  };

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

  /// Inner products u . q of all shots; permittivities that depend on the field make the two orders differ.
  linalg::SmallMatrix products(Vector Shot::*u, Vector Shot::*q) {
    const int count = int(shots_.size());
    linalg::SmallMatrix g(count, count);
    const auto dot = [&](int i, int j) {
      const DotOf of{(shots_[std::size_t(i)].*u).data(), (shots_[std::size_t(j)].*q).data()};
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
  /// The largest difference of two starts in a row over that of their residuals, at least 1.
  static double slowest(const linalg::SmallMatrix& x, const linalg::SmallMatrix& r) {
    double most = 1;
    for (int i = 1; i < x.rows; ++i) {
      const auto square = [i](const linalg::SmallMatrix& g) {
        return std::max(g(i, i) - 2 * g(i, i - 1) + g(i - 1, i - 1), 0.0);
      };
      if (square(r) > 0) most = std::max(most, std::sqrt(square(x) / square(r)));
    }
    return most;
  }

  /// Of all shots, start + mixing * residual.
  void combine(const std::vector<double>& weight, double mixing) {
    auto& dev = system_.device();
    for (Vector* v : {&next_u, &next_q}) dev.fill_zero(v->data(), n());
    for (std::size_t k = 0; k < shots_.size(); ++k) {
      const Shot& s = shots_[k];
      dev.for_each(n(), AddScaled{weight[k], s.u.data(), next_u.data()});
      dev.for_each(n(), AddScaled{weight[k] * mixing, s.ru.data(), next_u.data()});
      dev.for_each(n(), AddScaled{weight[k], s.q.data(), next_q.data()});
      dev.for_each(n(), AddScaled{weight[k] * mixing, s.rq.data(), next_q.data()});
    }
  }

  System<Device>& system_;
  Newton<Device>& newton_;
  const Problem& p_;
  std::vector<Shot> shots_;  ///< oldest first
  Vector start_u_, start_q_, change_;
  double begun_ = 0;
  FieldSize largest_;
};

}  // namespace umov::eqs
