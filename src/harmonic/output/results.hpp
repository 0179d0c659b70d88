// The files of a run of a time-harmonic cell.
#pragma once

#include <string>
#include <vector>

#include "harmonic/outcome.hpp"
#include "results/entries.hpp"
#include "results/result.hpp"

namespace umov::harmonic {

/// Named arrays and tables: see docs/guide/harmonic.md.
results::Result to_result(const Outcome&);

/// Every file that the case wants, into `folder`.
void write_results(const Outcome&, const std::string& folder, const std::vector<StageTime>& times = {});

/// E, |E|^2, absorption and media of one row in the whole cell as an image that ParaView opens:
/// fields-WAVELENGTH-POLARIZATION.vtkhdf.
void write_fields(const SolvedFields&, const std::string& folder);

/// absorption.png, depth.png, orders.png and a picture per cut.
void draw_pictures(const Outcome&, const std::string& folder);

/// "s" or "p".
const char* letter(Polarization);

/// Of files and groups: "0.7um-p", with angles where the case has several.
std::string point_name(const Outcome&, const Row&, Polarization);
/// "", or the plane and number where the case has several cuts.
std::string cut_name(const Outcome&, const FieldCut&);

}  // namespace umov::harmonic
