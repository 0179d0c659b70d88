// DDSCAT's own files of results.
#pragma once

#include <string>

#include "dda/ddscat/reduce.hpp"

namespace umov::dda::ddscat {

/// Writes qtable, qtable2, mtable, w###r###.avg for every wavelength and radius and, where IWRKSC asks for
/// them, w###r###k###.sca for every orientation.
void write_results(const Job&, const ManyOutcome&, const std::string& folder);

/// The efficiencies of each case for the table: means over e01 and e02 (of e01 where IORTH = 1), Qpol, Qcpol.
std::vector<ExtraColumn> columns(const Job&, const ManyOutcome&);

/// qtable's text, printed after a run.
std::string qtable(const Job&, const ManyOutcome&);

}  // namespace umov::dda::ddscat
