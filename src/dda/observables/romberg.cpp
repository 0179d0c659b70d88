// The Romberg table shared by tabulated and adaptive averages.
#include "dda/observables/romberg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace umov::dda {
namespace {

/// The upper edge of two Romberg tables over blocks of values: one grows from trapezoid sums T, one from
/// midpoint sums M on the same intervals. Their results bracket the integral for smooth functions, so their
/// mean is the answer and half their difference its error.
class BracketTable {
 public:
  BracketTable(std::size_t block, bool periodic) : block_(block), periodic_(periodic), trapezoid_(block) {}

  std::vector<double>& trapezoid() { return trapezoid_; }

  /// Takes the midpoint sums of stage m (2^m intervals); call for m = 0, 1, ... in turn.
  void add_stage(int m, std::vector<double> midpoint) {
    if (periodic_) {
      if (m > 0) advance_trapezoid(0);
      diagonal_.assign(1, std::move(midpoint));
      return;
    }
    if (m > 0) advance_trapezoid(m);
    // new antidiagonal of the midpoint table, from M_0^m to M_m^0
    std::vector<std::vector<double>> next{std::move(midpoint)};
    for (int order = 1; order <= m; ++order) {
      const double q = std::pow(4.0, order);
      std::vector<double> v(block_);
      for (std::size_t c = 0; c < block_; ++c) {
        v[c] = (q * next[order - 1][c] - diagonal_[order - 1][c]) / (q - 1);
      }
      next.push_back(std::move(v));
    }
    diagonal_ = std::move(next);
  }

  double mean(std::size_t c) const { return 0.5 * (diagonal_.back()[c] + trapezoid_[c]); }
  double half_difference(std::size_t c) const { return 0.5 * std::abs(diagonal_.back()[c] - trapezoid_[c]); }

 private:
  /// T_m^0 from T_(m-1)^0 and M_(m-1)^0: halving the step gives T^1 = (T^0 + M^0)/2, and extrapolation
  /// (4^m T^1 - T^0)/(4^m - 1).
  void advance_trapezoid(int m) {
    const double q = std::pow(4.0, m), weight = m == 0 ? 0.5 : (0.5 * q - 1) / (q - 1);
    for (std::size_t c = 0; c < block_; ++c) {
      const double mid = diagonal_.back()[c];
      trapezoid_[c] = mid + weight * (trapezoid_[c] - mid);
    }
  }

  std::size_t block_;
  bool periodic_;
  std::vector<double> trapezoid_;
  std::vector<std::vector<double>> diagonal_;
};

/// Visits the points that stage m adds: the midpoints of 2^m intervals.
template <class F>
void for_new_points(const RombergAxis& axis, int m, F visit) {
  const std::size_t step = axis.intervals >> m;
  for (std::size_t j = step / 2; j <= axis.intervals; j += step) visit(j);
}

class Adaptive {
 public:
  Adaptive(const Romberg2dRequest& r, const Integrand& f) : r_(r), f_(f) {}

  Romberg2dResult run() {
    result_.log = heading();
    outer();
    result_.converged = result_.error < r_.outer.eps;
    result_.log += verdict();
    return std::move(result_);
  }

 private:
  using Values = std::vector<double>;

  Values evaluate(std::size_t i, std::size_t j) {
    Values v(r_.block);
    f_(i, j, v);
    ++stage_evaluations_;
    return v;
  }

  using Points = std::vector<std::array<std::size_t, 2>>;

  void announce(const Points& points) const {
    if (r_.announce && !points.empty()) r_.announce(points);
  }

  /// The points of outer point i that stage m of the inner axis adds.
  void add_stage(std::size_t i, int m, Points& points) const {
    const std::size_t sets = r_.inner.checked ? 2 : 1;
    for (std::size_t k = 0; k < sets; ++k)
      for_new_points(r_.inner, m, [&](std::size_t j) { points.push_back({i, j + k * r_.inner.intervals}); });
  }

  /// Those that the inner axis takes in any case.
  void add_certain(std::size_t i, bool single, Points& points) const {
    const RombergAxis& axis = r_.inner;
    points.push_back({i, 0});
    if (axis.intervals == 0 || single) return;
    if (axis.checked || !axis.equivalent) points.push_back({i, axis.intervals});
    for (int m = 0; m < std::min(std::max(axis.jmin, 1), axis.jmax); ++m) add_stage(i, m, points);
  }

  /// Those that an inner stage adds which was not certain before.
  void announce_stage(std::size_t i, int m) const {
    if (m < std::max(r_.inner.jmin, 1)) return;
    Points points;
    add_stage(i, m, points);
    announce(points);
  }

