#include "fdtd/run/pair.hpp"

#include <algorithm>
#include <cmath>

#include "comm/collect.hpp"

namespace umov::fdtd {

namespace {

/// Cell-steps between two reports, at which signals are looked for: most of a second on one core, some 15 ms
/// on a card. A run is cut into the same pieces every time, because the bits of a result must not depend on
/// the clock.
constexpr double work_of_cores = 1e8, work_of_card = 1e9;

/// Steps that the longest passes of a card take.
constexpr long pass = 8;

/// Between two meetings, if the work can be cut so fine.
constexpr double meeting_seconds = 0.2;

}  // namespace

long steps_between_reports(const Grid& grid, bool on_gpu) {
  const auto steps = [&](double work) { return long(work / double(grid.cell_count())); };
  if (!on_gpu) return std::clamp(steps(work_of_cores), 1L, watch_interval);
  return std::clamp(steps(work_of_card) / pass * pass, pass, watch_interval);
}

Pair::Pair(comm::Communicator& all, const PairUse& use, const Grid& grid, bool on_gpu,
           ReferenceFields& reference)
    : all_(all),
      mine_(all.rank() < use.run_ranks ? Phase::run : Phase::reference),
      reference_root_(use.run_ranks),
      piece_(steps_between_reports(grid, on_gpu)),
      use_(use),
      reference_(reference) {
  side_ = all.split(mine_ == Phase::run ? 0 : 1);
}

void Pair::end(ReferenceFields reference, const std::vector<std::string>& warnings) {
  ended_ = true;
  reference_ = std::move(reference);
  warnings_ = warnings;
}

/// As many pieces as the sides take the same time for, if the quicker one of them comes to more steps: so
/// none waits long, and a quick reference run is done early. At most twice as many as before: a side that the
/// machine has kept from its work for a moment looks slow until it has gone on, and the other one would be
/// away for many of its pieces.
long Pair::steps_to_next(const Said& run, const Said& reference) {
  if (first_.empty()) first_ = {run, reference};
  const auto pace = [](const Said& now, const Said& first) {
    return now.step > first.step ? (now.seconds - first.seconds) / double(now.step - first.step) : 0;
  };
  const double slow = pace(run, first_[0]), quick = pace(reference, first_[1]);
  if (!use_.paced || run.ended || reference.ended || !(slow > 0 && quick > 0)) return piece_;
  const double mine = mine_ == Phase::run ? slow : quick, slower = std::max(slow, quick);
  const double pieces = std::clamp(meeting_seconds / (slower * double(piece_)), 1.0, 4.0);
  pieces_ =
      std::lround(std::clamp(std::round(pieces) * slower / mine, 1.0, std::min(2.0 * double(pieces_), 64.0)));
  return piece_ * pieces_;
}

Pair::Meeting Pair::meet(bool stop, bool save, long step, double seconds) {
  const auto said = comm::all_gather(all_, Said{stop, save, ended_, step, seconds});
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
  next_ = step + steps_to_next(run, reference);
  joining_ = use_.joins && reference_ended_ && !run_ended_ &&
             (use_.last_step > 0 ? use_.last_step - run.step >= steps_worth_joining
                                 : run.step - step_at_end_ >= steps_worth_joining);
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
