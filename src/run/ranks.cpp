// Seats of ranks: which GPU, how many threads.
#include "run/ranks.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <span>

#include "backend/gpus.hpp"
#include "comm/collect.hpp"
#include "core/text.hpp"

namespace umov::run {

namespace {

/// Processors that the ranks on this machine may have together: a Slurm job may have a part of them.
long processors_of_all() {
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  const char* const given = std::getenv("SLURM_CPUS_ON_NODE");
  const long of_job = given ? std::atol(given) : 0;
  return of_job > 0 ? std::min(of_job, online) : online;
}

/// Threads of each of some ranks on this machine, where nobody has said how many: launchers that bind a rank
/// to its cores have.
int share_of_threads(int ranks) {
  if (std::getenv("OMP_NUM_THREADS")) return 0;
  const bool bound = omp_get_num_procs() < processors_of_all();
  return comm::world() && bound ? 0 : std::max(1, omp_get_max_threads() / std::max(ranks, 1));
}

bool on_gpu(const std::string& backend, const std::vector<int>& usable) {
  return backend == "cuda" || (backend == "auto" && !usable.empty());
}

/// Of a process of mpirun: the GPU of its number on this machine.
Seats of_world(const comm::World& world, const std::string& backend, int device, int threads) {
  Seats seats;
  const auto usable = backend == "serial" || backend == "cpu" ? std::vector<int>() : backend::usable_gpus();
  if (on_gpu(backend, usable) && !usable.empty() && device <= 0)
    seats.gpus = {usable[std::size_t(world.local_rank()) % usable.size()]};
  if (threads == 0) seats.threads = share_of_threads(world.local_size());
  return seats;
}

}  // namespace

Seats seats_of(const comm::Asked& asked, const std::string& backend, int device, int threads) {
  if (asked.ranks > 1 && asked.gpus != 0)
    throw BadInput(
        "`machine.ranks` and `machine.gpus` were both given (ranks are parts of a processor, GPUs have a "
        "rank each); give "
        "one");
  if (comm::World* world = comm::world()) {
    // It may be the number that the case was first run on, in its resolved.toml.
    Seats seats = of_world(*world, backend, device, threads);
    if (asked.ranks > 1 || asked.gpus != 0)
      seats.warning = fmt::format("{} is passed over: {} has started {} processes, each of which is a rank",
                                  asked.ranks > 1 ? "ranks" : "gpus", comm::launch().by, world->size());
    return seats;
  }
  Seats seats;
  if (asked.ranks > 1) {
    if (backend == "cuda")
      throw BadInput(
          "`machine.ranks` was given with a GPU (ranks are parts of a processor); use `machine.gpus`, or "
          "`machine.backend = 'cpu'`");
    seats.here = asked.ranks;
    seats.threads = threads ? 0 : share_of_threads(asked.ranks);
    return seats;
  }
  if (asked.gpus == 0) return seats;
  if (backend == "serial" || backend == "cpu")
    throw BadInput(fmt::format(
        "`machine.gpus` was given with backend '{}' (it computes on no GPU); leave one out", backend));
  const auto usable = backend::usable_gpus();
  if (usable.empty()) throw MachineFailure("`machine.gpus`: there is no GPU to use here; see umov devices");
  if (asked.gpus > int(usable.size()))
    throw BadInput(fmt::format("`machine.gpus = {}`: there are {} here that can be used; see umov devices",
                               asked.gpus, usable.size()));
  seats.here = asked.gpus == comm::Asked::all ? int(usable.size()) : asked.gpus;
  seats.gpus.assign(usable.begin(), usable.begin() + seats.here);
  if (threads == 0 && seats.here > 1) seats.threads = share_of_threads(seats.here);
  return seats;
}

std::string from_first(const std::string& text) {
  std::string all = text;
  if (comm::World* world = comm::world()) comm::broadcast(*world, all);
  return all;
}

void require_one_rank(const comm::Asked& asked, const std::string& what) {
  const char* remedy = nullptr;
  if (comm::world())
    remedy = "start it without mpirun";
  else if (asked.ranks > 1 || asked.gpus > 1 || asked.gpus == comm::Asked::all)
    remedy = asked.ranks > 1 ? "leave out `machine.ranks`" : "leave out `machine.gpus`";
  if (remedy)
    throw BadInput(fmt::format("{} cannot be computed on several ranks (one computes it); {}", what, remedy));
}

std::string describe_ranks(comm::Communicator& comm, const std::string& device, double seconds,
                           double device_bytes, const comm::Traffic& before) {
  const comm::Traffic now = comm.traffic();
  const auto sent = comm::all_gather(comm, now.bytes - before.bytes);
  const auto waited = comm::all_gather(comm, seconds > 0 ? (now.seconds - before.seconds) / seconds : 0.0);
  const auto held = comm::all_gather(comm, device_bytes);
  const std::string line =
      fmt::format("  rank {}: {}\n", comm.rank(), device.empty() ? "nothing to compute" : device);
  const auto lines = comm::gather(comm, std::span<const char>(line));
  if (!comm.first() || comm.size() == 1) return "";
  double bytes = 0, share = 0;
  for (const double b : sent) bytes += b;
  for (const double w : waited) share += w / comm.size();
  std::string text = fmt::format("ranks: {} ({}), {} sent{}", comm.size(), comm.kind(), format_bytes(bytes),
                                 now.way.empty() ? "" : " " + now.way);
  if (seconds > 0)
    text += fmt::format(", {:.1f} % of the time in communication ({:.1f} % at most)", 100 * share,
                        100 * std::ranges::max(waited));
  if (const double most = std::ranges::max(held); most > 0)
    text += fmt::format(", {} on the fullest device", format_bytes(most));
  return text + "\n" + std::string(lines.begin(), lines.end());
}

}  // namespace umov::run
