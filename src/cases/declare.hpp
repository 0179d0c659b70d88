// Shorthand for the declarations in the parameter tables of all families.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parameters/kind_name.hpp"
#include "parameters/parameters.hpp"

namespace umov::cases {

/// A parameter's place, spellings and text. `when_unset` says what an empty field means.
inline ParameterInfo declare(std::string section, std::string key, std::vector<std::string> flags,
                             std::string unit, std::string help, std::string when_unset = "") {
  ParameterInfo info;
  info.section = std::move(section);
  info.key = std::move(key);
  info.flags = std::move(flags);
  info.unit = std::move(unit);
  info.help = std::move(help);
  info.when_unset = std::move(when_unset);
  return info;
}

/// A parameter that changes neither results nor what is kept of them: what computes, where the run's state
/// lies, who watches.
inline ParameterInfo of_machine(ParameterInfo info) {
  info.concern = Concern::machine;
  return info;
}

/// A parameter of how or how far a run finds its results, or of numbers that follow from what it has found: a
/// state of it goes on with another value, too.
inline ParameterInfo of_course(ParameterInfo info) {
  info.concern = Concern::course;
  return info;
}

/// A parameter of [output] that results depend on: what they are taken at, or numbers that every table of
/// results has.
inline ParameterInfo of_result(ParameterInfo info) {
  info.concern = Concern::result;
  return info;
}

/// A parameter that says what is kept of results while the run goes on.
inline ParameterInfo of_record(ParameterInfo info) {
  info.concern = Concern::record;
  return info;
}

/// A parameter of an item of a list, as [[body]] or [[line]]: no section, no flag.
inline ParameterInfo item(std::string key, std::string unit, std::string help, std::string when_unset = "") {
  return declare("", std::move(key), {}, std::move(unit), std::move(help), std::move(when_unset));
}

/// A choice among all kinds of a list.
template <class Kind, std::size_t n>
Codec<Kind> one_of(const KindName<Kind> (&kinds)[n]) {
  std::vector<std::pair<std::string, Kind>> words;
  for (const auto& k : kinds) words.emplace_back(k.word, k.kind);
  return choice<Kind>(std::move(words));
}

}  // namespace umov::cases

/// Accessor of a field of the case, of a field of the simulation inside it, and of its machine.
#define UMOV_CASE(path) \
  [](auto& c) -> auto& { return c.path; }
#define UMOV_SIM(path) \
  [](auto& c) -> auto& { return c.simulation.path; }
#define UMOV_MACHINE(path) \
  [](auto& c) -> auto& { return c.machine.path; }
