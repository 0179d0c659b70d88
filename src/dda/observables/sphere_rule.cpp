// Directions over the whole sphere with weights that integrate the light of a particle of given size.
#include "dda/observables/sphere_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/types.hpp"
#include "dda/kernels/integrated_green.hpp"

namespace umov::dda {

SphereRule sphere_rule(int degree) {
  SphereRule rule;
  rule.degree = degree;
  const GaussRule gauss = make_gauss_rule(degree / 2 + 1);
  for (const double cosine : gauss.node) rule.theta.push_back(std::acos(cosine) * 180 / pi);
  for (const double weight : gauss.weight) rule.weight.push_back(0.5 * weight);
  const int azimuths = degree + 1;
  for (int j = 0; j < azimuths; ++j) rule.phi.push_back(360.0 * j / azimuths);
  return rule;
}

CheckedRule rule_for(double wavenumber, double diameter) {
  const double reach = wavenumber * diameter, width = std::cbrt(reach);
  // 2 for the dipoles' own pattern and 1 for the direction cosine are among the constants
  return {sphere_rule(int(reach + 5 * width) + 8), sphere_rule(int(reach + 2 * width) + 5)};
}

double diameter_of(const shapes::Particle& p) {
  double farthest = 0;
  std::size_t site = 0;
  for (int z = 0; z < p.box[2]; ++z)
    for (int y = 0; y < p.box[1]; ++y)
      for (int x = 0; x < p.box[0]; ++x)
        if (p.material[site++]) farthest = std::max(farthest, norm(p.position(x, y, z)));
  return 2 * farthest;
}

std::string describe(const CheckedRule& r) {
  return fmt::format(
      "\nScattered field is calculated for all directions (for integrated scattering quantities)\n"
      "theta: {} values of Gauss-Legendre quadrature in its cosine\n"
      "phi: {} values over the circle\n"
      "as many as the size of the particle asks for; checked by {} x {} others\n\n",
      r.rule.theta.size(), r.rule.phi.size(), r.check.theta.size(), r.check.phi.size());
}

}  // namespace umov::dda
