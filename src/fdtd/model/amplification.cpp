// Spectral radius of the matrix of one step, and the longest time step that is stable in a material.
#include "fdtd/model/amplification.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace umov::fdtd {
namespace {

using materials::Material;
using materials::Pole;

/// One step of (E, H, P_1, J_1, P_2, ...): H and J between whole steps, then E and P at them. `curl` is the
/// modulus of the discrete curl of the wave.
Eigen::VectorXd step(const Material& m, double curl, double dt, Eigen::VectorXd x) {
  const double eps = std::min({m.eps[0], m.eps[1], m.eps[2]}), mu = std::min({m.mu[0], m.mu[1], m.mu[2]});
  x[1] -= dt * curl / mu * x[0];
  double current = 0;
  Eigen::Index at = 2;
  for (const auto& p : m.poles) {
    if (p.kind == Pole::Kind::debye) continue;
    const bool drude = p.kind == Pole::Kind::drude;
    const double w2 = drude ? 0 : p.omega * p.omega, strength = drude ? p.strength : p.strength * w2;
    const double loss = p.gamma * dt / 2;
    double &polarization = x[at], &flow = x[at + 1];
    flow = ((1 - loss) * flow + dt * (strength * x[0] - w2 * polarization)) / (1 + loss);
    polarization += dt * flow;
    current += flow;
    at += 2;
  }
  x[0] += dt / eps * (curl * x[1] - current);
  return x;
}

double spectral_radius(const Material& m, double curl, double dt) {
  const auto resonant =
      std::ranges::count_if(m.poles, [](const Pole& p) { return p.kind != Pole::Kind::debye; });
  const Eigen::Index n = 2 + 2 * Eigen::Index(resonant);
  Eigen::MatrixXd matrix(n, n);
  for (Eigen::Index i = 0; i < n; ++i) matrix.col(i) = step(m, curl, dt, Eigen::VectorXd::Unit(n, i));
  return Eigen::EigenSolver<Eigen::MatrixXd>(matrix, false).eigenvalues().cwiseAbs().maxCoeff();
}

/// The largest stable step in a material filling all space. With E and the polarizations P_k at whole steps
/// and H and J_k = dP_k/dt between them the scheme is a leapfrog of x'' = -M x, x = (E, P_1, ...): stable for
/// dt^2 max eig M < 4. For the grid's highest wave, of curl curl = 4 dim / dx^2, and poles of strength s_k =
/// wp^2 or delta w_k^2 (made symmetric by scaling P_k):
///   M_00 = (4 dim / (mu dx^2) + sum s_k) / eps,   M_0k = -w_k sqrt(s_k / eps),   M_kk = w_k^2.
/// A single Drude pole gives (dt/2)^2 (4 dim / dx^2 + wp^2) / eps < 1. Damping is centred in time and only
/// takes energy out; Debye terms add to eps and conductivities to the decay, neither lowers the limit.
double stable_step(const Material& m, double dx, int dim) {
  const double eps = std::min({m.eps[0], m.eps[1], m.eps[2]}), mu = std::min({m.mu[0], m.mu[1], m.mu[2]});
  const int n = 1 + int(m.poles.size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
  matrix(0, 0) = 4 * dim / (mu * dx * dx) / eps;
  for (int k = 1; k < n; ++k) {
    const auto& pole = m.poles[k - 1];
    if (pole.kind == Pole::Kind::debye) continue;
    const double w = pole.kind == Pole::Kind::drude ? 0 : pole.omega;
    const double s = pole.kind == Pole::Kind::drude ? pole.strength : pole.strength * w * w;
    matrix(0, 0) += s / eps;
    matrix(0, k) = matrix(k, 0) = -w * std::sqrt(s / eps);
    matrix(k, k) = w * w;
  }
  const double largest =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
  return 2 / std::sqrt(largest);
}

bool has_negative_pole(const Material& m) {
  return std::ranges::any_of(m.poles, [](const Pole& p) { return p.strength < 0; });
}

/// Nothing in it is faster than vacuum, whose limit is kept anyway.
bool at_least_vacuum(const Material& m) {
  return m.poles.empty() &&
         std::min({m.eps[0], m.eps[1], m.eps[2]}) * std::min({m.mu[0], m.mu[1], m.mu[2]}) >= 1;
}

}  // namespace

double growth_per_step(const Material& m, double dx, int dim, double dt) {
  constexpr int waves = 80;
  const double shortest = 2 * std::sqrt(double(dim)) / dx;  // curl of the wave of two cells
  double largest = 0;
  for (int i = 0; i < waves; ++i)
    largest = std::max(largest, spectral_radius(m, shortest * std::pow(1e-3, i / (waves - 1.0)), dt));
  return largest;
}

double step_without_growth(const Material& m, double dx, int dim, double wanted) {
  // Double eigenvalues of modulus 1 (static fields) come out with the square root of the rounding.
  constexpr double rounding = 1e-7;
  for (double dt = wanted; dt > 0.01 * wanted; dt *= 0.95)
    if (growth_per_step(m, dx, dim, dt) <= 1 + rounding) return dt;
  throw BadInput(fmt::format(
      "material '{}': no time step down to {:.3g} keeps it stable (its poles amplify); correct their "
      "strengths and dampings",
      m.name, 0.01 * wanted));
}

double longest_step(const Material& m, double dx, int dim, double wanted, double near_limit) {
  if (at_least_vacuum(m)) return wanted;
  // Poles of negative strength are held by the others' damping, which the closed form leaves out.
  if (has_negative_pole(m)) return step_without_growth(m, dx, dim, wanted);
  return std::min(wanted, near_limit * stable_step(m, dx, dim));
}

}  // namespace umov::fdtd
