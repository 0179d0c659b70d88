// The list of families, and which of them a case is of.
#include "sweep/families/families.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"

namespace umov::sweep {

namespace {

using Make = Family (*)();

const std::vector<Make> makers{dda_family, fdtd_family, harmonic_family, eqs_family, mie_family};

}  // namespace

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const Make make : makers) names.push_back(make().name);
  return names;
}

Family family(const std::string& name) {
  for (const Make make : makers)
    if (Family f = make(); f.name == name) return f;
  throw BadInput(fmt::format("--family '{}' is no family that sweeps (they are: {}); {}", shortened(name),
                             join(family_names(), ", "), did_you_mean(name, family_names())));
}

Family family_of(const Tree& tree) {
  if (tree.contains("harmonic")) return harmonic_family();
  std::vector<Family> fit;
  long most = 0;
  for (const Make make : makers) {
    Family f = make();
    const auto known = f.parameters->top_names();
    const long n = std::count_if(tree.table()->begin(), tree.table()->end(), [&](const auto& entry) {
      return std::count(known.begin(), known.end(), entry.first) > 0;
    });
    if (n > most) most = n, fit.clear();
    if (n == most && n > 0) fit.push_back(std::move(f));
  }
  if (fit.size() == 1) return fit.front();
  std::vector<std::string> names;
  for (const Family& f : fit) names.push_back(f.name);
  if (fit.empty()) names = family_names();
  throw BadInput(fmt::format(
      "{} (by the names at its top); give --family {}",
      fit.empty() ? "the case is of no family that sweeps" : "the case may be of " + join(names, " or "),
      join(names, "|")));
}

}  // namespace umov::sweep
