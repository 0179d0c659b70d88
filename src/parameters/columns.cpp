// Columns of numbers in text files, read strictly: rows.
#include "parameters/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>

#include "core/error.hpp"
#include "core/given_arrays.hpp"
#include "core/text.hpp"
#include "parameters/column_units.hpp"

namespace umov {

namespace {

bool comma_between_digits(std::string_view word) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t i = 0; i + 1 < word.size(); ++i)
    if (word[i] == ',' && digit(word[i + 1]) &&
        (i == 0 || digit(word[i - 1]) || word[i - 1] == '-' || word[i - 1] == '+'))
      return true;
  return false;
}

/// Words between blanks and tabs.
std::vector<std::string> words_of(std::string_view text) {
  std::string plain(text);
  for (char& c : plain)
    if (c == '\t') c = ' ';
  auto words = split(plain, ' ');
  std::erase_if(words, [](const std::string& w) { return w.empty(); });
  return words;
}

/// Where commas part columns, decimal ones show by a blank that is left within a column: "1,5 2,7" is 1, 5
/// 2, 7.
bool decimal_commas(std::string_view text, const std::vector<std::string>& fields, bool commas_part) {
  bool any = false, within = false;
  for (const auto& word : words_of(text)) any = any || comma_between_digits(word);
  for (const auto& field : fields) within = within || words_of(field).size() > 1;
  return any && (!commas_part || within);
}

/// Text that is meant as a number, whether it is one or not.
bool begins_as_number(std::string_view field) {
  return !field.empty() && std::string_view("0123456789+-.,").find(field[0]) != std::string_view::npos;
}

bool is_not_finite(std::string_view field) {
  std::string word;
  for (const char letter : field) word += char(std::tolower(static_cast<unsigned char>(letter)));
  return word == "nan" || word == "inf" || word == "infinity";
}

const char* why_no_number(std::string_view field) {
  std::string word;
  for (const char c : field)
    if (c != '+' && c != '-') word += char(std::tolower(static_cast<unsigned char>(c)));
  if (word.starts_with("nan") || word.starts_with("inf")) return "a finite number is wanted";
  double ignored = 0;
  std::string_view rest = field;
  if (take(rest, ignored) && trim(rest).empty()) return "a finite number is wanted";
  if (word.find_first_not_of("0123456789.e") == std::string::npos) return "it is beyond what a double holds";
  if (word.find('d') != std::string::npos && word.find_first_not_of("0123456789.d") == std::string::npos)
    return "exponents are written with e";
  return "a number is wanted";
}

}  // namespace

std::vector<std::string> read_lines(const std::string& path, const std::string& what) {
  const std::string where = what.empty() ? path : what + ": " + path;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw BadInput(where + ": cannot be read (no such file, or no permission); check the path");
  std::string text;
  char block[1 << 16];
  while (in.read(block, sizeof block) || in.gcount() > 0) text.append(block, std::size_t(in.gcount()));
  if (in.bad()) throw BadInput(where + ": cannot be read (is it a folder?); give a file");
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    throw BadInput(where + ": is UTF-16 (as Windows calls Unicode); save it as UTF-8 or ASCII");
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  if (text.find('\0') != std::string::npos)
    throw BadInput(where + ": has zero bytes (it is no text); give a table as text, as CSV");
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    if (text[i] == '\n' || text[i] == '\r')
      lines.emplace_back();
    else
      lines.back() += text[i];
  }
  return lines;
}

ColumnReader::ColumnReader(ColumnFormat format, std::string where)
    : format_(std::move(format)), where_(std::move(where)), conversion_(format_.columns.size()) {
  out_.value.resize(format_.columns.size());
}

void ColumnReader::refuse(int number, const std::string& message) const {
  throw BadInput(fmt::format("{}:{}: {}", where_, number, message));
}

std::string ColumnReader::wanted() const {
  std::string text;
  for (std::size_t k = 0; k < format_.columns.size(); ++k) {
    const Column& c = format_.columns[k];
    const std::string unit = c.own.empty() ? c.unit : c.own;
    text += fmt::format("{}{}{}", k ? ", " : "", c.name, unit.empty() ? "" : " (" + unit + ")");
    if (k + format_.optional >= format_.columns.size()) text += " or without it";
  }
  return text;
}

void ColumnReader::line(int number, std::string_view raw) {
  const std::string_view text = trim(raw);
  if (text.empty()) return;
  if (text.front() == '#' || text.front() == '%') return comment(number, trim(text.substr(1)));
  if (out_.rows() > 0) return row(number, text);
  std::string plain(text);
  for (char& c : plain)
    if (c == ';' || c == ',') c = ' ';
  const auto words = words_of(plain);
  const bool numbers = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return parse_number(word).has_value() || is_not_finite(word);
  });
  if (numbers || begins_as_number(text)) return row(number, text);
  heading(number, text);
}

bool ColumnReader::fitting(std::size_t fields) const {
  return fields <= format_.columns.size() && fields + format_.optional >= format_.columns.size();
}

void ColumnReader::refuse_row(int number, std::string_view text, const Fields& fields) const {
  if (decimal_commas(text, fields, separator_ == Separator::comma))
    refuse(number,
           fmt::format("'{}' has decimal commas (here a number has a point, and a comma parts columns); "
                       "write 1.5 instead of 1,5, or export the table with English numbers",
                       text));
  if (!fitting(fields.size()))
    refuse(number,
           fmt::format("{} columns (wanted: {}); {}", fields.size(), wanted(),
                       separator_ == Separator::comma && fields.size() > format_.columns.size()
                           ? "leave out the others, or write 1.5 instead of 1,5 if these are decimal commas"
                           : "leave out what does not belong there, or complete the row"));
  for (const auto& field : fields)
    if (!parse_number(field))
      refuse(number, fmt::format("'{}' is no number ({}); correct it, or begin lines of remarks with #",
                                 field, why_no_number(field)));
  refuse(number, fmt::format("{} columns, but {} in line {}; give as many in every row", fields.size(),
                             count_, first_row_));
}

