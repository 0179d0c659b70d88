// DDSCAT's shapes (User Guide 7.3, "Target generation"), site by site as it places them.
#include "dda/ddscat/target.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"

namespace umov::dda::ddscat {

namespace {

constexpr double most_sites = 1e9;

/// The lattice is centred on a site, or between two, by whether the rounded diameter is odd or even.
double shift(double diameter) { return int(diameter + 0.5) % 2 == 0 ? 0.5 : 0; }

/// Sites of the box of these diameters about the centre for which `inside` holds, x fastest.
template <class Add>
void each_centred(const Vec3& diameter, const Add& add) {
  Axes3 reach;
  Vec3 off;
  for (int i = 0; i < 3; ++i) reach[i] = int(diameter[i] / 2) + 1, off[i] = shift(diameter[i]);
  for (int z = -reach[2] - 1; z <= reach[2]; ++z)
    for (int y = -reach[1] - 1; y <= reach[1]; ++y)
      for (int x = -reach[0] - 1; x <= reach[0]; ++x)
        add(Axes3{x, y, z}, Vec3{x + off[0], y + off[1], z + off[2]});
}

double ellipsoid_level(const Vec3& at, const Vec3& diameter) {
  double sum = 0;
  for (int i : {2, 1, 0}) sum += at[i] * at[i] / (diameter[i] * diameter[i]);
  return sum;
}

class Maker {
 public:
  explicit Maker(const Parameters& p) : p_(p) {}

  Target make() {
    check_size();
    const std::string& s = p_.shape;
    if (s == "FROM_FILE" || s == "ANIFRMFIL") {
      t_ = target_from_file(p_.shape_file, s == "ANIFRMFIL", p_.materials.size());
      return std::move(t_);
    }
    if (s == "SPHERES_N") return target_of_spheres(p_);
    if (s == "RCTGLPRSM" || s == "ANIRCTNGL") return prism();
    if (s == "ELLIPSOID") ellipsoids(1, false);
    if (s == "ANIELLIPS") ellipsoids(1, true);
    if (s == "ELLIPSO_2") ellipsoids(2, false);
    if (s == "ANI_ELL_2") ellipsoids(2, true);
    if (s == "ELLIPSO_3") ellipsoids(3, false);
    if (s == "ANI_ELL_3") ellipsoids(3, true);
    if (s == "SUPELLIPS") superellipsoid();
    if (s == "CONELLIPS") concentric();
    if (s == "EL_IN_RCT") in_block();
    if (s == "CYLINDER1") cylinder(int(std::lround(par(2))), {0, 0, 0});
    if (s == "UNIAXICYL") cylinder(1, {0, 1, 1});
    if (s == "CYLNDRCAP") capped_cylinder();
    if (s == "HEX_PRISM") hexagon();
    if (s == "TETRAHDRN") tetrahedron();
    if (t_.sites.size() == 0) refuse("no site of the lattice lies in the target; make it larger");
    centre();
    if (t_.description.empty()) t_.description = fmt::format(" {} of {} dipoles", s, t_.sites.size());
    return std::move(t_);
  }

 private:
  double par(std::size_t i) const { return p_.shape_parameters[i]; }
  [[noreturn]] void refuse(const std::string& why) const {
    throw BadInput(fmt::format("{}: {}: {}", p_.places.at("SHPAR"), p_.shape, why));
  }
  double length(std::size_t i) const {
    const double x = par(i);
    if (!(x > 0 && x < 65536))
      refuse(fmt::format("parameter {} is {} (a length in spacings, up to 65535)", i + 1, x));
    return x;
  }
  Vec3 lengths(std::size_t first) const { return {length(first), length(first + 1), length(first + 2)}; }

  void check_size() const {
    double volume = 1;
    for (std::size_t i = 0; i < p_.shape_parameters.size() && i < 3; ++i)
      volume *= std::max(1.0, std::abs(p_.shape_parameters[i]));
    const bool one = p_.shape == "TETRAHDRN" || p_.shape == "SPHERES_N";
    if (one) volume = std::pow(std::max(1.0, std::abs(par(0))), 3);
    if (p_.shape.starts_with("CYL") || p_.shape.starts_with("UNI") || p_.shape.starts_with("HEX"))
      volume = std::max(1.0, std::abs(par(0)) + std::abs(par(1))) * par(1) * par(1);
    if (!(volume < most_sites))
      refuse(fmt::format("more than {:g} sites; take a coarser lattice", most_sites));
  }

