// Which way the interface next to a point faces.
#include <algorithm>

#include "fdtd/model/layered_scene.hpp"
#include "fdtd/model/nearest_face.hpp"

namespace umov::fdtd {
namespace {

/// The line that most of a tensor sum of n n^T is along; zero where no line is more than others.
Vec3 principal_line(std::array<Vec3, 3> m) {
  double trace = 1;
  for (int squaring = 0; squaring < 12; ++squaring) {
    trace = m[0][0] + m[1][1] + m[2][2];
    std::array<Vec3, 3> square{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) square[i][j] = dot(m[i], m[j]) / (trace * trace);
    m = square;
  }
  trace = m[0][0] + m[1][1] + m[2][2];
  const int largest = m[0][0] >= m[1][1] && m[0][0] >= m[2][2] ? 0 : m[1][1] >= m[2][2] ? 1 : 2;
  double square = 0;
  for (const Vec3& row : m) square += dot(row, row);
  if (square < 0.9 * trace * trace) return {0, 0, 0};
  return (1 / norm(m[largest])) * m[largest];
}

/// In cells: what is thinner is not seen between bodies.
constexpr double thin = 1e-2;
/// In no plane or line that surfaces are likely to lie in.
constexpr Vec3 aslant{1, 0.62, 0.38};

/// Calls for a vector with all signs, which mirrors only exchange, until one says true.
template <class Visit>
bool with_signs(const Vec3& v, Mode mode, const Visit& visit) {
  const int dim = dimensions(mode);
  for (int corner = 0; corner < 1 << dim; ++corner) {
    Vec3 at{0, 0, 0};
    for (int a = 0; a < dim; ++a) at[a] = ((corner >> a) & 1 ? 1 : -1) * v[a];
    if (visit(at)) return true;
  }
  return false;
}

/// Normals around a point: their mean, or of surfaces that face each other the line that both are across.
class Normals {
 public:
  void add(const Vec3& n) {
    constexpr double facing = 1e-3;  // cosine beyond a right angle, whatever the rounding
    opposite_ |= std::ranges::any_of(all_, [&](const Vec3& v) { return dot(v, n) < -facing; });
    all_.push_back(n);
  }
  const Vec3& last() const { return all_.back(); }
  bool any() const {
    return std::ranges::any_of(all_, [](const Vec3& n) { return dot(n, n) > 0; });
  }
  Vec3 mean() const {
    std::array<Vec3, 3> dyads{};
    Vec3 sum{0, 0, 0};
    for (const Vec3& n : all_) {
      sum = sum + n;
      for (int i = 0; i < 3; ++i) dyads[i] = dyads[i] + n[i] * n;
    }
    return opposite_ ? principal_line(dyads) : (1 / norm(sum)) * sum;
  }

