// Plane waves of a Gaussian beam, and their sum along one axis after the other.
#include "fdtd/sources/beam_field.hpp"

#include <algorithm>
#include <cmath>

#include "fdtd/sources/dispersion.hpp"
#include "fdtd/sources/smooth_step.hpp"

namespace umov::fdtd {
namespace {

/// exp(-q^2 r^2 / 4) is 1e-7 there: q = 8 / r.
constexpr double widest = 8;
/// exp(-x^2 / w^2) is 1e-7 there, x = 4 w: so far are the beams that a sum over steps of k repeats.
constexpr double tail = 4;

/// Waves that graze the plane are faded out, from 66 degrees to its normal to 84: cut off at once they would
/// make the sum jump from frequency to frequency.
double fade(double sine) { return smooth_step((0.995 - sine) / 0.08)[0]; }

double of_grid(double k, double dx) { return 2 / dx * std::sin(k * dx / 2); }

}  // namespace

BeamField::BeamField(const Grid& g, const Beam& beam, int axis, double reach, double w)
    : grid_(g), axis_(axis), center_(beam.center) {
  const int b = (axis + 1) % 3, c = (axis + 2) % 3;
  const GridWave ahead = grid_wave(g, {{0, 0, 0}, beam.travel, beam.eps, beam.mu}, w);
  const double side = beam.travel[axis] < 0 ? -1 : 1, slant = std::abs(beam.travel[axis]);
  const double spread =
      beam.radius * std::hypot(1, 2 * beam.ahead / (ahead.kappa * beam.radius * beam.radius));
  const double period = reach + tail * spread / slant;
  const auto spectrum = [&](int along) {
    if (!g.active(along)) return Spectrum{};
    Spectrum s;
    s.step = 2 * pi / period;
    const double middle = ahead.kappa * beam.travel[along], half = widest / beam.radius;
    s.count = 2 * int(std::ceil(half / s.step)) + 1;
    s.first = middle - (s.count / 2) * s.step;
    return s;
  };
  b_ = spectrum(b), c_ = spectrum(c);
  // The integral over q of exp(-q^2 r^2 / 4), one factor for each axis across the beam.
  double unit = 1;
  for (const int along : {b, c})
    if (g.active(along)) unit *= beam.radius / (2 * std::sqrt(pi)) * 2 * pi / period;
  const std::size_t count = std::size_t(b_.count) * c_.count;
  along_.assign(count, 0);
  for (int e = 0; e < components; ++e)
    if (has_component(g.mode, e)) amplitude_[e].assign(count, 0);
  double all = 0, left_out = 0;
  for (int n = 0; n < c_.count; ++n)
    for (int m = 0; m < b_.count; ++m) {
      Vec3 k{0, 0, 0}, K{0, 0, 0};
      k[b] = b_.at(m), k[c] = c_.at(n);
      K[b] = of_grid(k[b], g.dx), K[c] = of_grid(k[c], g.dx);
      const double all_K = beam.eps * beam.mu * ahead.Omega * ahead.Omega, rest = all_K - dot(K, K);
      const double kept = fade(std::sqrt(dot(K, K) / all_K));
      // the part across the axis, of an evanescent wave as if k had no part along the plane's normal
      const double half = std::sqrt(std::max(rest, 0.0)) * g.dx / 2;
      const bool travels = rest > 0 && half < 1 && ahead.travels;
      if (travels) K[axis] = side * std::sqrt(rest), k[axis] = side * 2 / g.dx * std::asin(half);
      const double forward = dot(k, beam.travel), across = dot(k, k) - forward * forward;
      const double share = std::exp(-across * beam.radius * beam.radius / 4);
      all += share;
      left_out += travels && forward > 0 ? (1 - kept) * share : share;
      if (!travels || forward <= 0 || kept == 0) continue;
      // d^2 q = d k_b d k_c (k along the beam) / (k along the normal)
      const cplx strength = unit * kept * share * forward / std::abs(k[axis]) *
                            std::polar(1.0, beam.ahead * (ahead.kappa - forward));
      const Vec3 e = beam.polarization - (dot(K, beam.polarization) / dot(K, K)) * K;
      const Vec3 h = (1 / (ahead.Omega * beam.mu)) * cross(K, e);
      const std::size_t at = std::size_t(n) * b_.count + m;
      along_[at] = k[axis];
      for (int a = 0; a < 3; ++a) {
        if (has_component(g.mode, a)) amplitude_[a][at] = strength * e[a];
        if (has_component(g.mode, 3 + a)) amplitude_[3 + a][at] = strength * h[a];
      }
    }
  missing_ = all > 0 ? left_out / all : 1;
}

std::vector<cplx> BeamField::values(Component component, const Int3& lo, const Int3& hi) const {
  const int b = (axis_ + 1) % 3, c = (axis_ + 2) % 3;
  const Vec3 first = grid_.position(component, lo);
  const int nb = hi[b] - lo[b] + 1, nc = hi[c] - lo[c] + 1;
  const auto turns = [&](const Spectrum& s, int along, int count) {
    std::vector<cplx> out(std::size_t(count) * s.count);
    for (int i = 0; i < count; ++i)
      for (int m = 0; m < s.count; ++m)
        out[std::size_t(i) * s.count + m] = std::polar(
            1.0, s.at(m) * (first[along] + (grid_.active(along) ? i * grid_.dx : 0) - center_[along]));
    return out;
  };
  const auto of_b = turns(b_, b, nb), of_c = turns(c_, c, nc);
  const auto& amplitude = amplitude_[component];
  std::vector<cplx> rows(std::size_t(c_.count) * nb, 0), out(std::size_t(nc) * nb, 0);
  for (int n = 0; n < c_.count; ++n)
    for (int m = 0; m < b_.count; ++m) {
      const std::size_t at = std::size_t(n) * b_.count + m;
      if (amplitude[at] == 0.0) continue;
      const cplx here = amplitude[at] * std::polar(1.0, along_[at] * (first[axis_] - center_[axis_]));
      for (int i = 0; i < nb; ++i)
        rows[std::size_t(n) * nb + i] += here * of_b[std::size_t(i) * b_.count + m];
    }
  for (int j = 0; j < nc; ++j)
    for (int n = 0; n < c_.count; ++n) {
      const cplx turn = of_c[std::size_t(j) * c_.count + n];
      for (int i = 0; i < nb; ++i) out[std::size_t(j) * nb + i] += turn * rows[std::size_t(n) * nb + i];
    }
  return out;
}

}  // namespace umov::fdtd
