// The permittivity of a scene, sampled for pictures and files.
#include <algorithm>

#include "fdtd/scene.hpp"

namespace umov::fdtd {
namespace {

/// Real permittivity of each material at a frequency, the mean of the axes.
std::vector<double> permittivities(const std::vector<materials::Material>& list, double frequency) {
  std::vector<double> eps;
  for (const auto& m : list) {
    double sum = 0;
    for (int a = 0; a < 3 && !m.perfect_conductor; ++a)
      sum += m.dispersive() && frequency > 0 ? m.permittivity(2 * pi * frequency, a).real() : m.eps[a];
    eps.push_back(sum / 3);
  }
  return eps;
}

int stride_for(const Grid& g, std::size_t most) {
  const auto count = [&](int stride) {
    std::size_t n = 1;
    for (int c : g.cells) n *= std::size_t((c + stride - 1) / stride);
    return n;
  };
  int stride = 1;
  while (count(stride) > std::max<std::size_t>(most, 1)) ++stride;
  return stride;
}

/// Mean over the corners of a tiny box, so that a surface through the point belongs to neither side.
double mean_at(const Scene& scene, const std::vector<double>& eps, const Grid& g, const Vec3& p) {
  constexpr double tiny = 1e-5;
  const int corners = 1 << dimensions(g.mode);
  double sum = 0;
  for (int corner = 0; corner < corners; ++corner) {
    Vec3 at = p;
    for (int a = 0; a < dimensions(g.mode); ++a) at[a] += ((corner >> a) & 1 ? tiny : -tiny) * g.dx;
    sum += eps[scene.material_at(at)];
  }
  return sum / corners;
}

}  // namespace

FieldBlock sample_permittivity(const Scene& scene, const Grid& g, double frequency, std::size_t max_cells) {
  const std::vector<double> eps = permittivities(scene.materials(), frequency);
  const int stride = stride_for(g, max_cells);
  FieldBlock block;
  for (int a = 0; a < 3; ++a) block.size[a] = (g.cells[a] + stride - 1) / stride;
  const auto [nx, ny, nz] = block.size;
  block.real.resize(std::size_t(nx) * ny * nz);
#pragma omp parallel for
  for (int row = 0; row < ny * nz; ++row)
    for (int i = 0; i < nx; ++i) {
      Vec3 p = g.origin;
      const Int3 at{i, row % ny, row / ny};
      for (int a = 0; a < dimensions(g.mode); ++a) p[a] += g.dx * (stride * at[a] + 0.5);
      block.real[std::size_t(row) * nx + i] = mean_at(scene, eps, g, p);
    }
  return block;
}

}  // namespace umov::fdtd
