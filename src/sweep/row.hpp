// What a sweep keeps of a case.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/stage_times.hpp"
#include "results/result.hpp"

namespace umov::sweep {

enum class Status : unsigned char { done, not_converged, failed, missing };

/// "done", "not converged", "failed", "missing".
const char* word(Status);

struct Scalar {
  std::string name, unit, text;
  double value = 0;
};

struct Row {
  Status status = Status::missing;
  std::string message;            ///< why it did not converge, or failed
  double seconds = 0;             ///< wall-clock time, which no table has
  std::vector<StageTime> stages;  ///< where they went, which no file has
  std::vector<Scalar> scalars;
  std::vector<results::Array> arrays;
};

/// Single numbers are scalars, complex ones two; arrays of at most `most_values` are kept. The attribute
/// "converged" is "yes", or "no: WHY".
Row row_of(results::Result, std::size_t most_values);

/// Rows of all cases, those that are not there yet empty.
using Rows = std::vector<std::optional<Row>>;

}  // namespace umov::sweep
