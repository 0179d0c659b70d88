// Pictures as a model (Lively 2016): how pixels map to cells and permittivity.
#include "fdtd/model/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

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

namespace {

/// The first number that no medium of the time domain has, of an array of permittivities.
void refuse_no_media(const GivenArrays& given, const GivenArray& a) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const cplx eps = a.value(i);
    if (eps.real() > 0 && std::isfinite(eps.real()) && eps.imag() >= 0 && std::isfinite(eps.imag())) continue;
    throw BadInput(
        fmt::format("{}: permittivity {:g}{:+g}i at number {} (its real part is positive, and a positive "
                    "imaginary one absorbs); "
                    "correct it, or give metals as bodies of a named material",
                    given.said, eps.real(), eps.imag(), i));
  }
}

/// A file that is an array of permittivities; none where it is a picture.
std::shared_ptr<const GivenArrays> permittivity_of(const PictureSpec& spec) {
  auto given = read_arrays(spec.files.front());
  if (!given || given->arrays.front().is_whole()) return {};
  const GivenArray& a = given->arrays.front();
  if (spec.files.size() > 1 || a.shape.size() < 2 || a.shape.size() > 3 || a.size() == 0 || a.size() > 2e9)
    throw BadInput(
        fmt::format("{}: {} axes (an array of permittivities is one of [y][x] or [z][y][x]); give one",
                    given->said, a.shape.size()));
  refuse_no_media(*given, a);
  return given;
}

}  // namespace

PictureStack read_pictures(const PictureSpec& spec) {
  if (spec.files.empty()) throw BadInput("picture: no file (nothing to read); name a PNG, BMP, TIFF or TGA");
  PictureStack stack;
  if ((stack.permittivity = permittivity_of(spec))) {
    const auto& shape = stack.permittivity->arrays.front().shape;
    stack.width = int(shape.back()), stack.height = int(shape[shape.size() - 2]);
    stack.depth = shape.size() == 3 ? int(shape[0]) : 1;
    return stack;
  }
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
  const int layers = stack.size()[2];
  return {spec.width > 0 ? spec.width : stack.width, spec.height > 0 ? spec.height : stack.height,
          spec.depth > 0 ? spec.depth : layers};
}

double green_permittivity(const PictureSpec& spec, int green) {
  if (green == 0) return 1;
  return spec.mapping == PictureSpec::Mapping::linear ? 1 + (spec.eps_max - 1) * green / 255.0
                                                      : spec.eps_max * green / 255.0;
}

namespace {

/// Texels of up to 256 materials.
struct FewMedia {
  std::vector<std::uint8_t> index;
  std::array<int, 256> materials;
  std::array<double, 256> permittivity;

  int material(std::size_t at) const { return materials[index[at]]; }
  double eps(std::size_t at) const { return permittivity[index[at]]; }
  void add(std::size_t at, double fraction, Mixture& m) const { add_share(m, material(at), fraction); }
  /// Whether the texels [from, to) are all of the material of another.
  bool alike(std::size_t from, std::size_t to, std::size_t other) const {
    return std::all_of(index.begin() + std::ptrdiff_t(from), index.begin() + std::ptrdiff_t(to),
                       [g = index[other]](std::uint8_t i) { return i == g; });
  }
};

/// Texels of any permittivities, read where they lie. Materials are at levels of both parts, in equal steps
/// of the logarithm of the real one; a texel is a mixture of those around it, whose mean is its own
/// permittivity exactly. The mean of the inverse is then off by less than step^2 / 8 (a chord of 1 / eps over
/// a step of ln eps): with 512 levels and permittivities of 1 to 12 by 3e-6.
class ManyMedia {
 public:
  ManyMedia(std::shared_ptr<const GivenArrays> given, double omega, MaterialList& materials)
      : given_(std::move(given)), array_(given_->arrays.front()) {
    double high = 0, most = 0;
    low_ = HUGE_VAL;
    for (std::size_t i = 0; i < array_.size(); ++i) {
      const cplx eps = array_.value(i);
      low_ = std::min(low_, eps.real()), high = std::max(high, eps.real()), most = std::max(most, eps.imag());
    }
    step_ = std::log(high / low_) / (levels - 1);
    most_ = most;
    for (int lossy = 0; lossy < (most > 0 ? 2 : 1); ++lossy)
      for (int k = 0; k < levels; ++k)
        materials_[lossy][k] = materials.add_permittivity(level(k), lossy * omega * most);
  }

  int material(std::size_t at) const {
    const Place p = place(at);
    return materials_[p.loss > 0.5][p.k + (p.up > 0.5)];
  }
  double eps(std::size_t at) const { return array_.real(at); }
  void add(std::size_t at, double fraction, Mixture& m) const {
    const Place p = place(at);
    for (const int lossy : {0, 1})
      for (const int up : {0, 1}) {
        const double part = (lossy ? p.loss : 1 - p.loss) * (up ? p.up : 1 - p.up);
        if (part > 0) add_share(m, materials_[lossy][p.k + up], fraction * part);
      }
  }
  /// A texel between levels is none of them.
  bool alike(std::size_t from, std::size_t to, std::size_t other) const {
    const Place p = place(other);
    const auto level = [](double part) { return part == 0 || part == 1; };
    if (!level(p.up) || !level(p.loss)) return false;
    for (std::size_t i = from; i < to; ++i)
      if (array_.value(i) != array_.value(other)) return false;
    return true;
  }

