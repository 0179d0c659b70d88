// The files of a batch: the table of variants, the response surfaces, their pictures.
#pragma once

#include <string>

#include "eqs/variants/responses.hpp"
#include "results/result.hpp"

namespace umov::eqs {

/// Arrays of one item per variant (parameters, results), of one per response (fit, optimum), and the main
/// effects; as tables variants, surfaces, effects.
results::Result to_result(const BatchOutcome&, const std::vector<Response>&);

/// One response over the two most important parameters (contours, the others at the optimum) or over the one
/// that there is, and the main effects of all.
void draw_response(const BatchOutcome&, const Response&, const std::string& path);

/// All of them, into the folder, as far as they are wanted. Throws MachineFailure with the path.
void write_results(const BatchOutcome&, const std::vector<Response>&, const std::string& folder);

/// A column's name as part of a file's.
std::string file_name(const std::string& column);

}  // namespace umov::eqs
