// The files of a batch: the table of variants, the response surfaces, their pictures.
#pragma once

#include <string>
#include <vector>

#include "eqs/command/batch_run.hpp"
#include "results/result.hpp"
#include "sweep/responses.hpp"

namespace umov::eqs {

/// The columns of the table of variants, beside the varied parameters.
std::vector<sweep::Scalar> columns_of(const Batch&, const sweep::Rows&);

/// Surfaces of those that the batch asks for. Throws BadInput for a response that is no column.
std::vector<sweep::Response> fit_responses(const Batch&, const BatchOutcome&);

/// Arrays of one item per variant (parameters, results), of one per response (fit, optimum), and the main
/// effects; as tables variants, surfaces, effects.
results::Result to_result(const Batch&, const BatchOutcome&, const std::vector<sweep::Response>&);

}  // namespace umov::eqs
