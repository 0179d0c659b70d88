// One declaration per quantity of a result: its array and its column in a table.
#pragma once

#include <string>
#include <vector>

#include "results/result.hpp"

namespace umov::results {

enum class Along {
  rows,   ///< an item per row
  outer,  ///< an item per step of the outer count, the same for all of the inner one
  inner,  ///< an item per step of the inner count, again in every step of the outer one
};

/// How a quantity stands in its array and its table, where that is not plain.
struct Form {
  std::vector<std::size_t> shape = {};  ///< of the array; empty: a list
  std::string heading = {};             ///< of the column; "": the name
  std::vector<std::string> parts = {};  ///< headings of the numbers of an item, where it has several
  Along along = Along::rows;
  bool column = true;  ///< false: the array alone
};

/// "x", "y" and "z" between two texts, as headings of the parts of a vector.
std::vector<std::string> xyz(const std::string& before, const std::string& after = "");

/// Adds a table to a Result; the number is what a Section takes.
std::size_t add_table(Result&, Table);

/// A group of arrays and the columns they are in a table. What has no values is left out. Complex columns
/// are two, NAME_re and NAME_im.
class Section {
 public:
  static constexpr std::size_t no_table = std::size_t(-1);

  /// `group` begins the names of the arrays ("flux/left/").
  Section(Result& r, std::string group, std::size_t table = no_table)
      : r_(r), group_(std::move(group)), table_(table) {}

  /// Rows are outer x inner, the inner count running first.
  Section& rows(std::size_t outer, std::size_t inner);

  void add(const std::string& name, const std::string& unit, const std::string& text, double value,
           const Form& form = {});
  template <class T>
  void add(const std::string& name, const std::string& unit, const std::string& text, std::vector<T> values,
           const Form& form = {}) {
    if (values.empty()) return;
    r_.add(group_ + name, unit, text, std::move(values), form.shape);
    if (form.column) tabulate(form.heading.empty() ? name : form.heading, form);
  }
  /// A column of an array that stands elsewhere, under its full name.
  void again(const std::string& array, const std::string& heading, bool imaginary = false);
  void again(const std::string& array, const std::string& heading, Along along);
  /// Columns that have no array.
  void column(const std::string& heading, const std::string& unit, std::vector<double> values);
  void texts(const std::string& heading, std::vector<std::string> values);

 private:
  void tabulate(const std::string& heading, const Form&);
  Cells cells_of(std::size_t array, std::size_t parts, Along) const;
  void put(const std::string& heading, const std::string& unit, Cells);

  Result& r_;
  std::string group_;
  std::size_t table_, outer_ = 1, inner_ = 1;
};

}  // namespace umov::results
