// Columns of numbers in text files, read strictly: the one reader of curves, waveforms and refractive
// indices.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "parameters/column_units.hpp"

namespace umov {

/// What one column holds.
struct Column {
  std::string name;       ///< in messages: "E"
  std::string unit;       ///< that values are wanted in, as parse_unit reads it: "V/m"; "" = a pure number
  std::string own = "";   ///< a unit of the case's that no other converts to ("unit/c"); `unit` is "" then
  bool spectral = false;  ///< a vacuum wavelength: photon energies, frequencies, wavenumbers convert too
};

struct ColumnFormat {
  std::vector<Column> columns;  ///< exactly these
  std::size_t optional = 0;     ///< so many of the last ones may be missing, in all rows alike
  bool ascending = false;       ///< the first column must increase from row to row
  std::size_t least_rows = 1;
};

struct Columns {
  std::vector<std::vector<double>> value;  ///< [column][row], in the wanted units
  std::vector<int> line;                   ///< of each row, from 1
  std::size_t rows() const { return line.size(); }
};

/// Lines of a text file: LF, CRLF or CR ends, a UTF-8 byte order mark is dropped. Throws BadInput, beginning
/// with `what`, for a file that cannot be read or is no text (UTF-16, zero bytes).
std::vector<std::string> read_lines(const std::string& path, const std::string& what);

/// Rows, line by line. One kind of separator in a file: semicolons, commas, or blanks and tabs. Lines that
/// begin with # or % are comments. Before the rows there may be one heading, and a second one of units only;
/// units stand in it as "E (kV/cm)", "E [kV/cm]", "E in kV/cm", "E_kV/cm" or alone, and known ones are
/// converted. A comment before the rows that names one unit per column is a heading too.
class ColumnReader {
 public:
  /// `where` begins messages: "conductivity of material 'x': curve.csv".
  ColumnReader(ColumnFormat, std::string where);
  /// Throws BadInput `WHERE:NUMBER: PROBLEM (WHY); SUGGESTION`: decimal commas, more or fewer columns, no
  /// number, NaN, infinity, overflow, a unit that is unknown or of another quantity, a first column that does
  /// not increase.
  void line(int number, std::string_view text);
  /// Throws BadInput for fewer rows than `least_rows`.
  Columns finish();

 private:
  enum class Separator { none, semicolon, comma, blank };
  using Fields = std::vector<std::string>;
  [[noreturn]] void refuse(int number, const std::string& message) const;
  [[noreturn]] void refuse_row(int number, std::string_view text, const Fields&) const;
  bool fitting(std::size_t fields) const;
  std::string wanted() const;
  Fields cut(std::string_view text) const;
  void row(int number, std::string_view text);
  double converted(int number, std::size_t column, double value) const;
  void check_order(int number) const;

  // columns_heading.cpp
  void heading(int number, std::string_view text);
  bool units_alone(const Fields&) const;
  void comment(int number, std::string_view text);
  void refuse_stray_unit(int number, std::string_view text) const;
  void take_units(int number, const Fields&);
  void take_unit(int number, std::size_t column, const std::string& field);

  ColumnFormat format_;
  std::string where_;
  Columns out_;
  Separator separator_ = Separator::none;
  int first_row_ = 0, heading_ = 0;  // lines
  int units_ = 0;                    // line that named units, for so many columns:
  std::size_t unit_fields_ = 0;
  std::size_t count_ = 0;  // of columns, once a row is there
  std::vector<ColumnConversion> conversion_;
};

/// The whole file by a ColumnReader, or arrays (core/given_arrays.hpp) that have the wanted units; `what`
/// begins messages ("conductivity of material 'x'").
Columns read_columns(const std::string& path, const ColumnFormat&, const std::string& what);

}  // namespace umov
