// The parts of make_problem: names to numbers, conductors cut out, unknowns, what is cut off.
#pragma once

#include <string>
#include <vector>

#include "eqs/problem.hpp"

namespace umov::eqs {

/// Per electrode, its surface groups; a conductor's volume got a surface group of its own.
using ElectrodeSurfaces = std::vector<std::vector<int>>;

/// Throws BadInput for values that no analysis accepts: order, refinement, tolerances, times, names given
/// twice, nothing at a fixed potential.
void check_simulation(const Simulation&);

/// Fills materials and `material_of_group` (per volume group; -1 = inside a conductor) and takes the elements
/// inside conductors out of the mesh, leaving their surface as triangles.
ElectrodeSurfaces resolve_groups(const Simulation&, Problem&, std::vector<int>& material_of_group);

/// Constants and curves of the materials, read and checked.
void take_materials(const Simulation&, Problem&);

/// Electrodes' nodes and the unknowns. Throws BadInput where two electrodes meet in a node.
void number_unknowns(Problem&, const ElectrodeSurfaces&);
/// The unknowns alone, from node_electrode and the electrodes' kinds.
void renumber(Problem&);

/// Problem::base and good, from materials and numbers. A warning where contrasts are left that double
/// precision does not bear.
void find_bodies(Problem&);
/// Of Problem::contrast, for messages.
std::string written_contrast(double contrast);

/// Throws BadInput when some unknown has no path to a fixed potential through material that carries the
/// analysis' flux, naming region, element and place.
void check_connected(const Problem&);

/// Problem::island, from numbers, bases and materials.
void find_islands(Problem&);

/// Warns of pieces of the mesh that share no nodes with the rest and touch fewer than two electrodes.
void note_pieces(Problem&);

/// Throws BadInput where all electrodes have the same potential at all times and none a charge; warns where
/// it is a voltage of 0 that was given.
void check_driven(Problem&);

/// Throws BadInput where a plane of symmetry is all electrode; a warning where it is in part.
void check_symmetry_planes(const Simulation&, const ElectrodeSurfaces&, Problem&);

/// Warnings of what a case asks for without effect, and of what it probably does not mean. `extent`: of the
/// model, m.
void note_case(const Simulation&, double extent, Problem&);

/// Warns of tolerances of the solvers that leave more than steps and meshes do.
void note_tolerances(const Simulation&, Problem&);

/// The least value of a curve at E = 0 and at the decades from one field to another, V/m; of a table that of
/// its rows.
double least_value(const CurveSpec&, double from, double to);

/// Warns of conducting films around round bodies that are thinner than ten times what their facets cut off.
/// `refined`: how many times the mesh is still to be refined.
void note_thin(const Simulation&, int refined, Problem&);

/// Of stabilised explicit steps: throws BadInput for what they cannot do (a conductor so good that the run
/// would have millions of steps), warns of what implicit steps do with less work, and of keys without effect.
void check_stabilised(const Simulation&, Problem&);

/// "(x, y, z) m"
std::string place(const Vec3&);

}  // namespace umov::eqs
