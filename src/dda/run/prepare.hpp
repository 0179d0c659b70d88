// A dipole case made ready: everything that a run needs before its device.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "backend/early_start.hpp"
#include "core/timer.hpp"
#include "dda/machine.hpp"
#include "dda/mirror/choice.hpp"
#include "dda/observables/scattering.hpp"
#include "dda/run/rank_use.hpp"
#include "dda/solver/blocks.hpp"
#include "dda/solver/preconditioning.hpp"
#include "run/journal.hpp"

namespace umov::dda {

class Neighbours;

struct Prepared {
  Simulation sim;
  Machine machine;
  shapes::Particle particle;
  double wavenumber = 1;  ///< k = 2 pi / lambda (1/um)
  Int3 fft_grid{0, 0, 0};
  BeamFrame frame;             ///< for the orientation of the case
  shapes::Symmetry symmetry;   ///< of particle, materials and incident wave together
  std::optional<Plane> plane;  ///< where scattering matrices are wanted
  bool grid = false;           ///< whether they are wanted on a grid of directions, too
  bool one_solve = false;      ///< symmetry gives the second polarization from the first
  Preconditioning preconditioning;
  InnerChoice inner;
  SectorChoice sectors;
  BlockChoice blocks;
  std::vector<MemoryUse> memory;  ///< estimated
  RankUse ranks;
  Neighbours* neighbours = nullptr;  ///< solutions of cases before this one; none where it stands alone

  /// Labels of the polarizations to solve for.
  std::string_view labels() const { return one_solve ? "Y" : "YX"; }
  FarFieldScale far_field_scale() const { return {wavenumber, sim.formula, particle.spacing}; }
  /// Whether any rank of the run says so; of all of them.
  bool any_rank(bool mine) const;
  /// Whether fields per dipole are kept here: the first rank writes them.
  bool has_fields() const { return !ranks.all || ranks.all->first(); }
  /// False for a prognosis without all refractive indices.
  bool has_materials() const { return sim.m.size() >= std::size_t(particle.materials); }
};

/// Checks, particle, frames, directions, memory: on every rank that computes it, or on one. `particle`: that
/// of the case, where it has been made. Throws BadInput.
Prepared prepare(const Simulation&, const Machine&, run::Journal&, TimerTable&, const RankUse& = {},
                 std::optional<shapes::Particle> particle = {});

/// The same where the ranks of `all` (null: one rank) are yet to be given their parts; `group` gets the
/// communicator of those that share the particle with this one, and outlives what is prepared. A plan of so
/// many `ranks` has no `all`.
Prepared prepare_on_ranks(const Simulation&, const Machine&, run::Journal&, TimerTable&, int ranks,
                          comm::Communicator* all, std::unique_ptr<comm::Communicator>& group);

/// What to iterate in where `needed` bytes are more than are `there` (0: unknown): double, where float is no
/// wish.
InnerChoice inner_that_fits(const Simulation&, const InnerChoice&, std::size_t needed, std::size_t there);

/// Memory of the fullest of so many ranks that share the particle.
double bytes_on_ranks(const Prepared&, int ranks);

/// An engine with the interaction tensor of the case; it refers to the particle. One that has no room for
/// float beside double iterates in double, where the case leaves the choice.
std::unique_ptr<Engine> start_engine(Prepared&, const backend::EarlyStart&, run::Journal&, TimerTable&);

}  // namespace umov::dda
