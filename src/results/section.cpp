// Quantities become arrays and columns.
#include "results/section.hpp"

#include <algorithm>

namespace umov::results {

std::vector<std::string> xyz(const std::string& before, const std::string& after) {
  return {before + "x" + after, before + "y" + after, before + "z" + after};
}

std::size_t add_table(Result& r, Table table) {
  r.tables.push_back(std::move(table));
  return r.tables.size() - 1;
}

Section& Section::rows(std::size_t outer, std::size_t inner) {
  outer_ = outer;
  inner_ = inner;
  return *this;
}

void Section::add(const std::string& name, const std::string& unit, const std::string& text, double value,
                  const Form& form) {
  r_.add(group_ + name, unit, text, value);
  if (form.column) tabulate(form.heading.empty() ? name : form.heading, form);
}

/// Columns of the array that was added last.
void Section::tabulate(const std::string& heading, const Form& form) {
  if (table_ == no_table) return;
  const Array& array = r_.arrays.back();
  const std::vector<std::string> parts = form.parts.empty() ? std::vector{heading} : form.parts;
  const bool is_complex = std::holds_alternative<std::vector<cplx>>(array.data);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    Cells c = cells_of(r_.arrays.size() - 1, parts.size(), form.along);
    c.offset = p;
    put(parts[p] + (is_complex ? "_re" : ""), array.unit, c);
    c.imaginary = true;
    if (is_complex) put(parts[p] + "_im", array.unit, c);
  }
}

Cells Section::cells_of(std::size_t array, std::size_t parts, Along along) const {
  Cells c;
  c.array = array;
  c.cycle = r_.arrays[array].size() / parts;
  c.repeat = along == Along::outer ? inner_ : 1;
  c.rows = c.cycle * c.repeat * (along == Along::inner ? outer_ : 1);
  c.stride = parts;
  return c;
}

void Section::again(const std::string& name, const std::string& heading, bool imaginary) {
  const Array* array = r_.find(name);
  if (!array) return;
  Cells c = cells_of(std::size_t(array - r_.arrays.data()), 1, Along::rows);
  c.imaginary = imaginary;
  put(heading, array->unit, std::move(c));
}

void Section::again(const std::string& name, const std::string& heading, Along along) {
  const Array* array = r_.find(name);
  if (array) put(heading, array->unit, cells_of(std::size_t(array - r_.arrays.data()), 1, along));
}

void Section::column(const std::string& heading, const std::string& unit, std::vector<double> values) {
  Cells c;
  c.values = std::move(values);
  if (!c.values.empty()) put(heading, unit, std::move(c));
}

void Section::texts(const std::string& heading, std::vector<std::string> values) {
  Cells c;
  c.texts = std::move(values);
  if (!c.texts.empty()) put(heading, "1", std::move(c));
}

void Section::put(const std::string& heading, const std::string& unit, Cells cells) {
  if (table_ == no_table) return;
  Table& table = r_.tables[table_];
  const auto same = std::find_if(table.columns.begin(), table.columns.end(),
                                 [&](const Column& c) { return c.name == heading; });
  if (table.stacked && same != table.columns.end())
    same->cells.push_back(std::move(cells));
  else
    table.columns.push_back({heading, unit, {std::move(cells)}});
}

}  // namespace umov::results
