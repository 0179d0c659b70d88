// The finished rows of a sweep in one file, from which an interrupted run goes on.
#pragma once

#include <string>
#include <vector>

#include "harmonic/outcome.hpp"
#include "run/block_file.hpp"

namespace umov::harmonic {

/// A finished row: its points, one per polarization, and the cuts kept of it.
struct FinishedRow {
  Row row;
  std::vector<SpectrumPoint> points;
  std::vector<FieldCut> cuts;

  bool converged() const {
    for (const auto& p : points)
      if (!p.converged) return false;
    return true;
  }
};

struct SweepState {
  std::string settings;
  std::vector<FinishedRow> rows;

  const FinishedRow* find(const Row&) const;
  /// Adds a row, or replaces it; returns its place.
  std::size_t put(FinishedRow);
};

/// Its file, begun anew, for rows that come. Throws MachineFailure.
run::BlockFile begin_file(const SweepState&, const std::string& path);
void add_row(run::BlockFile&, const FinishedRow&);

/// Throws BadInput: no such file, damaged before its first row, of another version, or of a case with other
/// `settings`, which are then named.
SweepState load_sweep_state(const std::string& path, const std::string& settings);

}  // namespace umov::harmonic
