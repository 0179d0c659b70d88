// Where the light goes: reflected, transmitted, absorbed per medium and over depth.
#include "fdtd/harmonic/budget.hpp"

#include <cmath>

namespace umov::fdtd::harmonic {

namespace {

/// Permittivity of edge (c, k, column).
cplx permittivity_at(const Problem& p, int c, int k, index_t column) {
  if (k >= p.rough_begin && k < p.rough_end)
    return p.permittivity[(index_t(c) * p.rough_planes() + k - p.rough_begin) * p.grid.columns() + column];
  return c == 2 ? p.normal[k] : p.tangential[k];
}

/// Adds Im(eps) |E|^2 of edges (c, k) to that of each medium.
void add_losses(const LayeredCell& cell, const Problem& p, const Fields& fields, int c, int k, double* lost) {
  const auto& g = p.grid;
  const cplx* e = fields.component(g, c) + k * g.columns();
  const bool rough = k >= p.rough_begin && k < p.rough_end;
  std::vector<double> depths, parts;
  EdgeMedium edge;
  const auto look = [&](int i, int j) {
    cell.interfaces_at(c, i, j, depths);
    cell.fractions(c, k, depths, parts);
    edge_medium(c, parts, p.media, rough, edge);
  };
  const auto add = [&](double square) {
    for (std::size_t m = 0; m < p.media.size(); ++m) lost[m] += edge.loss[m] * square;
  };
  if (!rough) {
    double square = 0;
    for (index_t i = 0; i < g.columns(); ++i) square += std::norm(e[i]);
    look(0, 0);
    return add(square);
  }
  for (int j = 0; j < g.ny; ++j)
    for (int i = 0; i < g.nx; ++i) {
      look(i, j);
      add(std::norm(*e++));
    }
}

}  // namespace

double Budget::sum() const {
  double all = reflection + transmission;
  for (const double a : absorption) all += a;
  return all;
}

double vertical_flux(const Problem& p, const Fields& fields, int k) {
  const auto& g = p.grid;
  const index_t n = g.columns();
  const cplx *ex = fields.component(g, 0) + k * n, *ey = fields.component(g, 1) + k * n,
             *ez = fields.component(g, 2) + k * n;
  const cplx phase_x = std::polar(1.0, p.bloch[0] * g.spacing[0]),
             phase_y = std::polar(1.0, p.bloch[1] * g.spacing[1]);
  double sum = 0;
  for (int j = 0; j < g.ny; ++j)
    for (int i = 0; i < g.nx; ++i) {
      const index_t c = index_t(j) * g.nx + i, right = index_t(j) * g.nx + (i + 1) % g.nx,
                    behind = index_t((j + 1) % g.ny) * g.nx + i;
      const cplx dx = g.nx == 1 ? cplx(0, p.bloch[0]) * ez[c] : (phase_x * ez[right] - ez[c]) / g.spacing[0];
      const cplx dy = g.ny == 1 ? cplx(0, p.bloch[1]) * ez[c] : (phase_y * ez[behind] - ez[c]) / g.spacing[1];
      const cplx hy = (ex[c + n] - ex[c]) / g.spacing[2] - dx, hx = dy - (ey[c + n] - ey[c]) / g.spacing[2];
      sum += std::imag(std::conj(ex[c]) * hy - std::conj(ey[c]) * hx);
    }
  return sum;
}

Budget power_budget(const LayeredCell& cell, const Problem& p, const Fields& fields,
                    const IncidentWave& wave) {
  const auto& g = p.grid;
  const auto& media = p.media;
  const double incident = wave.power * double(g.columns()), unit = p.k0 * p.k0 * g.spacing[2] / incident;
  Budget out;
  out.absorption.assign(media.size(), 0);
  out.density.assign(g.nz, 0);
  out.reflection = -vertical_flux(p, fields, g.reflection_plane()) / incident;
  const double below = vertical_flux(p, fields, g.transmission_plane()) / incident;
  (media.back().imag() > 0 ? out.absorption.back() : out.transmission) = below;

  const int from = g.reflection_plane() + 1, to = g.transmission_plane() + 1, planes = to - from + 1;
  // per component and plane from - 1 .. to - 1; every plane by one thread
  std::vector<double> lost(std::size_t(3) * planes * media.size(), 0);
  const bool many = g.columns() * planes > 100000;
#pragma omp parallel for schedule(dynamic) if (many)
  for (int at = 0; at < 3 * planes; ++at) {
    const int c = at / planes, k = from - 1 + at % planes;
    // beyond the plane where power leaves; half of Ez above the first plane belongs to what flows in
    if (c == 2 ? k == to - 1 : k == from - 1) continue;
    add_losses(cell, p, fields, c, k, lost.data() + at * media.size());
  }
  for (int at = 0; at < 3 * planes; ++at) {
    const int c = at / planes, k = from - 1 + at % planes;
    double all = 0;
    for (std::size_t m = 0; m < media.size(); ++m) {
      const double of = unit * lost[at * media.size() + m];
      out.absorption[m] += of;
      all += of;
    }
    if (c < 2) {
      out.density[k] += all / g.spacing[2];
    } else if (k >= from && k + 1 < to) {  // half a plane lower
      out.density[k] += all / 2 / g.spacing[2];
      out.density[k + 1] += all / 2 / g.spacing[2];
    }
  }
  return out;
}

Cut cut_along_x(const Problem& p, const Fields& fields, const IncidentWave& wave, int j) {
  const auto& g = p.grid;
  const index_t n = g.columns();
  Cut out;
  out.intensity.assign(std::size_t(g.nz) * g.nx, 0);
  out.absorption.assign(std::size_t(g.nz) * g.nx, 0);
  const double unit = p.k0 * p.k0 / wave.power;
  const auto add = [&](int c, int k, int i, int row, std::size_t node) {
    const index_t column = index_t(row) * g.nx + i;
    const double square = std::norm(fields.component(g, c)[k * n + column]) / 2;
    out.intensity[node] += square;
    out.absorption[node] += unit * permittivity_at(p, c, k, column).imag() * square;
  };
  for (int k = g.absorbing[0]; k < g.nz - g.absorbing[1]; ++k)
    for (int i = 0; i < g.nx; ++i) {
      const std::size_t node = std::size_t(k) * g.nx + i;
      add(0, k, i, j, node);
      add(0, k, (i + g.nx - 1) % g.nx, j, node);
      add(1, k, i, j, node);
      add(1, k, i, (j + g.ny - 1) % g.ny, node);
      add(2, k, i, j, node);
      add(2, k - 1, i, j, node);
    }
  return out;
}

}  // namespace umov::fdtd::harmonic
