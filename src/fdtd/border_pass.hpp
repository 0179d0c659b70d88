// The exchange of copied planes on the device.
#pragma once

#include <optional>

#include "comm/queue.hpp"
#include "fdtd/border.hpp"
#include "fdtd/state.hpp"

namespace umov::fdtd {

/// Moves values between places of an array and a message.
template <class F>
struct MovePlaces {
  F* array;
  const index_t* place;
  F* message;
  bool into_array;
  UMOV_HD void operator()(index_t i) const {
    if (into_array)
      array[place[i]] = message[i];
    else
      message[i] = array[place[i]];
  }
};

template <class Dev, class T, class F>
class BorderPass {
  template <class V>
  using Array = typename Dev::template Array<V>;

 public:
  BorderPass(State<Dev, T, F>& s, const Border& b)
      : dev_(&s.dev), steps_(b.steps), own_begin_(b.own_begin), own_end_(b.own_end) {
    channel_ = b.open(comm::queue_of(s.dev));
    std::size_t sent = 0, received = 0;
    for (const BorderMessage& m : b.messages) {
      ends_.push_back({m.rank, sent, received, 0, 0});
      for (const auto* list : {&m.sent, &m.received})
        for (const ArrayPlaces& part : *list) {
          if (part.places.empty()) continue;
          std::size_t& at = list == &m.sent ? sent : received;
          parts_[list == &m.received].push_back(
              {part.array, at, index_t(part.places.size()), s.copy_of(part.places)});
          at += part.places.size();
        }
      ends_.back().send_count = sent - ends_.back().send_from;
      ends_.back().receive_count = received - ends_.back().receive_from;
    }
    sent_ = s.template zeros<F>(sent);
    received_ = s.template zeros<F>(received);
  }

  int steps() const { return steps_; }
  int own_begin() const { return own_begin_; }
  int own_end() const { return own_end_; }

  /// `arrays`: the arrays that change, in the order of the saved state.
  void exchange(const std::vector<F*>& arrays) {
    move(0, arrays, sent_.data());
    std::vector<comm::Out> outs;
    std::vector<comm::In> ins;
    for (const End& e : ends_) {
      outs.push_back(comm::out(e.rank, sent_.data() + e.send_from, e.send_count));
      ins.push_back(comm::in(e.rank, received_.data() + e.receive_from, e.receive_count));
    }
    channel_->exchange(outs, ins);
    move(1, arrays, received_.data());
  }
  std::size_t bytes() const {
    std::size_t sum = sent_.bytes() + received_.bytes();
    for (const auto& list : parts_)
      for (const Part& p : list) sum += p.places.bytes();
    return sum;
  }

 private:
  struct End {
    int rank;
    std::size_t send_from, receive_from, send_count, receive_count;
  };
  struct Part {
    int array;
    std::size_t from;
    index_t count;
    Array<index_t> places;
  };
  void move(int way, const std::vector<F*>& arrays, F* message) {
    for (const Part& p : parts_[way])
      dev_->for_each(p.count, MovePlaces<F>{arrays.at(std::size_t(p.array)), p.places.data(),
                                            message + p.from, way == 1});
  }

  Dev* dev_;
  int steps_, own_begin_, own_end_;
  std::unique_ptr<comm::Channel> channel_;
  std::vector<End> ends_;
  std::vector<Part> parts_[2];  ///< sent, received
  Array<F> sent_, received_;
};

}  // namespace umov::fdtd
