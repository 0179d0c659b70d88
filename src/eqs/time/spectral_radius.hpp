// The fastest decay of the charges, 1/s: what the stages of stabilised explicit steps must reach.
#pragma once

#include <algorithm>
#include <cmath>

#include "comm/ranked_device.hpp"
#include "eqs/materials/curve_table.hpp"
#include "eqs/solve/charge_solver.hpp"

namespace umov::eqs {

/// Three ways to rho, the largest rate of K v = rate M v with the differential matrices of conduction and
/// charge at a state:
///  - bound: the largest rate of the materials at the points of the model (kernels/relaxation.hpp), one
///    reduction. Never below rho.
///  - power: the nonlinear power method on difference quotients of i(u), from the last direction, until it
///    changes by 1 %; times 1.2 (Sommeijer et al. 1998, section 2.4). A solve an iteration.
///  - rayleigh: from the stages. Rayleigh's quotients of what their solves add to their guesses are lower
///    bounds of rho that come near it as soon as an unstable part grows; 1.25 times the largest of a step is
///    used for the next, falling by a fifth a step at most.
/// With richter nobody asks for it but a first step.
template <class Device>
class SpectralEstimate {
  using Vector = typename Device::template Array<double>;

 public:
  SpectralEstimate(System<Device>& system, ChargeSolver<Device>& solver, const Problem& p)
      : system_(system),
        solver_(solver),
        kind_(p.time.scheme == Scheme::automatic ? SpectralRadius::bound : p.time.spectral_radius),
        systems_(p.systems) {
    std::vector<char> there(p.materials.size(), 0);
    for (const int m : p.material) there[m] = 1;
    for (std::size_t m = 0; m < there.size(); ++m)
      if (there[m] && !p.materials[m].nonlinear())
        constant_ = std::max(constant_,
                             p.materials[m].conductivity.value / (eps0 * p.materials[m].permittivity.value));
    // a rank's share need not have all materials
    if constexpr (comm::is_ranked<Device>) constant_ = comm::max(system.device().comm(), constant_);
    if (power())
      for (Vector* v : {&direction_, &moved_, &i_, &unused_, &size_}) *v = system.vector();
  }

  bool rayleigh() const { return kind_ == SpectralRadius::rayleigh; }
  bool power() const { return kind_ == SpectralRadius::power; }
  /// Stages follow from errors.
  bool none() const { return kind_ == SpectralRadius::richter; }

  /// At the state u with conduction i, with its electrodes set; `norm`: of potentials of its kind.
  double at(const double* u, const double* i, double norm, Effort& effort) {
    if (!power()) return bound(u);
    if (!system_.nonlinear() && known_ > 0) return known_;
    Effort own;  // one that fails is no failure of the step
    const double found = iterate(u, i, norm, own);
    effort.add_work(own);
    return known_ = std::isfinite(found) && found >= 0 ? 1.2 * found : bound(u);
  }
  double bound(const double* u) const {
    return system_.nonlinear() ? std::max(constant_, system_.largest_rate(u)) : constant_;
  }

  std::size_t bytes() const { return 5 * direction_.bytes(); }
  template <class Archive>
  void state(Archive& archive) {
    archive(known_);
    archive(has_direction_);
    if (power()) archive.array(system_.device(), direction_);
  }

 private:
  double iterate(const double* u, const double* i, double norm, Effort& effort) {
    auto& dev = system_.device();
    const index_t n = system_.unknowns();
    if (systems_) systems_->of("rate");
    if (!has_direction_) {
      dev.for_each(n, ScatteredCharge{i_.data()});
      if (!solver_.solve(i_.data(), u, direction_.data(), 1e-3, effort)) return NAN;
      if (!normalise(i_.data())) return 0;
      has_direction_ = true;
    }
    // differences in double keep half the digits
    const double reach = 1e-8 * std::max(norm, 1e-30);
    double rate = 0;
    for (int k = 0; k < 50; ++k) {
      dev.for_each(n, Blend{1, u, reach, direction_.data(), moved_.data()});
      system_.evaluate(moved_.data(), {unused_.data(), i_.data(), size_.data(), {0, 1}});
      dev.for_each(n, Blend{1 / reach, i_.data(), -1 / reach, i, i_.data()});
      if (!solver_.solve(i_.data(), u, direction_.data(), 1e-3, effort)) return NAN;
      const double before = rate;
      rate = normalise(i_.data());
      if (!(rate > 0) || std::abs(rate - before) <= 0.01 * rate) break;
    }
    if (!(rate > 0)) has_direction_ = false;
    return rate;
  }
  /// The energy norm of the direction x with M x = b, which becomes 1.
  double normalise(const double* b) {
    auto& dev = system_.device();
    const index_t n = system_.unknowns();
    const double square = dev.template map_reduce<1, double>(n, DotOf{direction_.data(), b}).v[0];
    if (!(square > 0)) return square == 0 ? 0 : NAN;
    const double length = std::sqrt(square);
    dev.for_each(n, Blend{1 / length, direction_.data(), 0, direction_.data(), direction_.data()});
    return length;
  }

  System<Device>& system_;
  ChargeSolver<Device>& solver_;
  SpectralRadius kind_;
  SystemSink* systems_;
  double constant_ = 0, known_ = 0;
  bool has_direction_ = false;
  Vector direction_, moved_, i_, unused_, size_;
};

}  // namespace umov::eqs
