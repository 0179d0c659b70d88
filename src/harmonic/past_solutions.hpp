// Start vectors: solutions of neighbouring wavelengths.
#pragma once

#include <cmath>
#include <complex>
#include <deque>
#include <utility>
#include <vector>

#include "harmonic/rough_slab.hpp"
#include "linalg/krylov/krylov.hpp"

namespace umov::harmonic {

/// The last solutions of one polarization, in single precision, and the best that can be combined of them for
/// the next wavelength: that with the least residual. A linear extrapolation is among the combinations.
template <class Dev>
class PastSolutions {
  using C = Complex<double>;
  using F = Complex<float>;
  template <class X>
  using Array = typename Dev::template Array<X>;

 public:
  /// How many are kept. One costs an application of the layered cell's inverse at the next wavelength and 32
  /// bytes a node.
  static constexpr std::size_t most = 3;

  void keep(Dev& dev, const C* currents, const C* potential, index_t nodes) {
    if (!past_.empty() && past_.front().nodes != nodes) past_.clear();
    Past p;
    p.nodes = nodes;
    p.currents = dev.template allocate<F>(3 * nodes);
    dev.for_each(3 * nodes, ScaledTo<double, float>{1, currents, p.currents.data()});
    if (potential) {
      p.potential = dev.template allocate<F>(nodes);
      dev.for_each(nodes, ScaledTo<double, float>{1, potential, p.potential.data()});
    }
    past_.push_front(std::move(p));
    if (past_.size() > most) past_.pop_back();
  }

  /// Sets currents and potential, 0 before, to the best combination for `equations`, and r, the residual
  /// without them, to that with them. Returns the applications of the layered cell's inverse that it took.
  int start(Dev& dev, CellEquations<Dev>& equations, const C* layered, C* currents, C* potential, C* r) {
    const index_t n = equations.edges();
    if (past_.empty() || past_.front().nodes != equations.nodes() ||
        (past_.front().potential.size() > 0) != (potential != nullptr))
      return 0;
    // directions d_i = A x_i, made orthonormal one after the other, with the same done to x_i
    const auto dot = [&](const C* a, const C* b) {
      const auto s = dev.template map_reduce<2, double>(n, krylov::ShadowDot<double>{a, b});
      return C(s.v[0], s.v[1]);
    };
    Array<C> best = dev.template allocate<C>(n);
    dev.for_each(n, krylov::Copy<double>{r, best.data()});
    std::vector<Array<C>> directions;
    std::vector<std::vector<C>> made_of;  // of the solutions
    std::vector<C> weights(past_.size(), C(0, 0));
    for (std::size_t i = 0; i < past_.size(); ++i) {
      set(dev, past_[i], C(1, 0), currents, potential);
      Array<C> d = dev.template allocate<C>(n);
      equations.residual(layered, currents, potential, d.data());
      dev.fill_zero(currents, n);
      if (potential) dev.fill_zero(potential, n / 3);
      dev.for_each(n, SubtractFrom<double>{r, d.data()});
      const double size = std::sqrt(dot(d.data(), d.data()).re);
      std::vector<C> of(past_.size(), C(0, 0));
      of[i] = C(1, 0);
      for (std::size_t j = 0; j < directions.size(); ++j) {
        const C c = dot(directions[j].data(), d.data());
        dev.for_each(n, AddMultiple<double>{-c, directions[j].data(), d.data()});
        for (std::size_t k = 0; k < of.size(); ++k) of[k] -= c * made_of[j][k];
      }
      const double left = std::sqrt(dot(d.data(), d.data()).re);
      if (!(left > 1e-5 * size)) continue;  // solutions are kept in float
      dev.for_each(n, krylov::Scaled<double>{C(1 / left, 0), d.data(), d.data()});
      for (auto& k : of) k *= 1 / left;
      const C c = dot(d.data(), best.data());
      dev.for_each(n, AddMultiple<double>{-c, d.data(), best.data()});
      for (std::size_t k = 0; k < of.size(); ++k) weights[k] += c * of[k];
      directions.push_back(std::move(d));
      made_of.push_back(std::move(of));
    }
    for (std::size_t i = 0; i < past_.size(); ++i) set(dev, past_[i], weights[i], currents, potential);
    dev.for_each(n, krylov::Copy<double>{best.data(), r});
    return int(past_.size());
  }

 private:
  struct Past {
    index_t nodes = 0;
    Array<F> currents, potential;
  };
  static void set(Dev& dev, const Past& p, C weight, C* currents, C* potential) {
    dev.for_each(3 * p.nodes, AddMultiple<float>{weight, p.currents.data(), currents});
    if (potential) dev.for_each(p.nodes, AddMultiple<float>{weight, p.potential.data(), potential});
  }
  std::deque<Past> past_;
};

}  // namespace umov::harmonic
