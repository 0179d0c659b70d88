// Values over two axes as a field of one layer.
#include "view/plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <regex>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"

namespace umov::view {

namespace {

constexpr std::size_t most_values = std::size_t(1) << 24;

int axis_of(const std::string& name) {
  if (name == "depth" || name == "z") return 2;
  if (name == "x" || name == "y") return name == "x" ? 0 : 1;
  throw BadInput(fmt::format("'{}' is no axis of a plane (they are x, y, z and depth); rename it", name));
}

struct Axis {
  int number = 0, nodes = 0;
  double low = 0, spacing = 0;
};

Axis axis_of(const std::string& name, const std::vector<double>& places) {
  Axis a{axis_of(name), int(places.size()), 0, 0};
  if (places.empty()) return a;
  a.low = name == "depth" ? -places.back() : places.front();
  if (places.size() > 1) a.spacing = (places.back() - places.front()) / double(places.size() - 1);
  return a;
}

/// What lies in the plane, by the end of its description.
struct Said {
  std::string rows, columns, unit;
  double at = 0;
};

std::optional<Said> said_in(const std::string& description) {
  static const std::regex pattern(R"(over (\w+) and (\w+), at (?:the )?\w+ = (\S+)(?: (\S+))?$)");
  std::smatch m;
  if (!std::regex_search(description, m, pattern)) return {};
  const auto at = parse_number(m[3].str());
  if (!at) return {};
  return Said{m[1], m[2], m[4], *at};
}

}  // namespace

ArrayInfo plane_info(const Plane& p, const std::string& length_unit) {
  const Axis rows = axis_of(p.rows, p.row_places), columns = axis_of(p.columns, p.column_places);
  const int normal = 3 - rows.number - columns.number;
  const double other = rows.spacing > 0 ? rows.spacing : columns.spacing > 0 ? columns.spacing : 1;
  ArrayInfo info;
  info.kind = Kind::field;
  info.length_unit = length_unit;
  info.shape.assign(3, 1);
  info.cut_axis = normal;
  info.spacing = {other, other, other};
  const double at = normal == 2 ? -p.at : p.at;
  info.origin[std::size_t(normal)] = at - 0.5 * other;
  for (const Axis& a : {rows, columns}) {
    const auto n = std::size_t(a.number);
    info.shape[n] = a.nodes;
    if (a.spacing > 0) info.spacing[n] = a.spacing;
    info.origin[n] = a.low - 0.5 * info.spacing[n];
  }
  return info;
}

Maker plane_maker(const Plane& p, const std::vector<double>& values) {
  const std::size_t rows = p.row_places.size(), columns = p.column_places.size();
  if (values.size() != rows * columns || values.empty())
    throw BadInput(fmt::format("a plane of {} x {} places has {} values; give as many as places", rows,
                               columns, values.size()));
  const bool by_columns = axis_of(p.columns) < axis_of(p.rows);
  auto out = std::make_shared<std::vector<float>>(values.size());
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      const std::size_t up = p.rows == "depth" ? rows - 1 - r : r;
      const std::size_t right = p.columns == "depth" ? columns - 1 - c : c;
      (*out)[by_columns ? up * columns + right : right * rows + up] = float(values[r * columns + c]);
    }
  const auto shape = plane_info(p, "").shape;
  return stored_field(std::move(out), {int(shape[0]), int(shape[1]), int(shape[2])});
}

void add_planes(Shelf& shelf, int case_id, const std::string& path, const results::StoredFile& file) {
  auto arrays = file.arrays;  // by name
  std::stable_partition(arrays.begin(), arrays.end(),
                        [](const auto& a) { return a.name.ends_with("intensity"); });
  for (const auto& a : arrays) {
    if (a.shape.size() != 2 || a.shape[0] * a.shape[1] == 0 || a.shape[0] * a.shape[1] > most_values)
      continue;
    const auto said = said_in(a.description);
    if (!said) continue;
    const std::string group = a.name.substr(0, a.name.find('/') + 1);
    const auto there = [&](const std::string& axis, std::size_t count) {
      return std::any_of(file.arrays.begin(), file.arrays.end(), [&](const auto& x) {
        return x.name == group + axis && x.shape == std::vector<std::size_t>{count};
      });
    };
    if (!there(said->rows, a.shape[0]) || !there(said->columns, a.shape[1])) continue;
    const Plane plane{said->rows, said->columns, results::read_list(path, group + said->rows),
                      results::read_list(path, group + said->columns), said->at};
    ArrayInfo info = plane_info(plane, said->unit.empty() ? "1" : said->unit);
    info.case_id = case_id;
    info.name = a.name;
    info.label = a.name.substr(group.size());
    std::replace(info.label.begin(), info.label.end(), '/', ' ');
    info.text = a.description;
    info.unit = a.unit;
    info.role = "intensity";
    shelf.add(std::move(info), [path, name = a.name, plane](const Request& r) {
      return plane_maker(plane, results::read_list(path, name))(r);
    });
  }
}

}  // namespace umov::view
