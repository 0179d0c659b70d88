// Channels of devices: host memory's is a group of its own, a GPU's comes from the cuda backend.
#include "comm/communicator.hpp"

#include "backend/module.hpp"
#include "comm/device_channel.hpp"

namespace umov::comm {

namespace {

class HostChannel final : public Channel {
 public:
  explicit HostChannel(std::unique_ptr<Communicator> own) : own_(std::move(own)) {}
  Pending start(std::span<const Out> outs, std::span<const In> ins) override {
    return own_->start(outs, ins);
  }
  void all_gather(const void* mine, std::size_t bytes, void* all) override {
    own_->all_gather(mine, bytes, all);
  }

 private:
  std::unique_ptr<Communicator> own_;
};

}  // namespace

std::unique_ptr<Channel> Communicator::open(const Queue& queue) {
  auto own = split(0);
  if (queue.of_host()) return std::make_unique<HostChannel>(std::move(own));
  std::string why_not;
  const void* found = backend::cuda_factory("comm", why_not);
  if (!found)
    throw MachineFailure("ranks cannot reach each other's GPUs (" + why_not +
                         "); use `machine.backend = 'cpu'`");
  return static_cast<const DeviceChannels*>(found)->open(std::move(own), queue);
}

}  // namespace umov::comm
