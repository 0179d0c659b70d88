// A plane cut through the model.
#include "eqs/observables/cut_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/kernels/ellipse.hpp"

namespace umov::eqs {

namespace {

struct Box {
  Vec3 low, high;
};

Box bounds(const mesh::TetMesh& m) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Box b{{far, far, far}, {-far, -far, -far}};
  for (const Vec3& x : m.nodes)
    for (int a = 0; a < 3; ++a) {
      b.low[a] = std::min(b.low[a], x[a]);
      b.high[a] = std::max(b.high[a], x[a]);
    }
  return b;
}

}  // namespace

CutField::CutField(const CutSpec& spec, const Problem& problem) {
  const Box box = bounds(problem.mesh);
  frame_.name = spec.name;
  frame_.normal = spec.normal;
  frame_.position = spec.position;
  u_axis_ = spec.normal == 0 ? 1 : 0;
  v_axis_ = spec.normal == 2 ? 1 : 2;
  const auto w = spec.window.value_or(
      std::array<double, 4>{box.low[u_axis_], box.high[u_axis_], box.low[v_axis_], box.high[v_axis_]});
  frame_.u0 = w[0], frame_.u1 = w[1], frame_.v0 = w[2], frame_.v1 = w[3];
  const double width = w[1] - w[0], height = w[3] - w[2], pixel = std::max(width, height) / spec.pixels;
  frame_.columns = std::max(2, int(std::lround(width / pixel)));
  frame_.rows = std::max(2, int(std::lround(height / pixel)));
  places_.resize(std::size_t(frame_.columns) * frame_.rows);
  const double margin = 1e-9 * (box.high[spec.normal] - box.low[spec.normal]);
  std::vector<char> cut(problem.mesh.tets.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < cut.size(); ++i) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const int k : problem.mesh.tets[i]) {
      low = std::min(low, problem.mesh.nodes[k][spec.normal]);
      high = std::max(high, problem.mesh.nodes[k][spec.normal]);
    }
    cut[i] = low <= spec.position + margin && high >= spec.position - margin;
  }
  for (std::size_t i = 0; i < cut.size(); ++i)
    if (cut[i]) paint(problem, int(i));
  if (std::all_of(places_.begin(), places_.end(), [](const mesh::Place& p) { return p.tet < 0; }))
    throw BadInput("cut '" + spec.name + "' misses the mesh (which reaches from " +
                   shortest(box.low[spec.normal]) + " to " + shortest(box.high[spec.normal]) +
                   " m along its normal); move its position or its window");
  for (const auto& p : places_) frame_.material.push_back(p.tet < 0 ? -1 : problem.material[p.tet]);
}

Vec3 CutField::position(int column, int row) const {
  Vec3 x;
  x[frame_.normal] = frame_.position;
  x[u_axis_] = frame_.u0 + (column + 0.5) * (frame_.u1 - frame_.u0) / frame_.columns;
  x[v_axis_] = frame_.v0 + (row + 0.5) * (frame_.v1 - frame_.v0) / frame_.rows;
  return x;
}

/// Claims the free pixels inside an element; one on a face goes to the element of the lower number.
void CutField::paint(const Problem& problem, int tet) {
  const auto& t = problem.mesh.tets[tet];
  const auto& x = problem.mesh.nodes;
  const Vec3 a = x[t[1]] - x[t[0]], b = x[t[2]] - x[t[0]], c = x[t[3]] - x[t[0]];
  const double s = 1 / dot(a, cross(b, c));
  const Vec3 g1 = s * cross(b, c), g2 = s * cross(c, a), g3 = s * cross(a, b);
  const auto range = [&](int axis, double from, double to, int count, int& first, int& last) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const int k : t) {
      low = std::min(low, x[k][axis]);
      high = std::max(high, x[k][axis]);
    }
    const double scale = count / (to - from);
    first = int(std::clamp(std::floor((low - from) * scale - 0.5), 0.0, double(count)));
    last = int(std::clamp(std::ceil((high - from) * scale - 0.5), -1.0, double(count - 1)));
  };
  int c0, c1, r0, r1;
  range(u_axis_, frame_.u0, frame_.u1, frame_.columns, c0, c1);
  range(v_axis_, frame_.v0, frame_.v1, frame_.rows, r0, r1);
  for (int row = r0; row <= r1; ++row)
    for (int column = c0; column <= c1; ++column) {
      auto& place = places_[std::size_t(row) * frame_.columns + column];
      if (place.tet >= 0) continue;
      const Vec3 d = position(column, row) - x[t[0]];
      const double l1 = dot(g1, d), l2 = dot(g2, d), l3 = dot(g3, d);
      const std::array<double, 4> l{1 - l1 - l2 - l3, l1, l2, l3};
      if (*std::min_element(l.begin(), l.end()) >= -1e-9) place = {tet, l};
    }
}

