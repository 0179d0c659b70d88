// Blocks of a table by its times, and the largest values so far.
#include "view/over_time.hpp"

#include <algorithm>
#include <cmath>

#include "view/reduce.hpp"

namespace umov::view {

namespace {

/// Times of one moment differ by rounding from file to file.
bool not_later(double t, double wanted) { return t <= wanted + 1e-9 * std::abs(wanted); }

/// The first row of the last block that is not later.
std::size_t block_at(const std::vector<double>& time, std::size_t rows, double wanted) {
  std::size_t first = 0;
  for (std::size_t r = 0; r + rows <= time.size(); r += rows)
    if (not_later(time[r], wanted)) first = r;
  return first;
}

}  // namespace

std::size_t rows_per_instant(const Numbers& table) {
  if (table.size() < 3 || table[0].size() < 2) return 0;
  const auto &time = table[0], &x = table[1];
  const auto end = std::find_if(time.begin(), time.end(), [&](double t) { return t != time.front(); });
  const auto rows = std::size_t(end - time.begin());
  if (rows < 2 || time.size() % rows != 0) return 0;
  for (std::size_t r = 0; r < time.size(); ++r) {
    const std::size_t first = r / rows * rows;
    if (time[r] != time[first] || x[r] != x[r % rows]) return 0;
    if (r == first && r > 0 && !(time[r] > time[r - 1])) return 0;
  }
  return rows;
}

Maker curve_over_time(Numbers table, std::size_t rows) {
  return [table = std::move(table), rows](const Request& r) {
    Data d;
    const std::size_t count = table.size() - 1;
    std::vector<double> block;
    if (!table[0].empty()) {
      const std::size_t first = block_at(table[0], rows, r.time);
      d.time = table[0][first];
      d.step = double(first / rows);
      for (std::size_t c = 1; c < table.size(); ++c)
        block.insert(block.end(), table[c].begin() + std::ptrdiff_t(first),
                     table[c].begin() + std::ptrdiff_t(first + rows));
    }
    auto thin = thin_rows(block, block.size() / count, count, std::size_t(r.size[0]));
    d.parts.push_back({{std::uint32_t(thin.size() / count), std::uint32_t(count), 1}, std::move(thin)});
    return d;
  };
}

void add_curve_over_time(Shelf& shelf, int case_id, const std::string& name,
                         const std::vector<Column>& columns, Numbers table, std::size_t rows) {
  ArrayInfo info;
  info.case_id = case_id;
  info.name = "results/" + name;
  info.label = name;
  info.text = name + ".csv";
  info.unit = columns.at(2).unit;
  info.kind = Kind::curve;
  info.role = "path";
  info.instants = info.name + "/instants";
  info.columns.assign(columns.begin() + 1, columns.end());
  info.shape = {(long long)rows, (long long)info.columns.size()};
  ArrayInfo times;
  times.case_id = case_id;
  times.name = info.instants;
  times.label = "instants of " + name;
  times.kind = Kind::curve;
  times.role = "instants";
  times.unit = columns[0].unit;
  times.columns = {{"number", "1"}, {"time", columns[0].unit}};
  Numbers list(2);
  for (std::size_t r = 0; r < table[0].size(); r += rows) {
    list[0].push_back(double(list[0].size()));
    list[1].push_back(table[0][r]);
  }
  shelf.add(std::move(info), curve_over_time(std::move(table), rows));
  shelf.add_curve(std::move(times), std::move(list));
}

std::vector<Peak> peaks_in(const std::vector<Column>& columns) {
  std::vector<Peak> out;
  for (std::size_t c = 1; c + 3 < columns.size(); ++c) {
    const std::string& heading = columns[c].name;
    const std::string_view end = " peak";
    if (!heading.ends_with(end)) continue;
    const std::string name = heading.substr(0, heading.size() - end.size());
    bool placed = true;
    for (std::size_t a = 0; a < 3; ++a) placed &= columns[c + 1 + a].name == name + " " + "xyz"[a];
    if (placed) out.push_back({name, columns[c].unit, columns[c + 1].unit, c, c + 1});
  }
  return out;
}

std::vector<Column> peak_columns(const Peak& p, const Column& time) {
  return {{"x", p.length_unit},
          {"y", p.length_unit},
          {"z", p.length_unit},
          {"now", p.unit},
          {"largest", p.unit},
          {"x of largest", p.length_unit},
          {"y of largest", p.length_unit},
          {"z of largest", p.length_unit},
          {"time of largest", time.unit}};
}

Maker peaks_over_time(Numbers table, std::vector<Peak> peaks) {
  return [table = std::move(table), peaks = std::move(peaks)](const Request& r) {
    const std::vector<double>& time = table[0];
    std::size_t now = 0;
    for (std::size_t k = 0; k < time.size(); ++k)
      if (not_later(time[k], r.time)) now = k;
    constexpr std::size_t columns = 9;
    const std::size_t rows = time.empty() ? 0 : peaks.size();
    std::vector<double> out(columns * rows);
    for (std::size_t p = 0; p < rows; ++p) {
      const auto& value = table[peaks[p].value];
      const auto largest = std::size_t(
          std::max_element(value.begin(), value.begin() + std::ptrdiff_t(now) + 1) - value.begin());
      const auto put = [&](std::size_t c, double v) { out[c * rows + p] = v; };
      for (std::size_t a = 0; a < 3; ++a) {
        put(a, table[peaks[p].x + a][now]);
        put(5 + a, table[peaks[p].x + a][largest]);
      }
      put(3, value[now]);
      put(4, value[largest]);
      put(8, time[largest]);
    }
    Data d;
    if (rows > 0) d.time = time[now], d.step = double(now);
    d.parts.push_back({{std::uint32_t(rows), columns, 1}, std::move(out)});
    return d;
  };
}

int add_peaks(Shelf& shelf, int case_id, const std::string& name, const std::vector<Column>& columns,
              Numbers table, bool live) {
  const auto peaks = peaks_in(columns);
  ArrayInfo info;
  info.case_id = case_id;
  info.name = name;
  info.label = "largest values";
  info.text = "the largest value of each region and where it is, and the largest so far";
  info.kind = Kind::points;
  info.role = "peaks";
  info.live = live;
  info.unit = peaks.at(0).unit;
  info.length_unit = peaks.at(0).length_unit;
  info.columns = peak_columns(peaks.at(0), columns.at(0));
  info.shape = {(long long)peaks.size(), (long long)info.columns.size()};
  info.instants = name + "/instants";
  for (const Peak& p : peaks) info.rows.push_back(p.name);
  return shelf.add(std::move(info), peaks_over_time(std::move(table), peaks));
}

}  // namespace umov::view
