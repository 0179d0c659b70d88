// The forty arrays of a directory of `umov pmaxwell`: their names and their sizes on the staggered grid.
#include "fdtd/harmonic/pmaxwell/layout.hpp"

namespace umov::fdtd::harmonic::pmaxwell {

namespace {

constexpr const char* prefixes[] = {"E_", "H_", "t_E_", "t_H_", "s_E_", "s_H_"};
constexpr char letters[] = "xyz";

/// One more point than cells along this axis.
bool is_node(bool electric, int component, int axis) { return electric != (axis == component); }

}  // namespace

bool is_electric(int array) { return array < bnd_e ? array / 6 % 2 == 0 : array < bnd_h; }

int component_of(int array) { return array < bnd_e ? array % 6 / 2 : (array - bnd_e) % 2; }

int axis_of(int array) { return array < bnd_e ? (component_of(array) + 1 + array % 2) % 3 : 2; }

std::string name_of(int array) {
  const char c = letters[component_of(array)];
  if (array >= bnd_e) return std::string(array < bnd_h ? "E_bnd_" : "H_bnd_") + c;
  return std::string(prefixes[array / 6]) + c + letters[axis_of(array)];
}

int array_named(const std::string& name) {
  for (int a = 0; a < array_count; ++a)
    if (name_of(a) == name) return a;
  return -1;
}

Int3 points_of(bool electric, int component, const Int3& cells) {
  Int3 out = cells;
  for (int axis = 0; axis < 3; ++axis) out[axis] += is_node(electric, component, axis);
  return out;
}

Int3 cells_of(bool electric, int component, const Int3& points) {
  Int3 out = points;
  for (int axis = 0; axis < 3; ++axis) out[axis] -= is_node(electric, component, axis);
  return out;
}

}  // namespace umov::fdtd::harmonic::pmaxwell
