#include "api/family.hpp"

#include <fmt/format.h>

#include "api/members.hpp"
#include "core/text.hpp"

namespace umov {

namespace {

const std::vector<const Family*>& all() {
  static const std::vector<const Family*> list{&api::dda(), &api::fdtd(), &api::harmonic(), &api::eqs(),
                                               &api::mie()};
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

}  // namespace umov