 private:
  std::vector<Vec3> all_;
  bool opposite_ = false;
};

}  // namespace

int LayeredScene::nearer_surface(const Vec3& p, double& nearest, Vec3& n) const {
  int whose = -1;
  for (int b : bodies_.near(p, p)) {
    const Vec3 around = nearest * Vec3{1, 1, 1};
    if (bodies_.apart(b, p - around, p + around)) continue;
    const auto probe = flat_probe(*bodies_[b].body, p, extent_.mode);
    const double length = norm(probe.gradient);
    if (length > 0 && std::fabs(probe.distance) < nearest * length) {
      nearest = std::fabs(probe.distance) / length;
      n = (1 / length) * probe.gradient;
      whose = b;
    }
    if (probe.distance < 0) break;
  }
  return whose;
}

bool LayeredScene::doubtful(int body, const Vec3& p, double reach) const {
  const Vec3 lo = p - reach * Vec3{1, 1, 1}, hi = p + reach * Vec3{1, 1, 1};
  return alike(bodies_[body].material, ground_->material_at(clamped(p))) ||
         std::ranges::any_of(bodies_.near(lo, hi),
                             [&](int b) { return b != body && !bodies_.apart(b, lo, hi); });
}

bool LayeredScene::contrast_near(const Vec3& p, double reach) const {
  const Vec3 lo = p - reach * Vec3{1, 1, 1}, hi = p + reach * Vec3{1, 1, 1};
  const int here = material_at(p);
  return !alike(here, ground_->material_at(clamped(p))) ||
         std::ranges::any_of(bodies_.near(lo, hi), [&](int b) {
           return !bodies_.apart(b, lo, hi) && !alike(here, bodies_[b].material);
         });
}

LayeredScene::Media LayeredScene::media_around(const Vec3& at, std::span<const Vec3> around) const {
  Media m{int(materials_.size()), 0, -1};
  // beside the lines, which may lie on surfaces; less than they step aside
  with_signs(1e-5 * extent_.dx * aslant, extent_.mode, [&](const Vec3& off) {
    for (const Vec3& to : around) {
      const int there = material_at(at + off + thin * extent_.dx * to);
      m.least = std::min(m.least, there), m.most = std::max(m.most, there), m.last = there;
      m.differ = m.differ || !alike(there, m.least) || !alike(there, m.most);
    }
    return m.differ;
  });
  return m;
}

std::optional<Vec3> LayeredScene::exposed_normal(const Vec3& p, double reach, bool alike_too) const {
  const Vec3 lo = p - reach * Vec3{1, 1, 1}, hi = p + reach * Vec3{1, 1, 1};
  std::vector<const shapes::Body*> around;
  for (int b : bodies_.near(lo, hi))
    if (!bodies_.apart(b, lo, hi)) around.push_back(bodies_[b].body.get());
  Media media;  // of the last one found, which is the nearest
  const auto exposed = nearest_exposed(around, p, reach, extent_, [&](const Vec3& at, const auto& to) {
    const Media there = media_around(at, to);
    const bool any = there.differ || (alike_too && there.least != there.most);
    if (any) media = there;
    return any;
  });
  if (!exposed) return {};
  return oriented(*exposed, p, media);
}

Vec3 LayeredScene::oriented(const Foot& foot, const Vec3& p, const Media& media) const {
  const Vec3 away = foot.at - p;
  const bool apart = norm(away) > 1e-3 * extent_.dx;
  const bool below = apart ? material_at(p) == media.least
                           : material_at(foot.at + thin * extent_.dx * foot.normal) != media.least;
  const double along = apart ? dot(foot.normal, away) : 1;
  return (below == (along > 0) ? -1.0 : 1.0) * foot.normal;
}

Vec3 LayeredScene::body_normal(const Vec3& point) const {
  // On the point itself: a step off it would turn the normals of mirror images by different angles.
  const Vec3 p = in_domain(point);
  // boxes of two cells' edge reach half a cell less far from the nodes of the edges they are around
  const double reach = (has_memory_ ? 1.5 : 1) * extent_.dx * std::sqrt(double(dimensions(extent_.mode)));
  double nearest = reach;
  Vec3 n{0, 0, 0};
  const int whose = nearer_surface(p, nearest, n);
  if (whose < 0 || !doubtful(whose, p, reach)) return n;
  const auto foot = foot_of(*bodies_[whose].body, p, extent_);
  if (!foot || !doubtful(whose, foot->at, 2 * thin * extent_.dx)) return n;
  const auto media = media_around(foot->at, std::array{-1.0 * foot->normal, foot->normal});
  const Vec3 towards_least = (media.last == media.least ? 1.0 : -1.0) * n;
  if (media.differ) return towards_least;
  const bool contrast = contrast_near(p, reach);
  if (!contrast && media.least != media.most) return towards_least;
  if (contrast)
    if (const auto exposed = exposed_normal(p, reach, false)) return *exposed;
  return exposed_normal(p, reach, true).value_or(n);
}

Vec3 LayeredScene::normal(const Vec3& p) const {
  constexpr double same = 1 - 5e-7;  // an angle of 1e-3: more than a surface turns over a step
  const Vec3 here = body_normal(p), step = 1e-4 * extent_.dx * aslant;
  Normals around;
  bool turns = false;
  // Steps of all signs: of any plane through p on which two surfaces are equally near some lie on either
  // side. Where it turns also with the axes exchanged: the shortest step would choose among them.
  const int dim = dimensions(extent_.mode);
  for (int turn = 0; turn < dim && (turn == 0 || turns); ++turn) {
    Vec3 along{0, 0, 0};
    for (int a = 0; a < dim; ++a) along[a] = step[(a + turn) % dim];
    with_signs(along, extent_.mode, [&](const Vec3& off) {
      around.add(body_normal(p + off));
      turns |= dot(around.last(), here) <= same;
      return false;
    });
  }
  if (!turns) return here;
  return around.any() ? around.mean() : ground_->normal(p);
}

}  // namespace umov::fdtd
