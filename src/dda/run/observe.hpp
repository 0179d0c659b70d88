// Observables of one solved polarization: cross sections, forces, fields.
#pragma once

#include <optional>

#include "dda/run/integration.hpp"

namespace umov::dda {

/// Cross sections and what comes with them.
PolarizationResult observe(const Prepared&, const Solution&, Integration&, const run::Journal&);

/// Adds the fields per dipole that the case wants to keep, or gives them to `sink`, unless nullptr. Of every
/// rank.
void keep_fields(const Prepared&, const Solution&, FieldSink* sink, PolarizationResult&);

}  // namespace umov::dda
