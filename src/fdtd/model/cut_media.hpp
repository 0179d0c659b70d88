// Cells that materials with poles share with others: the network of half edges that stands for them.
#pragma once

#include "fdtd/model/survey.hpp"

namespace umov::fdtd {

/// Adds edges full of a conductor that meet a tensor's node: their conduction belongs to the network too, or
/// the tensor would have to be left out there.
void complete_stars(const Simulation&, const SurveyPlan&, Survey&);

/// Fills problem.cut_media; to be called when coefficients, tensor terms and dispersive groups are final.
///
/// In a node's half edges every material m has its own field E_m = E + c_m n delta: tangential E is
/// continuous, the normal field jumps by delta from the side of the body (c = 1 - F, F its share of the
/// edge's cell) to the other (c = -F), so that the mean stays E; a third material is between the two where
/// its 1 / eps at the carrier is. delta is one number per node, which makes the energy sum of share eps_m
/// E_m^2 least, or the jump of D zero in the mean over the node's halves. For a plane normal to an axis that
/// is the series mean along it and the parallel mean across. As a network of passive parts it is passive for
/// any shapes and shares. Polarizations beyond the instantaneous one, which Effective and TensorTerm have,
/// act through the inverse of that one, off-diagonal entries included: edges full of a dispersive material
/// that have such entries move here from their group.
void add_cut_media(const Simulation&, const SurveyPlan&, const Survey&, Problem&);

}  // namespace umov::fdtd
