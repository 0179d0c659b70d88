#include "backend/early_start.hpp"

#include <map>
#include <mutex>
#include <system_error>

#include "backend/module.hpp"
#include "core/timer.hpp"

namespace umov::backend {

namespace {

double start(int device) {
  const Stopwatch watch;
  std::string why_not;
  const Module* module = load_module("cuda", why_not);
  if (!module) return 0;
  module->start(device);
  return watch.seconds();
}

}  // namespace

EarlyStart::EarlyStart(const std::string& backend, int device) {
  if (backend != "cuda" && backend != "auto") return;
  static std::mutex lock;
  static std::map<int, std::shared_future<double>> started;
  const std::lock_guard<std::mutex> hold(lock);
  auto& known = started[device];
  try {
    if (!known.valid()) known = std::async(std::launch::async, start, device).share();
  } catch (const std::system_error&) {
    return;  // no more threads: the GPU is started where it is asked for
  }
  seconds_ = known;
}

}  // namespace umov::backend
