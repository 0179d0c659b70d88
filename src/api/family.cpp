#include "api/family.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "api/members.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace umov {

namespace {

const std::vector<const Family*>& all() {
  static const std::vector<const Family*> list{&api::dda(), &api::fdtd(),  &api::harmonic(), &api::eqs(),
                                               &api::mie(), &api::modes(), &api::solve()};
  return list;
}

}  // namespace

const Family& family(std::string_view name) {
  for (const Family* f : all())
    if (f->name() == name) return *f;
  const auto names = families();
  const std::string hint = did_you_mean(name, names);
  throw BadInput(fmt::format("'{}' is no family (there are {}){}{}", shortened(name), join(names, ", "),
                             hint.empty() ? "" : "; ", hint));
}

std::vector<std::string> families() {
  std::vector<std::string> names;
  for (const Family* f : all()) names.push_back(f->name());
  return names;
}

const Family& family_of(const Tree& tree) {
  if (tree.contains("harmonic")) return api::harmonic();
  if (tree.contains("modes")) return api::modes();
  std::vector<const Family*> fit;
  long most = 0;
  for (const Family* f : all()) {
    if (f == &api::modes()) continue;  // its model is a case of fdtd
    const auto known = f->parameters().top_names();
    const long n = std::count_if(tree.table()->begin(), tree.table()->end(), [&](const auto& entry) {
      return std::count(known.begin(), known.end(), entry.first) > 0;
    });
    if (n > most) most = n, fit.clear();
    if (n == most && n > 0) fit.push_back(f);
  }
  if (fit.size() == 1) return *fit.front();
  std::vector<std::string> names;
  for (const Family* f : fit) names.push_back(f->name());
  if (fit.empty())
    throw BadInput(fmt::format("the case is of no family (by the names at its top); name one of {}",
                               join(families(), ", ")));
  throw BadInput(
      fmt::format("the case may be of {} (by the names at its top); name one", join(names, " or ")));
}

}  // namespace umov
