// Names of interactions and of formulas of scattered quantities. TO ADD ONE: its value in choices.hpp,
// its line here; an interaction also its functor in kernels/interaction.hpp, chosen in visit_interaction.hpp.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dda/choices.hpp"

namespace umov::dda {

template <class Kind>
struct MethodName {
  Kind kind;
  const char* word;       ///< in cases
  const char* adda;       ///< for ADDA
  const char* arguments;  ///< that ADDA's option takes after it
  const char* title;      ///< in ADDA's log
};

inline constexpr MethodName<Interaction> interaction_names[] = {
    {Interaction::point, "point", "poi", "", "as Point dipoles"},
    {Interaction::fcd, "fcd", "fcd", "", "Filtered Green's tensor"},
    {Interaction::fcd_st, "fcd_st", "fcd_st", "", "Filtered Green's tensor (quasistatic)"},
    {Interaction::igt, "igt", "igt", "[<limit> [<digits>]]", "Integrated Green's tensor"},
    {Interaction::igt_so, "igt_so", "igt_so", "", "Integrated Green's tensor [approximation O(kd^2)]"},
    {Interaction::nloc, "nloc", "nloc", "<Rp>", "Non-local"},
    {Interaction::nloc_av, "nloc_av", "nloc_av", "<Rp>", "Non-local"},
};

inline constexpr MethodName<ScatteringFormula> formula_names[] = {
    {ScatteringFormula::draine, "draine", "dr", "", "by Draine"},
    {ScatteringFormula::finite_dipole, "finite_dipole", "fin", "", "Finite Dipoles"},
    {ScatteringFormula::igt_so, "igt_so", "igt_so", "",
     "Integration of Green's Tensor [approximation O(kd^2)]"},
};

/// The words of a list with what they mean, as cases spell them or as ADDA does.
template <class Text = const char*, class Kind, std::size_t n>
std::vector<std::pair<Text, Kind>> choices(const MethodName<Kind> (&list)[n],
                                           const char* MethodName<Kind>::*spelling) {
  std::vector<std::pair<Text, Kind>> out;
  for (const auto& name : list) out.emplace_back(name.*spelling, name.kind);
  return out;
}

/// "poi|fcd|igt [<limit> [<digits>]]": the choices of ADDA's option.
template <class Kind, std::size_t n>
std::string adda_choices(const MethodName<Kind> (&list)[n]) {
  std::string out;
  for (const auto& name : list) {
    out += (out.empty() ? "" : "|") + std::string(name.adda);
    if (*name.arguments) out += " " + std::string(name.arguments);
  }
  return out;
}

template <class Kind, std::size_t n>
const char* title(const MethodName<Kind> (&list)[n], Kind kind) {
  for (const auto& name : list)
    if (name.kind == kind) return name.title;
  return "";
}

}  // namespace umov::dda
