// The queue of a backend's device.
#pragma once

#include "comm/communicator.hpp"

namespace umov::comm {

/// The queue that a device of any backend works in: its stream, or host memory.
template <class Device>
Queue queue_of(const Device& device) {
  if constexpr (requires { device.stream(); })
    return {device.stream(), device.options().device};
  else
    return {};
}

}  // namespace umov::comm
