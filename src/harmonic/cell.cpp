// A layered periodic cell with rough interfaces: where its media are, as parts of every edge of the grid.
#include "harmonic/cell.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "harmonic/incident.hpp"

namespace umov::harmonic {

LayeredCell LayeredCell::make(const std::vector<double>& depths, const Vec3& spacing, int nx, int ny,
                              double wave_above, double wave_below, double rise, double fall) {
  constexpr int clear = 6;  // planes between what is above and what is below
  LayeredCell out;
  auto& g = out.grid;
  g.nx = nx;
  g.ny = ny;
  g.spacing = spacing;
  const auto planes = [&](double wave) {
    return wave > 0 ? std::max(12, int(std::ceil(wave / spacing[2]))) : 0;
  };
  g.absorbing = {planes(wave_above), planes(wave_below)};
  g.source = g.absorbing[0] + 4;
  out.first_plane = g.source + clear + int(std::ceil(rise / spacing[2]));
  g.nz = out.first_plane + int(std::ceil((depths.back() + fall) / spacing[2])) + clear + g.absorbing[1];
  for (const double d : depths) out.interfaces.push_back({d, {}, {}});
  return out;
}

double LayeredCell::depth_at(std::size_t n, int column, int row, Side side) const {
  const int columns = 2 * grid.nx, rows = grid.ny > 1 ? 2 * grid.ny : 1;
  const std::size_t at =
      std::size_t((row + rows) % rows) * std::size_t(columns) + std::size_t((column + columns) % columns);
  double depth = -1e300;
  for (std::size_t m = 0; m <= n; ++m) depth = std::max(depth, interfaces[m].depth_at(at, side));
  return depth;
}

bool LayeredCell::wall_at(std::size_t n, int column, int row) const {
  return interfaces[n].has_walls() &&
         depth_at(n, column, row, Side::before) != depth_at(n, column, row, Side::after);
}

void LayeredCell::interfaces_at(int c, int i, int j, std::vector<double>& depths) const {
  depths.resize(interfaces.size());
  for (std::size_t n = 0; n < interfaces.size(); ++n)
    depths[n] = depth_at(n, 2 * i + (c == 0), 2 * j + (c == 1));
}

void EdgeColumn::move_to(int c, int i, int j) {
  const auto& g = cell_.grid;
  const std::size_t interfaces = cell_.interfaces.size();
  component_ = c;
  const bool flat = std::all_of(cell_.interfaces.begin(), cell_.interfaces.end(),
                                [](const Interface& x) { return x.height.empty(); });
  walls_ = std::any_of(cell_.interfaces.begin(), cell_.interfaces.end(),
                       [](const Interface& x) { return x.has_walls(); });
  along_x_ = walls_ ? 4 : per_axis;
  samples_ = flat ? 1 : along_x_ * (g.ny > 1 ? per_axis : 1);
  beside_wall_ = false;
  depths_.resize(interfaces * samples_);
  low_.resize(interfaces);
  high_.resize(interfaces);
  normal2_.assign(interfaces, {0, 0, 1});
  for (std::size_t n = 0; n < interfaces; ++n) {
    sample(n, 2 * i + (c == 0), 2 * j + (c == 1));
    const auto begin = depths_.begin() + std::ptrdiff_t(n * samples_);
    const auto [low, high] = std::minmax_element(begin, begin + std::ptrdiff_t(samples_));
    low_[n] = *low;
    high_[n] = *high;
  }
}

void EdgeColumn::sample(std::size_t n, int column, int row) {
  const auto& g = cell_.grid;
  double* out = depths_.data() + n * samples_;
  if (samples_ == 1) {
    out[0] = cell_.depth_at(n, column, row);
    return;
  }
  const bool space = g.ny > 1;
  for (int y = 0; y < (space ? per_axis : 1); ++y)
    sample_row(n, column, space ? row + y - 1 : row, out + std::size_t(y) * along_x_);
  const double *before = out, *here = space ? out + along_x_ : out, *after = out + 2 * along_x_;
  const bool halved = walls_ && here[1] != here[2];
  beside_wall_ =
      beside_wall_ || halved ||
      (component_ == 0 && (cell_.wall_at(n, column - 1, row) || cell_.wall_at(n, column + 1, row)));
  if (halved) {
    normal2_[n] = {1, 0, 0};
    return;
  }
  const double slope_x = (here[along_x_ - 1] - here[0]) / g.spacing[0],
               slope_y = space ? (after[1] - before[1]) / g.spacing[1] : 0,
               square = 1 + slope_x * slope_x + slope_y * slope_y;
  normal2_[n] = {slope_x * slope_x / square, slope_y * slope_y / square, 1 / square};
}

void EdgeColumn::sample_row(std::size_t n, int column, int row, double* out) const {
  *out++ = cell_.depth_at(n, column - 1, row, Side::after);
  if (walls_) *out++ = cell_.depth_at(n, column, row, Side::before);
  *out++ = cell_.depth_at(n, column, row, walls_ ? Side::after : Side::at);
  *out = cell_.depth_at(n, column + 1, row, Side::before);
}

EdgeShape EdgeColumn::parts(int k, std::vector<double>& parts) const {
  const double d = cell_.grid.spacing[2], top = cell_.depth_of(component_ == 2 ? k : k - 0.5);
  parts.assign(low_.size() + 1, 0);
  EdgeShape shape{component_ == 2 ? 1.0 : 0.0, 0, beside_wall_};
  double from = 0, evenly = 0;
  for (std::size_t n = 0; n < low_.size(); ++n) {
    double to = 0;
    if (low_[n] >= top + d) {
      to = 1;
    } else if (high_[n] > top) {
      for (std::size_t s = 0; s < samples_; ++s)
        to += weight(s) * std::clamp((depths_[n * samples_ + s] - top) / d, 0.0, 1.0);
      if (to * (1 - to) > 0) shape.tilt = std::max(shape.tilt, 1 - normal2_[n][2]);
      if (to * (1 - to) > evenly) {
        evenly = to * (1 - to);
        shape.along = normal2_[n][component_];
      }
    }
    parts[n] = to - from;
    from = to;
  }
  parts.back() = 1 - from;
  return shape;
}

std::pair<int, int> LayeredCell::rough_planes() const {
  int begin = grid.nz, end = 0;
  std::vector<double> low(interfaces.size(), 1e300), high(interfaces.size(), -1e300);
  for (std::size_t n = 0; n < interfaces.size(); ++n)
    for (int row = 0; row < (grid.ny > 1 ? 2 * grid.ny : 1); ++row)
      for (int column = 0; column < 2 * grid.nx; ++column) {
        const double depth = depth_at(n, column, row);
        low[n] = std::min(low[n], depth);
        high[n] = std::max(high[n], depth);
      }
  const double d = grid.spacing[2];
  for (std::size_t n = 0; n < interfaces.size(); ++n) {
    if (!(high[n] - low[n] > 1e-9 * d)) continue;
    begin = std::min(begin, first_plane + int(std::floor(low[n] / d - 1)));
    end = std::max(end, first_plane + int(std::ceil(high[n] / d + 1)) + 1);
  }
  return begin < end ? std::pair(std::max(begin, 1), std::min(end, grid.nz - 1)) : std::pair(0, 0);
}

namespace {
/// Edges from which on several threads are worth their start.
constexpr index_t parallel_from = 100000;
}  // namespace

bool LayeredCell::signs_mix(const std::vector<cplx>& media, int begin, int end) const {
  if (std::none_of(media.begin(), media.end(), [](cplx m) { return m.real() <= 0; })) return false;
  const int planes = std::max(end - begin, 0);
  std::vector<char> above(planes, 0), below(planes, 0);
#pragma omp parallel if (grid.columns() * planes > parallel_from)
  {
    EdgeColumn column(*this);
    std::vector<double> parts;
    std::vector<char> up(planes, 0), down(planes, 0);
    for (int c = 0; c < 3; ++c)
#pragma omp for schedule(dynamic) nowait
      for (int j = 0; j < grid.ny; ++j)
        for (int i = 0; i < grid.nx; ++i) {
          column.move_to(c, i, j);
          for (int k = 0; k < planes; ++k) {
            if (up[k] && down[k]) continue;
            column.parts(begin + k, parts);
            for (int m = 0; m < this->media(); ++m)
              if (parts[m] > 1e-12) (media[m].real() > 0 ? up : down)[k] = true;
          }
        }
#pragma omp critical
    for (int k = 0; k < planes; ++k) {
      above[k] |= up[k];
      below[k] |= down[k];
    }
  }
  for (int k = 0; k < planes; ++k)
    if (above[k] && below[k]) return true;
  return false;
}

namespace {

/// Of parts, whose sums are rounded otherwise in mirrored cells.
constexpr double rounding = 1e-9;

/// The first of the largest parts.
std::size_t largest_part(const std::vector<double>& parts) {
  const double largest = *std::max_element(parts.begin(), parts.end());
  return std::size_t(
      std::find_if(parts.begin(), parts.end(), [&](double p) { return p > largest - rounding; }) -
      parts.begin());
}

}  // namespace

void edge_medium(const EdgeShape& shape, const std::vector<double>& parts, const std::vector<cplx>& media,
                 EdgeMedium& out) {
  out.loss.assign(media.size(), 0);
  const std::size_t largest = largest_part(parts);
  double above = 0, metal = 0;
  for (std::size_t m = 0; m < parts.size(); ++m)
    (media[m].real() > 0 ? above : metal) += std::max(parts[m], 0.0);
  const bool mixed = above > 0 && metal > 0;
  constexpr double steep = 0.5;  // 45 degrees
  if (parts[largest] > 1 - 1e-12 ||
      (mixed && (shape.beside_wall ? metal < 0.5 - rounding : shape.tilt > steep))) {
    out.permittivity = media[largest];
    out.loss[largest] = media[largest].imag();
    return;
  }
  const double along = mixed && shape.beside_wall ? 0 : shape.along;
  cplx mean = 0, inverse = 0;
  for (std::size_t m = 0; m < parts.size(); ++m)
    if (parts[m] > 0) {
      mean += parts[m] * media[m];
      inverse += parts[m] / media[m];
    }
  out.permittivity = 1.0 / (along * inverse + (1 - along) / mean);
  // the part of D across the interface sees <1/eps>, the other 1 / <eps>; each medium has its share of both
  const double square = std::norm(out.permittivity);
  for (std::size_t m = 0; m < parts.size(); ++m)
    if (parts[m] > 0)
      out.loss[m] =
          square * parts[m] * media[m].imag() * (along / std::norm(media[m]) + (1 - along) / std::norm(mean));
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
  p.k0 = wavenumber(wavelength);
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
  for (int c = 0; c < 3; ++c) {
    auto& mean = c == 2 ? p.normal : p.tangential;
    const double weight = (c == 2 ? 1 : 0.5) / double(g.columns());
    EdgeColumn layers(cell);
    std::vector<double> layer_parts;
    EdgeMedium layer;
    layers.move_to(c, 0, 0);
    for (int k = 0; k < g.nz; ++k) {
      if (k >= p.rough_begin && k < p.rough_end) continue;
      edge_medium(layers.parts(k, layer_parts), layer_parts, p.media, layer);
      mean[k] = layer.permittivity;
    }
    if (planes == 0) continue;
    // every row by one thread, sums of rows in their order: they do not depend on how many threads there are
    std::vector<cplx> sums(std::size_t(g.ny) * planes, 0);
#pragma omp parallel if (g.columns() * planes > parallel_from)
    {
      EdgeColumn column(cell);
      std::vector<double> parts;
      EdgeMedium edge;
#pragma omp for schedule(dynamic)
      for (int j = 0; j < g.ny; ++j)
        for (int i = 0; i < g.nx; ++i) {
          column.move_to(c, i, j);
          for (int k = 0; k < planes; ++k) {
            edge_medium(column.parts(p.rough_begin + k, parts), parts, p.media, edge);
            p.permittivity[((index_t(c) * planes + k) * g.ny + j) * g.nx + i] = edge.permittivity;
            sums[std::size_t(j) * planes + k] += weight * edge.permittivity;
          }
        }
    }
    for (int j = 0; j < g.ny; ++j)
      for (int k = 0; k < planes; ++k) mean[p.rough_begin + k] += sums[std::size_t(j) * planes + k];
  }
  return p;
}

}  // namespace umov::harmonic
