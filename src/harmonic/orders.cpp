// Diffraction orders: where a periodic cell sends the light, order by order.
#include "harmonic/orders.hpp"

#include <algorithm>
#include <cmath>

namespace umov::harmonic {

namespace {

/// Amplitude of the lateral wave (m, n) in one plane of a component.
cplx amplitude(const CellGrid& g, const cplx* plane, int m, int n) {
  const auto turns = [](int order, int cells) {
    std::vector<cplx> out;
    for (int i = 0; i < cells; ++i)
      out.push_back(std::polar(1.0, -2 * pi * double(index_t(order) * i % cells) / cells));
    return out;
  };
  const auto along_x = turns(m, g.nx), along_y = turns(n, g.ny);
  cplx sum = 0;
  for (int j = 0; j < g.ny; ++j) {
    cplx row = 0;
    for (int i = 0; i < g.nx; ++i) row += along_x[i] * plane[index_t(j) * g.nx + i];
    sum += along_y[j] * row;
  }
  return sum / double(g.columns());
}

struct Flux {
  double s = 0, p = 0;
};

/// Downward flux of one lateral wave between plane k and k + 1, per column: see vertical_flux.
Flux flux_of(const Problem& p, const Fields& fields, int k, int m, int n, double azimuth) {
  const auto& g = p.grid;
  LateralWave w = lateral_wave(p, m, n);
  if (w.kappa == 0) {
    w.cx = std::cos(azimuth);
    w.cy = std::sin(azimuth);
  }
  const auto at = [&](int c, int plane) {
    return amplitude(g, fields.component(g, c) + plane * g.columns(), m, n);
  };
  const cplx x[] = {at(0, k), at(0, k + 1)}, y[] = {at(1, k), at(1, k + 1)};
  cplx along[2], across[2];
  for (int i = 0; i < 2; ++i) {
    along[i] = std::conj(w.cx) * x[i] + std::conj(w.cy) * y[i];
    across[i] = w.cx * y[i] - w.cy * x[i];
  }
  const double d = g.spacing[2];
  return {std::imag(std::conj(across[0]) * (across[1] - across[0])) / d,
          std::imag(std::conj(along[0]) * ((along[1] - along[0]) / d - w.kappa * at(2, k)))};
}

void add_side(std::vector<DiffractionOrder>& out, const Problem& p, const Fields& fields,
              const IncidentWave& wave, double permittivity, double azimuth, bool transmitted) {
  const auto& g = p.grid;
  const double k = p.k0 * std::sqrt(permittivity);
  const int plane = transmitted ? g.transmission_plane() : g.reflection_plane();
  const auto most = [&](int cells, double spacing, double bloch) {
    return cells == 1 ? 0
                      : std::min((cells - 1) / 2, int((k + std::abs(bloch)) * cells * spacing / (2 * pi)));
  };
  const int mx = most(g.nx, g.spacing[0], p.bloch[0]), my = most(g.ny, g.spacing[1], p.bloch[1]);
  for (int n = -my; n <= my; ++n)
    for (int m = -mx; m <= mx; ++m) {
      const double kx = p.bloch[0] + 2 * pi * m / (g.nx * g.spacing[0]),
                   ky = p.bloch[1] + 2 * pi * n / (g.ny * g.spacing[1]), lateral = std::hypot(kx, ky);
      if (lateral >= k * (1 - 1e-9)) continue;
      const Flux down = flux_of(p, fields, plane, m, n, azimuth);
      const double unit = (transmitted ? 1 : -1) / wave.power;
      DiffractionOrder order{transmitted, m, n, 0, 0, unit * down.s, unit * down.p};
      order.angle = std::asin(lateral / k) * 180 / pi;
      order.azimuth = lateral < 1e-9 * k ? 0 : std::atan2(ky, kx) * 180 / pi;
      out.push_back(order);
    }
}

}  // namespace

std::vector<DiffractionOrder> diffraction_orders(const Problem& p, const Fields& fields,
                                                 const IncidentWave& wave, cplx above, cplx below,
                                                 double azimuth) {
  std::vector<DiffractionOrder> out;
  add_side(out, p, fields, wave, above.real(), azimuth, false);
  if (below.imag() == 0 && below.real() > 0) add_side(out, p, fields, wave, below.real(), azimuth, true);
  return out;
}

}  // namespace umov::harmonic
