// The medium on a surface whose fields are taken for plane waves.
#include <fmt/format.h>

#include "core/error.hpp"
#include "fdtd/observables/far_field.hpp"

namespace umov::fdtd {
namespace {

FarMedium uniform(const materials::Material& material, const MonitorSpec& m, const char* wanted) {
  const auto same = [](const Vec3& v) { return v[0] == v[1] && v[1] == v[2]; };
  const Vec3 none{0, 0, 0};
  if (material.dispersive() || material.sigma != none || material.sigma_magnetic != none ||
      material.perfect_conductor || !same(material.eps) || !same(material.mu))
    throw BadInput(
        fmt::format("{} lies in {} ({} needs a lossless, isotropic medium without dispersion); move it",
                    called(m), material.name.empty() ? "its background" : material.name, wanted));
  return {material.eps[0], material.mu[0]};
}

}  // namespace

FarMedium medium_on(const Surface& surface, const Whole& whole, const Scene& scene, const MonitorSpec& m,
                    const char* wanted) {
  int found = -1;
  for (const Patch& p : surface.patches())
    for (int k = 0; k < p.count[2]; ++k)
      for (int j = 0; j < p.count[1]; ++j)
        for (int i = 0; i < p.count[0]; ++i) {
          const Vec3 at = whole.grid().position(p.electric, {p.first[0] + i, p.first[1] + j, p.first[2] + k});
          const int here = scene.material_at(whole.image(at));
          if (found >= 0 && here != found)
            throw BadInput(fmt::format(
                "{} cuts a body at ({:.4g}, {:.4g}, {:.4g}) ({} needs one medium all over it); {}", called(m),
                at[0], at[1], at[2], wanted,
                m.kind == MonitorSpec::Kind::orders ? "move it" : "make it larger or move it"));
          found = here;
        }
  return uniform(scene.materials().at(found < 0 ? 0 : found), m, wanted);
}

}  // namespace umov::fdtd
