// Digits that currents lose, judged by the fields that were found.
#pragma once

#include <string>
#include <vector>

#include "eqs/problem.hpp"

namespace umov::eqs {

/// The warning of materials that one current passes and that conduct too differently for double precision,
/// where some depend on the field (without curves find_bodies gives it at once). `field`: the largest that
/// each material was found in, V/m; "" = nothing to say.
std::string contrast_warning(const Problem&, const std::vector<double>& field);

}  // namespace umov::eqs
