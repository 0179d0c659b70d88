// The last look at results before the run is called done.
#pragma once

#include <string>
#include <vector>

#include "results/result.hpp"

namespace umov::results {

/// Names of the arrays that hold nan or infinite values where they should hold results. An array whose
/// description speaks of "nan" says by it where there is no value; one called "error" may have no estimate.
std::vector<std::string> not_finite(const Result&);

/// "X, Y and 3 more hold nan or infinite values ...", or "" for an empty list. `why_not`: of a run that did
/// not converge, which is reason enough.
std::string describe_not_finite(const std::vector<std::string>& names, const std::string& why_not = {});

}  // namespace umov::results
