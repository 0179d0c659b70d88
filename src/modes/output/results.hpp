// The files of a run of `umov modes`.
#pragma once

#include <string>
#include <vector>

#include "modes/mode.hpp"
#include "modes/simulation.hpp"
#include "results/entries.hpp"
#include "results/result.hpp"

namespace umov::modes {

/// Named arrays and the table modes.csv: see docs/guide/modes.md. `fields` adds those of every mode.
results::Result to_result(const Outcome&, bool fields);

/// modes.png and a sheet per mode at the first wavelength.
void draw_pictures(const Outcome&, const std::string& folder);

/// Every file that the case wants, into `folder`.
void write_results(const Outcome&, const Outputs&, const std::string& folder,
                   const std::vector<StageTime>& times = {});

/// A line per mode at the first wavelength.
std::string summary_text(const Outcome&);
std::string log_text(const Outcome&);

}  // namespace umov::modes
