// The index arithmetic of the GPU's product on mirror fractions, on the host: with plain sums in the place of
// the transforms it is the product of the referee.
#include "dda/tuned/cuda/mirror_axes.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <random>

#include "backend/serial/serial.hpp"
#include "dda/lattice.hpp"
#include "dda/memory.hpp"
#include "dda/mirror/convolution.hpp"

namespace umov::dda {
namespace {

using tuned::MirrorAxis;
using C = Complex<double>;
using Line = std::vector<C>;

/// sum_p v_p exp(sign 2 pi i k p/n)
Line transform(const Line& v, int sign) {
  const int n = int(v.size());
  Line out(n, C(0, 0));
  for (int k = 0; k < n; ++k)
    for (int p = 0; p < n; ++p) out[k] += C(std::polar(1.0, sign * 2 * pi * double(k * p % n) / n)) * v[p];
  return out;
}

/// Sites to slots and back, as the kernels do.
struct MirroredLine {
  MirrorAxis axis;
  bool odd;
  std::vector<C> turns = tuned::turns_of<double>(axis);

  Line forward(const Line& sites) const {
    const int n = axis.points();
    Line v(n, C(0, 0));
    for (int p = 0; p < n; ++p) {
      const int s = axis.site(p);
      if (s < 0) continue;
      EXPECT_LT(2 * p, n) << "the kernels read the lower half only";
      v[p] = odd && axis.turned(p) ? -sites[s] : sites[s];
    }
    v = transform(v, -1);
    if (!axis.folded) return v;
    v[0] = 2.0 * v[0];
    for (int k = 1; 2 * k <= n; ++k) {
      C low = v[k], high = v[n - k];
      tuned::to_slots(low, high, turns[k], odd);
      v[n - k] = high;
      v[k] = low;
    }
    return v;
  }
  Line backward(Line v) const {
    const int n = axis.points();
    for (int k = 1; axis.folded && 2 * k <= n; ++k) {
      C low = v[k], high = v[n - k];
      tuned::from_slots(low, high, turns[k], odd);
      v[n - k] = high;
      v[k] = low;
    }
    v = transform(v, +1);
    Line sites(axis.sites, C(0, 0));
    for (int p = 0; p < n; ++p)
      if (const int s = axis.site(p); s >= 0) sites[s] = odd && axis.turned(p) ? -v[p] : v[p];
    return sites;
  }
};

/// A block of numbers [c][z][y][x] and its transform along one axis.
struct Block {
  Int3 size;
  std::vector<C> v;
  explicit Block(const Int3& s) : size(s), v(std::size_t(3) * s[0] * s[1] * s[2], C(0, 0)) {}
  C& at(int c, const Int3& i) {
    return v[((std::size_t(c) * size[2] + i[2]) * size[1] + i[1]) * size[0] + i[0]];
  }
};

Block along(const MirrorAxis* axes, int a, Block from, bool forward) {
  Int3 size = from.size;
  size[a] = forward ? axes[a].points() : axes[a].sites;
  Block to(size);
  const int b = (a + 1) % 3, d = (a + 2) % 3;
  for (int c = 0; c < 3; ++c) {
    const MirroredLine line{axes[a], axes[a].odd(c == a)};
    for (int i = 0; i < from.size[b]; ++i)
      for (int j = 0; j < from.size[d]; ++j) {
        Int3 at{};
        at[b] = i;
        at[d] = j;
        Line values(from.size[a]);
        for (int k = 0; k < from.size[a]; ++k) {
          at[a] = k;
          values[k] = from.at(c, at);
        }
        values = forward ? line.forward(values) : line.backward(values);
        for (int k = 0; k < size[a]; ++k) {
          at[a] = k;
          to.at(c, at) = values[k];
        }
      }
  }
  return to;
}

/// The octant of the referee in the kernels' tiles.
std::vector<C> tiled(backend::Serial& dev, const Problem& problem, const tuned::TileLayout& tiles) {
  const GridView g = tiles.grid;
  auto buffer = dev.allocate<C>(std::max({g.gx, g.gy, g.gz}));
  std::vector<C> octant(std::size_t(6) * g.hx * g.hy * g.hz), out(tiles.size(), C(0, 0));
  TensorBuilder<backend::Serial, double>(dev, problem, g, buffer).all(octant.data());
  for (int x = 0; x < g.hx; ++x)
    for (int c = 0; c < 6; ++c)
      for (int z = 0; z < g.hz; ++z)
        for (int y = 0; y < g.hy; ++y)
          out[tiles.at(c, x, y, z)] = octant[((std::size_t(x) * 6 + c) * g.hz + z) * g.hy + y];
  return out;
}

struct Case {
  Int3 box;
  Planes planes;
  int width;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.box[0] << "x" << c.box[1] << "x" << c.box[2] << " planes " << c.planes[0] << c.planes[1]
       << c.planes[2] << " width " << c.width;
}
class MirrorArithmetic : public testing::TestWithParam<Case> {};

}  // namespace

TEST_P(MirrorArithmetic, IsTheProductOfTheReferee) {
  const Case& c = GetParam();
  shapes::Particle whole;
  whole.box = c.box;
  whole.spacing = {0.3, 0.4, 0.35};
  whole.material.assign(whole.sites(), 1);
  whole.dipoles_per_material = {whole.sites()};
  MirrorFraction fraction = take_fraction(whole, c.planes);
  Problem problem;
  problem.particle = &whole;
  problem.wavenumber = 1.1;
  problem.fft_grid = folded_grid(c.box, {0, 0, 0}, c.planes);
  problem.fraction = &fraction;
  ASSERT_TRUE(folds(fraction, problem.fft_grid));
  backend::Serial dev;
  const DeviceLattice<backend::Serial> lattice(dev, PackedLattice(fraction.particle));
  MirrorConvolution<backend::Serial, double> referee(dev, problem, lattice.view());
  const GridView grid = grid_view(problem.fft_grid);
  const Int3 part = fraction.particle.box;
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<C> x(3 * fraction.particle.dipoles()), expected(x.size());
  for (C& v : x) v = C(normal(random), normal(random));
  const std::vector<C> root(3, C(1, 0));
  for (const Parity& parity : sectors_of(c.planes)) {
    fraction.parity = parity;
    referee.apply(root.data(), x.data(), expected.data(), false);
    MirrorAxis axes[3];
    for (int a = 0; a < 3; ++a) axes[a] = {problem.fft_grid[a], part[a], c.planes[a], parity[a]};
    const tuned::TileLayout tiles{tuned::mirror_slots(axes[0], c.width), grid, 6};
    const auto elements = tiled(dev, problem, tiles);
    const tuned::MirrorTensor<double> tensor(axes, tiles, c.width, elements.data());
    Block block(part);
    block.v = x;
    for (int a = 0; a < 3; ++a) block = along(axes, a, std::move(block), true);
    for (int group = 0; group < tiles.slots.groups; ++group)
      for (int lane = 0; lane < c.width; ++lane) {
        const int kx =
            axes[0].folded ? group * c.width + lane : tiles.slots.frequency(group * c.width + lane);
        if (kx < 0 || kx >= axes[0].points()) continue;
        for (int ky = 0; ky < axes[1].points(); ++ky)
          for (int kz = 0; kz < axes[2].points(); ++kz) {
            const Int3 at{kx, ky, kz};
            tensor.multiply(tensor.place(group, lane, ky, kz), block.at(0, at), block.at(1, at),
                            block.at(2, at));
          }
      }
    for (int a = 0; a < 3; ++a) block = along(axes, a, std::move(block), false);
    double worst = 0, scale = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const C d = x[i] - block.v[i] - expected[i], p = x[i] - expected[i];
      worst = std::max(worst, std::sqrt(norm2(d)));
      scale = std::max(scale, std::sqrt(norm2(p)));
    }
    // sums of some hundred terms, in double
    EXPECT_LT(worst, 1e-13 * scale) << "parity " << parity[0] << parity[1] << parity[2];
  }
}

INSTANTIATE_TEST_SUITE_P(
    Boxes, MirrorArithmetic,
    testing::Values(Case{{8, 4, 6}, {true, true, true}, 4}, Case{{6, 8, 4}, {true, true, true}, 8},
                    Case{{2, 2, 2}, {true, true, true}, 2}, Case{{10, 6, 12}, {true, true, true}, 2},
                    Case{{6, 5, 4}, {true, false, true}, 4}, Case{{5, 6, 4}, {false, true, true}, 4},
                    Case{{4, 6, 3}, {true, true, false}, 4}, Case{{8, 3, 5}, {true, false, false}, 4},
                    Case{{3, 4, 5}, {false, true, false}, 2}, Case{{4, 1, 6}, {false, false, true}, 4},
                    Case{{26, 4, 4}, {true, true, true}, 8}));

}  // namespace umov::dda
