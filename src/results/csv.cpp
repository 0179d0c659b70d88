// Writer of comma-separated values.
#include "results/csv.hpp"

#include <fmt/format.h>

#include <memory>

#include "core/atomic_file.hpp"
#include "core/error.hpp"

namespace umov::results {
namespace {

/// RFC 4180: a field with a comma, quote or newline is quoted, quotes doubled.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

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
