// How long messages travel, beside how long a device waits for them.
#pragma once

namespace umov::comm {

/// Seconds so far: from when what was sent was ready until all had come, and those of them in which the
/// device had nothing else to do.
struct Travel {
  double travelled = 0, waited = 0;
};

/// What a channel is besides, where it can tell.
class TravelClock {
 public:
  virtual ~TravelClock() = default;
  virtual Travel travel() const = 0;
};

}  // namespace umov::comm
