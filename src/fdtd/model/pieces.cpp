#include "fdtd/model/pieces.hpp"

#include <algorithm>
#include <vector>

namespace umov::fdtd {
namespace {

/// Of the box's edge: planes this near are one, whatever the rounding.
constexpr double one_plane = 1e-11;

using Visit = std::function<void(const Vec3&, double)>;

double reach(const Plane& p, const Vec3& edges) {
  double sum = 0;
  for (int a = 0; a < 3; ++a) sum += std::fabs(p.g[a]) * edges[a] / 2;
  return sum;
}

/// The axis that a plane is across, or -1.
int facing_axis(const Plane& p, const Vec3& edges) {
  for (int a = 0; a < 3; ++a)
    if (std::fabs(p.g[a]) * edges[a] / 2 >= (1 - one_plane) * reach(p, edges)) return a;
  return -1;
}

/// A triangle, tetrahedron or line with its fraction of the box.
struct Simplex {
  std::array<Vec3, 4> corner;
  int corners = 0;
  double fraction = 0;
};

/// A plane halves a simplex at one of the edges that it crosses until it crosses none.
void divide(const Simplex& s, std::span<const Plane> planes, const Vec3& edges, const Visit& piece) {
  if (planes.empty()) {
    Vec3 sum{0, 0, 0};
    for (int c = 0; c < s.corners; ++c) sum = sum + s.corner[c];
    return piece((1.0 / s.corners) * sum, s.fraction);
  }
  const Plane& p = planes.front();
  std::array<double, 4> above;
  for (int c = 0; c < s.corners; ++c) above[c] = dot(p.g, s.corner[c]) - p.t;
  const auto [low, high] = std::minmax_element(above.begin(), above.begin() + s.corners);
  const double slack = one_plane * reach(p, edges);
  if (*low >= -slack || *high <= slack) return divide(s, planes.subspan(1), edges, piece);
  const auto i = std::size_t(low - above.begin()), j = std::size_t(high - above.begin());
  const double part = *low / (*low - *high);
  Simplex below = s, beyond = s;
  below.corner[j] = beyond.corner[i] = s.corner[i] + part * (s.corner[j] - s.corner[i]);
  below.fraction *= part, beyond.fraction *= 1 - part;
  divide(below, planes, edges, piece);
  divide(beyond, planes, edges, piece);
}

/// A box along axes is as many simplices as its axes have orders: from one corner to the opposite one along
/// the axes in that order.
void divide_box(const Vec3& low, const Vec3& high, double fraction, std::span<const Plane> planes,
                const Vec3& edges, const Visit& piece) {
  std::vector<int> axes;
  for (int a = 0; a < 3; ++a)
    if (std::ranges::any_of(planes, [&](const Plane& p) { return std::fabs(p.g[a]) * edges[a] > 0; }))
      axes.push_back(a);
  double orders = 1;
  for (std::size_t n = 2; n <= axes.size(); ++n) orders *= double(n);
  do {
    Simplex s;
    s.fraction = fraction / orders;
    Vec3 at = 0.5 * (low + high);
    for (const int a : axes) at[a] = low[a];
    s.corner[s.corners++] = at;
    for (const int a : axes) at[a] = high[a], s.corner[s.corners++] = at;
    divide(s, planes, edges, piece);
  } while (std::ranges::next_permutation(axes).found);
}

/// Where planes across an axis cut the box, its ends included.
std::vector<double> cuts(std::span<const Plane> planes, const Vec3& edges, int axis) {
  const double half = edges[axis] / 2;
  std::vector<double> at{-half};
  for (const Plane& p : planes)
    if (facing_axis(p, edges) == axis) at.push_back(p.t / p.g[axis]);
  at.push_back(half);
  std::ranges::sort(at);
  const auto [from, to] =
      std::ranges::unique(at, [&](double x, double y) { return y - x < one_plane * half; });
  at.erase(from, to);
  return at;
}

}  // namespace

bool crosses(const Plane& p, const Vec3& edges) { return std::fabs(p.t) < (1 - one_plane) * reach(p, edges); }

void divide(const Vec3& edges, std::span<const Plane> planes, const Visit& piece) {
  std::vector<Plane> across, slanted;
  for (const Plane& p : planes)
    if (crosses(p, edges)) (facing_axis(p, edges) >= 0 ? across : slanted).push_back(p);
  std::array<std::vector<double>, 3> at;
  for (int a = 0; a < 3; ++a) at[a] = cuts(across, edges, a);
  const auto part = [&](int a, std::size_t n) {
    return edges[a] > 0 ? (at[a][n + 1] - at[a][n]) / edges[a] : 1;
  };
  const auto pieces = [&](int a) { return std::max<std::size_t>(1, at[a].size() - 1); };
  for (std::size_t k = 0; k < pieces(2); ++k)
    for (std::size_t j = 0; j < pieces(1); ++j)
      for (std::size_t i = 0; i < pieces(0); ++i) {
        const std::array n{i, j, k};
        Vec3 low{0, 0, 0}, high{0, 0, 0};
        double fraction = 1;
        for (int a = 0; a < 3; ++a) {
          if (!(edges[a] > 0)) continue;
          low[a] = at[a][n[a]], high[a] = at[a][n[a] + 1], fraction *= part(a, n[a]);
        }
        if (slanted.empty())
          piece(0.5 * (low + high), fraction);
        else
          divide_box(low, high, fraction, slanted, edges, piece);
      }
}

}  // namespace umov::fdtd
