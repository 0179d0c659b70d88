// The last look at results before the run is called done: numbers that are none.
#include "results/finite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/text.hpp"

namespace umov::results {

namespace {

bool finite(double x) { return std::isfinite(x); }
bool finite(const cplx& x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }

bool may_be_void(const Array& array) {
  const bool estimate = array.name.size() >= 6 && array.name.compare(array.name.size() - 6, 6, "/error") == 0;
  return estimate || array.description.find("nan") != std::string::npos;
}

}  // namespace

std::vector<std::string> not_finite(const Result& result) {
  std::vector<std::string> names;
  for (const Array& array : result.arrays) {
    const bool whole = std::visit(
        [](const auto& values) {
          return std::all_of(values.begin(), values.end(), [](const auto& x) { return finite(x); });
        },
        array.data);
    if (!whole && !may_be_void(array)) names.push_back(array.name);
  }
  return names;
}

std::string describe_not_finite(const std::vector<std::string>& names, const std::string& why_not) {
  if (names.empty()) return "";
  constexpr std::size_t most = 4;
  const std::size_t shown = std::min(most, names.size());
  std::string list = join(std::span(names).first(shown), ", ");
  if (names.size() > shown) list += fmt::format(" and {} more", names.size() - shown);
  if (!why_not.empty())
    return list + " hold nan or infinite values (the run did not converge: " + why_not + ")";
  return list +
         " hold nan or infinite values (the numbers of this case leave the range of their type, or the run "
         "diverged); change the units or the materials, or compute in double";
}

}  // namespace umov::results
