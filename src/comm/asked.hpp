// How many ranks a run asks for.
#pragma once

namespace umov::comm {

/// Of [machine] in a case. At most one is given; neither: one rank, or those of mpirun.
struct Asked {
  static constexpr int all = -1;
  int ranks = 0;  ///< parts of this process, each with its share of the threads
  int gpus = 0;   ///< GPUs of this machine, a rank each; `all` of them
};

}  // namespace umov::comm