ColumnReader::Fields ColumnReader::cut(std::string_view text) const {
  if (separator_ != Separator::blank) return split(text, separator_ == Separator::semicolon ? ';' : ',');
  return words_of(text);
}

void ColumnReader::row(int number, std::string_view text) {
  if (separator_ == Separator::none) {
    separator_ = text.find(';') != text.npos   ? Separator::semicolon
                 : text.find(',') != text.npos ? Separator::comma
                                               : Separator::blank;
    first_row_ = number;
  }
  const Fields fields = cut(text);
  bool good = fitting(fields.size()) && (count_ == 0 || fields.size() == count_);
  for (const auto& field : fields) good = good && parse_number(field);
  if (!good) refuse_row(number, text, fields);
  if (units_ > 0 && fields.size() != unit_fields_)
    refuse(number, fmt::format("{} columns, but line {} names {} with units; give as many", fields.size(),
                               units_, unit_fields_));
  count_ = fields.size();
  for (std::size_t k = 0; k < count_; ++k)
    out_.value[k].push_back(converted(number, k, *parse_number(fields[k])));
  out_.line.push_back(number);
  if (format_.ascending) check_order(number);
}

void ColumnReader::check_order(int number) const {
  const auto& first = out_.value[0];
  if (first.size() < 2 || first.back() > first[first.size() - 2]) return;
  refuse(number,
         fmt::format(
             "{} = {} after {} (it must increase from row to row); sort the rows and delete repeated ones",
             format_.columns[0].name, shortest(first.back()), shortest(first[first.size() - 2])));
}

double ColumnReader::converted(int number, std::size_t column, double value) const {
  const ColumnConversion& c = conversion_[column];
  if (c.reciprocal && !(value > 0))
    refuse(number, fmt::format("{} {} (it must be positive); correct it", shortest(value), c.unit));
  const double out = c.reciprocal ? c.factor / value : c.factor * value;
  if (!std::isfinite(out))
    refuse(number, fmt::format("{} {} is beyond what a double holds; correct it", shortest(value), c.unit));
  return out;
}

Columns ColumnReader::finish() {
  if (out_.rows() < format_.least_rows)
    throw BadInput(fmt::format("{}: {} row(s) of numbers ({} or more are needed); write one per line: {}",
                               where_, out_.rows(), format_.least_rows, wanted()));
  out_.value.resize(count_ > 0 ? count_ : format_.columns.size());
  return std::move(out_);
}

namespace {

/// Column k of arrays, each of which is one, or of a single one whose rows have all.
struct ArrayColumns {
  const std::vector<GivenArray>& arrays;
  bool single() const { return arrays.size() == 1 && arrays[0].shape.size() == 2; }
  std::size_t count() const { return single() ? arrays[0].shape[1] : arrays.size(); }
  std::size_t rows() const { return arrays[0].shape.empty() ? 0 : arrays[0].shape[0]; }
  double value(std::size_t row, std::size_t k) const {
    return single() ? arrays[0].real(row * count() + k) : arrays[k].real(row);
  }
  bool fit() const {
    return single() || std::ranges::all_of(arrays, [&](const GivenArray& a) {
             return a.shape.size() == 1 && a.shape[0] == rows();
           });
  }
};

/// Columns in the wanted units, with the demands of those in text.
Columns columns_of(const GivenArrays& given, const ColumnFormat& format, const std::string& where) {
  const ArrayColumns in{given.arrays};
  const std::size_t count = in.count();
  if (!in.fit() || count > format.columns.size() || count + format.optional < format.columns.size() ||
      in.rows() < format.least_rows)
    throw BadInput(fmt::format("{}: {} column(s) of {} row(s) (wanted are {} of {} or more); give these",
                               where, count, in.rows(), format.columns.size(), format.least_rows));
  Columns out;
  out.value.assign(count, std::vector<double>(in.rows()));
  for (std::size_t row = 0; row < in.rows(); ++row) {
    for (std::size_t k = 0; k < count; ++k) {
      const double value = out.value[k][row] = in.value(row, k);
      if (!std::isfinite(value))
        throw BadInput(
            fmt::format("{}: {} in row {} is not finite; correct it", where, format.columns[k].name, row));
    }
    out.line.push_back(int(row) + 1);
    if (format.ascending && row > 0 && !(out.value[0][row] > out.value[0][row - 1]))
      throw BadInput(fmt::format(
          "{}: {} = {} in row {} after {} (it must increase from row to row); sort the rows and delete "
          "repeated ones",
          where, format.columns[0].name, shortest(out.value[0][row]), row, shortest(out.value[0][row - 1])));
  }
  return out;
}

}  // namespace

Columns read_columns(const std::string& path, const ColumnFormat& format, const std::string& what) {
  if (const auto given = read_arrays(path))
    return columns_of(*given, format, what.empty() ? given->said : what + ": " + given->said);
  const auto lines = read_lines(path, what);
  ColumnReader reader(format, what.empty() ? path : what + ": " + path);
  for (std::size_t i = 0; i < lines.size(); ++i) reader.line(int(i) + 1, lines[i]);
  return reader.finish();
}

}  // namespace umov
