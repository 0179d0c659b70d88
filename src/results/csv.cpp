// Writer of comma-separated values.
#include "results/csv.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <type_traits>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "results/formats.hpp"

namespace umov::results {
namespace {

/// RFC 4180: a field with a comma, quote or newline is quoted, quotes doubled.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

template <class T>
double part(const T& value, bool imaginary) {
  if constexpr (std::is_same_v<T, cplx>)
    return imaginary ? value.imag() : value.real();
  else
    return double(value);
}

void append(CsvColumn& column, const Result& r, const Cells& c) {
  column.texts.insert(column.texts.end(), c.texts.begin(), c.texts.end());
  column.values.insert(column.values.end(), c.values.begin(), c.values.end());
  if (c.array == Cells::no_array) return;
  std::visit(
      [&](const auto& data) {
        column.single = std::is_same_v<decltype(data[0]), const float&>;
        for (std::size_t row = 0; row < c.rows; ++row)
          column.values.push_back(part(data[row / c.repeat % c.cycle * c.stride + c.offset], c.imaginary));
      },
      r.arrays[c.array].data);
}

}  // namespace

std::vector<CsvColumn> csv_columns(const Result& r, const Table& table) {
  std::vector<CsvColumn> columns;
  for (const Column& column : table.columns) {
    columns.push_back({column.name, column.unit == "1" ? "" : column.unit, {}});
    for (const Cells& cells : column.cells) append(columns.back(), r, cells);
  }
  return columns;
}

void write_csv_files(const Result& r, const std::string& folder) {
  for (const Table& table : r.tables) {
    const auto columns = csv_columns(r, table);
    if (!columns.empty() && columns.front().rows() > 0)
      write_csv((std::filesystem::path(folder) / (table.name + ".csv")).string(), columns, table.comments);
  }
}

void write_csv(const std::string& path, const std::vector<CsvColumn>& columns,
               const std::vector<std::string>& comments) {
  const std::size_t rows = columns.empty() ? 0 : columns.front().rows();
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  for (const auto& comment : comments) fmt::format_to(out, "# {}\n", comment);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].rows() != rows)
      throw BadInput(
          fmt::format("column '{}' of {} has {} values (the first has {}); give all the same length",
                      columns[c].name, path, columns[c].rows(), rows));
    const auto& unit = columns[c].unit;
    const std::string header = unit.empty() ? columns[c].name : fmt::format("{} [{}]", columns[c].name, unit);
    fmt::format_to(out, "{}{}", c ? "," : "", field(header));
  }
  fmt::format_to(out, "\n");
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c].texts.empty())
        fmt::format_to(out, "{:.{}g}", columns[c].values[i], columns[c].single ? 9 : 17);
      else
        fmt::format_to(out, "{}", field(columns[c].texts[i]));
      fmt::format_to(out, "{}", c + 1 < columns.size() ? "," : "\n");
    }

  write_file(path, {text.data(), text.size()});
}

}  // namespace umov::results
