// What ranks of MPI tell each other beside all other messages, and waits that listen to it.
#pragma once

#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "core/timer.hpp"

namespace umov::comm {

inline void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw MachineFailure(std::string("MPI failed in ") + call + " (" + text +
                       "); look at the network and at the other machines");
}
#define UMOV_MPI_CHECK(call) ::umov::comm::check((call), #call)

/// Between two looks of a wait: after some the processor is left to others, and after a second this thread
/// sleeps between them. A run that a viewer holds, or whose results one looks at, may wait for hours.
class Rest {
 public:
  void look_again() {
    if (++looks_ <= 2000) return;
    if (looks_ % 256 == 0 && !long_) long_ = timer_.seconds() > 1;
    if (long_)
      usleep(1000);
    else
      sched_yield();
  }
  long looks() const { return looks_; }

 private:
  Stopwatch timer_;
  long looks_ = 0;
  bool long_ = false;
};

/// The way in which ranks tell each other that they have failed or been asked to stop, beside all other
/// messages.
class Control {
 public:
  Control(MPI_Comm ranks, bool (*interrupted)()) : interrupted_(interrupted) {
    UMOV_MPI_CHECK(MPI_Comm_dup(ranks, &comm_));
  }
  MPI_Comm comm() const { return comm_; }

  void tell_others_of_failure(int code) {
    static int notice = 0;  // MPI may read it until the process ends
    notice = code;
    tell_others(notice, failure);
  }

  /// Throws when another rank has failed; tells the others of a signal.
  void look() const {
    if (!stop_wanted_ && interrupted_()) {
      static const int notice = 0;
      stop_wanted_ = true;
      tell_others(notice, stop);
    }
    int code = 1;
    if (!receive(code, failure)) return;
    left_ = true;
    throw OtherRankFailed(Exit(code), "another rank of this run has failed");
  }

  bool stop_wanted() const {
    look();
    int unused = 0;
    if (!stop_wanted_) stop_wanted_ = receive(unused, stop);
    return stop_wanted_;
  }

  /// Messages that nobody has read, when all ranks have come to their end.
  void drain() const {
    for (int there = 1; there;) {
      MPI_Status status;
      int code = 0;
      if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &there, &status) != MPI_SUCCESS) return;
      if (there) MPI_Recv(&code, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm_, MPI_STATUS_IGNORE);
    }
  }

  /// Whether this rank has left something unfinished, for which MPI's own end would wait.
  bool left() const { return left_; }
  void leave_unfinished() const { left_ = true; }

  /// Waits for all requests. MPI's own waits would not end when a rank has failed.
  void wait(std::vector<MPI_Request>& requests) const {
    for (Rest rest;; rest.look_again()) {
      int done = 0;
      UMOV_MPI_CHECK(MPI_Testall(int(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE));
      if (done) return;
      if (rest.looks() % 64 == 63) look();
    }
  }
  void wait(MPI_Request request) const {
    std::vector<MPI_Request> one{request};
    wait(one);
  }

 private:
  enum Notice { failure = 1, stop = 2 };  ///< tags

  void tell_others(const int& notice, Notice tag) const {
    int rank = 0, size = 0;
    MPI_Comm_rank(comm_, &rank);
    MPI_Comm_size(comm_, &size);
    for (int r = 0; r < size; ++r) {
      if (r == rank) continue;
      MPI_Request request;
      if (MPI_Isend(&notice, 1, MPI_INT, r, tag, comm_, &request) == MPI_SUCCESS) MPI_Request_free(&request);
    }
  }

  /// Whether another rank has sent such a notice.
  bool receive(int& value, Notice tag) const {
    int there = 0;
    MPI_Status status;
    UMOV_MPI_CHECK(MPI_Iprobe(MPI_ANY_SOURCE, tag, comm_, &there, &status));
    if (there) UMOV_MPI_CHECK(MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, tag, comm_, MPI_STATUS_IGNORE));
    return there;
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  bool (*interrupted_)();
  mutable bool left_ = false, stop_wanted_ = false;
};

}  // namespace umov::comm
