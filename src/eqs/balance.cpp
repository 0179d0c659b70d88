// The balance of currents and power of a harmonic solution.
#include "eqs/balance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

namespace umov::eqs {

std::string imbalance(const Observation& o, double linear_tolerance) {
  // Measured: 1e-14 to 1e-12 where contrasts are borne, from 4e-7 where digits drown; the loss of a good
  // insulator is a small share of the apparent power, whose rounding it cannot be better than.
  const double bearable = std::max(1e-8, 1e3 * linear_tolerance);
  std::complex<double> sum = 0;
  double most = 0, fed = 0, apparent = 0;
  for (std::size_t e = 0; e < o.current.size(); ++e) {
    const std::complex<double> i(o.current[e], o.current_imaginary[e]),
        u(o.potential[e], o.potential_imaginary[e]);
    sum += i;
    most = std::max(most, std::abs(i));
    fed += (u * std::conj(i)).real() / 2;
    apparent += std::abs(u * i) / 2;
  }
  const char* advice =
      "rounding or the solver's residual is in them, as where materials that touch conduct very differently; "
      "make the best conductor an electrode, or part of the one that it touches";
  // so written that numbers that are none count as wrong
  if (!(std::abs(sum) <= bearable * most))
    return fmt::format(
        "the electrodes' currents do not sum to zero (what is left is {:.1e} of the largest); {}",
        std::abs(sum) / most, advice);
  if (!(std::abs(fed - o.power) <= 1e-6 * std::max(std::abs(fed), o.power) + bearable * apparent))
    return fmt::format("the power fed in, {:.6g} W, is not the power lost, {:.6g} W; {}", fed, o.power,
                       advice);
  return {};
}

}  // namespace umov::eqs