CutResult CutField::sample(const Sampler& sampler, const double* u, const double* imaginary,
                           double time) const {
  CutResult r = frame_;
  r.time = time;
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  r.potential.assign(places_.size(), nan);
  r.field.assign(places_.size(), nan);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].tet < 0) continue;
    r.potential[i] = float(sampler.potential(u, places_[i]));
    const Vec3 e = sampler.field(u, places_[i]);
    r.field[i] = float(imaginary ? peak_of(e, sampler.field(imaginary, places_[i])) : norm(e));
  }
  return r;
}

namespace {

/// A plane that may be shown, and what it would show.
struct Plane {
  CutSpec spec;
  std::size_t materials = 0;  ///< that it cuts, or on whose faces it lies off the electrodes
  double area = 0;            ///< of the model's box there
};

Plane plane_at(const Problem& p, const Box& box, int normal, double position) {
  Plane plane;
  plane.spec.name = "middle";
  plane.spec.normal = normal;
  plane.spec.position = position;
  const Vec3 size = box.high - box.low;
  plane.area = size[0] * size[1] * size[2] / size[normal];
  const double margin = 1e-9 * size[normal];
  std::vector<char> seen(p.materials.size(), 0);
  for (std::size_t t = 0; t < p.mesh.tets.size(); ++t) {
    if (seen[std::size_t(p.material[t])]) continue;
    int below = 0, above = 0, on = 0, held = 0;
    for (const int n : p.mesh.tets[t]) {
      const double x = p.mesh.nodes[n][normal] - position;
      if (x < -margin)
        ++below;
      else if (x > margin)
        ++above;
      else
        ++on, held += p.node_electrode[n] >= 0;
    }
    seen[std::size_t(p.material[t])] = (below > 0 && above > 0) || (on == 3 && held < 3);
  }
  plane.materials = std::size_t(std::count(seen.begin(), seen.end(), 1));
  return plane;
}

}  // namespace

CutSpec middle_cut(const Problem& problem, const std::vector<std::string>& symmetry) {
  const Box box = bounds(problem.mesh);
  std::vector<Plane> planes;
  const auto mirrored = [&](int axis) {
    return std::find(symmetry.begin(), symmetry.end(), std::string(1, char('x' + axis))) != symmetry.end();
  };
  const auto add = [&](int axis, double position) {
    planes.push_back(plane_at(problem, box, axis, position));
  };
  for (const int axis : {1, 0})  // planes that show the upright axis
    if (mirrored(axis)) add(axis, 0);
  for (const int axis : {1, 0, 2}) {
    if (mirrored(axis)) continue;
    const bool reaches = box.low[axis] <= 0 && box.high[axis] >= 0;
    const bool inside = box.low[axis] < 0 && box.high[axis] > 0;
    if (inside) add(axis, 0);
    add(axis, 0.5 * (box.low[axis] + box.high[axis]));
    if (reaches && !inside) add(axis, 0);
  }
  const auto most = std::max_element(
      planes.begin(), planes.end(), [](const Plane& a, const Plane& b) { return a.materials < b.materials; });
  // the first of those that show most; across x or z the larger one
  auto best = *most;
  if (best.spec.normal != 1 && !mirrored(best.spec.normal))
    for (const Plane& p : planes)
      if (p.materials == best.materials && p.area > best.area) best = p;
  return best.spec;
}

}  // namespace umov::eqs
