// The results of a run in OpenDDA's own layout.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "dda/many_outcome.hpp"
#include "dda/opendda/translate.hpp"

namespace umov::dda::opendda {

/// A control file ready to be run.
struct Job {
  Control control;
  PrincipalJones light;  ///< e0 from the axes of its ellipse
  Translation translation;
  std::size_t sites = 0;
};
Job make_job(const std::string& path);

/// Directions of every case: the user's, and forward.
std::vector<std::array<double, 2>> case_directions(const Job&);
/// Extinction and absorption efficiencies for e0 and e1, then amplitudes of the directions: CaseRow::extra.
std::vector<double> reduce(const Job&, const Outcome&);
std::size_t reduced_size(const Job&);

/// The efficiencies for e0 and e1 as columns of the table.
std::vector<ExtraColumn> columns(const Job&, const ManyOutcome&);

/// Arrays of the Mueller matrices of all cases, and of the scattering directions.
std::vector<ExtraColumn> matrix_arrays(const Job&, const ManyOutcome&);

/// Writes OUTPUT_*.info: what OpenDDA does, and OUTPUT_efficiencies.info and OUTPUT_scattering_matrix.info,
/// which it does not (it prints the first and computes no second).
void write_results(const Job&, const ManyOutcome&, const std::string& folder);

/// The lines that OpenDDA prints: Qext, Qabs and Qsca of every case, in the order of its loops.
std::string printed(const Job&, const ManyOutcome&);

}  // namespace umov::dda::opendda
