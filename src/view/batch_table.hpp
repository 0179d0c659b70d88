// The table of many cases: which of its columns were varied, which are responses, which only count.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "view/stored.hpp"

namespace umov::view {

/// Headings of such a table by what they are; all others are results, too.
struct BatchRoles {
  std::vector<std::string> parameters, given, responses, counts;  ///< given: what is no choice of its own
};

/// `parameters`, `given`, `responses` and `counts` among the attributes of a result, a heading a line.
BatchRoles batch_roles(const std::vector<std::pair<std::string, std::string>>& attributes);

/// Gives the columns their roles. False where none of them is a parameter: it is no such table.
bool name_roles(const BatchRoles&, std::vector<Column>&);

/// The table as an array `results/NAME` of role `batch`, in whatever order its rows are. False, and nothing
/// added, where it is no such table.
bool add_batch_table(Shelf&, int case_id, const std::string& name, const BatchRoles&, std::vector<Column>,
                     const std::vector<std::vector<double>>& values);

}  // namespace umov::view
