// Tables of n and k along three axes.
#include "materials/nk_axes.hpp"

#include "materials/nk_blocks.hpp"
#include "parameters/columns.hpp"

namespace umov::materials {

namespace {

constexpr std::size_t all_columns = 7;

/// By the first row of numbers.
bool has_axes(const Lines& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (const auto row = numbers_of(lines[i]); row && !row->empty()) return row->size() == all_columns;
  return false;
}

}  // namespace

NkAxes read_nk_axes(const std::string& path) {
  const Lines lines(path);
  if (path.ends_with(".yml") || path.ends_with(".yaml") || !has_axes(lines)) {
    const NkTable one = read_nk(path);
    return {one, one, one};
  }
  const Column wavelength{"wavelength", "um", "", true};
  ColumnReader reader(
      {{wavelength, {"n_x", ""}, {"k_x", ""}, {"n_y", ""}, {"k_y", ""}, {"n_z", ""}, {"k_z", ""}}}, path);
  for (std::size_t i = 0; i < lines.size(); ++i) reader.line(int(i) + 1, lines[i]);
  const Columns table = reader.finish();
  NkAxes out;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Curve n, k;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const auto line = std::size_t(table.line[row] - 1);
      add_row(lines, line, n, table.value[0][row], table.value[1 + 2 * axis][row], true);
      add_row(lines, line, k, table.value[0][row], table.value[2 + 2 * axis][row], false);
    }
    out[axis] = join_curves(path, n, k);
  }
  return out;
}

}  // namespace umov::materials
