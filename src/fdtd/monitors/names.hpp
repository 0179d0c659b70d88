// How results of the time domain are named: components, units, and file names made of monitors' names.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "fdtd/kind_names.hpp"
#include "fdtd/outcome.hpp"

namespace umov::fdtd {

/// Units as files spell them; `unit` is the user's length.
namespace fdtd_unit {
inline constexpr const char *length = "unit", *time = "unit/c", *frequency = "c/unit", *degree = "degree";
/// Of a field's Fourier transform, and of flux spectra made of it.
inline constexpr const char *field = "1", *spectrum = "unit/c";
std::string flux(const Grid&);
/// Of cross sections: lengths to the power of the dimension less one.
std::string cross_section(const Grid&);
}  // namespace fdtd_unit

/// "x" ... of an axis.
const char* axis_name(int axis);

/// Gives names that are safe in a path and different from each other: letters, digits, '-', '_' and '.' stay,
/// anything else becomes '_', and a number is added to what was given before.
class UniqueNames {
 public:
  std::string operator()(const std::string& wanted);

 private:
  std::set<std::string> given_;
};

/// The monitor of that name, or nullptr.
const MonitorSpec* find_monitor(const Simulation&, const std::string& name);

/// Names of all series, in order, safe and unique: the monitor's, with the component where a monitor
/// has several.
std::vector<std::string> series_names(const Outcome&);

/// 1 / frequency.
std::vector<double> wavelengths(const std::vector<double>& frequency);

}  // namespace umov::fdtd
