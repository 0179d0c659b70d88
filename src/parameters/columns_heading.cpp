// Columns of numbers in text files, read strictly: headings, comments, and the units in them.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/error.hpp"
#include "core/text.hpp"
#include "parameters/columns.hpp"
#include "parameters/units.hpp"

namespace umov {

namespace {

/// A quantity that is no wavelength but stands where one is wanted.
bool names_reciprocal(const std::string& name) {
  std::string low;
  for (const char c : name) low += char(std::tolower(static_cast<unsigned char>(c)));
  for (const char* word : {"energy", "freq", "wavenumber"})
    if (low.find(word) != std::string::npos) return true;
  return false;
}

/// Whether a heading without a unit that could be read has one all the same: behind its name a word that is a
/// unit, or is one with a slash put in ("kappa_nS_m", "E_MVm"), or a factor ("kappa*1e9").
bool hides_unit(const Column& column, const std::string& field) {
  if (field.find('*') != std::string::npos) return true;
  std::vector<std::string> words(1);
  for (const char c : field) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) > 127;
    if (letter) words.back() += c;
    if (!letter && !words.back().empty()) words.emplace_back();
  }
  std::string why;
  for (std::size_t w = 1; w < words.size(); ++w) {
    if (words[w].size() > 1 && parse_unit(words[w])) return true;
    for (std::size_t i = 1; i < words[w].size(); ++i)
      if (conversion_to(column, words[w].substr(0, i) + "/" + words[w].substr(i), why)) return true;
  }
  return false;
}

/// Whether a field of a comment can be a heading: brackets or "in" say so, or it is one word ("t_us"). "range
/// 2 kV" is a remark.
bool may_head(const std::string& field, const ColumnHeading& h) {
  return h.unit.empty() || h.sure || field.find(' ') == std::string::npos;
}

}  // namespace

void ColumnReader::heading(int number, std::string_view text) {
  const Fields fields = heading_fields(text);
  if (heading_ > 0) {
    if (units_ == 0 && fitting(fields.size()) && units_alone(fields)) return take_units(number, fields);
    refuse(number,
           fmt::format(
               "'{}' is no row of numbers (line {} is the heading already); begin lines of remarks with #",
               text, heading_));
  }
  heading_ = number;
  if (fitting(fields.size())) return take_units(number, fields);
  for (const auto& field : fields)
    if (split_heading(field).sure)
      refuse(
          number,
          fmt::format("{} headings with a unit among them (the columns wanted are {}); give one per column",
                      fields.size(), wanted()));
}

bool ColumnReader::units_alone(const Fields& fields) const {
  return std::all_of(fields.begin(), fields.end(), [](const std::string& field) {
    const ColumnHeading h = split_heading(field);
    return h.name.empty() && !h.unit.empty();
  });
}

void ColumnReader::take_units(int number, const Fields& fields) {
  for (std::size_t k = 0; k < fields.size(); ++k) take_unit(number, k, fields[k]);
  if (units_ == number) unit_fields_ = fields.size();
}

void ColumnReader::take_unit(int number, std::size_t k, const std::string& field) {
  const Column& column = format_.columns[k];
  const ColumnHeading h = split_heading(field);
  std::string why;
  if (h.unit.empty()) {
    if (field.find('/') != std::string::npos || hides_unit(column, field))
      refuse(number,
             fmt::format(
                 "'{}' has a unit that is not known (wanted: {}); write it as '{} (UNIT)' or leave it out",
                 field, wanted(), column.name));
    if (column.spectral && names_reciprocal(field))
      refuse(number,
             fmt::format("'{}' is headed without a unit (a wavelength in {} is wanted); name the unit, as "
                         "'{} (eV)'",
                         field, column.unit, field));
    return;
  }
  const auto conversion = conversion_to(column, h.unit, why);
  if (!conversion) {
    // one letter alone is a name as often as a unit: t, A
    if (!h.sure && h.unit.size() == 1 && !hides_unit(column, field)) return;
    refuse(number, fmt::format("'{}': unit '{}' ({}); convert the column, or correct the heading", field,
                               h.unit, why));
  }
  conversion_[k] = *conversion;
  units_ = number;
}

void ColumnReader::comment(int number, std::string_view text) {
  if (out_.rows() > 0 || units_ > 0) return;
  const Fields fields = heading_fields(text);
  bool heading = false, possible = fitting(fields.size());
  for (std::size_t k = 0; possible && k < fields.size(); ++k) {
    const ColumnHeading h = split_heading(fields[k]);
    std::string why;
    possible = may_head(fields[k], h);
    heading = heading || (!h.unit.empty() && h.unit != "1" && h.unit != "-" &&
                          conversion_to(format_.columns[k], h.unit, why));
  }
  if (heading && possible) return take_units(number, fields);
  refuse_stray_unit(number, text);
}

/// "# fields in kV/cm": what it is about cannot be known, and to pass it over would be a wrong answer.
void ColumnReader::refuse_stray_unit(int number, std::string_view text) const {
  const Fields words = split(text, ' ');
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string unit = words[i];
    const bool bracketed = !unit.empty() && (unit[0] == '(' || unit[0] == '[');
    const bool quotient = unit.find('/') != std::string::npos && (i == 0 || !parse_number(words[i - 1]));
    if (!bracketed && !quotient && (i == 0 || words[i - 1] != "in")) continue;
    while (!unit.empty() && std::string_view("([").find(unit.front()) != std::string_view::npos)
      unit.erase(0, 1);
    while (!unit.empty() && std::string_view(")].,;:").find(unit.back()) != std::string_view::npos)
      unit.pop_back();
    for (const Column& c : format_.columns) {
      std::string why;
      if (c.unit.empty() || unit.empty()) continue;
      const auto conversion = conversion_to(c, unit, why);
      if (conversion && (conversion->factor != 1 || conversion->reciprocal))
        refuse(number,
               fmt::format(
                   "the remark speaks of {} (without a heading {} is in {}); write the heading '{}' with the "
                   "file's units, or leave the unit out of the remark",
                   unit, c.name, c.unit, wanted()));
    }
  }
}

}  // namespace umov
