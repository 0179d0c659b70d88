#include "mesh/gmsh/model_unit.hpp"

#include <cmath>

namespace umov::mesh {

namespace {

double rounded(double x) {
  constexpr int bits = 42;
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(mantissa, bits)), exponent - bits);
}

}  // namespace

double model_unit(const Geometry& g) { return norm(g.high - g.low) / (32 * std::sqrt(3.0)); }

Geometry in_units(Geometry g, double unit) {
  const auto convert = [&](double& length) { length = rounded(length / unit); };
  for (Vec3* v : {&g.low, &g.high})
    for (double& x : *v) convert(x);
  convert(g.mesh_size);
  for (Part& p : g.parts) {
    for (Vec3* v : {&p.center, &p.size, &p.shift})
      for (double& x : *v) convert(x);
    for (double* length :
         {&p.radius, &p.top_radius, &p.height, &p.inner_radius, &p.fillet, &p.shed_radius,
          &p.shed_radius_small, &p.shed_thickness, &p.shed_tip, &p.shed_margin, &p.mesh_size})
      convert(*length);
    for (auto& corner : p.profile)
      for (double& x : corner) convert(x);
  }
  return g;
}

}  // namespace umov::mesh
