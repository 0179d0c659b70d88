// Everything an electroquasistatic run writes besides its fields: arrays, tables, pictures.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "eqs/outcome.hpp"
#include "results/entries.hpp"
#include "results/result.hpp"

namespace umov::eqs {

/// The files that the case wants, into `folder`; `times` of its stages go with the arrays. Throws
/// MachineFailure with the path of the one that fails.
void write_results(const Outcome&, const std::string& folder, const std::vector<StageTime>& times = {});

/// All series with their units: history, electrodes, materials, points, lines, surfaces, capacitances; as
/// arrays, and as one table per kind of series, and per line and surface.
results::Result to_result(const Outcome&);
/// Cuts, curves along lines, curves over time, and an overview of them.
void draw_pictures(const Outcome&, const std::string& folder);

/// The i-th number of a record, 0 where it has none.
inline double at(const std::vector<double>& list, std::size_t i) { return i < list.size() ? list[i] : 0; }

/// Provenance of every file.
std::vector<std::pair<std::string, std::string>> run_attributes(const Outcome&);
/// The saved time of the largest field, as an index of `saved_times`.
std::size_t peak_index(const Outcome&);

}  // namespace umov::eqs
