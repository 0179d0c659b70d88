// Blocks of lines that DDSCAT's files of results share.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "dda/ddscat/reduce.hpp"

namespace umov::dda::ddscat {

/// A text that grows line by line.
struct Lines {
  std::string text;
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    text += '\n';
  }
};

Efficiencies mean(const Efficiencies&, const Efficiencies&);

/// Q's of one case, or of an average whose first case it is: for e01, e02 and their mean.
void put_efficiencies(const Job&, const ManyOutcome&, Lines&, const std::array<Efficiencies, 2>&,
                      std::size_t i, double size_parameter);
/// The chosen elements of the Mueller matrix in the planes' directions.
void put_mueller(const Parameters&, Lines&, const std::vector<Mueller>&);
/// What there is with one incident polarization.
void put_fields(const Parameters&, Lines&, const std::vector<std::array<double, 4>>&);

}  // namespace umov::dda::ddscat
