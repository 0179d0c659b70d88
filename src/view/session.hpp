// One viewer, without its socket: what it says becomes orders, what is new becomes messages.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "view/hub.hpp"
#include "view/protocol.hpp"

namespace umov::view {

class Session {
 public:
  Session(Hub&, const Greeting&);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  struct Message {
    bool binary = false;
    std::string bytes;
  };

  /// A text message came. Returns false when the viewer is to be dropped.
  bool hear(const std::string& text);
  /// The next message to send, if there is one: answers, then what the run is, then data in turn.
  bool next(Message&);

 private:
  using Clock = std::chrono::steady_clock;
  struct Wanted {
    SubscriptionPtr subscription;
    std::map<std::uint32_t, Clock::time_point> sent;
    bool slow = false;  ///< the way there and back takes long: compression pays
  };

  void act(const Command&);
  void subscribe(const Command&);
  void acknowledge(const Command&);
  void drop_all();
  bool next_state(Message&);
  bool next_data(Message&);
  void queue_data(std::uint32_t sub, Wanted&, const Data&, std::uint32_t sequence);

  Hub& hub_;
  std::deque<Message> queue_;
  std::map<std::uint32_t, Wanted> wanted_;
  std::uint32_t turn_ = 0;  ///< subscription that was served last
  std::uint64_t catalogue_ = 0, progress_ = 0;
  int generation_ = 0, viewers_ = 0;
  std::size_t log_ = 0;
  Clock::time_point said_{};
  int mistakes_ = 0;
};

}  // namespace umov::view
