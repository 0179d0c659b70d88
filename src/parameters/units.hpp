// Units as people write them in headings of tables: "kV/cm", "S/m", "us", "nm", "cm^-1".
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace umov {

/// A unit: so many SI units of a dimension.
struct Unit {
  double factor = 1;                     ///< SI units per unit
  std::array<int, 4> power{0, 0, 0, 0};  ///< of metre, second, volt, ampere
  bool same_kind(const Unit& other) const { return power == other.power; }
};

/// Products and quotients of metre, second, volt, ampere, siemens, ohm, farad, coulomb, joule, watt, hertz,
/// electronvolt and angstrom with the prefixes f to T, and integer powers: "MV/m", "uS/cm", "S m^-1",
/// "1/(Ohm m)", "cm-1". "1" and "-" are a pure number. Nothing for any other text.
std::optional<Unit> parse_unit(std::string_view text);

/// Units of quantities that fix a wavelength in vacuum.
inline constexpr std::array<int, 4> length_power{1, 0, 0, 0}, wavenumber_power{-1, 0, 0, 0},
    frequency_power{0, -1, 0, 0}, energy_power{0, 1, 1, 1};

}  // namespace umov
