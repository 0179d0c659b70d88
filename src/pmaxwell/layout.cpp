// The forty arrays of a directory of `umov pmaxwell`: their names and their sizes on the staggered grid.
#include "pmaxwell/layout.hpp"

namespace umov::pmaxwell {

namespace {

constexpr const char* prefixes[] = {"E_", "H_", "t_E_", "t_H_", "s_E_", "s_H_"};
constexpr char letters[] = "xyz";

/// One more point than cells along this axis.
bool is_node(bool electric, int component, int axis) { return electric != (axis == component); }

}  // namespace

bool is_electric(int array) { return array < bnd_e ? array / 6 % 2 == 0 : array < bnd_h; }

int component_of(int array) { return array < bnd_e ? array % 6 / 2 : (array - bnd_e) % 2; }

int axis_of(int array) { return array < bnd_e ? (component_of(array) + 1 + array % 2) % 3 : 2; }

std::string word(const Layout& layout) { return layout.by_driving_field ? "thesis" : "derivative"; }

std::string name_of(int array, const Layout& layout) {
  const int c = component_of(array), axis = axis_of(array);
  if (array >= bnd_e) return std::string(array < bnd_h ? "E_bnd_" : "H_bnd_") + letters[c];
  return std::string(prefixes[array / 6]) + letters[c] +
         letters[layout.by_driving_field ? 3 - c - axis : axis];
}

int array_named(const std::string& name, const Layout& layout) {
  for (int a = 0; a < array_count; ++a)
    if (name_of(a, layout) == name) return a;
  return -1;
}

bool is_negated(int array, const Layout& layout) { return layout.minus_in_s_h && array / 6 == s_h; }

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

}  // namespace umov::pmaxwell
