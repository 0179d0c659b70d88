// What a row is made of, for files and messages: visit_row(writer or reader, row).
#pragma once

#include <cstdint>
#include <variant>

#include "sweep/row.hpp"

namespace umov::sweep {

/// The numbers of an array behind the number of their type.
template <class File, class A>
void visit_data(File& f, A& array) {
  std::uint64_t type = array.data.index();
  f(type);
  if constexpr (requires { File::reading; }) {
    if (type == 0)
      array.data.template emplace<0>();
    else if (type == 1)
      array.data.template emplace<1>();
    else if (type == 2)
      array.data.template emplace<2>();
    else
      f.damaged();
  }
  std::visit([&](auto& values) { f(values); }, array.data);
}

constexpr auto visit_row = [](auto& f, auto& row) {
  f(row.status);
  f(row.message);
  f(row.seconds);
  f.each(row.scalars, [&](auto& s) {
    f(s.name);
    f(s.unit);
    f(s.text);
    f(s.value);
  });
  f.each(row.arrays, [&](auto& a) {
    f(a.name);
    f(a.unit);
    f(a.description);
    f(a.shape);
    visit_data(f, a);
  });
};

/// The same with what no file has, for messages.
constexpr auto visit_told_row = [](auto& f, auto& row) {
  visit_row(f, row);
  f.each(row.stages, [&](auto& s) {
    f(s.name);
    f(s.seconds);
  });
};

}  // namespace umov::sweep
