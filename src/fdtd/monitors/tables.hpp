// What tables and log lines of several kinds of monitors have in common.
#pragma once

#include <string>
#include <vector>

#include "fdtd/monitors/spectrum_errors.hpp"
#include "fdtd/outcome.hpp"
#include "results/section.hpp"

namespace umov::fdtd {

/// A section of its own table, "flux-left" for the group "flux/left/".
results::Section with_table(results::Result&, const std::string& kind, const std::string& name,
                            std::vector<std::string> comments = {});

void add_frequencies(results::Section&, const std::vector<double>& frequency, bool per_direction = false);

/// The columns of what a spectrum `of` the section (none: the section's own) is off by; those that are known.
void add_errors(results::Section&, const std::string& of, const std::string& unit, const SpectrumErrors&);

/// The largest of each contribution, in the unit of what stands before it: ", error of the record 1e-3".
std::string errors_text(const SpectrumErrors&, double unit = 1);

}  // namespace umov::fdtd
