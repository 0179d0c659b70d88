// Names of polarizabilities. TO ADD ONE: its value in simulation.hpp, its line here, its formula in
// polarizability.cpp.
#pragma once

#include "dda/simulation.hpp"

namespace umov::dda {

struct PolarizabilityName {
  Polarizability kind;
  const char* word;       ///< in cases, and for ADDA
  const char* arguments;  ///< that ADDA's option takes after it
  const char* title;      ///< in ADDA's log
};

inline constexpr PolarizabilityName polarizability_names[] = {
    {Polarizability::cm, "cm", "", "Clausius-Mossotti"},
    {Polarizability::rrc, "rrc", "", "Radiative Reaction Correction"},
    {Polarizability::ldr, "ldr", "[avgpol]", "Lattice Dispersion Relation"},
    {Polarizability::cldr, "cldr", "", "Corrected Lattice Dispersion Relation"},
    {Polarizability::fcd, "fcd", "", "Filtered Coupled Dipoles"},
    {Polarizability::dgf, "dgf", "", "Digitized Green's Function"},
    {Polarizability::lak, "lak", "", "by Lakhtakia"},
    {Polarizability::igt_so, "igt_so", "", "Integration of Green's Tensor [approximation O(kd^2)]"},
    {Polarizability::nloc, "nloc", "<Rp>", "Non-local"},
    {Polarizability::nloc_av, "nloc_av", "<Rp>", "Non-local"},
};

}  // namespace umov::dda