  /// Average over the inner axis; returns the absolute errors.
  Values inner(std::size_t i, bool single, Values& value) {
    const RombergAxis& axis = r_.inner;
    if (axis.intervals == 0 || single) {
      value = evaluate(i, 0);
      return Values(r_.block, 0.0);
    }
    if (axis.checked) return checked(i, value);
    BracketTable table(r_.block, axis.periodic);
    table.trapezoid() = evaluate(i, 0);
    if (!axis.equivalent) average(table.trapezoid(), evaluate(i, axis.intervals));
    double relative = 0;
    for (int m = 0; m < axis.jmax; ++m) {
      announce_stage(i, m);
      Values sum(r_.block, 0.0);
      for_new_points(axis, m, [&](std::size_t j) { accumulate(sum, evaluate(i, j)); });
      scale(sum, m);
      table.add_stage(m, std::move(sum));
      if (m < axis.jmin - 1) continue;
      relative = ratio(table.half_difference(0), table.mean(0));
      if (relative < axis.eps) break;
    }
    value.resize(r_.block);
    Values absolute(r_.block);
    for (std::size_t c = 0; c < r_.block; ++c) {
      value[c] = table.mean(c);
      absolute[c] = table.half_difference(c);
    }
    judge(i, relative);
    return absolute;
  }

  /// The same by two sets of points, of which the second checks the first.
  Values checked(std::size_t i, Values& value) {
    const RombergAxis& axis = r_.inner;
    std::array<Values, 2> sums;
    for (std::size_t k = 0; k < 2; ++k) sums[k] = evaluate(i, k * axis.intervals);
    Values absolute(r_.block);
    double relative = 0;
    for (int m = 0; m < axis.jmax; ++m) {
      announce_stage(i, m);
      for (std::size_t k = 0; k < 2; ++k) {
        Values added(r_.block, 0.0);
        for_new_points(axis, m,
                       [&](std::size_t j) { accumulate(added, evaluate(i, j + k * axis.intervals)); });
        scale(added, m);
        average(sums[k], added);
      }
      value = sums[0];
      average(value, sums[1]);
      for (std::size_t c = 0; c < r_.block; ++c) absolute[c] = std::abs(sums[0][c] - sums[1][c]);
      relative = ratio(absolute[0], value[0]);
      if (m >= axis.jmin - 1 && relative < axis.eps) break;
    }
    judge(i, relative);
    return absolute;
  }

  void judge(std::size_t i, double relative) {
    if (relative < r_.inner.eps) return;
    result_.log += fmt::format("Inner_qromb converged only to d={:g} for cosine value #{}\n", relative, i);
    ++result_.inner_failures;
  }

  bool lower_pole() const { return r_.single_at_poles && r_.outer.lower == -1; }
  bool upper_pole() const { return r_.single_at_poles && r_.outer.upper == 1; }

  void outer() {
    const RombergAxis& axis = r_.outer;
    Points first;
    add_certain(0, axis.intervals != 0 && lower_pole(), first);
    if (axis.intervals != 0 && !axis.equivalent) add_certain(axis.intervals, upper_pole(), first);
    announce(first);
    if (axis.intervals == 0) {
      result_.absolute_errors = inner(0, false, result_.value);
      end_stage("single");
      result_.error = ratio(result_.absolute_errors[0], result_.value[0]);
      return;
    }
    BracketTable table(r_.block, axis.periodic);
    Values absolute = inner(0, lower_pole(), table.trapezoid());
    if (!axis.equivalent) {
      Values last;
      average(absolute, inner(axis.intervals, upper_pole(), last));
      average(table.trapezoid(), last);
    }
    end_stage("init");
    double difference = 0;
    for (int m = 0; m < axis.jmax; ++m) {
      Points points;
      for_new_points(axis, m, [&](std::size_t i) { add_certain(i, false, points); });
      announce(points);
      Values sum(r_.block, 0.0), added(r_.block, 0.0), value;
      for_new_points(axis, m, [&](std::size_t i) {
        accumulate(added, inner(i, false, value));
        accumulate(sum, value);
      });
      scale(sum, m);
      scale(added, m);
      average(absolute, added);  // the inner errors average like the values
      table.add_stage(m, std::move(sum));
      end_stage(std::to_string(m + 1));
      const double before = r_.inner.checked ? slowest_fall * difference : 0;
      difference = table.half_difference(0);
      if (m < axis.jmin - 1) continue;
      result_.error = ratio(std::max(difference, before) + absolute[0], table.mean(0));
      if (result_.error < axis.eps) break;
    }
    result_.value.resize(r_.block);
    result_.absolute_errors = std::move(absolute);
    for (std::size_t c = 0; c < r_.block; ++c) {
      result_.value[c] = table.mean(c);
      result_.absolute_errors[c] += table.half_difference(c);
    }
  }

