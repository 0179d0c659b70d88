// The processes that mpirun or srun has started, as ranks.
#pragma once

#include <functional>
#include <string>

#include "comm/communicator.hpp"

namespace umov::comm {

/// What the environment says of how this process was started.
struct Launch {
  int rank = 0, size = 1;
  std::string by;   ///< "mpirun", "srun"; "" = nobody
  std::string mpi;  ///< whose variables there are: "openmpi", "mpich"; "" = any; "none" = nobody's
};
/// `get` is std::getenv, or a test's.
Launch launch_of(const char* (*get)(const char* name));
Launch launch();

/// The kinds of MPI that this program has a module for: "openmpi", "mpich".
std::vector<std::string> mpi_kinds();

/// All processes of the run.
class World : public Communicator {
 public:
  /// Among the ranks of the same machine.
  virtual int local_rank() const = 0;
  virtual int local_size() const = 0;

  /// See comm::stop_wanted().
  virtual bool stop_wanted() = 0;

  struct Ending {
    bool says_why = false;  ///< this rank's message is the one to print
    int code = 0;           ///< of every rank
  };
  /// The end of a rank: it has come to it with this exit code, or it `failed` (and not because another did).
  /// Waits for the other ranks; those of a failed run end where they wait. A failed rank for which the others
  /// do not stop in 10 s calls `print` and ends them all.
  virtual Ending end(int code, bool failed, const std::function<void()>& print) = 0;
  /// Leaves MPI; after end().
  virtual void leave() = 0;
};

/// The ranks of this run, or nullptr where one process was started. Throws MachineFailure where several were
/// started and cannot reach each other.
World* world();
/// Whether a signal has asked any process of the run to stop, as far as this one knows: it does soon after,
/// whatever the other one waits for. Not all ranks know it at the same time. Never waits.
bool stop_wanted();
/// Whether this process is the one that talks and writes.
bool talks();

}  // namespace umov::comm
