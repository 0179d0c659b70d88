// What the cuda backend's module answers when asked for "comm".
#pragma once

#include <memory>

#include "comm/communicator.hpp"

namespace umov::comm {

struct DeviceChannels {
  /// Of every rank of `host`, which the channel keeps for what it must agree on.
  std::unique_ptr<Channel> (*open)(std::unique_ptr<Communicator> host, const Queue&);
};

}  // namespace umov::comm