  static void accumulate(Values& sum, const Values& v) {
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += v[c];
  }
  static void average(Values& a, const Values& b) {
    for (std::size_t c = 0; c < a.size(); ++c) a[c] = 0.5 * (a[c] + b[c]);
  }
  static void scale(Values& v, int m) {
    for (double& x : v) x = std::ldexp(x, -m);
  }
  static double ratio(double error, double value) { return value == 0 ? 0 : error / std::abs(value); }

  void end_stage(const std::string& name) {
    result_.log += fmt::format("{}\t\t{} integrand-values were used.\n", name, stage_evaluations_);
    result_.evaluations += stage_evaluations_;
    stage_evaluations_ = 0;
  }

  std::string heading() const {
    const RombergAxis &in = r_.inner, &out = r_.outer;
    std::string s = fmt::format("{:19}{:>4}(rad)   cos({})\n", "", r_.inner_name, r_.outer_name);
    auto line = [&](const char* what, const auto& a, const auto& b) {
      s += fmt::format("{:<23}{:<7}   {}\n", what, a, b);
    };
    auto number = [](double x) { return fmt::format("{:g}", x); };
    line("EPS", number(in.eps), number(out.eps));
    s += "Refinement stages:\n";
    line("Minimum", fmt::to_string(in.jmin), fmt::to_string(out.jmin));
    line("Maximum", fmt::to_string(in.jmax), fmt::to_string(out.jmax));
    line("lower boundary", number(in.lower), number(out.lower));
    line("upper boundary", number(in.upper), number(out.upper));
    line("equivalent min&max", fmt::to_string(in.equivalent), fmt::to_string(out.equivalent));
    line("periodic", fmt::to_string(in.periodic), fmt::to_string(out.periodic));
    if (in.checked)
      s += fmt::format("{} checked by as many angles, shifted by {:g} of the range\n", r_.inner_name,
                       shift_of_check);
    return s + "\n\nOuter-Loop\tInner Loop\n";
  }

  std::string verdict() const {
    const std::size_t failures = result_.inner_failures;
    std::string s;
    if (failures != 0) s += fmt::format("{} inner integrations did not converge.\n", failures);
    if (result_.converged) {
      if (failures == 0) s += "All inner integrations converged\n";
      s += "The outer integration converged\n";
    } else if (failures == 0) {
      s += fmt::format("Only the outer integration did not converge \nIt reached d={:g}\n", result_.error);
    } else {
      s += fmt::format("The outer integration did not converge\nThe outer integration reached d={:g}\n",
                       result_.error);
    }
    return s + fmt::format("In total {} evaluations were used\n", result_.evaluations);
  }

  const Romberg2dRequest& r_;
  const Integrand& f_;
  Romberg2dResult result_;
  std::size_t stage_evaluations_ = 0;
};

}  // namespace

double romberg_average(const RombergAxis& axis, std::size_t block, std::span<const double> data,
                       std::span<double> result) {
  auto at = [&](std::size_t j, std::size_t c) { return data[j * block + c]; };
  if (axis.intervals == 0) {
    for (std::size_t c = 0; c < block; ++c) result[c] = data[c];
    return 0;
  }
  BracketTable table(block, axis.periodic);
  for (std::size_t c = 0; c < block; ++c) {
    table.trapezoid()[c] = axis.equivalent ? at(0, c) : 0.5 * (at(0, c) + at(axis.intervals, c));
  }
  for (int m = 0; m < axis.jmax; ++m) {
    std::vector<double> sum(block, 0.0);
    for_new_points(axis, m, [&](std::size_t j) {
      for (std::size_t c = 0; c < block; ++c) sum[c] += at(j, c);
    });
    for (double& x : sum) x = std::ldexp(x, -m);
    table.add_stage(m, std::move(sum));
  }
  double value2 = 0, error2 = 0;
  for (std::size_t c = 0; c < block; ++c) {
    result[c] = table.mean(c);
    value2 += result[c] * result[c];
    error2 += table.half_difference(c) * table.half_difference(c);
  }
  return value2 == 0 ? 0 : std::sqrt(error2 / value2);
}

Romberg2dResult romberg_average_2d(const Romberg2dRequest& request, const Integrand& integrand) {
  return Adaptive(request, integrand).run();
}

}  // namespace umov::dda
