// Reading pages of the refractiveindex.info database: tabulated n and k, and its dispersion formulas.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "materials/nk_blocks.hpp"

namespace umov::materials {

namespace {

/// n at a wavelength (um) by formula 1 to 5 of the database ("Dispersion formulas", refractiveindex.info).
double formula(int kind, const std::vector<double>& c, double w) {
  const auto at = [&](std::size_t i) { return i < c.size() ? c[i] : 0; };
  double sum = at(0);
  const double w2 = w * w;
  switch (kind) {
    case 1:  // Sellmeier: n^2 - 1 = c0 + sum c1 w^2 / (w^2 - c2^2)
      for (std::size_t i = 1; i < c.size(); i += 2) sum += at(i) * w2 / (w2 - at(i + 1) * at(i + 1));
      return std::sqrt(1 + sum);
    case 2:  // Sellmeier-2: the same with w^2 - c2
      for (std::size_t i = 1; i < c.size(); i += 2) sum += at(i) * w2 / (w2 - at(i + 1));
      return std::sqrt(1 + sum);
    case 3:  // polynomial: n^2 = c0 + sum c1 w^c2
      for (std::size_t i = 1; i < c.size(); i += 2) sum += at(i) * std::pow(w, at(i + 1));
      return std::sqrt(sum);
    case 4:  // n^2 = c0 + c1 w^c2 / (w^2 - c3^c4) + c5 w^c6 / (w^2 - c7^c8) + sum c9 w^c10
      for (std::size_t i = 1; i < std::min<std::size_t>(c.size(), 9); i += 4)
        sum += at(i) * std::pow(w, at(i + 1)) / (w2 - std::pow(at(i + 2), at(i + 3)));
      for (std::size_t i = 9; i < c.size(); i += 2) sum += at(i) * std::pow(w, at(i + 1));
      return std::sqrt(sum);
    default:  // 5, Cauchy: n = c0 + sum c1 w^c2
      for (std::size_t i = 1; i < c.size(); i += 2) sum += at(i) * std::pow(w, at(i + 1));
      return sum;
  }
}

/// The text behind `key:` on a line, or nothing.
std::optional<std::string> value_of(const std::string& line, std::string_view key) {
  std::string_view text = line;
  if (text.starts_with("- ")) text = trim(text.substr(2));
  if (!text.starts_with(key) || text.size() <= key.size() || text[key.size()] != ':') return std::nullopt;
  return std::string(trim(text.substr(key.size() + 1)));
}

std::vector<double> numbers_after(const Lines& lines, std::size_t from, std::string_view key) {
  for (std::size_t i = from + 1; i < lines.size() && !value_of(lines[i], "type"); ++i)
    if (const auto text = value_of(lines[i], key)) {
      if (const auto numbers = numbers_of(*text)) return *numbers;
      lines.refuse(i, fmt::format("'{}' are no numbers; give them parted by blanks", *text));
    }
  lines.refuse(from, fmt::format("no {} follows (this type needs them); add them", key));
}

void sample_formula(const Lines& lines, std::size_t line, int kind, Curve& n) {
  const auto range = numbers_after(lines, line, "wavelength_range");
  const auto coefficients = numbers_after(lines, line, "coefficients");
  if (range.size() != 2 || !(range[0] > 0) || !(range[1] > range[0]))
    lines.refuse(line, "its wavelength_range is not two rising wavelengths in um; correct it");
  constexpr int samples = 100;
  for (int i = 0; i < samples; ++i) {
    const double w = range[0] * std::pow(range[1] / range[0], i / (samples - 1.0));
    const double value = formula(kind, coefficients, w);
    if (!std::isfinite(value)) lines.refuse(line, fmt::format("its formula has no value at {} um", w));
    add_row(lines, line, n, w, value, true);
  }
}

/// Rows behind `data: |`, each of 2 or 3 numbers, up to the first line that is none.
void read_rows(const Lines& lines, std::size_t from, std::string_view columns, Curve& n, Curve& k) {
  std::size_t i = from + 1;
  while (i < lines.size() && !value_of(lines[i], "data")) ++i;
  if (i == lines.size()) lines.refuse(from, "no data follow (this type needs them); add `data: |` and rows");
  for (++i; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    const auto row = numbers_of(lines[i]);
    if (!row) {
      if (lines[i].find(':') == std::string::npos && lines[i][0] != '#')
        lines.refuse(
            i, fmt::format("'{}' is no row of numbers (wanted: wavelength in um, {})", lines[i], columns));
      return;
    }
    if (row->size() != columns.size() + 1)
      lines.refuse(
          i, fmt::format("{} numbers (wanted: wavelength in um, {}); correct it", row->size(), columns));
    for (std::size_t c = 0; c < columns.size(); ++c)
      add_row(lines, i, columns[c] == 'n' ? n : k, (*row)[0], (*row)[c + 1], columns[c] == 'n');
  }
}

}  // namespace

NkTable read_nk_database(const Lines& lines) {
  Curve n, k;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto type = value_of(lines[i], "type");
    if (!type) continue;
    if (type->starts_with("tabulated ")) {
      const std::string columns(trim(std::string_view(*type).substr(10)));
      if (columns != "nk" && columns != "n" && columns != "k")
        lines.refuse(i, fmt::format("type '{}' (known: tabulated nk, n, k and formula 1 to 5)", *type));
      read_rows(lines, i, columns, n, k);
      continue;
    }
    const auto number =
        type->starts_with("formula ") ? parse_integer(std::string_view(*type).substr(8)) : std::nullopt;
    if (!number || *number < 1 || *number > 5)
      lines.refuse(i, fmt::format("type '{}' (known: tabulated nk, n, k and formula 1 to 5)", *type));
    sample_formula(lines, i, int(*number), n);
  }
  return join_curves(lines.path(), n, k);
}

}  // namespace umov::materials
