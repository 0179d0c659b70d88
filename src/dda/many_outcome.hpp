// The outcome of many cases: of each, the numbers of a table of all.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "dda/outcome.hpp"
#include "dda/work_times.hpp"

namespace umov::dda {

/// What a table keeps of one incident polarization.
struct PolarizationRow {
  char label = 'Y';
  CrossSections cross;
  SolveStatus status = SolveStatus::converged;
  long iterations = 0, products = 0;
  double start_residual = 1, residual = 1, seconds = 0;  ///< residuals relative
  bool from_neighbours = false;
};

/// What a table keeps of a case.
struct CaseRow {
  double eq_radius = 0, dpl = 0;  ///< um; dipoles per wavelength
  Vec3 spacing{0, 0, 0};          ///< um
  std::size_t dipoles = 0;
  long orientations = 0;       ///< of an average; 0 = none
  bool symmetry_used = false;  ///< the second polarization is the first
  bool converged = true;
  std::vector<PolarizationRow> polarizations;
  std::vector<double> extra;  ///< what a front keeps besides, in an order of its own
};

/// A quantity that a front adds to the results: a column of the table, or an array alone.
struct ExtraColumn {
  std::string name, unit, text;
  std::vector<double> values;           ///< one per case
  std::vector<std::size_t> shape = {};  ///< of an array alone, which has no column
};

/// Many cases of one user's case, and what was found for each.
struct ManyOutcome {
  Machine machine;
  std::vector<Simulation> cases;
  std::vector<CaseRow> rows;
  std::string version, backend, device, settings;
  std::string ranks;  ///< how many had cases, what passed between them; empty = one
  std::vector<ExtraColumn> columns;
  std::size_t taken_over = 0;  ///< rows that an earlier run had found
  std::size_t shared = 0;      ///< cases that used the tables of the case before
  WorkTimes times;             ///< of the cases that this run has solved

  bool converged() const {
    return std::all_of(rows.begin(), rows.end(), [](const CaseRow& row) { return row.converged; });
  }
};

}  // namespace umov::dda
