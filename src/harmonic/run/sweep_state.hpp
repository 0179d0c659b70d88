// The finished rows of a sweep in one file, from which an interrupted run goes on.
#pragma once

#include <string>
#include <vector>

#include "harmonic/outcome.hpp"

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
};

/// The file is complete or absent. Throws MachineFailure.
void save(const SweepState&, const std::string& path);

/// Throws BadInput: no such file, damaged, of another version, or of a case with other `settings`, which are
/// then named.
SweepState load_sweep_state(const std::string& path, const std::string& settings);

}  // namespace umov::harmonic
