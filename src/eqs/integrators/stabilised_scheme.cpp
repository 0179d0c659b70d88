// Stabilised explicit Runge-Kutta methods.
#include "eqs/integrators/stabilised_scheme.hpp"

#include <algorithm>
#include <cmath>

#include "core/contract.hpp"

namespace umov::eqs {

namespace {

constexpr double damping = 2.0 / 13;

/// What both methods have in common: Y_j = a_j y + b_j P_j(w0 + w1 h F') y, P a family of orthogonal
/// polynomials with P_j(x) = alpha_j x P_{j-1} + beta_j P_{j-2}.
struct Family {
  double w0 = 1, w1 = 0;
  std::vector<double> a, b;  // 0 .. s
  double alpha(int j) const { return legendre ? (2.0 * j - 1) / j : 2; }
  double beta(int j) const { return legendre ? (1.0 - j) / j : -1; }
  bool legendre = false;
};

std::vector<StabilisedStage> stages_of(const Family& f, int s) {
  std::vector<StabilisedStage> out;
  double c = 0, c_before = 0;
  for (int j = 1; j <= s; ++j) {
    StabilisedStage t;
    if (j == 1) {
      t.slope = t.c = f.b[1] * f.w1;
    } else {
      t.last = f.alpha(j) * f.b[j] / f.b[j - 1] * f.w0;
      t.before = f.beta(j) * f.b[j] / f.b[j - 2];
      t.slope = f.alpha(j) * f.b[j] / f.b[j - 1] * f.w1;
      t.first_slope = -f.a[j - 1] * t.slope;
      // the same recursion for y' = 1
      t.c = t.last * c + t.before * c_before + t.slope + t.first_slope;
    }
    c_before = c;
    c = t.c;
    out.push_back(t);
  }
  out.back().c = 1;  // to the bit: stops are hit
  return out;
}

/// Sommeijer et al. 1998, equations (2.2) to (2.8).
StabilisedScheme rkc(int s) {
  Family f;
  f.w0 = 1 + damping / (double(s) * s);
  // T_s' / T_s'' at w0 with T_s = cosh(s acosh(x))
  const double root = std::sqrt(f.w0 * f.w0 - 1), angle = s * std::log(f.w0 + root);
  f.w1 = std::sinh(angle) * root * root / (std::cosh(angle) * s * root - f.w0 * std::sinh(angle));
  f.a.assign(std::size_t(s) + 1, 0);
  f.b.assign(std::size_t(s) + 1, 0);
  // T and its derivatives by their recursion: closed forms lose half the digits where j is much less than s
  double t[3] = {1, f.w0, 0}, d[3] = {0, 1, 0}, dd[3] = {0, 0, 0};
  f.b[0] = f.b[1] = 1 / (4 * f.w0 * f.w0);  // = b_2, so that c_1 = c_2 / T_2'(w0)
  f.a[0] = 1 - f.b[0];
  f.a[1] = 1 - f.b[1] * f.w0;
  for (int j = 2; j <= s; ++j) {
    t[2] = 2 * f.w0 * t[1] - t[0];
    d[2] = 2 * (t[1] + f.w0 * d[1]) - d[0];
    dd[2] = 4 * d[1] + 2 * f.w0 * dd[1] - dd[0];
    f.b[j] = dd[2] / (d[2] * d[2]);
    f.a[j] = 1 - f.b[j] * t[2];
    for (double* x : {t, d, dd}) x[0] = x[1], x[1] = x[2];
  }
  return {stages_of(f, s), reach_of(Scheme::rkc, s)};
}

/// Meyer et al. 2014, equations (11) to (17).
StabilisedScheme rkl2(int s) {
  Family f;
  f.legendre = true;
  f.w1 = 4 / (double(s) * s + s - 2);
  for (int j = 0; j <= s; ++j) {
    const double jj = std::max(j, 2);
    f.b.push_back((jj * jj + jj - 2) / (2 * jj * (jj + 1)));
    f.a.push_back(1 - f.b.back());
  }
  return {stages_of(f, s), reach_of(Scheme::rkl2, s)};
}

}  // namespace

StabilisedScheme stabilised_scheme(Scheme scheme, int stages) {
  UMOV_EXPECT(is_stabilised(scheme),
              "the coefficients of a stabilised scheme are asked for one that is none");
  UMOV_EXPECT(stages >= (scheme == Scheme::rkc ? 2 : 3) && (scheme == Scheme::rkc || stages % 2 == 1),
              "a number of stages that the stabilised scheme has not");
  return scheme == Scheme::rkc ? rkc(stages) : rkl2(stages);
}

double integral_over_stages(const StabilisedScheme& method, const std::vector<double>& value) {
  const std::size_t n = method.stages.size();
  UMOV_EXPECT(value.size() == n + 1 && n >= 2, "a value for the start of a step and for each stage");
  const auto at = [&](std::size_t j) { return j ? method.stages[j - 1].c : 0.0; };
  const auto slope = [&](std::size_t j) { return (value[j + 1] - value[j]) / (at(j + 1) - at(j)); };
  // half the second derivative of the parabola around point j
  const auto bend = [&](std::size_t j) { return (slope(j) - slope(j - 1)) / (at(j + 1) - at(j - 1)); };
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double h = at(j + 1) - at(j);
    const double around = j == 0 ? bend(1) : j + 1 == n ? bend(j) : (bend(j) + bend(j + 1)) / 2;
    sum += std::max(0.0, h * (value[j] + value[j + 1]) / 2 - h * h * h / 6 * around);
  }
  return sum;
}

int stages_for(Scheme scheme, double h_rho, int largest) {
  const bool rkc = scheme == Scheme::rkc;
  double s = rkc ? 1 + std::floor(std::sqrt(1 + 1.54 * h_rho))
                 : std::ceil((std::sqrt(9 + 8 * h_rho) - 1) / 2 * (1 - 1e-12));
  if (!(s < largest)) s = largest;
  const int stages = std::max(int(s), rkc ? 2 : 3);
  if (rkc || stages % 2 == 1) return stages;
  return stages + 1 <= std::max(largest, 3) ? stages + 1 : stages - 1;
}

double reach_of(Scheme scheme, int stages) {
  const double s = stages;
  // rkc: what the number of stages is chosen by, 0.6 % below the end of the stability interval
  return scheme == Scheme::rkc ? (s * s - 1) / 1.54 : (s * s + s - 2) / 2;
}

}  // namespace umov::eqs
