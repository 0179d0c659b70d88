// Where a family's run goes: to one rank, to threads of this process, or to the processes of mpirun.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "comm/asked.hpp"
#include "comm/communicator.hpp"
#include "comm/in_process.hpp"
#include "comm/world.hpp"
#include "run/machine.hpp"

namespace umov::run {

/// The ranks of a run and what each computes with.
struct Seats {
  int here = 1;           ///< ranks of this process
  std::vector<int> gpus;  ///< of the ranks of this process; empty: as the case says
  int threads = 0;        ///< of each rank, for its loops on processors; 0: as the case says
  std::string warning;    ///< what was asked for and is passed over; "": nothing
};

/// Throws BadInput for more GPUs than there are, for ranks of this process under mpirun, and for GPUs beside
/// another backend; MachineFailure where no GPU can be used.
Seats seats_of(const comm::Asked&, const std::string& backend, int device, int threads);
inline Seats seats_of(const Machine& m) { return seats_of(m.ranks, m.backend, m.device, m.threads); }

/// The same machine, where `auto` means processors for the ranks of one process.
template <class Own>
Own ranks_on_processors(Own m) {
  if (m.ranks.ranks > 1 && m.backend == "auto") m.backend = "cpu";
  return m;
}

/// Calls `run(own, comm)` on every rank of this call, where `own` is the simulation with what this rank
/// computes with (device, backend, threads; quiet but on rank 0). Returns what the first rank of this process
/// gives. Simulation has `ranks` (comm::Asked), `backend`, `device`, `threads` and `quiet`. Errors of any
/// rank are thrown. `warn` hears of what is passed over.
template <class Simulation, class Run>
auto on_ranks(const Simulation& sim, const Run& run,
              const std::function<void(const std::string&)>& warn = {}) {
  using Outcome = decltype(run(sim, std::declval<comm::Communicator&>()));
  const Seats seats = seats_of(sim.ranks, sim.backend, sim.device, sim.threads);
  if (!seats.warning.empty() && warn) warn(seats.warning);
  std::optional<Outcome> outcome;
  const auto rank = [&](comm::Communicator& comm) {
    const int place = comm.in_process() ? comm.rank() : 0;
    Simulation own = sim;
    if (!seats.gpus.empty()) {
      own.backend = "cuda";
      own.device = seats.gpus[std::size_t(place)];
    }
    if (seats.threads) own.threads = seats.threads;
    own.quiet = own.quiet || !comm.first();
    auto found = run(own, comm);
    if (place == 0) outcome.emplace(std::move(found));
  };
  if (comm::World* world = comm::world())
    rank(*world);
  else if (seats.here > 1)
    comm::run_in_process(seats.here, rank);
  else
    rank(*comm::one_rank());
  return std::move(*outcome);
}

/// Rank 0's text, on all processes of this call: the folder of a run, say.
std::string from_first(const std::string& text);

/// Throws BadInput where this call has several ranks, which `what` cannot use.
void require_one_rank(const comm::Asked&, const std::string& what);

/// The log's lines about ranks and what passed between them, of all ranks: called on every rank, the text is
/// the first one's. `seconds`: how long the run took, 0 where communication passes beside it; `device_bytes`:
/// what this rank's device held at most, 0 where unknown; `before`: what the communicator had carried when
/// the run began. An empty `device`: the rank had nothing to compute.
std::string describe_ranks(comm::Communicator&, const std::string& device, double seconds,
                           double device_bytes, const comm::Traffic& before = {});

}  // namespace umov::run
