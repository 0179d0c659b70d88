// The exchange of copied planes on the device.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "comm/queue.hpp"
#include "comm/travel.hpp"
#include "core/contract.hpp"
#include "fdtd/border.hpp"
#include "fdtd/state.hpp"

namespace umov::fdtd {

/// Moves values between places of several arrays and a message.
template <class F>
struct MovePlaces {
  static constexpr int most = 32;
  struct Part {
    F* array;
    index_t end;  ///< one behind its last value in the message
  } part[most];
  const index_t* place;
  F* message;
  bool into_arrays;
  UMOV_HD void operator()(index_t i) const {
    int p = 0;
    while (i >= part[p].end) ++p;
    F& value = part[p].array[place[i]];
    if (into_arrays)
      value = message[i];
    else
      message[i] = value;
  }
};

/// The same of one array, whose values lie in runs: for processors, which copy a run without looking at each
/// place. Costly: the runs are many values together.
template <class F, bool Costly>
struct MoveRuns {
  static constexpr bool costly = Costly;
  F* array;
  const index_t* run;  ///< [run][first place, count, first in the message]
  F* message;
  bool into_arrays;
  UMOV_HD void operator()(index_t r) const {
    F* const values = array + run[3 * r];
    F* const packed = message + run[3 * r + 2];
    for (index_t i = 0; i < run[3 * r + 1]; ++i)
      if (into_arrays)
        values[i] = packed[i];
      else
        packed[i] = values[i];
  }
};

template <class Dev, class T, class F>
class BorderPass {
  template <class V>
  using Array = typename Dev::template Array<V>;

 public:
  BorderPass(State<Dev, T, F>& s, const Border& b) : dev_(&s.dev), own_(b) {
    const comm::Queue queue = comm::queue_of(s.dev);
    channel_ = b.open(queue);
    in_runs_ = queue.of_host();
    const std::size_t large = in_runs_ ? large_on_host : large_on_gpu;
    // One launch moves many arrays on a GPU; on processors a loop over one array need not look which it is.
    const std::size_t together = in_runs_ ? 1 : MovePlaces<F>::most;
    for (const int way : {0, 1}) {
      std::size_t packed = 0;
      PartList list;
      for (std::size_t e = 0; e < b.messages.size(); ++e) {
        const BorderMessage& m = b.messages[e];
        if (way == 0) ends_.push_back({m.rank, {}});
        Side& side = ends_[e].side[way];
        side.from = packed;
        std::map<int, std::vector<index_t>> places;  // [array], of all that is packed
        for (const ArrayPlaces& part : way == 0 ? m.sent : m.received) {
          if (part.places.size() >= large && part.array < fields_of(s)) {
            side.whole.push_back(stretch_of(part));
            continue;
          }
          auto& of_array = places[part.array];
          of_array.insert(of_array.end(), part.places.begin(), part.places.end());
        }
        for (const auto& [array, of_array] : places) {
          if (of_array.empty()) continue;
          list.arrays.push_back(array);
          list.places.insert(list.places.end(), of_array.begin(), of_array.end());
          list.ends.push_back(index_t(list.places.size()));
          packed += of_array.size();
          if (list.arrays.size() == together) add_launch(s, way, list, packed);
        }
        side.count = packed - side.from;
      }
      add_launch(s, way, list, packed);
      packed_[way] = s.template zeros<F>(packed);
    }
  }

  int steps() const { return own_.steps; }
  /// What of the part is its own.
  const OwnCells& own() const { return own_; }

  /// `arrays`: the arrays that change, in the order of the saved state. Until finish() sent planes are not
  /// written, and copied ones neither read nor written.
  void start(const std::vector<F*>& arrays) {
    move(0, arrays);
    std::vector<comm::Out> outs;
    std::vector<comm::In> ins;
    for (const End& e : ends_) {
      for (const Stretch& p : e.side[0].whole)
        outs.push_back(comm::out(e.rank, arrays.at(std::size_t(p.array)) + p.first, p.count));
      for (const Stretch& p : e.side[1].whole)
        ins.push_back(comm::in(e.rank, arrays.at(std::size_t(p.array)) + p.first, p.count));
      outs.push_back(comm::out(e.rank, packed_[0].data() + e.side[0].from, e.side[0].count));
      ins.push_back(comm::in(e.rank, packed_[1].data() + e.side[1].from, e.side[1].count));
    }
    under_way_ = channel_->start(outs, ins);
  }
  void finish(const std::vector<F*>& arrays) {
    under_way_.finish();
    move(1, arrays);
  }
  /// How long messages travelled, and how long the device waited for them, where the channel knows: on GPUs.
  comm::Travel travel() const {
    const auto* clock = dynamic_cast<const comm::TravelClock*>(channel_.get());
    return clock ? clock->travel() : comm::Travel{};
  }
  std::size_t bytes() const {
    std::size_t sum = packed_[0].bytes() + packed_[1].bytes();
    for (const auto& list : launches_)
      for (const Launch& l : list) sum += l.places.bytes();
    return sum;
  }

