// A case with lists: the single cases that it stands for.
#pragma once

#include <cstdint>

#include "dda/case/case.hpp"

namespace umov::dda {

/// One simulation for each combination of the values of the lists. Sizes run slowest, then the Euler angles
/// alpha, beta, gamma, then directions of incidence; wavelengths run fastest, so that neighbours in a
/// spectrum follow each other. A case without lists is a list of one. The machine of all is completed. Throws
/// BadInput as finish_case does.
std::vector<Simulation> finish_cases(Case&, const Origins&);

/// Gives a parameter of `add_listed` these values.
void set_values(Case&, const std::string& name, const std::vector<double>& values);

/// The case with its lists and every default filled in; `first` is the first of its simulations.
std::string resolved_toml(const Case&, const Simulation& first);

/// The settings that the rows of one table share, as text: what decides results in the case, without what may
/// be a list, and what its files hold.
std::string shared_settings(const Case&, const Simulation& first);

/// A digest of all that decides the row of this case.
std::uint64_t key_of(const Simulation&);

}  // namespace umov::dda
