// From an Outcome to the Mie results it should approach.
#include "dda/observables/mie_comparison.hpp"

#include <cmath>
#include <memory>

#include "core/error.hpp"
#include "dda/observables/plane_order.hpp"

namespace umov::dda {
namespace {

/// |E|^2 at positions of the particle for a wave along `propagation` polarised along `polarization`.
std::function<double(const Vec3&)> sphere_intensity(const Outcome& o, const mie::Sphere& sphere) {
  const auto field = std::make_shared<mie::InternalField>(sphere);
  const double k = o.simulation.wavenumber();
  const Vec3 along = (1 / norm(o.propagation)) * o.propagation;
  const Vec3 polarized = o.polarizations[0].inc_pol, third = cross(along, polarized);
  const double x = sphere.x;
  return [=](const Vec3& r) {
    Vec3 kr{k * dot(r, polarized), k * dot(r, third), k * dot(r, along)};
    // Voxels at the surface may have centres just outside the equal-volume sphere.
    const double length = norm(kr);
    if (length > x) kr = (x * (1 - 1e-12) / length) * kr;
    const CVec3 e = field->at(kr);
    return std::norm(e[0]) + std::norm(e[1]) + std::norm(e[2]);
  };
}

}  // namespace

std::optional<mie::Sphere> equivalent_sphere(const Simulation& s, double eq_radius) {
  const auto& shape = s.shape;
  const bool coated = shape.shape == "coated" && shape.arguments.size() == 1 && s.m.size() == 2;
  const bool homogeneous = shape.shape == "sphere" && s.m.size() == 1 && !shape.granules;
  if ((!coated && !homogeneous) || s.anisotropic || s.beam.kind != BeamKind::plane) return std::nullopt;
  mie::Sphere sphere;
  sphere.x = s.wavenumber() * eq_radius;
  sphere.m = s.m[0][0];
  if (coated) {
    sphere.core_x = shape.arguments[0] * sphere.x;
    sphere.core_m = s.m[1][0];
  }
  try {
    mie::validate(sphere);
  } catch (const BadInput&) {
    return std::nullopt;  // dipoles may amplify light; spheres of src/mie may not
  }
  return sphere;
}

std::optional<MieComparison> compare_with_mie(const Outcome& o) {
  const auto sphere = equivalent_sphere(o);
  if (!sphere) return std::nullopt;
  const auto coefficients = mie::coefficients(*sphere);
  const auto e = mie::efficiencies(*sphere);
  MieComparison c;
  c.qext = e.qext;
  c.qabs = e.qabs;
  for (const auto& [theta, row] : by_angle_from_incidence(o.plane)) {
    const auto m = mie::mueller(mie::amplitudes(coefficients, std::cos(theta * pi / 180)));
    c.theta.push_back(theta);
    c.s11.push_back(m[0]);
    c.s12.push_back(m[1]);
  }
  const auto& turn = o.simulation.orientation;
  const bool own_frame = turn.alpha == 0 && turn.beta == 0 && turn.gamma == 0 && !turn.average;
  if (sphere->core_x == 0 && own_frame && !o.polarizations.empty())
    c.intensity = sphere_intensity(o, *sphere);
  return c;
}

}  // namespace umov::dda
