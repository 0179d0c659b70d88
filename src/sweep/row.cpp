#include "sweep/row.hpp"

#include <algorithm>
#include <string_view>

namespace umov::sweep {

namespace {

void add_scalar(Row& row, const results::Array& a) {
  std::visit(
      [&](const auto& values) {
        if constexpr (std::is_same_v<decltype(values[0]), const cplx&>) {
          row.scalars.push_back({a.name + "_re", a.unit, a.description, values[0].real()});
          row.scalars.push_back({a.name + "_im", a.unit, a.description, values[0].imag()});
        } else {
          row.scalars.push_back({a.name, a.unit, a.description, double(values[0])});
        }
      },
      a.data);
}

constexpr std::string_view stage = "timings/";

/// What says how a case was computed, and is another each time.
bool is_effort(const results::Array& a) {
  const std::string last = a.name.substr(a.name.rfind('/') + 1);
  return a.name.starts_with(stage) || a.unit == "byte" || last.starts_with("seconds") ||
         last == "cells_per_second";
}

}  // namespace

const char* word(Status status) {
  constexpr const char* words[] = {"done", "not converged", "failed", "missing"};
  return words[int(status)];
}

Row row_of(results::Result result, std::size_t most_values) {
  Row row;
  row.status = Status::done;
  for (const auto& [name, text] : result.attributes)
    if (name == "converged" && text != "yes") {
      row.status = Status::not_converged;
      row.message = text.substr(std::min(text.size(), std::string("no: ").size()));
    }
  for (results::Array& a : result.arrays) {
    if (const auto* seconds = std::get_if<std::vector<double>>(&a.data);
        a.name.starts_with(stage) && seconds && seconds->size() == 1)
      row.stages.push_back({a.name.substr(stage.size()), seconds->front()});
    if (is_effort(a)) continue;
    if (a.size() == 1)
      add_scalar(row, a);
    else if (a.size() > 0 && a.size() <= most_values)
      row.arrays.push_back(std::move(a));
  }
  return row;
}

}  // namespace umov::sweep
