// Pictures as a model (Lively 2016): how pixels map to cells and permittivity.
#include "fdtd/model/picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace umov::fdtd {

namespace {

/// Where red, green and blue are one number, whatever is drawn would be source, dielectric and monitor at
/// once; all black is an empty layer of a stack.
void refuse_grey(const std::string& file, const shapes::Picture& p) {
  bool drawn = false;
  for (std::size_t at = 0; at < p.rgba.size(); at += 4) {
    const std::uint8_t* c = &p.rgba[at];
    if (c[0] != c[1] || c[1] != c[2]) return;
    drawn |= c[0] > 0;
  }
  if (drawn)
    throw BadInput(
        file +
        ": a grey picture (red, green and blue are equal in every pixel: each that is not black would be "
        "source, dielectric and monitor at once); draw in colours: red a source, green the permittivity, "
        "blue "
        "a monitor");
}

}  // namespace

PictureStack read_pictures(const PictureSpec& spec) {
  if (spec.files.empty()) throw BadInput("picture: no file (nothing to read); name a PNG, BMP, TIFF or TGA");
  PictureStack stack;
  for (const auto& file : spec.files) {
    stack.layers.push_back(shapes::read_picture(file));
    refuse_grey(file, stack.layers.back());
    const auto& p = stack.layers.back();
    if (stack.layers.size() == 1) stack.width = p.width, stack.height = p.height;
    if (p.width != stack.width || p.height != stack.height)
      throw BadInput(
          fmt::format("{}: {} x {} pixels (the first picture of the stack has {} x {}); give all the same "
                      "size",
                      file, p.width, p.height, stack.width, stack.height));
  }
  return stack;
}

Int3 picture_cells(const PictureSpec& spec, const PictureStack& stack) {
  if (spec.width < 0 || spec.height < 0 || spec.depth < 0)
    throw BadInput(
        "picture: width, height or depth is negative (they count cells); give 0 for one cell per pixel");
  const int layers = int(stack.layers.size());
  return {spec.width > 0 ? spec.width : stack.width, spec.height > 0 ? spec.height : stack.height,
          spec.depth > 0 ? spec.depth : layers};
}

double green_permittivity(const PictureSpec& spec, int green) {
  if (green == 0) return 1;
  return spec.mapping == PictureSpec::Mapping::linear ? 1 + (spec.eps_max - 1) * green / 255.0
                                                      : spec.eps_max * green / 255.0;
}

namespace {

/// Texels as boxes of material.
class TexelGround final : public Ground {
 public:
  TexelGround(const Extent& e, Int3 size, std::vector<std::uint8_t> greens, std::array<int, 256> materials,
              std::array<double, 256> eps)
      : extent_(e), size_(size), greens_(std::move(greens)), materials_(materials), eps_(eps) {
    for (int a = 0; a < 3; ++a)
      edge_[a] = extent_.active(a) ? (extent_.high[a] - extent_.low[a]) / size_[a] : 1;
  }

  int material_at(const Vec3& p) const override {
    return materials_[green(column(p, 0), column(p, 1), column(p, 2))];
  }

  bool mixed(const Vec3& lo, const Vec3& hi) const override {
    const Range r = range(lo, hi);
    const std::uint8_t first = green(r.lo[0], r.lo[1], r.lo[2]);
    for (int z = r.lo[2]; z <= r.hi[2]; ++z)
      for (int y = r.lo[1]; y <= r.hi[1]; ++y) {
        const std::uint8_t* row = &greens_[at(0, y, z)];
        if (std::any_of(row + r.lo[0], row + r.hi[0] + 1, [first](std::uint8_t g) { return g != first; }))
          return true;
      }
    return false;
  }

  void add_shares(const Vec3& lo, const Vec3& hi, double weight, Mixture& m) const override {
    const Range r = range(lo, hi);
    for (int z = r.lo[2]; z <= r.hi[2]; ++z)
      for (int y = r.lo[1]; y <= r.hi[1]; ++y)
        for (int x = r.lo[0]; x <= r.hi[0]; ++x) {
          const double f = overlap(x, 0, lo, hi) * overlap(y, 1, lo, hi) * overlap(z, 2, lo, hi);
          if (f > 0) add_share(m, materials_[green(x, y, z)], weight * f);
        }
  }

  /// Towards lower permittivity: the gradient of the permittivity over a smooth window a texel and a cell
  /// wide, so that the steps of a drawn curve count as the curve.
  Vec3 normal(const Vec3& p) const override {
    Int3 lo{0, 0, 0}, hi{0, 0, 0};
    Vec3 reach{0, 0, 0}, sum{0, 0, 0};
    for (int a = 0; a < 3; ++a) {
      if (!extent_.active(a)) continue;
      reach[a] = 1.5 * std::max(edge_[a], extent_.dx);
      lo[a] = unwrapped(p[a] - reach[a], a), hi[a] = unwrapped(p[a] + reach[a], a);
    }
    for (int z = lo[2]; z <= hi[2]; ++z)
      for (int y = lo[1]; y <= hi[1]; ++y)
        for (int x = lo[0]; x <= hi[0]; ++x) add_pull({x, y, z}, p, reach, sum);
    const double length = norm(sum);
    return length > 1e-9 ? (-1 / length) * sum : Vec3{0, 0, 0};
  }

