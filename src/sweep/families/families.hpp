// The families that a sweep can run.
#pragma once

#include <string>
#include <vector>

#include "sweep/family.hpp"

namespace umov::sweep {

Family dda_family();
Family fdtd_family();
Family harmonic_family();
Family eqs_family();
Family mie_family();

/// TO ADD ONE: its function above, and a line in families.cpp.
std::vector<std::string> family_names();
/// Throws BadInput for a name that none has.
Family family(const std::string& name);

/// The family of a case: the one whose parameters have most of the names at its top; [harmonic] decides for
/// itself. Throws BadInput where none has any, or several have as many.
Family family_of(const Tree&);

}  // namespace umov::sweep
