// A layered periodic cell with rough interfaces: where its media are, as parts of every edge of the grid.
#include "fdtd/harmonic/cell.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace umov::fdtd::harmonic {

LayeredCell LayeredCell::make(const std::vector<double>& depths, const Vec3& spacing, int nx, int ny,
                              double wave_above, double wave_below, double rise, double fall) {
  constexpr int clear = 6;  // planes between what is above and what is below
  LayeredCell out;
  auto& g = out.grid;
  g.nx = nx;
  g.ny = ny;
  g.spacing = spacing;
  const auto planes = [&](double wave) { return std::max(12, int(std::ceil(wave / spacing[2]))); };
  g.absorbing = {planes(wave_above), planes(wave_below)};
  g.source = g.absorbing[0] + 4;
  out.first_plane = g.source + clear + int(std::ceil(rise / spacing[2]));
  g.nz = out.first_plane + int(std::ceil((depths.back() + fall) / spacing[2])) + clear + g.absorbing[1];
  for (const double d : depths) out.interfaces.push_back({d, {}});
  return out;
}

void LayeredCell::interfaces_at(int c, int i, int j, std::vector<double>& depths) const {
  depths.resize(interfaces.size());
  const int column = 2 * i + (c == 0), row = 2 * j + (c == 1);
  for (std::size_t n = 0; n < interfaces.size(); ++n) {
    const auto& h = interfaces[n].height;
    const std::size_t at = std::size_t(grid.ny > 1 ? row : 0) * 2 * grid.nx + column;
    depths[n] = interfaces[n].depth + (h.empty() ? 0 : h[at]);
    if (n > 0) depths[n] = std::max(depths[n], depths[n - 1]);
  }
}

void LayeredCell::fractions(int c, int k, const std::vector<double>& depths,
                            std::vector<double>& parts) const {
  const double top = depth_of(c == 2 ? k : k - 0.5), d = grid.spacing[2];
  parts.assign(media(), 0);
  double from = 0;
  for (std::size_t n = 0; n < depths.size(); ++n) {
    const double to = std::clamp((depths[n] - top) / d, 0.0, 1.0);
    parts[n] = to - from;
    from = to;
  }
  parts.back() = 1 - from;
}

std::pair<int, int> LayeredCell::rough_planes() const {
  int begin = grid.nz, end = 0;
  std::vector<double> depths, low(interfaces.size(), 1e300), high(interfaces.size(), -1e300);
  for (int c = 0; c < 3; ++c)
    for (int j = 0; j < grid.ny; ++j)
      for (int i = 0; i < grid.nx; ++i) {
        interfaces_at(c, i, j, depths);
        for (std::size_t n = 0; n < depths.size(); ++n) {
          low[n] = std::min(low[n], depths[n]);
          high[n] = std::max(high[n], depths[n]);
        }
      }
  const double d = grid.spacing[2];
  for (std::size_t n = 0; n < interfaces.size(); ++n) {
    if (!(high[n] - low[n] > 1e-9 * d)) continue;
    begin = std::min(begin, first_plane + int(std::floor(low[n] / d - 1)));
    end = std::max(end, first_plane + int(std::ceil(high[n] / d + 1)) + 1);
  }
  return begin < end ? std::pair(std::max(begin, 1), std::min(end, grid.nz - 1)) : std::pair(0, 0);
}

bool LayeredCell::signs_mix(const std::vector<cplx>& media, int begin, int end) const {
  const int planes = end - begin;
  if (planes <= 0) return false;
  std::vector<double> depths;
  // whether a plane has media of either sign: +1 where one's planes begin in some column, -1 behind its last
  std::vector<int> above(planes + 1), below(planes + 1);
  for (int c = 0; c < 3; ++c) {
    std::fill(above.begin(), above.end(), 0);
    std::fill(below.begin(), below.end(), 0);
    for (int j = 0; j < grid.ny; ++j)
      for (int i = 0; i < grid.nx; ++i) {
        interfaces_at(c, i, j, depths);
        double from = 0;  // edge k of the slab reaches from k to k + 1
        for (int m = 0; m < this->media(); ++m) {
          const double to =
              m < int(depths.size())
                  ? std::clamp(depths[m] / grid.spacing[2] + first_plane - begin + (c == 2 ? 0 : 0.5), 0.0,
                               double(planes))
                  : planes;
          constexpr double touch = 1e-10;
          const int first = int(from + touch), last = int(std::ceil(to - touch));
          if (first < last) {
            auto& marks = media[m].real() > 0 ? above : below;
            ++marks[first];
            --marks[last];
          }
          from = to;
        }
      }
    for (int k = 0, up = 0, down = 0; k < planes; ++k) {
      up += above[k];
      down += below[k];
      if (up > 0 && down > 0) return true;
    }
  }
  return false;
}

