#include "dda/run/rank_use.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backend/gpus.hpp"
#include "comm/world.hpp"
#include "core/error.hpp"

namespace umov::dda {

int ranks_asked(const comm::Asked& asked) {
  if (const comm::World* world = comm::world()) return world->size();
  if (asked.ranks > 1) return asked.ranks;
  const int gpus = asked.gpus == comm::Asked::all ? int(backend::usable_gpus().size()) : asked.gpus;
  return std::max(1, gpus);
}

RankUse choose_rank_use(const Simulation& sim, RankSplit split, int ranks, int solves, bool fits) {
  RankUse use;
  use.ranks = ranks;
  if (ranks == 1) return use;
  const bool demanded = split == RankSplit::solves;
  if (demanded && solves < 2)
    throw BadInput(
        "`machine.split = 'solves'`: there is one solve only (symmetry gives the other polarization); give "
        "`machine.split = 'particle'`, or `method.symmetry = 'none'`");
  if (sim.solver.block > 1) {
    if (demanded)
      throw BadInput(
          "`machine.split = 'solves'`: waves that are solved for together (`solver.block`) cannot go to "
          "ranks of their own; give `machine.split = 'particle'`, or leave `solver.block` out");
    use.why = "all share the particle";
    if (split == RankSplit::automatic) use.why += " (auto: blocks of right-hand sides are asked for)";
    return use;
  }
  // What slabs of a particle cannot have is computed by single ranks; more of them than waves help with far
  // fields alone.
  const bool whole = sim.precision == Precision::long_double || sim.solver.sectors == SectorUse::on;
  if (whole && fits && split == RankSplit::automatic && ranks > solves) {
    use.groups = ranks;
    use.why = fmt::format(
        "{} of them solve{} with the whole particle (auto: {} cannot be used where ranks share the particle)",
        solves, solves == 1 ? "s" : "",
        sim.precision == Precision::long_double ? "long double" : "mirror sectors");
    return use;
  }
  if (solves >= 2 && (demanded || (split == RankSplit::automatic && fits))) {
    use.groups = std::min(ranks, solves);
    use.why = use.shares()
                  ? fmt::format(
                        "{} groups solve for waves of their own, {} or more ranks of each share the particle",
                        use.groups, use.fewest())
                  : "each solves for waves of its own with the whole particle";
    return use;
  }
  use.why = "all share the particle";
  if (split == RankSplit::automatic)
    use.why += solves < 2 ? " (auto: there is one solve)" : " (auto: the whole does not fit one of them)";
  return use;
}

}  // namespace umov::dda
