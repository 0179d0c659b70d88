// The names in the heading of a table of n and k: their order, and quantities that are neither.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>

#include "core/text.hpp"
#include "materials/nk_blocks.hpp"
#include "parameters/column_units.hpp"
#include "parameters/units.hpp"

namespace umov::materials {

namespace {

enum class Quantity { unknown, wavelength, n, k, permittivity };

/// Small letters and digits of a field, without its unit where that stands in brackets ("Re(eps)": reeps).
std::string plain(const std::string& field) {
  const ColumnHeading h = split_heading(field);
  const bool unit = h.sure && !h.name.empty() && parse_unit(h.unit);
  std::string out;
  for (const unsigned char c : unit ? h.name : field)
    if (std::isalnum(c) || c > 127) out += char(std::tolower(c));
  return out;
}

Quantity quantity_of(const std::string& field) {
  const std::string name = plain(field);
  const auto is = [&](std::initializer_list<const char*> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const auto has = [&](const char* part) { return name.find(part) != name.npos; };
  if (has("eps") || has("\u03b5") || has("permittivity") || has("dielectric") ||
      is({"er", "ei", "e1", "e2", "er1", "er2", "ereal", "eimag"}))
    return Quantity::permittivity;
  // a remark may name a file of wavelengths
  const bool begins =
      name.starts_with("wavelength") || name.starts_with("lambda") || name.starts_with("\u03bb");
  if ((begins && name.size() < 20) || is({"wl", "wvl"})) return Quantity::wavelength;
  if (is({"n", "real", "re", "ren", "nreal", "index", "refractiveindex", "indexofrefraction", "no", "ne",
          "nx", "ny", "nz"}))
    return Quantity::n;
  if (is({"k", "kappa", "\u03ba", "imag", "imaginary", "im", "imn", "nimag", "ko", "ke", "kx", "ky", "kz"}) ||
      has("extinction"))
    return Quantity::k;
  return Quantity::unknown;
}

/// Fields of a heading; "wavelength (um)" parted at its blank is one.
std::vector<std::string> fields_of(std::string_view text) {
  std::vector<std::string> out;
  for (const auto& field : heading_fields(text))
    if (!out.empty() && !field.empty() && (field[0] == '(' || field[0] == '['))
      out.back() += " " + field;
    else
      out.push_back(field);
  return out;
}

bool heading_has_k_first(const Lines& lines, std::size_t i, const std::vector<std::string>& fields) {
  constexpr const char* wanted = "head and order them wavelength, n, k";
  const auto refuse = [&](const std::string& field, const char* what, const std::string& remedy) {
    lines.refuse(
        i, fmt::format("the column '{}' is {} (a table of n and k is wanted); {}", field, what, remedy));
  };
  std::vector<Quantity> is;
  for (const auto& field : fields) is.push_back(quantity_of(field));
  for (std::size_t c = 1; c < fields.size(); ++c) {
    if (is[c] == Quantity::permittivity)
      refuse(fields[c], "a permittivity", "convert the columns: n + ik is the square root of eps");
    if (is[c] == Quantity::wavelength) refuse(fields[c], "no index", wanted);
  }
  const Quantity second = is[1], third = is.size() > 2 ? is[2] : Quantity::unknown;
  if (second == Quantity::k && third == Quantity::n) return true;
  // a title has such words, too: "Silver refractive index"
  const bool headed = is[0] == Quantity::wavelength || !split_heading(fields[0]).unit.empty();
  if (second == Quantity::k && headed) refuse(fields[1], "k where n is wanted", wanted);
  if (third == Quantity::n && (headed || second == Quantity::n))
    refuse(fields[2], "n where k is wanted", wanted);
  return false;
}

}  // namespace

bool k_before_n(const Lines& lines) {
  bool k_first = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view text = lines[i];
    if (text.empty()) continue;
    const bool comment = text[0] == '#' || text[0] == '%';
    if (comment)
      text = trim(text.substr(1));
    else if (numbers_of(text))
      break;
    const auto fields = fields_of(text);
    if (fields.size() < 2 || fields.size() > 3) continue;
    // remarks may have any words: only those of names are headings, the first as E (eV), too
    const auto unknown = std::ranges::count(fields, Quantity::unknown, quantity_of);
    if (comment && unknown > (fields.size() == 3 && quantity_of(fields[0]) == Quantity::unknown)) continue;
    k_first = heading_has_k_first(lines, i, fields);
  }
  return k_first;
}

}  // namespace umov::materials
