// The balance of electrodes' currents, and of power in a harmonic solution.
#include "eqs/observables/balance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

namespace umov::eqs {

namespace {

constexpr const char* advice =
    "rounding or the solver's residual is in them, as where materials that touch conduct very differently; "
    "make the best conductor an electrode, or part of the one that it touches";

/// Rounding leaves 1e-14 to 1e-12 where contrasts are borne, measured, and from 4e-7 where digits drown. The
/// sum of the currents is that of all rows' residuals r. With |r| <= tolerance |terms of the rows| it is at
/// most sqrt(rows) tolerance |terms|: across a cube of N^3 nodes a current I has N I of terms a few times
/// over, so that N of some hundred make this 1e3.
double bearable_imbalance(double tolerance) { return std::max(1e-8, 1e3 * tolerance); }

std::string do_not_sum(double left, double most) {
  return fmt::format("the electrodes' currents do not sum to zero ({}); {}",
                     std::isfinite(left) && most > 0
                         ? fmt::format("what is left is {:.1e} of the largest", left / most)
                         : "they are no numbers",
                     advice);
}

}  // namespace

std::string imbalance_of_currents(const std::vector<Record>& history, double tolerance, std::size_t first) {
  double most = 0, left = 0;
  const Record* before = nullptr;
  for (std::size_t k = 0; k < history.size(); ++k) {
    const Record& r = history[k];
    if (k < first) {
      const auto own = imbalance_of_currents({r}, tolerance);
      if (!own.empty()) return own;
      before = &r;
      continue;
    }
    double sum = 0;
    for (const double i : r.seen.current) sum += i, most = std::max(most, std::abs(i));
    // Where a charged body discharges through its insulation, conduction and displacement cancel in it.
    for (std::size_t e = 0; before && r.time > before->time && e < r.seen.charge.size(); ++e)
      most = std::max(most, std::abs(r.seen.charge[e] - before->seen.charge[e]) / (r.time - before->time));
    before = &r;
    if (!(std::abs(sum) <= left)) left = std::abs(sum);
    if (std::isnan(left)) break;
  }
  if (left <= bearable_imbalance(tolerance) * most) return {};
  return do_not_sum(left, most);
}

std::string imbalance(const Observation& o, double linear_tolerance) {
  const double bearable = bearable_imbalance(linear_tolerance);
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
  // so written that numbers that are none count as wrong
  if (!(std::abs(sum) <= bearable * most)) return do_not_sum(std::abs(sum), most);
  // the loss of a good insulator is a small share of the apparent power, whose rounding it cannot be below
  if (!(std::abs(fed - o.power) <= 1e-6 * std::max(std::abs(fed), o.power) + bearable * apparent))
    return fmt::format("the power fed in, {:.6g} W, is not the power lost, {:.6g} W; {}", fed, o.power,
                       advice);
  return {};
}

}  // namespace umov::eqs
