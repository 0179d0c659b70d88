#include "fdtd/run/pair.hpp"

#include <algorithm>

#include "comm/collect.hpp"
#include "fdtd/run/stop.hpp"

namespace umov::fdtd {

namespace {

/// To make the run's problem ready once more takes as long as some hundred steps of it: a run that ends soon
/// is not worth it.
constexpr long steps_before_joining = 2 * watch_interval;

/// Cell-steps between two reports: a fraction of a second on one core, a few milliseconds on a card. A run is
/// cut into the same pieces every time, because the bits of a result must not depend on the clock.
constexpr double report_work = 1e9;

}  // namespace

long steps_between_meetings(const Grid& grid) {
  return std::clamp(long(report_work / double(grid.cell_count())), 4L, watch_interval);
}

Pair::Pair(comm::Communicator& all, const PairUse& use, ReferenceFields& reference)
    : all_(all),
      mine_(all.rank() < use.run_ranks ? Phase::run : Phase::reference),
      reference_root_(use.run_ranks),
      joins_(use.joins),
      reference_(reference) {
  side_ = all.split(mine_ == Phase::run ? 0 : 1);
}

void Pair::end(ReferenceFields reference, const std::vector<std::string>& warnings) {
  ended_ = true;
  reference_ = std::move(reference);
  warnings_ = warnings;
}

Pair::Meeting Pair::meet(bool stop, bool save, long step) {
  struct Said {
    bool stop, save, ended;
    long step;
  };
  const auto said = comm::all_gather(all_, Said{stop, save, ended_, step});
  const Said &run = said.front(), &reference = said[std::size_t(reference_root_)];
  Meeting meeting{false, false, run.step};
  for (const Said& s : said) {
    meeting.stop |= s.stop;
    meeting.save |= s.save;
  }
  run_ended_ = run.ended;
  if (reference.ended && !reference_ended_) {
    reference_ended_ = true;
    step_at_end_ = run.step;
    spread_reference();
  }
  joining_ = joins_ && reference_ended_ && !run_ended_ && run.step >= step_at_end_ + steps_before_joining;
  return meeting;
}

void Pair::spread_reference() {
  std::vector<std::size_t> counts{reference_.fourier.size(), reference_.records.size(), warnings_.size()};
  comm::broadcast(all_, counts, reference_root_);
  reference_.fourier.resize(counts[0]);
  reference_.records.resize(counts[1]);
  warnings_.resize(counts[2]);
  for (auto& values : reference_.fourier) comm::broadcast(all_, values, reference_root_);
  for (auto& bytes : reference_.records) comm::broadcast(all_, bytes, reference_root_);
  for (auto& text : warnings_) comm::broadcast(all_, text, reference_root_);
}

}  // namespace umov::fdtd
