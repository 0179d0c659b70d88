// The extinction of one solved polarization, and how far the optical theorem gives it.
#pragma once

#include "dda/run/integration.hpp"

namespace umov::dda {

/// Cext by the optical theorem and Cabs, with the bound of the error of their difference.
void set_cross_sections(const Prepared&, const Solution&, CrossSections&);

/// Cext becomes Cabs + Csca where the bound says that the theorem gives the difference Cext - Cabs worse than
/// 100 times the solver's epsilon: it subtracts what nearly cancels for weak scatterers, small transparent
/// particles and small absorbing ones, the integral does not. Only for `umov dda`. `total` is Csca by the
/// integral of the case, if it has one.
void balance_cross_sections(const Prepared&, const Solution&, const std::optional<ScatteringIntegrals>& total,
                            Integration&, CrossSections&);

/// Once per run: what was done, for the log, and where the theorem is doubtful and nothing was done.
void report_extinction(const Prepared&, const Integration&, run::Journal&, Outcome&);

}  // namespace umov::dda