 private:
  static constexpr int levels = 512;
  struct Place {
    int k;            ///< level below
    double up, loss;  ///< shares of the level above, of the lossy ones
  };
  double level(int k) const { return low_ * std::exp(k * step_); }
  Place place(std::size_t at) const {
    const cplx eps = array_.value(at);
    const int k = step_ > 0 ? std::clamp(int(std::log(eps.real() / low_) / step_), 0, levels - 2) : 0;
    const double below = level(k), above = level(k + 1);
    const double up = above > below ? std::clamp((eps.real() - below) / (above - below), 0.0, 1.0) : 0;
    return {k, up, most_ > 0 ? eps.imag() / most_ : 0};
  }

  std::shared_ptr<const GivenArrays> given_;
  const GivenArray& array_;
  double low_, step_ = 0, most_ = 0;
  std::array<std::array<int, levels>, 2> materials_{};
};

/// Texels as boxes of material.
template <class Media>
class TexelGround final : public Ground {
 public:
  TexelGround(const Extent& e, Int3 size, Media media) : extent_(e), size_(size), media_(std::move(media)) {
    for (int a = 0; a < 3; ++a)
      edge_[a] = extent_.active(a) ? (extent_.high[a] - extent_.low[a]) / size_[a] : 1;
  }

  int material_at(const Vec3& p) const override {
    return media_.material(at(column(p, 0), column(p, 1), column(p, 2)));
  }

  bool mixed(const Vec3& lo, const Vec3& hi) const override {
    const Range r = range(lo, hi);
    const std::size_t first = at(r.lo[0], r.lo[1], r.lo[2]);
    for (int z = r.lo[2]; z <= r.hi[2]; ++z)
      for (int y = r.lo[1]; y <= r.hi[1]; ++y)
        if (!media_.alike(at(r.lo[0], y, z), at(r.hi[0], y, z) + 1, first)) return true;
    return false;
  }

  void add_shares(const Vec3& lo, const Vec3& hi, double weight, Mixture& m) const override {
    const Range r = range(lo, hi);
    for (int z = r.lo[2]; z <= r.hi[2]; ++z)
      for (int y = r.lo[1]; y <= r.hi[1]; ++y)
        for (int x = r.lo[0]; x <= r.hi[0]; ++x) {
          const double f = overlap(x, 0, lo, hi) * overlap(y, 1, lo, hi) * overlap(z, 2, lo, hi);
          if (f > 0) media_.add(at(x, y, z), weight * f, m);
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
    const double eps = media_.eps(at(wrapped(t[0], 0), wrapped(t[1], 1), wrapped(t[2], 2)));
    sum = sum + eps * Vec3{slope[0] * weight[1] * weight[2], weight[0] * slope[1] * weight[2],
                           weight[0] * weight[1] * slope[2]};
  }

  Extent extent_;
  Int3 size_;
  Vec3 edge_;
  Media media_;
};

/// Of an array of permittivities that hold at the wavelength of the case. Up to 256 different ones are
/// materials.
std::unique_ptr<Ground> ground_of(const PictureStack& stack, const PictureSpec& spec, const Extent& extent,
                                  MaterialList& materials) {
  const GivenArray& a = stack.permittivity->arrays.front();
  const double omega = 2 * pi / spec.wavelength;
  FewMedia few{std::vector<std::uint8_t>(a.size()), {}, {}};
  std::map<std::pair<double, double>, std::uint8_t> known;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const cplx eps = a.value(i);
    auto at = known.find({eps.real(), eps.imag()});
    if (at == known.end()) {
      if (known.size() == few.materials.size())
        return std::make_unique<TexelGround<ManyMedia>>(extent, stack.size(),
                                                        ManyMedia(stack.permittivity, omega, materials));
      at = known.emplace(std::pair(eps.real(), eps.imag()), std::uint8_t(known.size())).first;
      few.permittivity[at->second] = eps.real();
    }
    few.index[i] = at->second;
  }
  for (const auto& [eps, k] : known)
    few.materials[k] = materials.add_permittivity(eps.first, omega * eps.second);
  return std::make_unique<TexelGround<FewMedia>>(extent, stack.size(), std::move(few));
}

}  // namespace

std::unique_ptr<Ground> make_texel_ground(const PictureSpec& spec, const Extent& extent,
                                          MaterialList& materials) {
  if (!(spec.eps_max >= 1))
    throw BadInput(fmt::format(
        "eps_max: {:g} (the permittivity of full green is 1 or more); give 9 or the like", spec.eps_max));
  const PictureStack stack = read_pictures(spec);
  const Int3 size = stack.size();
  if (stack.permittivity) return ground_of(stack, spec, extent, materials);
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
  return std::make_unique<TexelGround<FewMedia>>(extent, size, FewMedia{std::move(greens), index, eps});
}

}  // namespace umov::fdtd
