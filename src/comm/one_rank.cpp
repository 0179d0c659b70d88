// One rank: nobody to wait for; what it sends to itself is copied.
#include <cstring>
#include <deque>

#include "comm/communicator.hpp"
#include "core/contract.hpp"

namespace umov::comm {

namespace {

class OneRank final : public Communicator {
 public:
  OneRank() = default;
  explicit OneRank(const std::shared_ptr<Traffic>& traffic) : Communicator(traffic) {}

  int rank() const override { return 0; }
  int size() const override { return 1; }
  void barrier() override {}
  bool in_process() const override { return true; }
  std::string kind() const override { return "one rank"; }

  std::unique_ptr<Communicator> split(int part) override {
    return part < 0 ? nullptr : std::make_unique<OneRank>(traffic_counter());
  }

  Pending start(std::span<const Out> outs, std::span<const In> ins) override {
    std::deque<In> left;
    for (const auto& m : ins)
      if (m.bytes) left.push_back(m);
    for (const auto& m : outs) {
      if (!m.bytes) continue;
      UMOV_EXPECT(m.to == 0 && !left.empty() && left.front().from == 0 && left.front().bytes == m.bytes,
                  "what one rank sends is what it receives");
      std::memcpy(left.front().data, m.data, m.bytes);
      left.pop_front();
    }
    UMOV_EXPECT(left.empty(), "what one rank receives is what it sends");
    return {};
  }

  void all_gather(const void* mine, std::size_t bytes, void* all) override {
    if (bytes) std::memcpy(all, mine, bytes);
  }
};

}  // namespace

std::unique_ptr<Communicator> one_rank() { return std::make_unique<OneRank>(); }

}  // namespace umov::comm
