// Processes of mpirun that compute cases of their own, side by side.
#pragma once

namespace umov::comm {

/// While there is one, this process is a run of its own: comm::world() is nullptr. Who has the World from
/// before passes messages with it meanwhile, and a signal still asks all processes to stop
/// (comm::stop_wanted). They may be nested, on one thread.
class Apart {
 public:
  Apart();
  ~Apart();
  Apart(const Apart&) = delete;
  Apart& operator=(const Apart&) = delete;
};

}  // namespace umov::comm
