// Frequencies of spectra: the parameters that monitors and S-parameters spell them by.
#pragma once

#include <vector>

#include "parameters/parameters.hpp"

namespace umov::fdtd {

/// `info(key, unit, help, when_unset)` declares a parameter; `spec` and `spelled` take a T and return what
/// has `frequencies`, `frequency_from`, `frequency_to`, `frequency_count`, and `wavelengths`,
/// `wavelengths_um`.
template <class T, class Info, class Spec, class Spelled>
void add_frequencies(ParameterTable<T>& t, const Info& info, const Spec& spec, const Spelled& spelled) {
  t.add(
      info("frequencies", "c / unit", "Frequencies of a spectrum, one by one.", "none"),
      numbers(Range::above(0)), [spec](auto& c) -> auto& { return spec(c).frequencies; });
  using List = std::vector<double>;
  t.add_action(info("wavelengths", "unit", "The same as wavelengths in vacuum.", ""),
               numbers(Range::above(0)),
               [spelled](T& c, const List& list) { spelled(c).wavelengths = list; });
  t.add_action(info("wavelengths_um", "um", "The same in micrometres.", ""), numbers(Range::above(0)),
               [spelled](T& c, const List& list) { spelled(c).wavelengths_um = list; });
  t.add(
      info("frequency_from", "c / unit", "Or a range of them: the lowest,", ""),
      number(Range::at_least(0)), [spec](auto& c) -> auto& { return spec(c).frequency_from; });
  t.add(
      info("frequency_to", "c / unit", "the highest,", ""),
      number(Range::at_least(0)), [spec](auto& c) -> auto& { return spec(c).frequency_to; });
  t.add(
      info("frequency_count", "", "and how many.", ""),
      integer<int>(Range::between(0, 100000)), [spec](auto& c) -> auto& { return spec(c).frequency_count; });
}

}  // namespace umov::fdtd
