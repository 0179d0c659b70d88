#include "view/split_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "view/from_result.hpp"

namespace umov::view {

namespace {

using Rows = std::vector<std::size_t>;

std::vector<double> taken(const std::vector<double>& column, const Rows& rows) {
  std::vector<double> out;
  for (const std::size_t r : rows) out.push_back(column[r]);
  return out;
}

bool constant(const std::vector<double>& list) {
  return std::all_of(list.begin(), list.end(), [&](double v) { return v == list.front(); });
}

/// Stretches of one value of the first column; empty where a value comes back.
std::vector<Rows> blocks_of(const std::vector<double>& first) {
  std::vector<Rows> out;
  std::vector<double> values;
  for (std::size_t r = 0; r < first.size(); ++r) {
    if (r == 0 || first[r] != first[r - 1]) {
      if (std::find(values.begin(), values.end(), first[r]) != values.end()) return {};
      values.push_back(first[r]);
      out.emplace_back();
    }
    out.back().push_back(r);
  }
  return out;
}

SplitCurve curve(std::string which, std::size_t abscissa, const std::vector<std::size_t>& keys,
                 const Rows& rows, const std::vector<Column>& columns, const Numbers& values) {
  SplitCurve out{std::move(which), {columns[abscissa]}, {taken(values[abscissa], rows)}};
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (c == abscissa || std::find(keys.begin(), keys.end(), c) != keys.end()) continue;
    auto column = taken(values[c], rows);
    if (constant(column)) continue;
    out.columns.push_back(columns[c]);
    out.values.push_back(std::move(column));
  }
  return out;
}

std::string equals(const Column& c, double value) { return fmt::format("{} = {:.6g}", c.name, value); }

/// One an order over the first column, or over m.
std::vector<SplitCurve> of_orders(const std::vector<std::size_t>& keys, const std::vector<Rows>& blocks,
                                  const std::vector<Column>& columns, const Numbers& values) {
  std::vector<SplitCurve> out;
  if (blocks.size() == 1) {
    if (keys.size() == 1 && one_way(values[keys[0]]))
      out.push_back(curve("", keys[0], {}, blocks[0], columns, values));
    return out;
  }
  std::map<std::vector<double>, Rows> orders;
  for (std::size_t r = 0; r < values[0].size(); ++r) {
    std::vector<double> order;
    for (const std::size_t k : keys) order.push_back(values[k][r]);
    orders[order].push_back(r);
  }
  for (const auto& [order, rows] : orders) {
    if (rows.size() < 2 || !one_way(taken(values[0], rows))) continue;
    std::string which;
    for (std::size_t k = 0; k < keys.size(); ++k)
      which += (k ? ", " : "") + equals(columns[keys[k]], order[k]);
    out.push_back(curve(which, 0, keys, rows, columns, values));
  }
  return out;
}

/// The first column that goes one way in a block and is the same in all; 0: there is none.
std::size_t common_abscissa(const std::vector<Rows>& blocks, const Numbers& values) {
  for (std::size_t c = 1; c < values.size(); ++c) {
    const auto own = taken(values[c], blocks[0]);
    if (one_way(own) && std::all_of(blocks.begin(), blocks.end(),
                                    [&](const Rows& rows) { return taken(values[c], rows) == own; }))
      return c;
  }
  return 0;
}

}  // namespace

std::vector<SplitCurve> split_table(const std::vector<Column>& columns, const Numbers& values) {
  if (columns.size() < 2 || values.size() != columns.size() || values[0].size() < 2) return {};
  const auto blocks = blocks_of(values[0]);
  if (blocks.empty()) return {};
  std::vector<std::size_t> keys;
  for (const char* name : {"m", "n"})
    for (std::size_t c = 1; c < columns.size(); ++c)
      if (columns[c].name == name) keys.push_back(c);
  std::vector<SplitCurve> out;
  if (!keys.empty()) {
    out = of_orders(keys, blocks, columns, values);
  } else if (const std::size_t abscissa = blocks[0].size() > 1 ? common_abscissa(blocks, values) : 0) {
    for (const Rows& rows : blocks)
      out.push_back(curve(blocks.size() > 1 ? equals(columns[0], values[0][rows[0]]) : "", abscissa, {0},
                          rows, columns, values));
  }
  std::erase_if(out, [](const SplitCurve& c) { return c.columns.size() < 2; });
  if (out.size() > most_split_curves) out.clear();
  return out;
}

void add_split_table(Shelf& shelf, int case_id, const std::string& name, const std::vector<Column>& columns,
                     const Numbers& values) {
  for (SplitCurve& c : split_table(columns, values)) {
    ArrayInfo info;
    info.case_id = case_id;
    info.label = c.which.empty() ? name : name + ", " + c.which;
    info.name = "results/" + info.label;
    info.text = name + ".csv";
    info.unit = c.columns[1].unit;
    info.kind = Kind::curve;
    info.role = role_over(c.columns[0]);
    info.logarithmic = info.role == "pattern" && any_spans_decades(c.values);
    info.columns = std::move(c.columns);
    shelf.add_curve(std::move(info), std::move(c.values));
  }
}

}  // namespace umov::view
