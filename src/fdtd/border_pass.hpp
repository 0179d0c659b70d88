// The exchange of copied planes on the device.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "comm/queue.hpp"
#include "core/contract.hpp"
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
    const comm::Queue queue = comm::queue_of(s.dev);
    channel_ = b.open(queue);
    const index_t plane = s.layout.stride(dimensions(s.grid.mode) - 1);
    const index_t whole_plane = plane >= (queue.of_host() ? large_on_host : large_on_gpu) ? plane : 0;
    std::array<std::size_t, 2> packed{};
    for (const BorderMessage& m : b.messages) {
      ends_.push_back({m.rank, {}});
      for (const int way : {0, 1}) {
        Side& side = ends_.back().side[way];
        side.from = packed[way];
        for (const ArrayPlaces& part : way == 0 ? m.sent : m.received)
          if (!part.places.empty()) add(s, way, part, whole_plane, side, packed[way]);
        side.count = packed[way] - side.from;
      }
    }
    for (const int way : {0, 1}) packed_[way] = s.template zeros<F>(packed[way]);
  }

  int steps() const { return steps_; }
  int own_begin() const { return own_begin_; }
  int own_end() const { return own_end_; }

  /// `arrays`: the arrays that change, in the order of the saved state.
  void exchange(const std::vector<F*>& arrays) {
    move(0, arrays);
    std::vector<comm::Out> outs;
    std::vector<comm::In> ins;
    for (const End& e : ends_) {
      for (const Plane& p : e.side[0].whole)
        outs.push_back(comm::out(e.rank, arrays.at(std::size_t(p.array)) + p.first, p.count));
      for (const Plane& p : e.side[1].whole)
        ins.push_back(comm::in(e.rank, arrays.at(std::size_t(p.array)) + p.first, p.count));
      outs.push_back(comm::out(e.rank, packed_[0].data() + e.side[0].from, e.side[0].count));
      ins.push_back(comm::in(e.rank, packed_[1].data() + e.side[1].from, e.side[1].count));
    }
    channel_->exchange(outs, ins);
    move(1, arrays);
  }
  std::size_t bytes() const {
    std::size_t sum = packed_[0].bytes() + packed_[1].bytes();
    for (const auto& list : parts_)
      for (const Part& p : list) sum += p.places.bytes();
    return sum;
  }

 private:
  /// Values of a plane from which on it travels from array to array; smaller ones, and what is no plane of a
  /// field, are packed. A copy between GPUs takes some microseconds to begin, in which 1 MB would travel.
  static constexpr index_t large_on_host = 1 << 12, large_on_gpu = 1 << 18;

  struct Plane {
    int array;
    index_t first, count;
  };
  struct Side {
    std::vector<Plane> whole;
    std::size_t from = 0, count = 0;  ///< in packed_
  };
  struct End {
    int rank;
    std::array<Side, 2> side;  ///< sent, received
  };
  struct Part {
    int array;
    std::size_t from;
    index_t count;
    Array<index_t> places;
  };

  /// `plane`: values of a plane that travels whole; 0: none does.
  void add(State<Dev, T, F>& s, int way, const ArrayPlaces& part, index_t plane, Side& side,
           std::size_t& packed) {
    const auto& places = part.places;
    if (plane > 0 && part.array < fields_of(s)) {  // a field's places are planes, one behind another
      for (std::size_t at = 0; at < places.size(); at += std::size_t(plane)) {
        UMOV_ENSURE(places.at(at + std::size_t(plane) - 1) == places[at] + plane - 1,
                    "what is copied of a field are whole planes");
        side.whole.push_back({part.array, places[at], plane});
      }
      return;
    }
    parts_[way].push_back({part.array, packed, index_t(places.size()), s.copy_of(places)});
    packed += places.size();
  }
  /// The first so many arrays that change are fields.
  static int fields_of(const State<Dev, T, F>& s) {
    int count = 0;
    for (int c = 0; c < components; ++c) count += has_component(s.grid.mode, c);
    return count;
  }
  void move(int way, const std::vector<F*>& arrays) {
    for (const Part& p : parts_[way])
      dev_->for_each(p.count, MovePlaces<F>{arrays.at(std::size_t(p.array)), p.places.data(),
                                            packed_[way].data() + p.from, way == 1});
  }

  Dev* dev_;
  int steps_, own_begin_, own_end_;
  std::unique_ptr<comm::Channel> channel_;
  std::vector<End> ends_;
  std::array<std::vector<Part>, 2> parts_;  ///< sent, received
  std::array<Array<F>, 2> packed_;
};

}  // namespace umov::fdtd