  /// x0 at the centroid.
  void centre() {
    Vec3 sum{0, 0, 0};
    for (const Axes3& s : t_.sites.site)
      for (int i = 0; i < 3; ++i) sum[i] += s[i];
    for (int i = 0; i < 3; ++i) t_.origin[i] = -sum[i] / double(t_.sites.size());
  }

  Target prism() {
    const Vec3 edge = lengths(0);
    const Axes3 n{int(edge[0] + 0.5), int(edge[1] + 0.5), int(edge[2] + 0.5)};
    const bool tensor = p_.shape == "ANIRCTNGL";
    for (int z = 1; z <= n[2]; ++z)
      for (int y = 1; y <= n[1]; ++y)
        for (int x = 1; x <= n[0]; ++x) t_.sites.add({x, y, z}, tensor ? Axes3{0, 1, 2} : Axes3{0, 0, 0});
    if (t_.sites.size() == 0) refuse("an edge is shorter than a spacing");
    t_.origin = {-n[0] - 0.5, -0.5 * (n[1] + 1), -0.5 * (n[2] + 1)};  // its right face is the plane x = 0
    t_.description =
        fmt::format(" {}; NX,NY,NZ={:4}{:4}{:4}",
                    tensor ? "Anisotropic rectangular prism" : "Rectangular prism", n[0], n[1], n[2]);
    return std::move(t_);
  }

  /// Up to three touching along x.
  void ellipsoids(int count, bool tensor) {
    const Vec3 a = lengths(0);
    Sites one;
    int low = 0, high = 0;
    each_centred(a, [&](const Axes3& s, const Vec3& at) {
      if (!(ellipsoid_level(at, a) < 0.25)) return;
      low = one.size() == 0 ? s[0] : std::min(low, s[0]);
      high = one.size() == 0 ? s[0] : std::max(high, s[0]);
      one.add(s);
    });
    for (int i = 0; i < count; ++i)
      for (const Axes3& s : one.site)
        t_.sites.add({s[0] + i * (high - low + 1), s[1], s[2]},
                     tensor ? Axes3{3 * i, 3 * i + 1, 3 * i + 2} : Axes3{i, i, i});
    if (count == 1)
      t_.description =
          fmt::format(" {},{:7} dipoles", a[0] == a[1] && a[0] == a[2] ? "Sphere" : "Ellipsoid", one.size());
  }

  void superellipsoid() {
    const Vec3 a = lengths(0);
    const double e = length(3), n = length(4);
    t_.a2 = {0, 0, 1};
    each_centred(a, [&](const Axes3& s, const Vec3& at) {
      const auto power = [&](int i, double x) { return std::pow(4 * at[i] * at[i] / (a[i] * a[i]), 1 / x); };
      if (std::pow(power(1, e) + power(0, e), e / n) + power(2, n) < 1) t_.sites.add(s);
    });
  }

  void concentric() {
    const Vec3 a = lengths(0), b = lengths(3);
    for (int i = 0; i < 3; ++i)
      if (a[i] < b[i]) refuse("the outer ellipsoid, parameters 1 to 3, is smaller than the inner one");
    each_centred(a, [&](const Axes3& s, const Vec3& at) {
      if (!(ellipsoid_level(at, a) < 0.25)) return;
      const int material = ellipsoid_level(at, b) < 0.25 ? 0 : 1;
      t_.sites.add(s, {material, material, material});
    });
  }

  void in_block() {
    const Vec3 a = lengths(0), b = lengths(3);
    for (int i = 0; i < 3; ++i)
      if (a[i] > b[i]) refuse("the ellipsoid, parameters 1 to 3, is larger than the block");
    each_centred(b, [&](const Axes3& s, const Vec3& at) {
      for (int i = 0; i < 3; ++i)
        if (!(std::abs(at[i]) < 0.5 * std::lround(b[i]))) return;
      const int material = ellipsoid_level(at, a) < 0.25 ? 0 : 1;
      t_.sites.add(s, {material, material, material});
    });
  }

