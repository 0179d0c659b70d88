// Tables to curves, voxels to fields, single numbers to scalars.
#include "view/from_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "results/csv.hpp"
#include "view/batch_table.hpp"
#include "view/split_table.hpp"

namespace umov::view {

namespace {

constexpr double most_voxel_bytes = 256.0 * 1024 * 1024;
constexpr std::size_t least_list = 4;  ///< of fewer numbers a curve says nothing

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
  if (x.texts.empty() && x.values.size() > 1 && !one_way(x.values)) {
    std::vector<Column> heads;
    Numbers values;
    for (const auto& column : columns) {
      if (!column.texts.empty() || column.values.size() != x.values.size()) continue;
      heads.push_back({column.name, unit_of(column)});
      values.push_back(column.values);
    }
    return add_split_table(shelf, case_id, table.name, heads, values);
  }
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

void add_whole_table(Shelf& shelf, const results::Result& r, const results::Table& table, int case_id) {
  const auto all = results::csv_columns(r, table);
  if (all.size() < 2 || all.front().rows() < 2 || !all.front().texts.empty()) return;
  ArrayInfo info;
  std::vector<std::vector<double>> values;
  for (const auto& c : all) {
    if (!c.texts.empty() || c.values.size() != all.front().values.size()) continue;
    info.columns.push_back({c.name, unit_of(c)});
    values.push_back(c.values);
  }
  if (values.size() < 2 ||
      add_batch_table(shelf, case_id, table.name, batch_roles(r.attributes), info.columns, values) ||
      !one_way(values.front()))
    return;
  info.case_id = case_id;
  info.name = "results/" + table.name;
  info.label = table.name;
  info.text = table.name + ".csv";
  info.unit = info.columns[1].unit;
  info.kind = Kind::curve;
  info.role = role_over(info.columns[0]);
  info.logarithmic = info.role == "pattern" && any_spans_decades(values);
  shelf.add_curve(std::move(info), std::move(values));
}

/// Arrays that columns of tables are made of.
std::set<std::size_t> tabulated(const results::Result& r) {
  std::set<std::size_t> out;
  for (const auto& table : r.tables)
    for (const auto& column : table.columns)
      for (const auto& cells : column.cells) out.insert(cells.array);
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

std::string role_over(const Column& x) {
  if (x.unit == "degree" || x.unit == "deg") return "pattern";
  return x.unit == "s" || x.name == "time" || x.name == "step" ? "series" : "spectrum";
}

bool one_way(const std::vector<double>& x) {
  return std::adjacent_find(x.begin(), x.end(), std::greater_equal<>()) == x.end() ||
         std::adjacent_find(x.begin(), x.end(), std::less_equal<>()) == x.end();
}

bool any_spans_decades(const std::vector<std::vector<double>>& columns) {
  return std::any_of(columns.begin() + std::min<std::ptrdiff_t>(1, std::ptrdiff_t(columns.size())),
                     columns.end(), [](const auto& c) { return spans_decades(c); });
}

void add_list(Shelf& shelf, const results::Array& a, std::vector<double> values, int case_id) {
  const bool residual = a.name.ends_with("/residual");
  ArrayInfo info;
  info.case_id = case_id;
  info.name = a.name;
  info.label = a.name;
  info.text = a.description;
  info.kind = Kind::scalar;
  info.role = residual ? "residual" : "series";
  info.unit = a.unit;
  info.columns = {{residual ? "iteration" : "row", "1"}, {residual ? "residual" : a.name, a.unit}};
  info.logarithmic = residual || spans_decades(values);
  std::vector<double> place(values.size());
  for (std::size_t i = 0; i < place.size(); ++i) place[i] = double(i);
  shelf.add_curve(std::move(info), {std::move(place), std::move(values)});
}

void add_tables(Shelf& shelf, const results::Result& r, int case_id) {
  for (const auto& table : r.tables) add_whole_table(shelf, r, table, case_id);
  const auto in_tables = tabulated(r);
  for (std::size_t i = 0; i < r.arrays.size(); ++i) {
    const auto& a = r.arrays[i];
    add_number(shelf, a, case_id);
    const auto* values = std::get_if<std::vector<double>>(&a.data);
    if (values && a.shape.size() == 1 && values->size() >= least_list && !in_tables.contains(i))
      add_list(shelf, a, *values, case_id);
  }
}

LabelledSites labelled_sites(const std::function<int(int, int, int)>& label, const Int3& cells,
                             const Vec3& origin, const Vec3& spacing) {
  LabelledSites out;
  for (int n = 1;; ++n) {
    out.thinned = n;
    out.columns.assign(4, {});
    for (int k = 0; k < cells[2]; k += n)
      for (int j = 0; j < cells[1]; j += n)
        for (int i = 0; i < cells[0]; i += n) {
          const int l = label(i, j, k);
          if (l == 0) continue;
          const Int3 at{i, j, k};
          for (int a = 0; a < 3; ++a)
            out.columns[std::size_t(a)].push_back(origin[a] + (at[a] + 0.5 * n) * spacing[a]);
          out.columns[3].push_back(l);
        }
    if (out.columns[3].size() <= most_points) return out;
  }
}

ArrayInfo points_info(const LabelledSites& sites, const std::string& length_unit, const std::string& label,
                      const std::vector<Column>& more) {
  ArrayInfo info;
  info.kind = Kind::points;
  info.role = "material";
  info.label = label + " in 3D";
  info.text = sites.thinned == 1 ? "one box a site"
                                 : fmt::format("one box stands for {0} x {0} x {0} sites", sites.thinned);
  info.length_unit = length_unit;
  for (const char* axis : {"x", "y", "z"}) info.columns.push_back({axis, length_unit});
  info.columns.push_back({label, "1"});
  info.columns.insert(info.columns.end(), more.begin(), more.end());
  return info;
}

}  // namespace umov::view
