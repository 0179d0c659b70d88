// Tables to curves, voxels to fields, single numbers to scalars.
#include "view/from_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/csv.hpp"

namespace umov::view {

namespace {

constexpr double most_voxel_bytes = 256.0 * 1024 * 1024;

/// Orders of magnitude between positive values: a logarithmic axis shows more.
bool spans_decades(const std::vector<double>& values) {
  double low = INFINITY, high = 0;
  for (const double v : values) {
    if (v < 0) return false;
    if (v > 0 && std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  }
  return high > 1e4 * low;
}

std::string unit_of(const results::CsvColumn& c) { return c.unit.empty() ? "1" : c.unit; }

void add_table(Shelf& shelf, const results::Result& r, const results::Table& table, int case_id) {
  const auto columns = results::csv_columns(r, table);
  if (columns.size() < 2 || columns.front().rows() == 0) return;
  const auto& x = columns.front();
  for (std::size_t c = 1; c < columns.size(); ++c) {
    const auto& y = columns[c];
    if (!y.texts.empty() || !x.texts.empty() || y.values.size() != x.values.size()) continue;
    ArrayInfo info;
    info.case_id = case_id;
    info.name = "results/" + table.name + "/" + y.name;
    info.label = y.name;
    info.text = table.name;
    info.kind = Kind::curve;
    info.role = "spectrum";
    info.unit = unit_of(y);
    info.columns = {{x.name, unit_of(x)}, {y.name, unit_of(y)}};
    info.logarithmic = spans_decades(y.values);
    shelf.add_curve(std::move(info), {x.values, y.values});
  }
}

void add_number(Shelf& shelf, const results::Array& a, int case_id) {
  const auto* values = std::get_if<std::vector<double>>(&a.data);
  if (!values || values->size() != 1) return;
  ArrayInfo info;
  info.case_id = case_id;
  info.name = "numbers/" + a.name;
  info.label = a.name;
  info.text = a.description;
  info.kind = Kind::scalar;
  info.unit = a.unit;
  info.columns = {{"row", "1"}, {a.name, a.unit}};
  shelf.add_curve(std::move(info), {{0}, *values});
}

/// The values of one voxel array, every `n`-th along each axis, component by component.
std::vector<std::vector<float>> copied(const results::VoxelGrid& g, const results::VoxelArray& a, int n,
                                       const Int3& cells) {
  std::vector<std::vector<float>> out(std::size_t(a.components));
  for (auto& v : out) v.reserve(std::size_t(cells[0]) * cells[1] * cells[2]);
  std::vector<double> slice(std::size_t(g.cells[0]) * g.cells[1] * a.components);
  for (int k = 0; k < g.cells[2]; k += n) {
    std::fill(slice.begin(), slice.end(), 0.0);
    a.fill(k, slice);
    for (int j = 0; j < g.cells[1]; j += n)
      for (int i = 0; i < g.cells[0]; i += n)
        for (int c = 0; c < a.components; ++c)
          out[std::size_t(c)].push_back(
              float(slice[(std::size_t(i) + std::size_t(g.cells[0]) * j) * a.components + c]));
  }
  return out;
}

void add_voxels(Shelf& shelf, const results::VoxelGrid& g, const std::string& length_unit, int case_id) {
  double bytes = 0;
  for (const auto& a : g.arrays)
    bytes += 4.0 * a.components * double(g.cells[0]) * double(g.cells[1]) * double(g.cells[2]);
  int n = 1;
  while (bytes / (double(n) * n * n) > most_voxel_bytes) ++n;
  const auto fewer = [&](int count) { return (count + n - 1) / n; };
  const Int3 cells{fewer(g.cells[0]), fewer(g.cells[1]), fewer(g.cells[2])};
  for (const auto& a : g.arrays) {
    auto parts = copied(g, a, n, cells);
    for (int c = 0; c < a.components; ++c) {
      auto values = std::make_shared<const std::vector<float>>(std::move(parts[std::size_t(c)]));
      ArrayInfo info;
      info.case_id = case_id;
      info.label = a.components == 3  ? a.name + "_" + "xyz"[c]
                   : a.components > 1 ? fmt::format("{}_{}", a.name, c)
                                      : a.name;
      info.name = "results/" + info.label;
      info.text = a.description;
      info.unit = a.unit;
      info.role = a.is_label ? "material" : "component";
      info.shape = {cells[0], cells[1], cells[2]};
      info.origin = g.origin;
      info.spacing = double(n) * g.spacing;
      info.length_unit = length_unit;
      info.is_signed = std::any_of(values->begin(), values->end(), [](float v) { return v < 0; });
      shelf.add(std::move(info), stored_field(values, cells));
    }
  }
}

}  // namespace

void add_result(Shelf& shelf, const results::Result& r, const std::string& length_unit, int case_id) {
  for (const auto& table : r.tables) add_table(shelf, r, table, case_id);
  add_voxels(shelf, r.voxels, length_unit, case_id);
  for (const auto& a : r.arrays) add_number(shelf, a, case_id);
}

}  // namespace umov::view
