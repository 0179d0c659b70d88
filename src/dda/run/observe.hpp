// Observables of one solved polarization: cross sections, forces, fields.
#pragma once

#include <optional>

#include "dda/run/integration.hpp"

namespace umov::dda {

/// Cross sections and what comes with them.
PolarizationResult observe(const Prepared&, const Solution&, Integration&, const front::Journal&);

/// Adds the fields per dipole that the case wants to keep.
void keep_fields(const Prepared&, const Solution&, PolarizationResult&);

}  // namespace umov::dda
