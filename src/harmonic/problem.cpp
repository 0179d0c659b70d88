// A periodic layered cell at one wavelength: waves along its layers, absorbing ends.
#include "harmonic/problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace umov::harmonic {

namespace {

/// Forward difference of exp(i k x), exact where there is one cell.
cplx difference(int cells, double k, double spacing) {
  if (cells == 1) return cplx(0, k);
  return (std::polar(1.0, k * spacing) - 1.0) / spacing;
}

/// The largest imaginary part of a stretch with this real part. Re(eps s) keeps the sign of Re(eps), and
/// Im(eps s) is not negative: an iteration in pseudo-time of split fields is then stable there. In a metal
/// waves decay without it.
double most_loss(cplx permittivity, double real) {
  if (permittivity.real() <= 0) return 0;
  if (permittivity.imag() <= 0) return std::numeric_limits<double>::max();
  return 0.7 * real * permittivity.real() / permittivity.imag();
}

}  // namespace

Problem Problem::layers() const {
  Problem out;
  out.grid = grid;
  out.k0 = k0;
  out.bloch = bloch;
  out.stretch = stretch;
  out.stretch_half = stretch_half;
  out.tangential = tangential;
  out.normal = normal;
  out.rough_begin = rough_begin;
  out.rough_end = rough_end;
  out.media = media;
  out.metal_is_rough = metal_is_rough;
  return out;
}

void Fields::make_room(std::size_t n) {
  constexpr std::size_t page = 4096 / sizeof(cplx);
  if (values.capacity() < n) {
    values = {};
    values.reserve(n);
    cplx* all = values.data();
#pragma omp parallel for schedule(static) if (n > 1000 * page)
    for (std::size_t i = 0; i < n; i += page) std::memset(static_cast<void*>(all + i), 0, sizeof *all);
  }
  values.resize(n);
}

LateralWave lateral_wave(const Problem& p, int m, int n) {
  const auto& g = p.grid;
  // above half the cells the wave is one of negative order; the difference is the same for both
  const double kx = p.bloch[0] + 2 * pi * m / (g.nx * g.spacing[0]);
  const double ky = p.bloch[1] + 2 * pi * n / (g.ny * g.spacing[1]);
  LateralWave w{difference(g.nx, kx, g.spacing[0]), difference(g.ny, ky, g.spacing[1]), 0, 1, 0};
  const auto shortest = [&](int order, int cells, double bloch, double spacing) {
    return bloch + 2 * pi * (2 * order > cells ? order - cells : order) / (cells * spacing);
  };
  w.length =
      std::hypot(shortest(m, g.nx, p.bloch[0], g.spacing[0]), shortest(n, g.ny, p.bloch[1], g.spacing[1]));
  w.kappa = std::sqrt(std::norm(w.dx) + std::norm(w.dy));
  if (w.kappa > 1e-9 * p.k0) {
    w.cx = w.dx / w.kappa;
    w.cy = w.dy / w.kappa;
  } else {
    w.kappa = 0;
  }
  return w;
}

OpenEnd::OpenEnd(const Problem& p, bool below, const LateralWave& specular)
    : dz2_(p.grid.spacing[2] * p.grid.spacing[2]) {
  const cplx permittivity = below ? p.tangential.back() : p.tangential.front();
  const cplx square = p.k0 * p.k0 * permittivity - specular.kappa * specular.kappa;
  const cplx turn = 2.0 * std::asin(std::sqrt(square * dz2_ + cplx(0, 0)) / 2.0);  // kz0 dz
  lossless_ = permittivity.imag() == 0;
  invariant_ = turn * turn + dz2_ * specular.length * specular.length;
}

cplx OpenEnd::leaving_factor(const LateralWave& wave) const {
  // nearer to 0 the sums of the elimination would lose the wave's leaving, in double
  constexpr double least = 1e-9;
  const cplx square = invariant_ - dz2_ * wave.length * wave.length;  // (kz dz)^2
  if (std::abs(square.real()) + std::abs(square.imag()) < least * least) return std::polar(1.0, least);
  if (!lossless_) return std::exp(cplx(0, 1) * std::sqrt(square));
  return square.real() > 0 ? std::polar(1.0, std::sqrt(square.real())) : std::exp(-std::sqrt(-square.real()));
}

void set_absorbing_layers(Problem& p, cplx first, cplx last) {
  const auto& g = p.grid;
  p.stretch.assign(g.nz, 1);
  p.stretch_half.assign(g.nz, 1);
  const double along = (p.bloch[0] * p.bloch[0] + p.bloch[1] * p.bloch[1]) / (p.k0 * p.k0);
  const auto most = [&](cplx permittivity, int planes) {
    if (planes == 0) return 0.0;
    const double index = std::sqrt(permittivity - along).real();  // along z
    return -4 * std::log(1e-10) / (2 * planes * g.spacing[2]) / std::max(0.3, index);
  };
  const double top = most(first, g.absorbing[0]), bottom = most(last, g.absorbing[1]);
  const auto stretch_at = [&](double k) {
    const double above = p.open(false) ? 0 : (g.absorbing[0] - k) / g.absorbing[0],
                 below = p.open(true) ? 0 : (k - (g.nz - g.absorbing[1])) / g.absorbing[1];
    const double depth = std::pow(std::max({above, below, 0.0}), 3);
    const double real = 1 + 3 * depth, lossy = (above > 0 ? top : bottom) * depth / p.k0;
    return cplx(real, std::min(lossy, most_loss(above > 0 ? first : last, real)));
  };
  for (int k = 0; k < g.nz; ++k) {
    p.stretch[k] = stretch_at(k);
    p.stretch_half[k] = stretch_at(k + 0.5);
  }
}

double end_reflection(const Problem& p, bool below) {
  if (p.open(below)) return 0;
  const auto& g = p.grid;
  const cplx permittivity = below ? p.media.back() : p.media.front();
  cplx depth = 0;
  for (int k = below ? g.nz - g.absorbing[1] : 0; k < (below ? g.nz : g.absorbing[0]); ++k)
    depth += g.spacing[2] * p.stretch[k];
  double most = 0;
  for (int n = 0; n < g.ny; ++n)
    for (int m = 0; m < g.nx; ++m) {
      const double kappa = lateral_wave(p, m, n).kappa;
      const cplx kz = std::sqrt(p.k0 * p.k0 * permittivity - kappa * kappa + cplx(0, 0));
      most = std::max(most, std::abs(std::exp(cplx(0, 2) * kz * depth)));
    }
  return most;
}

double end_reflection(const Problem& p) {
  return std::max(end_reflection(p, false), end_reflection(p, true));
}

std::vector<std::array<int, 2>> planes_of_powers(const Problem& p) {
  const int above = p.grid.reflection_plane(), below = p.grid.transmission_plane();
  return {{above, above + 2}, {p.rough_begin, p.rough_end}, {below, below + 2}};
}

}  // namespace umov::harmonic
