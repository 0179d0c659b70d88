// How the process was started, by the environment; MPI's module, loaded only where it was mpirun or srun.
#include "comm/world.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>

#include "comm/apart.hpp"
#include "comm/mpi_module.hpp"
#include "core/find_module.hpp"
#include "core/signals.hpp"

namespace umov::comm {

namespace {

int number(const char* text) { return text ? std::atoi(text) : -1; }

World* load(const Launch& started) {
  if (started.mpi == "none")
    throw MachineFailure(fmt::format(
        "{} has started {} processes that cannot find each other (it gave them no PMI); use srun --mpi=pmix "
        "for Open MPI, srun --mpi=pmi2 for MPICH (srun --mpi=list says what there is), or mpirun",
        started.by, started.size));
  std::string tried;
  for (const std::string mpi : {"openmpi", "mpich"}) {
    if (!started.mpi.empty() && started.mpi != mpi) continue;
    const std::string file = "libumov_" + mpi + ".so";
    const auto path = find_module(file);
    if (path.empty()) {
      tried += fmt::format("{}{} is not beside this program", tried.empty() ? "" : ", ", file);
      continue;
    }
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      tried += fmt::format("{}{}", tried.empty() ? "" : ", ", dlerror());
      continue;
    }
    const auto entry = reinterpret_cast<MpiModuleEntry>(dlsym(library, "umov_mpi_module"));
    const MpiModule* module = entry ? entry() : nullptr;
    if (!module || module->version != mpi_module_version)
      throw MachineFailure(path.string() + " belongs to another version of umov; build both together");
    std::string why_not;
    if (World* world = module->start(why_not, interrupted)) return world;
    throw MachineFailure(fmt::format("MPI does not start ({}); try a program of its own first", why_not));
  }
  throw MachineFailure(fmt::format(
      "{} has started {} processes, but this umov cannot use MPI ({}); install its development package "
      "(libopenmpi-dev or libmpich-dev, the one of this mpirun) and build umov again, or start one process",
      started.by, started.size, tried));
}

World* start() {
  const Launch started = launch();
  if (started.size <= 1) return nullptr;
  World* world = load(started);
  if (world->size() != started.size)
    throw MachineFailure(fmt::format(
        "{} has started {} processes, but to MPI they are {} (it was started by another MPI's "
        "launcher, or srun "
        "speaks no protocol that it knows); use the mpirun of {}, or srun --mpi=pmix (MPICH: pmi2)",
        started.by, started.size, world->size() == 1 ? "one each" : fmt::format("{}", world->size()),
        world->kind()));
  return world;
}

}  // namespace

Launch launch_of(const char* (*get)(const char* name)) {
  struct Variables {
    const char *rank, *size, *by, *mpi;
  };
  // Open MPI's mpirun; MPICH's, and srun with PMI; srun.
  static constexpr Variables known[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "mpirun", "openmpi"},
                                        {"PMI_RANK", "PMI_SIZE", "mpirun", "mpich"},
                                        {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "srun", ""}};
  for (const auto& names : known) {
    const int rank = number(get(names.rank)), size = number(get(names.size));
    if (size < 1 || rank < 0 || rank >= size) continue;
    Launch found{rank, size, names.by, names.mpi};
    // what srun --mpi=none starts finds nobody, and Open MPI would end it with words of its own
    if (found.mpi.empty() && !get("PMIX_RANK")) found.mpi = "none";
    if (found.mpi != "openmpi" && number(get("SLURM_STEP_NUM_TASKS")) == size) found.by = "srun";
    return found;
  }
  return {};
}

Launch launch() {
  return launch_of([](const char* name) -> const char* { return std::getenv(name); });
}

std::vector<std::string> mpi_kinds() {
  std::vector<std::string> found;
  for (const std::string mpi : {"openmpi", "mpich"})
    if (!find_module("libumov_" + mpi + ".so").empty()) found.push_back(mpi);
  return found;
}

namespace {

std::atomic<int> apart{0};

World* processes() {
  static World* const found = start();
  return found;
}

}  // namespace

World* world() { return apart > 0 ? nullptr : processes(); }

Apart::Apart() { ++apart; }
Apart::~Apart() { --apart; }

bool stop_wanted() {
  World* const all = processes();
  return all ? all->stop_wanted() : interrupted();
}

bool talks() { return launch().rank == 0; }

}  // namespace umov::comm
