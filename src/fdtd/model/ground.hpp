// The ground below all bodies: one material, or a picture.
#pragma once

#include "fdtd/scene.hpp"

namespace umov::fdtd {

/// The lowest layer of a scene; every box asked for lies in the domain.
class Ground {
 public:
  virtual ~Ground() = default;
  virtual int material_at(const Vec3&) const = 0;
  virtual bool mixed(const Vec3& lo, const Vec3& hi) const = 0;
  /// Adds shares that sum to `weight`.
  virtual void add_shares(const Vec3& lo, const Vec3& hi, double weight, Mixture&) const = 0;
  /// As Scene::normal.
  virtual Vec3 normal(const Vec3&) const = 0;
};

/// Adds to the share of a material.
inline void add_share(Mixture& m, int material, double fraction) {
  for (auto& s : m)
    if (s.material == material) {
      s.fraction += fraction;
      return;
    }
  m.push_back({material, fraction});
}

/// The background everywhere.
class UniformGround final : public Ground {
 public:
  int material_at(const Vec3&) const override { return 0; }
  bool mixed(const Vec3&, const Vec3&) const override { return false; }
  void add_shares(const Vec3&, const Vec3&, double weight, Mixture& m) const override {
    add_share(m, 0, weight);
  }
  Vec3 normal(const Vec3&) const override { return {0, 0, 0}; }
};

}  // namespace umov::fdtd
