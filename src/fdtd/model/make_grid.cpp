// The grid of a case and the largest time step that is stable on it.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "core/error.hpp"
#include "fdtd/model/amplification.hpp"
#include "fdtd/model/conformal.hpp"
#include "fdtd/model/extent.hpp"
#include "fdtd/scene.hpp"

namespace umov::fdtd {
namespace {

/// How near a material's own limit the step may come: room for rounding in single precision.
constexpr double near_limit = 0.98;

/// The largest stable step in a material filling all space. With E and the polarizations P_k at whole steps
/// and H and J_k = dP_k/dt between them the scheme is a leapfrog of x'' = -M x, x = (E, P_1, ...): stable for
/// dt^2 max eig M < 4. For the grid's highest wave, of curl curl = 4 dim / dx^2, and poles of strength s_k =
/// wp^2 or delta w_k^2 (made symmetric by scaling P_k):
///   M_00 = (4 dim / (mu dx^2) + sum s_k) / eps,   M_0k = -w_k sqrt(s_k / eps),   M_kk = w_k^2.
/// A single Drude pole gives (dt/2)^2 (4 dim / dx^2 + wp^2) / eps < 1. Damping is centred in time and only
/// takes energy out; Debye terms add to eps and conductivities to the decay, neither lowers the limit.
double stable_step(const materials::Material& m, double dx, int dim) {
  const double eps = std::min({m.eps[0], m.eps[1], m.eps[2]}), mu = std::min({m.mu[0], m.mu[1], m.mu[2]});
  const int n = 1 + int(m.poles.size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
  matrix(0, 0) = 4 * dim / (mu * dx * dx) / eps;
  for (int k = 1; k < n; ++k) {
    const auto& pole = m.poles[k - 1];
    if (pole.kind == materials::Pole::Kind::debye) continue;
    const double w = pole.kind == materials::Pole::Kind::drude ? 0 : pole.omega;
    const double s = pole.kind == materials::Pole::Kind::drude ? pole.strength : pole.strength * w * w;
    matrix(0, 0) += s / eps;
    matrix(0, k) = matrix(k, 0) = -w * std::sqrt(s / eps);
    matrix(k, k) = w * w;
  }
  const double largest =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
  return 2 / std::sqrt(largest);
}

bool has_negative_pole(const materials::Material& m) {
  return std::ranges::any_of(m.poles, [](const materials::Pole& p) { return p.strength < 0; });
}

/// Nothing in it is faster than vacuum, whose limit is kept anyway.
bool at_least_vacuum(const materials::Material& m) {
  return m.poles.empty() &&
         std::min({m.eps[0], m.eps[1], m.eps[2]}) * std::min({m.mu[0], m.mu[1], m.mu[2]}) >= 1;
}

}  // namespace

Grid make_grid(const Simulation& s, const Scene& scene) {
  if (!(s.courant > 0) || (s.courant > 1 && !s.force))
    throw BadInput(
        fmt::format("courant is {:g} (a fraction of the stability limit: above 0, and up to 1); leave it out "
                    "for 0.9",
                    s.courant));
  const Extent e = extent_of(s);
  const int dim = dimensions(e.mode);
  Grid g;
  g.mode = e.mode;
  g.cells = e.cells;
  g.dx = e.dx;
  g.origin = e.low;
  for (int a = 0; a < dim; ++a) {
    const bool low = is_mirror(s.walls[a][0]), high = is_mirror(s.walls[a][1]);
    if (low || high) g.cells[a] /= 2;
    if (low) g.origin[a] = 0;
  }
  g.dt = s.courant * g.dx / std::sqrt(double(dim));
  // What conductors need, surfaces between nodes ask of the limit in every medium that may touch them.
  const bool cut =
      s.averaging && std::ranges::any_of(scene.materials(), &materials::Material::perfect_conductor);
  if (cut) g.dt = std::min(g.dt, conductor_courant(g.mode) * g.dx / std::sqrt(double(dim)));
  for (const auto& m : scene.materials())
    if (!m.perfect_conductor && !at_least_vacuum(m))
      // Poles of negative strength are held by the others' damping, which the closed form leaves out.
      g.dt = has_negative_pole(m)
                 ? step_without_growth(m, g.dx, dim, g.dt)
                 : std::min(g.dt, (cut ? conductor_courant(g.mode) : near_limit) * stable_step(m, g.dx, dim));
  return g;
}

}  // namespace umov::fdtd
