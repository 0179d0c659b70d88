// The table of a sweep.
#pragma once

#include <vector>

#include "results/result.hpp"
#include "sweep/row.hpp"
#include "sweep/sweep.hpp"

namespace umov::sweep {

/// A row per case of `cases`, in their order: its number, its values of the axes, the scalars that any of
/// them has, what became of it. Arrays that all finished cases have in one shape are stacked, case first;
/// others stand case by case. Nothing of when or where cases were computed: whoever computed them, the same
/// bits.
results::Result to_result(const Sweep&, const Rows&, const std::vector<std::size_t>& cases);

/// The scalars that any of the cases has, but for those that an axis is already, in the order in which cases
/// name them first.
std::vector<Scalar> columns_of(const Sweep&, const Rows&, const std::vector<std::size_t>& cases);
/// One of them by its name, a value per case of `cases`; nan of a case without it.
std::vector<double> column(const Rows&, const std::vector<std::size_t>& cases, const std::string& name);

/// '/' would make groups.
std::string array_name(std::string);

/// How many of them have come to a good end.
std::size_t count_done(const Rows&, const std::vector<std::size_t>& cases);

}  // namespace umov::sweep
