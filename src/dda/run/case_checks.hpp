// Checks of a dipole case that need its particle, or its box: faults, and what is doubtful.
#pragma once

#include "dda/outcome.hpp"
#include "dda/run/prepare.hpp"

namespace umov::dda {

/// Before the particle is made, which takes its time: refuses one whose interaction tensor alone, of six
/// complex numbers for each site of its box (the least that any product keeps), is beyond the memory, were it
/// shared by so many ranks. Particles of files pass. Throws BadInput.
void require_room(const Simulation&, const Machine&, int ranks);
/// One set of refractive indices per material. Throws BadInput.
void require_materials(const Prepared&, run::Journal&);
/// In single precision, lengths of which squares of polarizations can be told from zero. Throws BadInput.
void require_range(const Prepared&);
/// Gain, polarizabilities without radiative reaction, dipoles too large for the wavelength.
void warn_of_materials(const Prepared&, run::Journal&);
/// A beam too narrow for its expansion; an exciting dipole too near.
void warn_of_beam(const Prepared&, run::Journal&);
/// Fields read from files: one for each polarization that is solved for. Throws BadInput.
void require_files(const Prepared&, run::Journal&);
/// Settings that this backend does not read.
void warn_of_machine(const Machine&, const std::string& backend, run::Journal&);
/// Results that are not numbers mark the outcome as not converged.
void check_finite(const Simulation&, const Machine&, Outcome&, run::Journal&);
/// Warns of cross sections that no particle has.
void warn_of_unphysical(const Simulation&, const Outcome&, run::Journal&);

}  // namespace umov::dda
