// Height maps of interfaces: Gaussian roughness and pictures.
#include "harmonic/texture.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "shapes/picture.hpp"

namespace umov::harmonic {

namespace {

/// Normal numbers by Box and Muller (1958): std::normal_distribution differs between libraries.
class Normal {
 public:
  explicit Normal(int seed) : bits_(std::uint64_t(seed)) {}
  cplx operator()() {
    const double radius = std::sqrt(-2 * std::log(unit())), angle = 2 * pi * unit();
    return std::polar(radius, angle);
  }

 private:
  double unit() { return (double(bits_() >> 11) + 0.5) * 0x1p-53; }
  std::mt19937_64 bits_;
};

std::vector<double> gaussian(const TextureSpec& t, int nx, int ny, double period_x, double period_y) {
  const int columns = 2 * nx, rows = ny > 1 ? 2 * ny : 1;
  // waves beyond exp(-k^2 l^2 / 8) = 1e-5 are left out
  const auto most = [&](double period) {
    return int(std::ceil(9.6 / t.correlation_length * period / (2 * pi)));
  };
  const int mx = most(period_x), my = ny > 1 ? most(period_y) : 0;
  Normal normal(t.seed);
  std::vector<double> out(std::size_t(columns) * rows, 0);
  std::vector<cplx> line(columns);
  for (int n = -my; n <= my; ++n) {
    std::fill(line.begin(), line.end(), cplx(0));
    for (int m = -mx; m <= mx; ++m) {
      const cplx random = normal();
      if (m == 0 && n == 0) continue;
      const double kx = 2 * pi * m / period_x, ky = ny > 1 ? 2 * pi * n / period_y : 0;
      const cplx amplitude =
          std::exp(-(kx * kx + ky * ky) * t.correlation_length * t.correlation_length / 8) * random;
      for (int i = 0; i < columns; ++i)
        line[i] += amplitude * std::polar(1.0, 2 * pi * double(index_t(m) * i % columns) / columns);
    }
    for (int j = 0; j < rows; ++j) {
      const cplx phase = std::polar(1.0, 2 * pi * double(index_t(n) * j % rows) / rows);
      for (int i = 0; i < columns; ++i) out[std::size_t(j) * columns + i] += std::real(phase * line[i]);
    }
  }
  double square = 0;
  for (const double h : out) square += h * h;
  const double scale = square > 0 ? t.rms / std::sqrt(square / double(out.size())) : 0;
  for (double& h : out) h *= scale;
  return out;
}

std::vector<double> picture(const TextureSpec& t, int nx, int ny) {
  const auto image = shapes::read_picture(t.file);
  const int columns = 2 * nx, rows = ny > 1 ? 2 * ny : 1;
  const auto grey = [&](int x, int y) {
    const auto* p = image.pixel((x % image.width + image.width) % image.width,
                                (y % image.height + image.height) % image.height);
    return (double(p[0]) + p[1] + p[2]) / (3 * 255);
  };
  std::vector<double> out;
  double sum = 0;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const double x = double(i) / columns * image.width - 0.5,
                   y = rows > 1 ? double(j) / rows * image.height - 0.5 : 0;
      const int x0 = int(std::floor(x)), y0 = int(std::floor(y));
      const double u = x - x0, v = y - y0;
      out.push_back(-t.height * ((1 - v) * ((1 - u) * grey(x0, y0) + u * grey(x0 + 1, y0)) +
                                 v * ((1 - u) * grey(x0, y0 + 1) + u * grey(x0 + 1, y0 + 1))));
      sum += out.back();
    }
  for (double& h : out) h -= sum / double(out.size());
  return out;
}

/// Ridges along y over the half cells [first, last].
std::vector<double> ridges(const TextureSpec& t, int nx, int ny, int first, int last) {
  const int columns = 2 * nx, rows = ny > 1 ? 2 * ny : 1;
  std::vector<double> out(std::size_t(columns) * rows);
  for (std::size_t n = 0; n < out.size(); ++n) {
    const int i = int(n % std::size_t(columns));
    out[n] = -t.height * ((i >= first && i <= last ? 1.0 : 0.0) - t.fill);
  }
  return out;
}

/// From node 0 to the node where the ridge ends. Both walls stand on nodes, so that what is mirrored at the
/// middle of the ridge is the same on the grid, and no edge crosses them.
Interface lamellar(const TextureSpec& t, int nx, int ny, double depth) {
  const int end = 2 * int(std::round(t.fill * nx));
  return {depth, ridges(t, nx, ny, 0, end), {ridges(t, nx, ny, 1, end), ridges(t, nx, ny, 0, end - 1)}};
}

}  // namespace

std::vector<double> height_map(const TextureSpec& t, int nx, int ny, double period_x, double period_y) {
  return t.kind == TextureKind::picture ? picture(t, nx, ny) : gaussian(t, nx, ny, period_x, period_y);
}

Interface textured(const TextureSpec& t, int nx, int ny, double period_x, double period_y, double depth) {
  if (t.kind == TextureKind::lamellar && t.fill > 0 && t.fill < 1) return lamellar(t, nx, ny, depth);
  if (t.kind == TextureKind::lamellar) return {depth, {}, {}};
  return {depth, height_map(t, nx, ny, period_x, period_y), {}};
}

}  // namespace umov::harmonic
