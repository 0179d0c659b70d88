// A scene of bodies over a ground, later ones over earlier ones.
#pragma once

#include "fdtd/model/body_bins.hpp"
#include "fdtd/model/extent.hpp"
#include "fdtd/model/ground.hpp"
#include "fdtd/model/nearest_face.hpp"
#include "shapes/body.hpp"

namespace umov::fdtd {

/// Bodies near periodic walls come with their images (images.hpp), a few cells beyond the walls included.
class LayeredScene final : public Scene {
 public:
  /// `alike`: by pairs, whether a surface between two media bends the field so little that others near it
  /// say which way the interface faces (alike_media.hpp).
  LayeredScene(const Extent&, std::vector<materials::Material>, std::vector<bool> alike,
               std::unique_ptr<Ground>, std::vector<Layer>);

  const std::vector<materials::Material>& materials() const override { return materials_; }
  int material_at(const Vec3&) const override;
  bool mixed(const Vec3& lo, const Vec3& hi) const override;
  void shares(const Vec3& lo, const Vec3& hi, Mixture&) const override;
  bool thin_conductor(const Vec3& lo, const Vec3& hi) const override;
  std::vector<Occupied> occupied() const override;
  Vec3 normal(const Vec3&) const override;

 private:
  /// Whether a point lies in a perfect conductor or, whatever the rounding, on its surface.
  bool conducting(const Vec3& p) const;
  bool conductor_near(const Vec3&) const;
  /// Index into the bodies of the one that covers the point, or -1.
  int cover(const Vec3&) const;
  Vec3 clamped(const Vec3&) const;
  /// The same without the step off surfaces.
  Vec3 in_domain(const Vec3&) const;
  /// A coordinate moved by whole periods into the domain.
  double in_period(double, int axis) const;
  /// Takes over the normal of a surface nearer to p than `nearest`, and says whose it is, or -1.
  int nearer_surface(const Vec3& p, double& nearest, Vec3& n) const;
  /// What is around a point of a surface: the least and the last of the media, and whether the field may jump
  /// between some.
  struct Media {
    int least = 0, most = 0, last = 0;  ///< the last: of the last direction
    bool differ = false;
  };
  /// At steps of a hundredth of a cell: what is thinner is none.
  Media media_around(const Vec3& at, std::span<const Vec3> around) const;
  bool alike(int a, int b) const { return alike_[std::size_t(a) * materials_.size() + std::size_t(b)]; }
  /// Whether media that are not alike may be within `reach` of p.
  bool contrast_near(const Vec3& p, double reach) const;
  /// Whether something within `reach` of p may leave nothing of a body's surface: a ground of its medium, or
  /// another body.
  bool doubtful(int body, const Vec3& p, double reach) const;
  /// Normal of the interface next to p, whatever bodies it is left of.
  std::optional<Vec3> exposed_normal(const Vec3& p, double reach, bool alike_too) const;
  /// The normal of a place next to p, towards the medium that comes first among those around it: bodies and
  /// what is cut out of them say it alike.
  Vec3 oriented(const Foot&, const Vec3& p, const Media&) const;
  /// Normal of the body surface nearest to a point, zero when none is within a cell's diagonal. Where two are
  /// equally near, as at the corners of a box, rounding chooses.
  Vec3 body_normal(const Vec3&) const;
  /// The part of the box inside the domain or beyond its periodic ends; a box beyond another edge becomes
  /// flat there.
  void clamp(Vec3& lo, Vec3& hi) const;
  void add_ground(Vec3 lo, Vec3 hi, int axis, double weight, Mixture&) const;
  void add_shares(const Vec3& lo, const Vec3& hi, double weight, int depth, Mixture&) const;
  void add_parts(const Vec3& lo, const Vec3& hi, double weight, int depth, Mixture&) const;

  Extent extent_;
  std::vector<materials::Material> materials_;
  std::vector<bool> alike_;
  std::unique_ptr<Ground> ground_;
  BodyBins bodies_;
  bool has_memory_ = false;  ///< surfaces are looked for farther away
};

}  // namespace umov::fdtd
