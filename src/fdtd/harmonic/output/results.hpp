// The files of a run of a time-harmonic cell.
#pragma once

#include <string>
#include <vector>

#include "fdtd/harmonic/outcome.hpp"
#include "results/result.hpp"

namespace umov::fdtd::harmonic {

/// Named arrays and tables: see docs/guide/harmonic.md.
results::Result to_result(const Outcome&);

/// Every file that the case wants, into `folder`.
void write_results(const Outcome&, const std::string& folder);

/// absorption.png and a picture per cut.
void draw_pictures(const Outcome&, const std::string& folder);

/// "s" or "p".
const char* letter(Polarization);

}  // namespace umov::fdtd::harmonic
