// Everything an electroquasistatic run writes besides its fields: HDF5, CSV, pictures.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "eqs/outcome.hpp"
#include "results/result.hpp"

namespace umov::results {

/// The files that the case wants, into `folder`. Throws MachineFailure with the path of the one that fails.
void write_eqs_results(const eqs::Outcome&, const std::string& folder);

/// All series with their units: history, electrodes, materials, points, lines, surfaces, capacitances.
Result to_result(const eqs::Outcome&);
/// One CSV file per kind of series, and per line and surface.
void write_eqs_tables(const eqs::Outcome&, const std::string& folder);
/// Cuts, curves along lines, curves over time, and an overview of them.
void draw_eqs_pictures(const eqs::Outcome&, const std::string& folder);

/// Provenance of every file.
std::vector<std::pair<std::string, std::string>> run_attributes(const eqs::Outcome&);
/// The saved time of the largest field, as an index of `saved_times`.
std::size_t peak_index(const eqs::Outcome&);

}  // namespace umov::results
