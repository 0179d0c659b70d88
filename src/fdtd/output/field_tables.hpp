// Fields as CSV: a row per point, with its place.
#pragma once

#include <string>

#include "fdtd/outcome.hpp"

namespace umov::fdtd {

/// Rows that a table of a field may have.
inline constexpr double most_field_rows = 5e7;

/// Throws BadInput for a grid whose tables would have more rows: before a run, not after it. In space planes
/// are written, not the whole.
void check_field_tables(const Grid&);

/// field-COMPONENT.csv of each final field (in space one for each plane through the middle, -x, -y and -z),
/// and snapshot-NAME-COMPONENT-STEP.csv of every snapshot, into `folder`. Throws MachineFailure naming the
/// file.
void write_field_tables(const Outcome&, const std::string& folder);

}  // namespace umov::fdtd
