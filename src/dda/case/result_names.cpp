#include "dda/case/result_names.hpp"

#include <algorithm>

namespace umov::dda {

bool is_dda_result(std::string_view name) {
  constexpr std::string_view names[] = {"resolved.toml",
                                        "results.vtkhdf",
                                        "results.h5",
                                        "cases.csv",
                                        "grids.csv",
                                        "extrapolated.csv",
                                        "spectrum.png",
                                        "log",
                                        "log_orient_avg",
                                        "meminfo",
                                        "prof",
                                        "granules",
                                        "mueller",
                                        "ampl",
                                        "efield",
                                        "CrossSec",
                                        "mueller_scatgrid",
                                        "ampl_scatgrid",
                                        "efield_scatgrid",
                                        "shape.png",
                                        "scattering.png",
                                        "polar.png",
                                        "internal_field.png",
                                        "overview.png",
                                        "convergence.png",
                                        ".lock",
                                        ".written",
                                        "cross_sections.csv",
                                        "scattering_plane.csv",
                                        "scattering_grid.csv"};
  constexpr std::string_view beginnings[] = {"CrossSec-",     "IncBeam-",       "IntField-",
                                             "DipPol-",       "RadForce-",      "log_int_",
                                             "extrapolated_", "mueller_integr", "checkpoint-"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names) ||
         std::any_of(std::begin(beginnings), std::end(beginnings),
                     [&](std::string_view b) { return name.starts_with(b); });
}

}  // namespace umov::dda
