// Writer of comma-separated values.
#include "results/csv.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/error.hpp"
#include "results/aside.hpp"

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
  const std::size_t rows = columns.empty() ? 0 : columns.front().values.size();
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  for (const auto& comment : comments) fmt::format_to(out, "# {}\n", comment);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].values.size() != rows)
      throw BadInput(
          fmt::format("column '{}' of {} has {} values (the first has {}); give all the same length",
                      columns[c].name, path, columns[c].values.size(), rows));
    const auto& unit = columns[c].unit;
    const std::string header = unit.empty() ? columns[c].name : fmt::format("{} [{}]", columns[c].name, unit);
    fmt::format_to(out, "{}{}", c ? "," : "", field(header));
  }
  fmt::format_to(out, "\n");
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t c = 0; c < columns.size(); ++c)
      fmt::format_to(out, "{:.17g}{}", columns[c].values[i], c + 1 < columns.size() ? "," : "\n");

  AsideFile file(path);
  std::FILE* f = std::fopen(file.aside().c_str(), "wb");
  const bool written = f && std::fwrite(text.data(), 1, text.size(), f) == text.size();
  const int error = errno;
  const bool closed = f && std::fclose(f) == 0;
  if (!written || !closed)
    throw MachineFailure(
        fmt::format("cannot write {} ({}); check the folder and the free space", path, std::strerror(error)));
  file.commit();
}

}  // namespace umov::results
