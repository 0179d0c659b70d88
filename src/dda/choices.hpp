// What a case chooses of the method: the words that its engine is told.
#pragma once

#include <string>

namespace umov::dda {

enum class Precision { single, double_, long_double };
enum class InnerPrecision { automatic, double_, single };
enum class Polarizability { cm, rrc, ldr, cldr, fcd, dgf, lak, igt_so, nloc, nloc_av };
enum class Interaction { point, fcd, fcd_st, igt, igt_so, nloc, nloc_av };
enum class ScatteringFormula { draine, finite_dipole, igt_so };
enum class InitialField { automatic, zero, incident, wkb, read };
enum class BeamKind { plane, lminus, davis3, barton5, dipole, read };
enum class SymmetryUse { automatic, none, enforce };
/// What several ranks do: parts of the particle, or solves of their own.
enum class RankSplit { automatic, particle, solves };
enum class CheckpointKind { none, normal, regular, always };
enum class PreconditionerChoice { automatic, medium, circulant, none };
enum class SectorUse { automatic, on, off };
enum class PreconditionerKind { none, medium, circulant };
enum class Front { dda, adda };  ///< the command whose words messages use

inline constexpr int most_block = 16;  ///< right-hand sides that may be solved for together

struct SolverRequest {
  std::string name = "qmr";
  double epsilon = 1e-5;     ///< relative residual norm to reach
  long max_iterations = -1;  ///< -1 = number of unknowns
  InitialField initial = InitialField::automatic;
  std::string initial_file_y, initial_file_x;
  bool recalculate_residual = false;
  PreconditionerChoice preconditioner = PreconditionerChoice::automatic;
  InnerPrecision inner = InnerPrecision::automatic;  ///< of the iterations of a run in double
  SectorUse sectors = SectorUse::automatic;  ///< even and odd parts of a particle with mirror planes apart
  int block = 0;  ///< right-hand sides solved for together, at most; 1 = one by one, 0 = by their number
  bool neighbours = true;  ///< of many cases: start from solutions of the cases before
  int directions = 1;      ///< of many cases: those of one particle and wavelength, which may share blocks
};

}  // namespace umov::dda