  /// Length, diameter; axis x, y or z.
  void cylinder(int axis, const Axes3& composition) {
    const double a = length(0), b = length(1);
    if (axis < 1 || axis > 3)
      refuse(fmt::format("parameter 3 is {}; give 1, 2 or 3 for an axis along x, y, z", par(2)));
    const int i = axis - 1, j = (i + 1) % 3, k = (i + 2) % 3;
    Vec3 box;
    box[i] = a;
    box[j] = box[k] = b;
    t_.a1 = t_.a2 = {0, 0, 0};
    t_.a1[i] = t_.a2[j] = 1;
    each_centred(box, [&](const Axes3& s, const Vec3& at) {
      if (at[j] * at[j] + at[k] * at[k] <= 0.25 * b * b && 2 * std::abs(at[i]) <= a)
        t_.sites.add(s, composition);
    });
  }

  void capped_cylinder() {
    const double a = length(0), b = length(1);
    const double layers = int(a + 0.5), r2 = 0.25 * b * b;
    each_centred({a + b + 2, b, b}, [&](const Axes3& s, const Vec3& at) {
      const double x = s[0] + shift(layers);  // from the centre of the layers, which are whole
      const double rho2 = at[1] * at[1] + at[2] * at[2], beyond = std::abs(x) - 0.5 * a;
      const bool middle = std::abs(x) < 0.5 * layers;
      if (middle ? rho2 < r2 : rho2 + beyond * beyond < r2) t_.sites.add(s);
    });
  }

  /// Height, distance of opposite vertices; axes a1 (of symmetry) and a2 (to a face).
  void hexagon() {
    const double a = length(0), b = length(1);
    static constexpr std::array<Axes3, 6> order{
        {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
    const long which = std::lround(par(2));
    if (which < 1 || which > 6) refuse(fmt::format("parameter 3 is {}; give 1 to 6 for the axes", par(2)));
    const auto [h, u, v] = order[which - 1];
    const double root = std::sqrt(3.0);
    Axes3 n;
    n[h] = int(a + 0.5);
    n[u] = int(0.5 * root * b + 0.5);
    n[v] = int(b + 0.5);
    t_.a1 = t_.a2 = {0, 0, 0};
    t_.a1[h] = t_.a2[u] = 1;
    for (int z = 1; z <= n[2]; ++z)
      for (int y = 1; y <= n[1]; ++y)
        for (int x = 1; x <= n[0]; ++x) {
          const Axes3 s{x, y, z};
          const auto off = [&](int i) { return std::abs(s[i] - 0.5 * (n[i] + 1)); };
          const bool in = 2 * off(h) <= a && off(u) <= 0.25 * root * b &&
                          0.5 * off(u) + 0.5 * root * off(v) <= 0.25 * root * b;
          if (in) t_.sites.add(s);
        }
  }

  /// Edge; one face normal to x, one edge of it along z.
  void tetrahedron() {
    const double s = length(0);
    const int low = -int(s * std::sqrt(1 / 24.0)), left = -int(s / std::sqrt(12.0)), edge = int(s + 0.5);
    const double x0 = 0.5 - s * std::sqrt(1 / 24.0) - low, y0 = 0.5 - s / std::sqrt(12.0) - left;
    const double z0 = edge % 2 == 0 ? 0.5 : 0;
    const int back = -int(0.5 * s + z0);
    for (int i = low; i < low + int(s * std::sqrt(2 / 3.0) + 0.5); ++i) {
      const double x = i + x0;
      const double y_high = s * std::sqrt(3 / 16.0) - x / std::sqrt(2.0);
      const double y_low = -s * std::sqrt(3 / 64.0) + x / std::sqrt(8.0);
      const double z_most = 3 * s / 8 - x * std::sqrt(3 / 8.0);
      for (int j = left; j < left + int(s * std::sqrt(0.75) + 0.5); ++j) {
        const double y = j + y0;
        if (y < y_low || y > y_high) continue;
        const double z_high = (1 - (y - y_low) / (y_high - y_low)) * z_most;
        for (int k = back; k < back + edge; ++k)
          if (std::abs(k + z0) <= z_high) t_.sites.add({i, j, k});
      }
    }
  }

  const Parameters& p_;
  Target t_;
};

}  // namespace

Target make_target(const Parameters& p) { return Maker(p).make(); }

}  // namespace umov::dda::ddscat