void edge_medium(int component, const std::vector<double>& parts, const std::vector<cplx>& media,
                 bool sampled, EdgeMedium& out) {
  out.loss.assign(media.size(), 0);
  const auto largest = std::size_t(std::max_element(parts.begin(), parts.end()) - parts.begin());
  bool one = parts[largest] > 1 - 1e-12;
  if (!one && sampled) {
    bool above = false, below = false;
    for (std::size_t m = 0; m < parts.size(); ++m)
      if (parts[m] > 0) (media[m].real() > 0 ? above : below) = true;
    one = above && below;
  }
  if (one) {
    out.permittivity = media[largest];
    out.loss[largest] = media[largest].imag();
    return;
  }
  cplx sum = 0;
  for (std::size_t m = 0; m < parts.size(); ++m)
    if (parts[m] > 0) sum += component == 2 ? parts[m] / media[m] : parts[m] * media[m];
  out.permittivity = component == 2 ? 1.0 / sum : sum;
  // across the interface E of medium m is D / eps_m
  for (std::size_t m = 0; m < parts.size(); ++m)
    if (parts[m] > 0)
      out.loss[m] =
          parts[m] * media[m].imag() * (component == 2 ? std::norm(out.permittivity / media[m]) : 1);
}

cplx grid_permittivity(cplx permittivity, double k0, double bloch, double kappa, double dz) {
  const cplx kz = std::sqrt(k0 * k0 * permittivity - bloch * bloch + cplx(0, 0));
  const cplx half = 2.0 / dz * std::sin(kz * dz / 2.0);
  const cplx out = (half * half + kappa * kappa) / (k0 * k0);
  return permittivity.imag() == 0 ? cplx(out.real(), 0) : out;
}

Problem make_problem(const LayeredCell& cell, const std::vector<cplx>& media, double wavelength,
                     std::array<double, 2> bloch) {
  Problem p;
  p.grid = cell.grid;
  p.k0 = 2 * pi / wavelength;
  p.bloch = bloch;
  const auto& g = cell.grid;
  const double kappa = lateral_wave(p, 0, 0).kappa, along = std::hypot(bloch[0], bloch[1]);
  for (const cplx m : media) p.media.push_back(grid_permittivity(m, p.k0, along, kappa, g.spacing[2]));
  set_absorbing_layers(p, p.media.front(), p.media.back());
  std::tie(p.rough_begin, p.rough_end) = cell.rough_planes();
  p.metal_is_rough = cell.signs_mix(p.media, p.rough_begin, p.rough_end);
  if (p.metal_is_rough) {  // potentials want a few planes around
    constexpr int margin = 4;
    p.rough_begin = std::max(g.absorbing[0] + 1, p.rough_begin - margin);
    p.rough_end = std::min(g.nz - g.absorbing[1], p.rough_end + margin);
  }
  const int planes = p.rough_planes();
  p.permittivity.resize(p.rough_edges());
  p.tangential.assign(g.nz, 0);
  p.normal.assign(g.nz, 0);
  const index_t columns = g.columns();
  const bool many = columns * planes > 100000;
  for (int c = 0; c < 3; ++c) {
    auto& mean = c == 2 ? p.normal : p.tangential;
    std::vector<double> depths, parts;
    EdgeMedium edge;
    cell.interfaces_at(c, 0, 0, depths);
    for (int k = 0; k < g.nz; ++k) {
      if (k >= p.rough_begin && k < p.rough_end) continue;
      cell.fractions(c, k, depths, parts);
      edge_medium(c, parts, p.media, false, edge);
      mean[k] = edge.permittivity;
    }
    // every plane by one thread: sums do not depend on how many there are
#pragma omp parallel for schedule(dynamic) firstprivate(depths, parts, edge) if (many)
    for (int k = p.rough_begin; k < p.rough_end; ++k) {
      cplx sum = 0;
      cplx* out = p.permittivity.data() + (index_t(c) * planes + k - p.rough_begin) * columns;
      for (int j = 0; j < g.ny; ++j)
        for (int i = 0; i < g.nx; ++i) {
          cell.interfaces_at(c, i, j, depths);
          cell.fractions(c, k, depths, parts);
          edge_medium(c, parts, p.media, true, edge);
          *out++ = edge.permittivity;
          sum += edge.permittivity;
        }
      mean[k] += (c == 2 ? 1 : 0.5) / double(columns) * sum;
    }
  }
  return p;
}

}  // namespace umov::fdtd::harmonic
