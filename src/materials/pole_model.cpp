// The permittivity of a pole fit and its derivatives by the variables.
#include "materials/pole_model.hpp"

#include <algorithm>
#include <cmath>

namespace umov::materials {

namespace {

/// Terms of the sum, each with its derivatives by its own variables (log strength, log w0, log gamma).
struct Term {
  cplx value, by_strength, by_omega, by_gamma;
};

Term lorentz_term(double w, double strength, double w0, double gamma) {
  const cplx denominator(w0 * w0 - w * w, -gamma * w);
  const cplx value = strength * w0 * w0 / denominator;
  return {value, value, 2.0 * value * (1.0 - w0 * w0 / denominator),
          value * cplx(0, gamma * w) / denominator};
}

Term drude_term(double w, double wp2, double gamma) {
  const cplx denominator(w * w, gamma * w);
  const cplx value = -wp2 / denominator;
  return {value, value, 0, -value * cplx(0, gamma * w) / denominator};
}

double strength_of(const PoleLayout& layout, double variable) {
  return layout.either_sign ? variable : std::exp(variable);
}

/// gamma of the Lorentz pole whose variables start at `at`.
double damping_of(const PoleLayout& layout, const Eigen::VectorXd& x, int at) {
  return layout.lossless ? 0 : layout.least_damping + std::exp(x[at + 2]);
}

/// Calls visit(first variable, number of variables, term) for each term at one frequency.
template <class Visit>
void each_term(const PoleLayout& layout, const Eigen::VectorXd& x, double w, Visit visit) {
  for (int j = 0; j < layout.lorentz; ++j) {
    const int at = 1 + j * layout.per_pole();
    const double gamma = damping_of(layout, x, at);
    Term term = lorentz_term(w, strength_of(layout, x[at]), std::exp(x[at + 1]), gamma);
    if (layout.either_sign) term.by_strength = lorentz_term(w, 1, std::exp(x[at + 1]), gamma).value;
    if (gamma > 0) term.by_gamma *= (gamma - layout.least_damping) / gamma;
    visit(at, term, true);
  }
  if (layout.drude) {
    const int at = layout.drude_at();
    visit(at, drude_term(w, std::exp(x[at]), std::exp(x[at + 1])), false);
  }
}

/// Calls put(variable, derivative of eps by it).
template <class Put>
void each_derivative(const PoleLayout& layout, const Eigen::VectorXd& x, double w, Put put) {
  put(0, cplx(2 * x[0]));
  each_term(layout, x, w, [&](int at, const Term& term, bool resonant) {
    put(at, term.by_strength);
    if (resonant) put(at + 1, term.by_omega);
    if (!layout.lossless) put(at + (resonant ? 2 : 1), term.by_gamma);
  });
}

cplx permittivity(const PoleLayout& layout, const Eigen::VectorXd& x, double w) {
  cplx eps = 1 + x[0] * x[0];
  each_term(layout, x, w, [&](int, const Term& term, bool) { eps += term.value; });
  return eps;
}

/// How far Im eps is below the margin at a guard frequency, in units of its scale there; <= 0.
double shortfall(const Samples& s, Eigen::Index i, cplx eps) {
  return std::min(0.0, eps.imag() * s.guard_scale[i] - s.margin);
}

/// Weight of a strength: a delta of 10 costs as much as an rms error of 0.1 %.
constexpr double strength_weight = 1e-4;

/// Ends of the band's surroundings, in units of its own ends: a pole farther out would do the same inside,
/// where a constant, a slope and a loss are all that is left of it, and cut time steps or need a strength
/// beyond all measure.
constexpr double lowest_resonance = 0.05, highest_resonance = 5, highest_damping = 30,
                 highest_drude_damping = 5;
/// Weight of the logarithm of how far a pole is beyond them.
constexpr double bound_weight = 0.1;

/// How far each variable is beyond its ends: 0 for most.
Eigen::VectorXd excess(const Samples& samples, const PoleLayout& layout, const Eigen::VectorXd& x) {
  const double low = samples.w.minCoeff(), high = samples.w.maxCoeff();
  Eigen::VectorXd out = Eigen::VectorXd::Zero(x.size());
  const auto limit = [&](int at, double most, double least = 0) {
    out[at] = std::max(0.0, x[at] - std::log(most)) + std::min(0.0, x[at] - std::log(least));
  };
  for (int j = 0; j < layout.lorentz; ++j) {
    const int at = 1 + j * layout.per_pole();
    limit(at + 1, highest_resonance * high, lowest_resonance * low);
    if (!layout.lossless) limit(at + 2, highest_damping * high);
  }
  if (layout.drude) limit(layout.drude_at() + 1, highest_drude_damping * high);
  return out;
}

void set_guard(Samples& s) {
  constexpr int points = 300;
  const double low = s.w.minCoeff(), high = s.w.maxCoeff(), middle = std::sqrt(low * high);
  s.guard.resize(points);
  s.guard_scale.resize(points);
  for (int i = 0; i < points; ++i) {
    const double w = 1e-2 * low * std::pow(1e4 * high / low, i / (points - 1.0));
    s.guard[i] = w;
    s.guard_scale[i] = std::pow(w * w + middle * middle, 2) / (4 * w * std::pow(middle, 3));
  }
}

}  // namespace

Samples samples_of(const NkTable& table, const FitOptions& options) {
  const auto rows = Eigen::Index(table.size());
  Samples s;
  s.w.resize(rows);
  s.eps.resize(rows);
  s.weight.resize(rows);
  s.loss_weight.resize(rows);
  const double floor = std::max(options.loss_floor, 1e-9);  // rows without loss must not divide by 0
  for (Eigen::Index i = 0; i < rows; ++i) {
    const cplx m(table.n[std::size_t(i)], table.k[std::size_t(i)]);
    s.w[i] = angular_frequency(table.wavelength_um[std::size_t(i)]);
    s.eps[i] = m * m;
    const double size = std::abs(s.eps[i]);
    const double loss = s.eps[i].imag();
    s.weight[i] = 1 / (size * std::sqrt(double(rows)));
    s.loss_weight[i] = options.loss_weight / ((loss + floor * size) * std::sqrt(double(rows)));
  }
  set_guard(s);
  s.margin = std::min(3e-4, 0.3 * floor);
  return s;
}

int PoleResiduals::operator()(const Eigen::VectorXd& x, Eigen::VectorXd& residual) const {
  residual.resize(values());
  const Eigen::Index rows = samples.w.size();
  for (Eigen::Index i = 0; i < rows; ++i) {
    const cplx error = permittivity(layout, x, samples.w[i]) - samples.eps[i];
    residual[3 * i] = error.real() * samples.weight[i];
    residual[3 * i + 1] = error.imag() * samples.weight[i];
    residual[3 * i + 2] = error.imag() * samples.loss_weight[i];
  }
  if (layout.either_sign) {
    const Eigen::Index guards = samples.guard.size();
    for (Eigen::Index i = 0; i < guards; ++i)
      residual[3 * rows + i] =
          guard_weight * shortfall(samples, i, permittivity(layout, x, samples.guard[i]));
    for (int j = 0; j < layout.lorentz; ++j)
      residual[3 * rows + guards + j] = strength_weight * x[1 + j * layout.per_pole()];
  }
  residual.tail(inputs()) = bound_weight * excess(samples, layout, x);
  // A step too far: a value so bad that the solver takes a shorter one (a negative return would end it).
  if (!residual.allFinite()) residual.setConstant(1e10);
  return 0;
}

int PoleResiduals::df(const Eigen::VectorXd& x, Eigen::MatrixXd& jacobian) const {
  jacobian.setZero(values(), inputs());
  const Eigen::Index rows = samples.w.size();
  for (Eigen::Index i = 0; i < rows; ++i)
    each_derivative(layout, x, samples.w[i], [&](int column, cplx derivative) {
      jacobian(3 * i, column) = derivative.real() * samples.weight[i];
      jacobian(3 * i + 1, column) = derivative.imag() * samples.weight[i];
      jacobian(3 * i + 2, column) = derivative.imag() * samples.loss_weight[i];
    });
  if (layout.either_sign) {
    const Eigen::Index guards = samples.guard.size();
    for (Eigen::Index i = 0; i < guards; ++i) {
      if (shortfall(samples, i, permittivity(layout, x, samples.guard[i])) == 0) continue;
      each_derivative(layout, x, samples.guard[i], [&](int column, cplx derivative) {
        jacobian(3 * rows + i, column) = guard_weight * samples.guard_scale[i] * derivative.imag();
      });
    }
    for (int j = 0; j < layout.lorentz; ++j)
      jacobian(3 * rows + guards + j, 1 + j * layout.per_pole()) = strength_weight;
  }
  const Eigen::VectorXd beyond = excess(samples, layout, x);
  for (int i = 0; i < inputs(); ++i)
    if (beyond[i] != 0) jacobian(values() - inputs() + i, i) = bound_weight;
  return jacobian.allFinite() ? 0 : -1;
}

void pull_in(const Samples& samples, const PoleLayout& layout, Eigen::VectorXd& x) {
  const double low = samples.w.minCoeff(), high = samples.w.maxCoeff();
  const double faint = std::min(1e-4, samples.margin);
  const auto limit = [&x](int at, double least, double most) {
    x[at] = std::clamp(x[at], std::log(least), std::log(most));
  };
  x[0] = std::max(std::abs(x[0]), 0.05);
  for (int j = 0; j < layout.lorentz; ++j) {
    const int at = 1 + j * layout.per_pole();
    if (!layout.either_sign) limit(at, faint, 1e4);
    limit(at + 1, lowest_resonance * low, highest_resonance * high);
    if (!layout.lossless) limit(at + 2, 10 * faint * low, highest_damping * high);
  }
  if (!layout.drude) return;
  limit(layout.drude_at(), 1e-4 * low * low, 1e2 * high * high);
  limit(layout.drude_at() + 1, 1e-3 * low, highest_drude_damping * high);
}

Material material_of(const PoleLayout& layout, const Eigen::VectorXd& x) {
  Material m;
  const double eps = 1 + x[0] * x[0];
  m.eps = {eps, eps, eps};
  if (layout.drude) {
    const int at = layout.drude_at();
    m.poles.push_back({Pole::Kind::drude, std::exp(x[at]), 0, std::exp(x[at + 1]), 0});
  }
  for (int j = 0; j < layout.lorentz; ++j) {
    const int at = 1 + j * layout.per_pole();
    const double gamma = damping_of(layout, x, at);
    m.poles.push_back({Pole::Kind::lorentz, strength_of(layout, x[at]), std::exp(x[at + 1]), gamma, 0});
  }
  return m;
}

}  // namespace umov::materials
