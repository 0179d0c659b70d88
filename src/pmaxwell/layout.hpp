// The forty arrays of a directory of `umov pmaxwell`: their names and their sizes on the staggered grid.
#pragma once

#include <string>

#include "core/types.hpp"

namespace umov::pmaxwell {

/// Fields and coefficients of both half steps: x' = t x + s * curl + boundary source.
enum Group { field_e, field_h, t_e, t_h, s_e, s_h };

/// How the files of a directory are named and signed. Without more: as Apelt (2011) has it.
struct Layout {
  /// The second letter of a part is the component of the field that drives it (section 3.6.1: E_xy is driven
  /// by Hy, E_xz by Hz); else the axis of the derivative that does (E_xy: Hz along y).
  bool by_driving_field = true;
  /// s_H multiplies + curl E (section 2.3.3, listing 3), so that it holds Faraday's minus; else - curl E.
  bool minus_in_s_h = true;
};

/// "thesis" or "derivative", by how it names parts.
std::string word(const Layout&);

/// Six parts of each group, then the sources E_bnd_x, E_bnd_y, H_bnd_x, H_bnd_y: 320 bytes a cell.
inline constexpr int array_count = 40;
inline constexpr int bnd_e = 36, bnd_h = 38;

/// The part of component c that the derivative along `axis` drives.
constexpr int array_of(Group g, int c, int axis) { return 6 * g + 2 * c + (axis == (c + 1) % 3 ? 0 : 1); }
/// The same with the part 0 (axis c + 1) or 1 (axis c + 2), cyclic.
constexpr int part_of(Group g, int c, int part) { return 6 * g + 2 * c + part; }

bool is_electric(int array);
int component_of(int array);
/// Axis of the derivative; of sources z.
int axis_of(int array);
/// "E_xy", "t_H_zx", "E_bnd_x".
std::string name_of(int array, const Layout& = {});
/// The array of that name; -1 for none.
int array_named(const std::string& name, const Layout& = {});
/// Whether a file has the negative of the array.
bool is_negated(int array, const Layout&);

/// Points of a component: those of E are one more than cells across their own direction, those of H along it.
Int3 points_of(bool electric, int component, const Int3& cells);
/// Cells of the grid that such points belong to; some may be 0 or less for sizes that no grid has.
Int3 cells_of(bool electric, int component, const Int3& points);

}  // namespace umov::pmaxwell
