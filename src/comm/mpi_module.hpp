// The door of libumov_openmpi.so and libumov_mpich.so, which are loaded where mpirun or srun has started
// several processes.
#pragma once

#include <string>

#include "comm/world.hpp"

namespace umov::comm {

/// What the library's one exported function `umov_mpi_module` answers.
struct MpiModule {
  int version;  ///< of this struct and what it gives; must equal mpi_module_version
  /// Starts MPI; nullptr with the reason when it does not start. Kept until the process ends. `interrupted`
  /// says whether this process has had a signal to stop.
  World* (*start)(std::string& why_not, bool (*interrupted)());
};
inline constexpr int mpi_module_version = 2;
using MpiModuleEntry = const MpiModule* (*)();

}  // namespace umov::comm
