#include "fdtd/model/average.hpp"

#include <algorithm>

namespace umov::fdtd {
namespace {

using materials::Material;

struct Means {
  double value = 0, inverse = 0, loss = 0;
};
Means means(const Mixture& mixture, const std::vector<Material>& materials, int component) {
  Means sum;
  const int a = axis_of(component);
  for (const auto& s : mixture) {
    const Material& m = materials[s.material];
    const double value = is_electric(component) ? m.eps[a] : m.mu[a];
    sum.value += s.fraction * value;
    sum.inverse += s.fraction / value;
    sum.loss += s.fraction * (is_electric(component) ? m.sigma[a] : m.sigma_magnetic[a]);
  }
  return sum;
}

bool isotropic(const Material& m) { return m.eps[0] == m.eps[1] && m.eps[1] == m.eps[2]; }

}  // namespace

bool averageable(const Mixture& mixture, const std::vector<Material>& materials) {
  for (const auto& s : mixture)
    if (s.fraction > negligible_share && materials[s.material].perfect_conductor) return false;
  return true;
}

bool drop_conductors(Mixture& mixture, const std::vector<Material>& materials) {
  double rest = 0;
  for (const auto& s : mixture)
    if (!materials[s.material].perfect_conductor) rest += s.fraction;
  if (rest <= negligible_share) return false;
  const auto taken =
      std::erase_if(mixture, [&](const Share& s) { return materials[s.material].perfect_conductor; });
  for (auto& s : mixture) s.fraction /= rest;
  return taken > 0;
}

bool has_memory(const Material& m) { return m.dispersive() || m.sigma != Vec3{0, 0, 0}; }

bool has_memory(const Mixture& mixture, const std::vector<Material>& materials) {
  return std::ranges::any_of(mixture, [&](const Share& s) { return has_memory(materials[s.material]); });
}

int largest_share(const Mixture& mixture) {
  return std::ranges::max_element(mixture, {}, &Share::fraction)->material;
}

int single_material(const Mixture& mixture) {
  for (const auto& s : mixture)
    if (s.fraction > 1 - negligible_share) return s.material;
  return -1;
}

Effective effective(const Mixture& mixture, const std::vector<Material>& materials, int component,
                    const Vec3& normal, const Grid& g) {
  const Means m = means(mixture, materials, component);
  const int axis = axis_of(component);
  double along = normal[axis] * normal[axis];
  if (dot(normal, normal) == 0) along = g.active(axis) ? 1.0 / dimensions(g.mode) : 0;
  return {along * m.inverse + (1 - along) / m.value, m.loss};
}

Vec3 off_diagonal(const Mixture& mixture, const std::vector<Material>& materials, const Vec3& n) {
  for (const auto& s : mixture)
    if (!isotropic(materials[s.material])) return {0, 0, 0};
  const Means m = means(mixture, materials, Ex);
  const double jump = m.inverse - 1 / m.value;
  return {n[1] * n[2] * jump, n[2] * n[0] * jump, n[0] * n[1] * jump};
}

}  // namespace umov::fdtd
