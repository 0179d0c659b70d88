// The permittivity of a scene, sampled for pictures and files.
#include <algorithm>

#include "fdtd/model/interface_walk.hpp"

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

/// Fills a block whose samples are the centres of a grid's cells: where one material fills many, at once.
class Sampling {
 public:
  Sampling(const Scene& scene, const std::vector<double>& eps, const Grid& g, int stride, FieldBlock& block)
      : scene_(scene), eps_(eps), grid_(g), stride_(stride), samples_(g), block_(block) {
    samples_.cells = block.size;
    samples_.dx = stride * g.dx;
    for (int a = 0; a < dimensions(g.mode); ++a) {
      samples_.origin[a] += (g.dx - samples_.dx) / 2;
      if (!g.graded(a)) continue;
      // every sample is the middle of a cell of its own
      auto& lines = samples_.lines[a];
      const auto middle = [&](int i) { return g.place(a, stride * i + 0.5); };
      lines = {1.5 * middle(0) - 0.5 * middle(1)};
      for (int i = 0; i < block.size[a]; ++i) lines.push_back(0.5 * (middle(i) + middle(i + 1)));
      samples_.origin[a] = lines.front();
    }
  }

  void fill() const {
    const std::vector<Block> all = blocks_of(samples_);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t b = 0; b < all.size(); ++b)
      walk_interfaces(
          scene_, samples_, all[b], [this](const Block& whole, int material) { set(whole, eps_[material]); },
          [this](const Int3& ijk) {
            set({ijk, {ijk[0] + 1, ijk[1] + 1, ijk[2] + 1}}, at(ijk));
          });
  }

 private:
  double at(const Int3& ijk) const {
    Vec3 p = grid_.origin;
    for (int a = 0; a < dimensions(grid_.mode); ++a) p[a] = grid_.place(a, stride_ * ijk[a] + 0.5);
    return mean_at(scene_, eps_, grid_, p);
  }
  /// Ghosts are no samples.
  void set(const Block& b, double value) const {
    const auto& n = block_.size;
    const int low = std::max(b.lo[0], 0), high = std::min(b.hi[0], n[0]);
    for (int k = std::max(b.lo[2], 0); k < std::min(b.hi[2], n[2]); ++k)
      for (int j = std::max(b.lo[1], 0); j < std::min(b.hi[1], n[1]); ++j)
        for (int i = low; i < high; ++i) block_.real[(std::size_t(k) * n[1] + j) * n[0] + i] = value;
  }

  const Scene& scene_;
  const std::vector<double>& eps_;
  const Grid& grid_;
  int stride_;
  Grid samples_;
  FieldBlock& block_;
};

}  // namespace

FieldBlock sample_permittivity(const Scene& scene, const Grid& g, double frequency, std::size_t max_cells) {
  const std::vector<double> eps = permittivities(scene.materials(), frequency);
  const int stride = stride_for(g, max_cells);
  FieldBlock block;
  for (int a = 0; a < 3; ++a) block.size[a] = (g.cells[a] + stride - 1) / stride;
  block.real.resize(std::size_t(block.size[0]) * block.size[1] * block.size[2]);
  Sampling(scene, eps, g, stride, block).fill();
  return block;
}

}  // namespace umov::fdtd
