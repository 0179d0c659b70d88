// Reading pages of the refractiveindex.info database: tabulated n and k, and its dispersion formulas.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "materials/nk_blocks.hpp"

namespace umov::materials {

namespace {

constexpr int most_formula = 9;
constexpr const char* known_types = "tabulated nk, n, k and formula 1 to 9";

/// c0 + c1 w^c2 + c3 w^c4 ...
double powers(const std::vector<double>& c, std::size_t first, double w) {
  double sum = 0;
  for (std::size_t i = first; i + 1 < c.size(); i += 2) sum += c[i] * std::pow(w, c[i + 1]);
  return sum;
}

}  // namespace

double DispersionFormula::n(double w) const {
  const auto& c = coefficients;
  const auto at = [&](std::size_t i) { return i < c.size() ? c[i] : 0; };
  const double w2 = w * w;
  double sum = at(0);
  switch (kind) {
    case 1:  // Sellmeier: n^2 - 1 = c0 + sum c1 w^2 / (w^2 - c2^2)
      for (std::size_t i = 1; i < c.size(); i += 2) sum += at(i) * w2 / (w2 - at(i + 1) * at(i + 1));
      return std::sqrt(1 + sum);
    case 2:  // Sellmeier-2: the same with w^2 - c2
      for (std::size_t i = 1; i < c.size(); i += 2) sum += at(i) * w2 / (w2 - at(i + 1));
      return std::sqrt(1 + sum);
    case 3:  // polynomial: n^2 = c0 + sum c1 w^c2
      return std::sqrt(sum + powers(c, 1, w));
    case 4:  // n^2 = c0 + c1 w^c2 / (w^2 - c3^c4) + c5 w^c6 / (w^2 - c7^c8) + sum c9 w^c10
      for (std::size_t i = 1; i < std::min<std::size_t>(c.size(), 9); i += 4)
        sum += at(i) * std::pow(w, at(i + 1)) / (w2 - std::pow(at(i + 2), at(i + 3)));
      return std::sqrt(sum + powers(c, 9, w));
    case 5:  // Cauchy: n = c0 + sum c1 w^c2
      return sum + powers(c, 1, w);
    case 6:  // gases: n - 1 = c0 + sum c1 / (c2 - w^-2)
      for (std::size_t i = 1; i < c.size(); i += 2) sum += at(i) / (at(i + 1) - 1 / w2);
      return 1 + sum;
    case 7: {  // Herzberger: n = c0 + c1 / (w^2 - 0.028) + c2 / (w^2 - 0.028)^2 + c3 w^2 + c4 w^4 + c5 w^6
      const double pole = 1 / (w2 - 0.028);
      return sum + at(1) * pole + at(2) * pole * pole + w2 * (at(3) + w2 * (at(4) + w2 * at(5)));
    }
    case 8: {  // retro: (n^2 - 1) / (n^2 + 2) = c0 + c1 w^2 / (w^2 - c2) + c3 w^2
      const double ratio = sum + at(1) * w2 / (w2 - at(2)) + at(3) * w2;
      return std::sqrt((1 + 2 * ratio) / (1 - ratio));
    }
    default:  // 9, exotic: n^2 = c0 + c1 / (w^2 - c2) + c3 (w - c4) / ((w - c4)^2 + c5)
      return std::sqrt(sum + at(1) / (w2 - at(2)) +
                       at(3) * (w - at(4)) / ((w - at(4)) * (w - at(4)) + at(5)));
  }
}

namespace {

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

DispersionFormula sample_formula(const Lines& lines, std::size_t line, int kind, Curve& n) {
  const auto range = numbers_after(lines, line, "wavelength_range");
  const DispersionFormula formula{kind, numbers_after(lines, line, "coefficients")};
  if (range.size() != 2 || !(range[0] > 0) || !(range[1] > range[0]))
    lines.refuse(line, "its wavelength_range is not two rising wavelengths in um; correct it");
  constexpr int samples = 100;
  for (int i = 0; i < samples; ++i) {
    const double w = range[0] * std::pow(range[1] / range[0], i / (samples - 1.0));
    const double value = formula.n(w);
    if (!std::isfinite(value)) lines.refuse(line, fmt::format("its formula has no value at {} um", w));
    add_row(lines, line, n, w, value, true);
  }
  return formula;
}

/// What stands between < and > is markup.
std::string without_markup(const std::string& line) {
  std::string out;
  bool inside = false;
  for (const char c : line) {
    inside = inside || c == '<';
    if (!inside) out += c;
    if (c == '>') inside = false;
  }
  return out;
}

/// The text of REFERENCES in one line, up to the next key in capitals.
std::string citation_of(const Lines& lines) {
  std::string out;
  bool inside = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    const auto key = line.substr(0, line.find(':'));
    const bool is_key = key.size() < line.size() && !key.empty() &&
                        std::all_of(key.begin(), key.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    std::string text = line;
    if (is_key) {
      inside = key == "REFERENCES";
      text = std::string(trim(std::string_view(line).substr(key.size() + 1)));
    }
    text = without_markup(text);
    if (inside && !text.empty() && text[0] != '|' && text[0] != '>')
      out += (out.empty() ? "" : " ") + text.substr(text[0] == '"' ? 1 : 0);
  }
  if (out.ends_with('"')) out.pop_back();
  return out;
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
  DispersionFormula formula;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto type = value_of(lines[i], "type");
    if (!type) continue;
    if (type->starts_with("tabulated ")) {
      const std::string columns(trim(std::string_view(*type).substr(10)));
      if (columns != "nk" && columns != "n" && columns != "k")
        lines.refuse(i, fmt::format("type '{}' (known: {})", *type, known_types));
      read_rows(lines, i, columns, n, k);
      continue;
    }
    const auto number =
        type->starts_with("formula ") ? parse_integer(std::string_view(*type).substr(8)) : std::nullopt;
    if (!number || *number < 1 || *number > most_formula)
      lines.refuse(i, fmt::format("type '{}' (known: {})", *type, known_types));
    formula = sample_formula(lines, i, int(*number), n);
  }
  NkTable table = join_curves(lines.path(), n, k);
  table.formula = formula;
  table.citation = citation_of(lines);
  for (std::size_t i = 0; i < lines.size() && lines[i].starts_with("#"); ++i)
    if (lines[i].find("CC0") != std::string::npos) table.licence = "CC0 1.0";
  return table;
}

}  // namespace umov::materials
