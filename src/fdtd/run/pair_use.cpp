// Whether the runs of a normalised pair go side by side.
#include <fmt/format.h>

#include <algorithm>

#include "backend/gpus.hpp"
#include "comm/collect.hpp"
#include "comm/world.hpp"
#include "core/memory.hpp"
#include "fdtd/ranks/rank_engine.hpp"
#include "fdtd/run/pair.hpp"
#include "fdtd/run/rank_shares.hpp"

namespace umov::fdtd {

namespace {

/// What the ranks agree on before they choose.
struct Facts {
  int ranks;
  bool gpus;        ///< that compute
  bool fits, room;  ///< both grids; on every rank, the whole state of a run
};

/// How many times as fast as one rank alone so many are that share the grid: copied planes are stepped, too,
/// and the kernels are others.
double speed(const Prepared& p, const Facts& f, int ranks) {
  if (ranks == 1) return 1;
  // Simple kernels on GPUs: 20 thousand million cells a second beside 88 (docs/decisions/0058). On processors
  // the kernels are the same.
  const double kernels = f.gpus && !ranks::PartOptions{}.tuned_on_gpus ? 20.0 / 88 : 1;
  double most = 0;
  for (const RankShare& s : rank_shares(p, ranks).of) most = std::max(most, s.stepped);
  return kernels * p.grid.cells[dimensions(p.grid.mode) - 1] / most;
}

/// Whether every rank has room for its share of a grid where the grid is shared by so few.
bool fits(const Prepared& p, bool gpus, int fewest) {
  if (!gpus) {
    const std::size_t there = available_memory();
    return there == 0 || bytes_of_machine(p, 2) <= there;
  }
  std::size_t most = 0;
  for (const RankShare& s : rank_shares(p, fewest).of) most = std::max(most, s.bytes);
  const double there = backend::free_memory_of_gpu(p.machine.gpu());
  return there == 0 || double(most) <= there;
}

/// Whether every rank of this machine can hold the whole state, twice for a moment, as joining needs.
bool room_to_join(const Prepared& p, int ranks) {
  const comm::World* world = comm::world();
  const std::size_t here = std::size_t(world ? world->local_size() : ranks), there = available_memory();
  return there == 0 || estimate_bytes(p) * 2 * (here + 1) <= there;
}

/// What the reference run takes of the run's time, in as many steps. Measured on one thread of the cpu
/// backend (120 x 120 x 100 cells, single precision, a sphere of glass in a plane wave, three runs each,
/// fastest): 86 and 60 million cells a second; the noise was a fifth.
constexpr double reference_work = 0.7;

/// Whether both runs side by side take less time than one after the other. How many steps are taken to a
/// criterion is not known: as many are assumed.
bool quicker(const Prepared& p, const Facts& f, const PairUse& use) {
  const double all = speed(p, f, f.ranks), run = speed(p, f, use.run_ranks);
  const double reference = reference_work / speed(p, f, f.ranks - use.run_ranks);
  const double left = std::max(0.0, 1 - reference * run);  // of the run, when the reference run has ended
  const bool joins = use.joins && left * double(p.stop.limit) >= double(steps_worth_joining);
  return reference + left / (joins ? all : run) < (1 + reference_work) / all;
}

std::string ranks_text(int first, int last) {
  return first == last ? fmt::format("rank {}", first) : fmt::format("ranks {} to {}", first, last);
}

PairUse one_after_the_other(const std::string& why) {
  PairUse use;
  use.why = "all ranks take one run after the other" + (why.empty() ? "" : " (auto: " + why + ")");
  return use;
}

PairUse choose(const Prepared& p, const Facts& f) {
  const RankSplit split = p.machine.split;
  if (split == RankSplit::grid) return one_after_the_other("");
  PairUse use;
  use.run_ranks = f.ranks - f.ranks / 2;
  use.joins = f.room && speed(p, f, f.ranks) > speed(p, f, use.run_ranks);
  // Elsewhere sums depend on the number of ranks: results would depend on the clock.
  use.paced = !f.gpus && dimensions(p.grid.mode) > 1;
  if (p.stop.fixed) use.last_step = p.stop.limit;
  if (split == RankSplit::automatic) {
    if (!f.fits) return one_after_the_other("both grids do not fit");
    if (!quicker(p, f, use)) return one_after_the_other("that takes less time than side by side");
  }
  use.why = fmt::format("side by side, the run on {}, the reference run on {}",
                        ranks_text(0, use.run_ranks - 1), ranks_text(use.run_ranks, f.ranks - 1));
  return use;
}

}  // namespace

PairUse choose_pair_use(const Prepared& p, int ranks, comm::Communicator* comm) {
  if (ranks == 1) return {};
  if (!p.sim.normalize) {
    if (p.machine.split == RankSplit::runs)
      throw BadInput(
          "split is 'runs', but there is one run only (`run.normalize` asks for a second one); leave split "
          "out, or give `run.normalize`");
    return {};
  }
  const auto agreed = [&](bool mine) { return comm ? comm::all(*comm, mine) : mine; };
  Facts f{ranks, !agreed(p.machine.backend != "cuda" && p.machine.ranks.gpus == 0), false, false};
  f.fits = agreed(fits(p, f.gpus, ranks / 2));
  f.room = agreed(room_to_join(p, ranks));
  return choose(p, f);
}

}  // namespace umov::fdtd
