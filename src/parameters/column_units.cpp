#include "parameters/column_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"
#include "parameters/columns.hpp"
#include "parameters/units.hpp"

namespace umov {

namespace {

constexpr double light_speed = 299792458, planck = 6.62607015e-34;  // m/s, J s; exact

/// c times this over a frequency, an energy or a wavenumber is a wavelength in metres.
std::optional<double> spectral_factor(const Unit& u) {
  if (u.power == frequency_power) return light_speed / u.factor;
  if (u.power == energy_power) return planck * light_speed / u.factor;
  if (u.power == wavenumber_power) return 1 / u.factor;
  return std::nullopt;
}

/// A power of ten that a quotient of powers of ten missed by rounding.
double nearest_power(double factor) {
  const int n = int(std::lround(std::log10(factor)));
  const double power = n < 0 ? 1 / std::pow(10.0, -n) : std::pow(10.0, n);
  return std::abs(factor / power - 1) < 1e-12 ? power : factor;
}

std::string without_quotes(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
    text = trim(text.substr(1, text.size() - 2));
  return std::string(text);
}

/// The last bracketed part, where it ends the text.
bool take_brackets(const std::string& text, ColumnHeading& out) {
  if (text.empty() || (text.back() != ')' && text.back() != ']')) return false;
  const char close = text.back(), open = close == ')' ? '(' : '[';
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    depth += (text[i] == close) - (text[i] == open);
    if (depth > 0) continue;
    out.unit = std::string(trim(std::string_view(text).substr(i + 1, text.size() - i - 2)));
    std::string_view name = trim(std::string_view(text).substr(0, i));
    if (name.ends_with('/')) name = trim(name.substr(0, name.size() - 1));  // E / (kV/cm)
    out.name = std::string(name);
    out.sure = true;
    return true;
  }
  return false;
}

}  // namespace

ColumnHeading split_heading(std::string_view field) {
  const std::string text = without_quotes(field);
  ColumnHeading out{text, "", false};
  if (take_brackets(text, out)) return out;
  if (const auto at = text.rfind(" in "); at != std::string::npos)
    return {std::string(trim(std::string_view(text).substr(0, at))),
            std::string(trim(std::string_view(text).substr(at + 4))), true};
  if (parse_unit(text)) return {"", text, false};
  // the longest end that is a unit, behind a blank, a slash or an underscore: "E / kV/cm", "time us", "t_us"
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i - 1] != ' ' && text[i - 1] != '/' && text[i - 1] != '_') continue;
    const std::string end(trim(std::string_view(text).substr(i)));
    if (!end.empty() && parse_unit(end) && end != "1" && end != "-") {
      std::string name(trim(std::string_view(text).substr(0, i - 1)));
      return {name, end, false};
    }
  }
  return out;
}

std::vector<std::string> heading_fields(std::string_view text) {
  const auto cut = [&](auto&& ends) {
    std::vector<std::string> fields(1);
    int depth = 0;
    for (const char c : text) {
      depth += (c == '(' || c == '[') - (c == ')' || c == ']');
      if (depth <= 0 && ends(c)) {
        fields.emplace_back();
        continue;
      }
      fields.back() += c;
      if (depth == 0 && (c == ')' || c == ']') && ends('\0')) fields.emplace_back();
    }
    for (auto& f : fields) f = std::string(trim(f));
    return fields;
  };
  for (const char separator : {';', ',', '\t'})
    if (auto fields = cut([&](char c) { return c == separator; }); fields.size() > 1) return fields;
  const auto nonempty = [](std::vector<std::string> fields) {
    std::erase_if(fields, [](const std::string& f) { return f.empty(); });
    return fields;
  };
  if (std::count(text.begin(), text.end(), '(') + std::count(text.begin(), text.end(), '[') > 1) {
    if (auto fields = nonempty(cut([](char c) { return c == '\0'; })); fields.size() > 1) return fields;
  }
  return nonempty(cut([](char c) { return c == ' '; }));
}

std::optional<ColumnConversion> conversion_to(const Column& column, const std::string& unit,
                                              std::string& why) {
  if (!column.own.empty()) {
    std::string plain;
    for (const char c : unit)
      if (c != ' ') plain += c;
    if (plain == column.own || plain == "1" || plain == "-") return ColumnConversion{1, false, unit};
    why = fmt::format("{} is in {} of the case, which nothing converts to", column.name, column.own);
    return std::nullopt;
  }
  if (!unit.empty() && unit == column.unit) return ColumnConversion{1, false, unit};
  const auto given = parse_unit(unit);
  if (!given) {
    why = "a unit that is not known; m, s, V, A, S, Ohm, eV, Hz with prefixes, as kV/cm, uS/m, nm, ms are";
    return std::nullopt;
  }
  const auto known = column.unit.empty() ? Unit{} : parse_unit(column.unit);
  if (!known) {  // an angle
    why = fmt::format("{} is in {}, which nothing converts to", column.name, column.unit);
    return std::nullopt;
  }
  const Unit wanted = *known;
  if (given->same_kind(wanted))
    return ColumnConversion{nearest_power(given->factor / wanted.factor), false, unit};
  if (const auto f = spectral_factor(*given); f && column.spectral)
    return ColumnConversion{*f / wanted.factor, true, unit};
  why = column.unit.empty() ? column.name + " is a pure number"
                            : fmt::format("{} is in {}, or in what converts to it", column.name, column.unit);
  return std::nullopt;
}

}  // namespace umov
