// What the files of a case hold, as arrays: read by the kinds of file, not by families. Tables, texts,
// folders.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "core/error.hpp"
#include "view/folder.hpp"
#include "view/folder_place.hpp"
#include "view/from_result.hpp"
#include "view/over_time.hpp"
#include "view/split_table.hpp"

namespace umov::view {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t most_table_bytes = std::uintmax_t(1) << 28, most_log_bytes = 1 << 20;

std::string text_of(const std::string& path, std::uintmax_t most) {
  std::error_code e;
  const auto size = fs::file_size(path, e);
  std::ifstream in(path, std::ios::binary);
  if (e || !in) throw BadInput(fmt::format("{} cannot be read; see to its permissions", path));
  if (size > most)
    throw BadInput(fmt::format("{} is left out (it has {} MB, {} are the most); make it smaller", path,
                               size >> 20, most >> 20));
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The fields of a line of CSV, RFC 4180.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      out.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      out.emplace_back();
    else if (c != '\r')
      out.back() += c;
  }
  return out;
}

Column column_of(const std::string& heading) {
  const auto open = heading.rfind(" [");
  if (open == std::string::npos || heading.back() != ']') return {heading, "1"};
  return {heading.substr(0, open), heading.substr(open + 2, heading.size() - open - 3)};
}

double number_of(const std::string& field, bool& good) {
  double v = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), v);
  if (error == std::errc() && end == field.data() + field.size()) return v;
  if (field == "nan" || field == "-nan" || field.empty()) return std::nan("");
  good = false;
  return 0;
}

/// A file of several rows is one curve with all of its columns, a single row is numbers.
void add_table(const Place& at, const std::string& path) {
  ReadTable t = read_table(path);
  if (t.columns.empty() || t.values[0].empty()) return;
  if (t.values[0].size() == 1) {
    for (std::size_t c = 0; c < t.columns.size(); ++c)
      add_number(at, at.file + "/" + t.columns[c].name, t.columns[c].unit, at.file, t.values[c][0]);
    return;
  }
  if (t.columns.size() < 2 || t.labelled) return;
  const bool batch = add_batch_table(at.shelf, at.case_id, at.file, at.roles, t.columns, t.values);
  if (batch && one_way(t.values[0])) return;
  if (!peaks_in(t.columns).empty())
    add_peaks(at.shelf, at.case_id, "peaks/" + at.file, t.columns, t.values, false);
  const bool over_time = t.columns[0].name == "time";
  if (const auto rows = over_time ? rows_per_instant(t.values) : 0) {
    add_curve_over_time(at.shelf, at.case_id, at.file, t.columns, std::move(t.values), rows);
    return;
  }
  if (!one_way(t.values[0])) return add_split_table(at.shelf, at.case_id, at.file, t.columns, t.values);
  ArrayInfo info;
  info.case_id = at.case_id;
  info.name = "results/" + at.file;
  info.label = at.file;
  info.text = at.file + ".csv";
  info.unit = t.columns[1].unit;
  info.kind = Kind::curve;
  info.role = role_over(t.columns[0]);
  info.logarithmic = info.role == "pattern" && any_spans_decades(t.values);
  info.columns = t.columns;
  at.shelf.add_curve(std::move(info), std::move(t.values));
}

void add_text(const Place& at, const std::string& path) {
  ArrayInfo info;
  info.case_id = at.case_id;
  info.name = at.file;
  info.kind = Kind::text;
  at.shelf.add(std::move(info), [path](const Request&) {
    Data d;
    d.text = text_of(path, most_log_bytes);
    return d;
  });
}

/// The command in the first line of resolved.toml: `umov FAMILY resolved.toml`.
std::string family_of(const std::string& folder) {
  std::ifstream in(fs::path(folder) / "resolved.toml");
  std::string line;
  std::getline(in, line);
  const auto at = line.find("`umov ");
  if (at == std::string::npos) return "";
  const std::string rest = line.substr(at + 6, 40);
  return rest.substr(0, rest.find(' '));
}

void add_case(Shelf& shelf, int id, const CaseFolder& c, std::vector<std::string>& complaints) {
  CaseInfo info;
  info.id = id;
  info.name = c.name;
  info.family = family_of(c.path);
  info.state = c.unfinished ? "running" : "finished";
  info.changed = c.changed;
  info.folder = c.path;
  shelf.catalogue.cases.push_back(std::move(info));
  std::vector<fs::path> files;
  std::error_code e;
  for (auto at = fs::directory_iterator(c.path, e); !e && at != fs::directory_iterator(); at.increment(e))
    files.push_back(at->path());
  std::sort(files.begin(), files.end());
  const auto telling = [&](const auto& read) {
    try {
      read();
    } catch (const Error& why) {
      complaints.push_back(why.what());
    }
  };
  BatchRoles roles;
  telling([&] { roles = roles_in(c.path); });
  for (const auto& file : files) {
    const Place place{shelf, id, file.stem().string(), roles};
    const std::string ending = file.extension().string(), path = file.string();
    telling([&] {
      if (ending == ".csv") add_table(place, path);
      if (ending == ".vtkhdf" || ending == ".h5") add_hdf5(place, path);
      if (file.filename() == "log" || file.filename() == "resolved.toml") add_text(place, path);
    });
  }
}

}  // namespace

void add_number(const Place& at, const std::string& name, const std::string& unit, const std::string& text,
                double value) {
  ArrayInfo info;
  info.case_id = at.case_id;
  info.name = "numbers/" + name;
  info.label = name;
  info.text = text;
  info.unit = unit;
  info.kind = Kind::scalar;
  info.columns = {{"row", "1"}, {name, unit}};
  at.shelf.add_curve(std::move(info), {{0}, {value}});
}

ReadTable read_table(const std::string& path) {
  const std::string text = text_of(path, most_table_bytes);
  ReadTable all;
  std::vector<bool> good;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const std::string_view line(text.data() + at, end - at);
    at = end + 1;
    if (line.empty() || line[0] == '#') continue;
    const auto fields = fields_of(line);
    if (all.columns.empty()) {
      for (const auto& f : fields) all.columns.push_back(column_of(f));
      all.values.resize(fields.size());
      good.assign(fields.size(), true);
      continue;
    }
    if (fields.size() != all.columns.size()) continue;
    for (std::size_t c = 0; c < fields.size(); ++c) {
      bool number = true;
      all.values[c].push_back(number_of(fields[c], number));
      if (!number) good[c] = false;
    }
  }
  ReadTable out;
  out.labelled = !good.empty() && !good.front();
  for (std::size_t c = 0; c < all.columns.size(); ++c)
    if (good[c]) {
      out.columns.push_back(all.columns[c]);
      out.values.push_back(std::move(all.values[c]));
    }
  return out;
}

Shelf shelf_of(const std::vector<CaseFolder>& cases, std::vector<std::string>& complaints) {
  Shelf shelf;
  for (std::size_t i = 0; i < cases.size(); ++i) add_case(shelf, int(i), cases[i], complaints);
  return shelf;
}

}  // namespace umov::view
