// Families of the library, where cases of the time domain may ask for S-parameters, too.
#pragma once

#include <string_view>

#include "api/family.hpp"

namespace umov::s_parameters {

/// As umov::family. A case of "fdtd" with [s_parameters] is planned and run as the runs of its matrix: side
/// by side, kept in the folder of Machine::checkpoint as they are done; in a series one after another. Its
/// results are those of to_result (output.hpp).
const Family& family(std::string_view name);
/// As umov::family_of.
const Family& family_of(const Tree&);

}  // namespace umov::s_parameters
