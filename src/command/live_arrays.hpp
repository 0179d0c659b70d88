// Arrays that a run under way shows and renews: by their names, and no oftener than the run can afford.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>

#include "view/from_result.hpp"
#include "view/hub.hpp"

namespace umov::command {

/// Seconds since a time.
inline double seconds_since(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

/// When something is made again that costs the run time: some time after the last, and at most one part in so
/// many of the run.
class Pace {
 public:
  explicit Pace(std::chrono::steady_clock::duration between, double share = 0)
      : between_(between), share_(share) {}
  bool due() const { return Clock::now() - made_ >= between_ && seconds_since(made_) >= share_ * seconds_; }
  /// Makes it, and notes how long that took.
  template <class Make>
  void make(const Make& make) {
    const auto begun = Clock::now();
    make();
    made_ = Clock::now();
    seconds_ = std::chrono::duration<double>(made_ - begun).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::duration between_;
  double share_, seconds_ = 0;
  Clock::time_point made_{};
};

/// Live arrays of a hub.
class LiveArrays {
 public:
  explicit LiveArrays(view::Hub& hub) : hub_(hub) {}

  /// A catalogue begins anew; none of the arrays before is there.
  void clear() { ids_.clear(); }
  /// An array of this name has this id in the catalogue that is published.
  void know(const std::string& name, int id) { ids_[name] = id; }
  bool has(const std::string& name) const { return ids_.count(name) > 0; }
  std::size_t size() const { return ids_.size(); }

  /// Renews the array of this name, or adds it; the first element of its shape is its new length.
  void show(view::ArrayInfo, view::Maker);
  /// All of a shelf but what `passes` (info) refuses.
  void show(view::Shelf, const std::function<bool(const view::ArrayInfo&)>& passes = {});

 private:
  view::Hub& hub_;
  std::map<std::string, int> ids_;
};

}  // namespace umov::command