 private:
  struct Range {
    Int3 lo, hi;  ///< both included
  };

  std::size_t at(int x, int y, int z) const { return (std::size_t(z) * size_[1] + y) * size_[0] + x; }
  std::uint8_t green(int x, int y, int z) const { return greens_[at(x, y, z)]; }
  /// Texel at a coordinate: the outermost beyond the ends, but as many periods on as there are.
  int unwrapped(double x, int a) const {
    const double t = std::floor((x - extent_.low[a]) / edge_[a]);
    return int(extent_.periodic[a] ? t : std::clamp(t, 0.0, double(size_[a] - 1)));
  }
  int wrapped(int t, int a) const {
    const int n = size_[a];
    return extent_.periodic[a] ? (t % n + n) % n : t;
  }
  int column(const Vec3& p, int a) const {
    if (!extent_.active(a)) return 0;
    return int(std::clamp(std::floor((p[a] - extent_.low[a]) / edge_[a]), 0.0, double(size_[a] - 1)));
  }
  /// Texels that a box meets; one that it only touches, up to rounding, is left out.
  Range range(const Vec3& lo, const Vec3& hi) const {
    Range r;
    for (int a = 0; a < 3; ++a) {
      Vec3 low = lo, high = hi;
      low[a] += 1e-7 * edge_[a], high[a] -= 1e-7 * edge_[a];
      r.lo[a] = column(low, a);
      r.hi[a] = std::max(r.lo[a], column(high, a));
    }
    return r;
  }
  /// Fraction of the box's edge along an axis within a texel.
  double overlap(int t, int a, const Vec3& lo, const Vec3& hi) const {
    if (!(hi[a] > lo[a])) return 1;
    // The outermost texels go on for ever.
    const double low = t == 0 ? lo[a] : extent_.low[a] + t * edge_[a];
    const double high = t == size_[a] - 1 ? hi[a] : extent_.low[a] + (t + 1) * edge_[a];
    return std::max(0.0, std::min(high, hi[a]) - std::max(low, lo[a])) / (hi[a] - lo[a]);
  }
  /// Moments of the window 1 - u^2 over a texel, u = (x - p) / reach: the weight along two axes, its slope
  /// along one.
  void add_pull(const Int3& t, const Vec3& p, const Vec3& reach, Vec3& sum) const {
    std::array<double, 3> weight{1, 1, 1}, slope{0, 0, 0};
    for (int a = 0; a < 3; ++a) {
      if (reach[a] == 0) continue;
      // The outermost texels go on for ever: an end of the domain is no surface.
      const double from = (extent_.low[a] + t[a] * edge_[a] - p[a]) / reach[a],
                   to = from + edge_[a] / reach[a];
      const bool first = !extent_.periodic[a] && t[a] == 0,
                 last = !extent_.periodic[a] && t[a] == size_[a] - 1;
      const double low = first ? -1 : std::clamp(from, -1.0, 1.0),
                   high = last ? 1 : std::clamp(to, -1.0, 1.0);
      const auto mass = [](double u) { return u - u * u * u / 3; };
      const auto moment = [](double u) { return u * u / 2 - u * u * u * u / 4; };
      weight[a] = mass(high) - mass(low);
      slope[a] = moment(high) - moment(low);
    }
    const double eps = eps_[green(wrapped(t[0], 0), wrapped(t[1], 1), wrapped(t[2], 2))];
    sum = sum + eps * Vec3{slope[0] * weight[1] * weight[2], weight[0] * slope[1] * weight[2],
                           weight[0] * weight[1] * slope[2]};
  }

  Extent extent_;
  Int3 size_;
  Vec3 edge_;
  std::vector<std::uint8_t> greens_;
  std::array<int, 256> materials_;
  std::array<double, 256> eps_;
};

}  // namespace

std::unique_ptr<Ground> make_texel_ground(const PictureSpec& spec, const Extent& extent,
                                          MaterialList& materials) {
  if (!(spec.eps_max >= 1))
    throw BadInput(fmt::format(
        "eps_max: {:g} (the permittivity of full green is 1 or more); give 9 or the like", spec.eps_max));
  const PictureStack stack = read_pictures(spec);
  const Int3 size = stack.size();
  std::vector<std::uint8_t> greens;
  greens.reserve(std::size_t(size[0]) * size[1] * size[2]);
  std::array<bool, 256> used{};
  for (int z = 0; z < size[2]; ++z)
    for (int y = 0; y < size[1]; ++y)
      for (int x = 0; x < size[0]; ++x) {
        greens.push_back(stack.texel(x, y, z)[1]);
        used[greens.back()] = true;
      }
  std::array<int, 256> index{};
  std::array<double, 256> eps{};
  for (int g = 0; g < 256; ++g) {
    eps[g] = green_permittivity(spec, g);
    if (used[g] && g > 0) index[g] = materials.add_permittivity(eps[g]);
  }
  return std::make_unique<TexelGround>(extent, size, std::move(greens), index, eps);
}

}  // namespace umov::fdtd
