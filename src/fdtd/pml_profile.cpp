// Profiles of absorbing layers: the graded formulas, and tables that are best for the discrete layers.
#include "fdtd/pml_profile.hpp"

#include <cmath>
#include <complex>

namespace umov::fdtd {

namespace {

/// sigma dx at half steps 1 .. 2 layers - 1 from the inner face. Found numerically (a covariance-adapting
/// evolution strategy) as the least of the largest pml_reflection over normal incidence at 10, 13, 20, 40 and
/// 200 cells per wavelength in one, two and three dimensions and index 1, 2 and 3, and, at a fiftieth of the
/// weight, over angles up to 75 degrees at 10, 20 and 40 cells; alpha as by default, time step 0.9 of the
/// limit. Largest at normal incidence: 6.8e-7, 1.7e-7 and 3.0e-8. That discrete layers can converge
/// exponentially in their number: Asvadurov, Druskin, Guddati and Knizhnerman 2003, SIAM J. Numer. Anal. 41,
/// 287.
constexpr double best_of_8[] = {0,
                                0.00166653774,
                                0.0120414162,
                                0.0430260539,
                                0.103176811,
                                0.191660579,
                                0.301521051,
                                0.426029896,
                                0.562184261,
                                0.711821186,
                                0.882404093,
                                1.08860811,
                                1.35540499,
                                1.72157432,
                                2.24326653,
                                3.09058128,
                                0};
constexpr double best_of_10[] = {
    0,           0.000592329032, 0.00381273913, 0.0120214009, 0.0262646001, 0.0485276313, 0.0845483605,
    0.14059746,  0.218134935,    0.313805762,   0.423226822,  0.543840916,  0.676068102,  0.823883473,
    0.995501825, 1.20460636,     1.47283804,    1.83424639,   2.34268231,   3.17351823,   0};
constexpr double best_of_12[] = {0,
                                 0.000142774431,
                                 0.0011975063,
                                 0.00493958769,
                                 0.0135721097,
                                 0.0283714461,
                                 0.0489712549,
                                 0.0744491951,
                                 0.105575724,
                                 0.145722417,
                                 0.198925572,
                                 0.26717817,
                                 0.349846498,
                                 0.445090542,
                                 0.551507949,
                                 0.669228035,
                                 0.800620627,
                                 0.95085667,
                                 1.12852687,
                                 1.34659346,
                                 1.62340511,
                                 1.98484844,
                                 2.47907731,
                                 3.28784686,
                                 0};

/// nullptr where no table is known. The last entry, on the wall, multiplies what is zero.
const double* best_sigma(int layers) {
  return layers == 8 ? best_of_8 : layers == 10 ? best_of_10 : layers == 12 ? best_of_12 : nullptr;
}

double sigma_dx(const PmlSettings& s, int half_steps) {
  const double* table = s.discrete && s.order == 3 ? best_sigma(s.layers) : nullptr;
  if (table) return s.sigma_scale * table[half_steps];
  const double depth = half_steps / (2.0 * s.layers);
  return s.sigma_scale * 0.8 * (s.order + 1) * std::pow(depth, s.order);
}

/// `half_steps`: from the inner face, in halves of a cell.
void add_terms(const PmlSettings& s, double dx, double dt, double index, int half_steps, PmlSide::Terms& to) {
  const double depth = half_steps / (2.0 * s.layers);
  const double sigma = sigma_dx(s, half_steps) / (dx * index);
  const double kappa = 1 + (s.kappa_max - 1) * std::pow(depth, s.order);
  const double alpha = s.alpha_max / dx * std::pow(1 - depth, s.alpha_order);
  const double rate = sigma / kappa + alpha;
  to.kappa_inverse.push_back(1 / kappa);
  to.b.push_back(std::exp(-rate * dt));
  to.c.push_back(sigma > 0 ? sigma / (kappa * kappa * rate) * std::expm1(-rate * dt) : 0);
}

}  // namespace

PmlSide make_pml(const PmlSettings& s, double dx, double dt, double index) {
  PmlSide side;
  side.layers = s.layers;
  for (int q = 0; q < s.layers; ++q) {
    add_terms(s, dx, dt, index, 2 * (s.layers - q), side.node);
    add_terms(s, dx, dt, index, 2 * (s.layers - q) - 1, side.half);
  }
  return side;
}

cplx normal_reflection(const PmlSide& side, double phase, double normal) {
  const cplx z = std::polar(1.0, phase);
  const auto stretch = [&](const PmlSide::Terms& t, int q) -> cplx {
    return q < side.layers ? t.kappa_inverse[q] + t.c[q] / (1.0 - t.b[q] * z) : 1.0;
  };
  cplx before = 0, here = 1;  // E on the wall and one node inside
  const int nodes = side.layers + 3;
  for (int q = 1; q < nodes; ++q) {
    const cplx inner = stretch(side.half, q), outer = stretch(side.half, q - 1);
    const cplx next = here + (outer * (here - before) - normal * here / stretch(side.node, q)) / inner;
    const double size = std::abs(next);  // kept at 1: a wave that decays grows far from the wall
    before = here / size;
    here = next / size;
  }
  const cplx k = 2.0 * std::asin(std::sqrt(cplx(normal)) / 2.0);
  const cplx e = std::exp(cplx(0, 1) * k), toward = (before * e - here) / (e - 1.0 / e);
  return (before - toward) / toward;
}

double pml_reflection(const PmlSide& side, double dx, double dt, double cells_per_wavelength, double angle,
                      double index) {
  const double w = 2 * pi / (cells_per_wavelength * index * dx);
  const double ww = std::pow(2 * dx * index / dt * std::sin(w * dt / 2), 2), c = std::cos(angle),
               s = std::sin(angle);
  double k = std::sqrt(ww);  // discrete wave number times dx, by Newton's method
  for (int i = 0; i < 50; ++i)
    k -= (4 * std::pow(std::sin(k * c / 2), 2) + 4 * std::pow(std::sin(k * s / 2), 2) - ww) /
         (2 * c * std::sin(k * c) + 2 * s * std::sin(k * s));
  const double along = ww - 4 * std::pow(std::sin(k * s / 2), 2);
  return std::abs(normal_reflection(side, w * dt, along));
}

}  // namespace umov::fdtd