 private:
  /// Values of a field, one behind another, from which on they travel from array to array; fewer, and what is
  /// no field, are packed. A copy between GPUs takes some microseconds to begin, in which 1 MB would travel.
  static constexpr std::size_t large_on_host = 1 << 12, large_on_gpu = 1 << 18;

  struct Stretch {
    int array;
    index_t first, count;
  };
  struct Side {
    std::vector<Stretch> whole;
    std::size_t from = 0, count = 0;  ///< in packed_
  };
  struct End {
    int rank;
    std::array<Side, 2> side;  ///< sent, received
  };
  /// Arrays whose values lie one behind another in packed_.
  struct PartList {
    std::vector<int> arrays;
    std::vector<index_t> ends, places;
  };
  /// The same on the device, moved by one loop.
  struct Launch {
    std::vector<int> arrays;
    std::vector<index_t> ends;
    std::size_t from;
    Array<index_t> places;  ///< or runs (MoveRuns)
  };

  /// What of a field lies one behind another, here and at the other end.
  static Stretch stretch_of(const ArrayPlaces& part) {
    const index_t count = index_t(part.places.size());
    UMOV_ENSURE(part.places.back() == part.places.front() + count - 1,
                "rows of a field lie one behind another");
    return {part.array, part.places.front(), count};
  }
  /// `packed`: values in the message with those of the list, which is empty then.
  void add_launch(State<Dev, T, F>& s, int way, PartList& list, std::size_t packed) {
    if (list.arrays.empty()) return;
    auto places = s.copy_of(in_runs_ ? runs_of(list.places) : list.places);
    const std::size_t from = packed - list.places.size();
    launches_[way].push_back({std::move(list.arrays), std::move(list.ends), from, std::move(places)});
    list = {};
  }
  /// See MoveRuns; none so long that threads could not share the work.
  static std::vector<index_t> runs_of(const std::vector<index_t>& places) {
    constexpr index_t longest = 4096;
    std::vector<index_t> runs;
    for (index_t i = 0; i < index_t(places.size()); ++i) {
      const index_t place = places[std::size_t(i)];
      if (i > 0 && place == places[std::size_t(i - 1)] + 1 && runs[runs.size() - 2] < longest)
        ++runs[runs.size() - 2];
      else
        runs.insert(runs.end(), {place, 1, i});
    }
    return runs;
  }
  /// The first so many arrays that change are fields.
  static int fields_of(const State<Dev, T, F>& s) {
    int count = 0;
    for (int c = 0; c < components; ++c) count += has_component(s.grid.mode, c);
    return count;
  }
  void move(int way, const std::vector<F*>& arrays) {
    for (const Launch& l : launches_[way]) {
      if (in_runs_) {
        move_runs(l, arrays.at(std::size_t(l.arrays.front())), packed_[way].data() + l.from, way == 1);
        continue;
      }
      MovePlaces<F> places{{}, l.places.data(), packed_[way].data() + l.from, way == 1};
      for (std::size_t p = 0; p < l.arrays.size(); ++p)
        places.part[p] = {arrays.at(std::size_t(l.arrays[p])), l.ends[p]};
      dev_->for_each(l.ends.back(), places);
    }
  }

  void move_runs(const Launch& l, F* array, F* message, bool into_arrays) {
    constexpr index_t worth_sharing = 1 << 15;
    const index_t runs = index_t(l.places.size()) / 3;
    if (l.ends.back() >= worth_sharing)
      dev_->for_each(runs, MoveRuns<F, true>{array, l.places.data(), message, into_arrays});
    else
      dev_->for_each(runs, MoveRuns<F, false>{array, l.places.data(), message, into_arrays});
  }

  Dev* dev_;
  OwnCells own_;
  bool in_runs_ = false;
  std::unique_ptr<comm::Channel> channel_;
  std::vector<End> ends_;
  std::array<std::vector<Launch>, 2> launches_;  ///< sent, received
  std::array<Array<F>, 2> packed_;
  comm::Pending under_way_;  // last: withdrawn before what it writes to goes
};

}  // namespace umov::fdtd
