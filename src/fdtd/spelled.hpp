// Sources and monitors as a case spells them, for the tables of parameters.
#pragma once

#include <optional>
#include <vector>

#include "cases/declare.hpp"
#include "fdtd/simulation.hpp"

namespace umov::fdtd {

/// A source with the other spellings of its frequency.
struct SourceCase {
  SourceSpec spec;
  std::optional<double> frequency, wavelength, wavelength_um;
};

/// A monitor with the other spellings of its frequencies.
struct MonitorCase {
  MonitorSpec spec;
  std::vector<double> wavelengths, wavelengths_um;
};

/// 1 or -1.
Codec<int> sign();

}  // namespace umov::fdtd

/// Accessor of a field of what one kind alone reads.
#define UMOV_OWN(Own, field) \
  [](auto& c) -> auto& { return c.spec.template own<Own>().field; }
