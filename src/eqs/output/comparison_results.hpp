// The files of a comparison of methods.
#pragma once

#include <string>
#include <vector>

#include "eqs/comparison.hpp"
#include "results/entries.hpp"
#include "results/result.hpp"

namespace umov::eqs {

/// Tables `methods` and `errors`.
results::Result to_result(const Comparison&);

/// Tables, methods.png (time and iterations), errors.png (over the step's length), as far as they are wanted.
void write_results(const Comparison&, const std::string& folder, const std::vector<StageTime>& times = {});

}  // namespace umov::eqs
