// What a dipole run left behind, as named arrays with units.
#pragma once

#include <vector>

#include "dda/outcome.hpp"
#include "results/result.hpp"

namespace umov::results {

/// Everything a dipole run found. Keeps references into `outcome` for the voxel data.
Result to_result(const dda::Outcome& outcome);

/// Field inside the dipoles of one polarization: the stored one, or P / (V chi) with chi = (m^2 - 1)/(4 pi)
/// where only the polarizations were kept (Yurkin and Hoekstra 2007, J. Quant. Spectrosc. Radiat. Transfer
/// 106, 558, eq. 8). Empty where neither is there. One vector per dipole, in units of the incident field.
std::vector<CVec3> internal_field(const dda::Outcome&, const dda::PolarizationResult&);

}  // namespace umov::results
