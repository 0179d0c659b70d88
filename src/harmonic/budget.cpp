// Where the light goes: reflected, transmitted, absorbed per medium and over depth.
#include "harmonic/budget.hpp"

#include <cmath>

namespace umov::harmonic {

cplx permittivity_at(const Problem& p, int c, int k, index_t column) {
  if (k >= p.rough_begin && k < p.rough_end)
    return p.permittivity[(index_t(c) * p.rough_planes() + k - p.rough_begin) * p.grid.columns() + column];
  return c == 2 ? p.normal[k] : p.tangential[k];
}

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

namespace {

/// Im(eps) |E|^2 that each medium has of the edges of component c on the planes [begin, end), summed over
/// columns: [media][planes]. Every row by one thread, sums of rows in their order. Of layers without
/// roughness the sums of |E|^2 serve where the fields have them.
std::vector<double> losses(const LayeredCell& cell, const Problem& p, const Fields& fields, int c, int begin,
                           int end) {
  const auto& g = p.grid;
  const std::size_t planes = end - begin, all = planes * p.media.size();
  // layers without roughness are alike in every column
  std::vector<EdgeMedium> layers(planes);
  EdgeColumn first(cell);
  std::vector<double> layer_parts;
  first.move_to(c, 0, 0);
  for (std::size_t k = 0; k < planes; ++k)
    edge_medium(first.parts(begin + int(k), layer_parts), layer_parts, p.media, layers[k]);
  std::vector<double> rows(all * g.ny, 0), out(all, 0);
#pragma omp parallel if (g.columns() * index_t(planes) > 100000)
  {
    EdgeColumn column(cell);
    std::vector<double> parts;
    EdgeMedium edge;
#pragma omp for schedule(dynamic)
    for (int j = 0; j < g.ny; ++j) {
      double* lost = rows.data() + all * j;
      for (int i = 0; i < g.nx; ++i) {
        column.move_to(c, i, j);
        const cplx* e = fields.component(g, c) + index_t(j) * g.nx + i;
        for (std::size_t k = 0; k < planes; ++k) {
          const int plane = begin + int(k);
          const bool rough = plane >= p.rough_begin && plane < p.rough_end;
          if (!rough && !fields.whole()) continue;
          if (rough) edge_medium(column.parts(plane, parts), parts, p.media, edge);
          const auto& loss = (rough ? edge : layers[k]).loss;
          const double square = std::norm(e[plane * g.columns()]);
          for (std::size_t m = 0; m < loss.size(); ++m) lost[m * planes + k] += loss[m] * square;
        }
      }
    }
  }
  for (int j = 0; j < g.ny; ++j)
    for (std::size_t i = 0; i < all; ++i) out[i] += rows[all * j + i];
  for (std::size_t k = 0; k < planes && !fields.whole(); ++k) {
    const int plane = begin + int(k);
    if (plane >= p.rough_begin && plane < p.rough_end) continue;
    for (std::size_t m = 0; m < p.media.size(); ++m)
      out[m * planes + k] = layers[k].loss[m] * fields.squares[std::size_t(c) * g.nz + plane];
  }
  return out;
}

}  // namespace

Budget power_budget(const LayeredCell& cell, const Problem& p, const Fields& fields,
                    const IncidentWave& wave) {
  const auto& g = p.grid;
  const auto& media = p.media;
  const double incident = wave.power * double(g.columns()), unit = p.k0 * p.k0 * g.spacing[2] / incident;
  Budget out;
  out.absorption.assign(media.size(), 0);
  out.density.assign(media.size(), std::vector<double>(g.nz, 0));
  out.reflection = -vertical_flux(p, fields, g.reflection_plane()) / incident;
  const double below = vertical_flux(p, fields, g.transmission_plane()) / incident;
  (media.back().imag() > 0 ? out.absorption.back() : out.transmission) = below;

  const int from = g.reflection_plane() + 1, to = g.transmission_plane() + 1;
  for (int c = 0; c < 3; ++c) {
    const auto lost = losses(cell, p, fields, c, from - 1, to);
    for (std::size_t m = 0; m < media.size(); ++m)
      for (int k = from - 1; k < to; ++k) {
        // beyond the plane where power leaves; half of Ez above the first plane belongs to what flows in
        if (c == 2 ? k == to - 1 : k == from - 1) continue;
        const double of = unit * lost[m * (to - from + 1) + (k - from + 1)];
        out.absorption[m] += of;
        auto& density = out.density[m];
        if (c < 2) {
          density[k] += of / g.spacing[2];
        } else if (k >= from) {  // half a plane lower
          density[k] += of / 2 / g.spacing[2];
          density[k + 1] += of / 2 / g.spacing[2];
        }
      }
  }
  return out;
}

}  // namespace umov::harmonic
