#include "mesh/gmsh/model_unit.hpp"

#include <cmath>

namespace umov::mesh {

double model_unit(const Geometry& g) {
  int exponent = 0;
  std::frexp(norm(g.high - g.low), &exponent);  // 2^(exponent - 1) to 2^exponent
  return std::ldexp(1.0, exponent - 6);
}

Geometry in_units(Geometry g, double unit) {
  const double per = 1 / unit;
  g.low = per * g.low;
  g.high = per * g.high;
  g.mesh_size *= per;
  for (Part& p : g.parts) {
    for (Vec3* v : {&p.center, &p.size, &p.shift}) *v = per * *v;
    for (double* length :
         {&p.radius, &p.top_radius, &p.height, &p.inner_radius, &p.fillet, &p.shed_radius,
          &p.shed_radius_small, &p.shed_thickness, &p.shed_tip, &p.shed_margin, &p.mesh_size})
      *length *= per;
    for (auto& corner : p.profile)
      for (double& x : corner) x *= per;
  }
  return g;
}

}  // namespace umov::mesh
