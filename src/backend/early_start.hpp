// A GPU made ready while the processor still prepares what it will compute.
#pragma once

#include <future>
#include <string>

namespace umov::backend {

/// Loads the module of the backend "cuda", or of "auto", and makes the context of GPU number `device` (below
/// 0: the first) in a thread of its own, which takes some tenths of a second. What goes wrong there goes
/// wrong again, and aloud, where the GPU is asked for. Other backends need nothing. It is done once for a
/// GPU; those who come later wait for the same.
class EarlyStart {
 public:
  EarlyStart(const std::string& backend, int device);
  /// Waits: the program must not end while a driver starts.
  ~EarlyStart() { wait(); }
  EarlyStart(const EarlyStart&) = delete;
  EarlyStart& operator=(const EarlyStart&) = delete;

  /// Until it is done. Returns the seconds that it took; 0 where nothing was to be done.
  double wait() const { return seconds_.valid() ? seconds_.get() : 0; }

 private:
  std::shared_future<double> seconds_;
};

}  // namespace umov::backend
