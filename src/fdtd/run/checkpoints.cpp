#include "fdtd/run/checkpoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "comm/collect.hpp"
#include "fdtd/run/march.hpp"
#include "fdtd/run/pair.hpp"
#include "fdtd/run/run.hpp"

namespace umov::fdtd {

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The engine's transforms and monitors are those of the problem, and those of the reference.
bool fits(const March& m, const ReferenceFields* reference) {
  if (m.engine->step() < 0) return false;
  if (!reference) return true;
  const bool there = !reference->fourier.empty() || !reference->records.empty();
  if (there && !m.monitors->match(*reference)) return false;
  for (std::size_t a = 0; a < reference->fourier.size(); ++a)
    if (a >= m.problem.fouriers.size() || reference->fourier[a].size() != m.engine->fourier(int(a)).size())
      return false;
  return true;
}

}  // namespace

Checkpoints::Checkpoints(const Simulation& given, const Machine& machine, comm::Communicator& comm,
                         std::function<void(const std::string&)> warn)
    : comm_(&comm),
      warn_(std::move(warn)),
      folder_(machine.output_dir),
      interval_(machine.checkpoint.interval),
      given_(&given) {
  if (!machine.checkpoint.resume) return;
  resumed_ = load_checkpoint(checkpoint_file(folder_), case_fingerprint(given));
  past_reference_ = resumed_->marches.empty() || resumed_->marches.front().phase == Phase::run;
}

ReferenceFields Checkpoints::take_reference() {
  return resumed_ ? std::move(resumed_->reference) : ReferenceFields{};
}

void Checkpoints::join(Pair* pair) {
  pair_ = pair;
  // what the other side takes up is no longer waiting here
  if (pair && resumed_)
    std::erase_if(resumed_->marches, [&](const MarchState& s) { return s.phase != pair->mine(); });
}

void Checkpoints::resume(March& m) {
  if (!resumed_) return;
  const auto state = std::ranges::find(resumed_->marches, m.phase, &MarchState::phase);
  if (state == resumed_->marches.end()) return;
  m.seconds = state->seconds;
  m.rule->restore(state->stop);
  m.divergence->restore(state->divergence);
  if (m.snapshots) m.snapshots->restore(std::move(state->snapshots));
  m.engine->restore(state->engine);
  // a march that waits for the other one of its pair has ended, unless it is to end otherwise now
  m.ended = !state->ended_by.empty() && resumed_->stop == stop_fingerprint(given_->stop);
  if (m.ended) m.stop_reason = state->ended_by;
  if (!fits(m, reference_))
    throw BadInput("the checkpoint's transforms or steps are not of this case (damaged?); start anew");
  m.monitors->restore(state->monitors);
  resumed_->marches.erase(state);
}

void Checkpoints::resume_from(MarchState state) {
  resumed_.emplace();
  resumed_->stop = stop_fingerprint(given_->stop);
  resumed_->marches.push_back(std::move(state));
}

void Checkpoints::start_clock() { last_save_ = now(); }

bool Checkpoints::due() const {
  // rank 0's clock decides for all
  return on() && comm_->first() && (save_asked_ || (interval_ > 0 && now() - last_save_ >= interval_));
}

bool Checkpoints::worth_saving(const March* m, long step) const {
  const bool reference = reference_ && (!reference_->fourier.empty() || !reference_->records.empty());
  return comm::any(*comm_, step > 0 || (m && m->engine->step() > 0) || reference || resumed_);
}

void Checkpoints::between_steps(const March* m, bool stop, bool going) {
  stop_asked_ |= stop;
  const long step = m ? m->engine->step() : 0;
  if (pair_ && going && !pair_->due(step)) return;
  Pair::Meeting all;
  if (pair_) {
    all = pair_->meet(stop_asked_, due(), step, m ? m->seconds : 0);
  } else {
    all.stop = comm::any(*comm_, stop_asked_);
    all.save = on() && interval_ > 0 && comm::any(*comm_, due());
    all.step = step;
  }
  if (all.stop && !on()) throw run::Interrupted("interrupted; there is no checkpoint, nothing is kept");
  if (!all.stop && !all.save) return;
  if (!worth_saving(m, all.step)) {
    if (!all.stop) return;
    throw run::Interrupted("interrupted before the first step; nothing is kept, start it anew");
  }
  save(m, all.stop ? Need::must : Need::may);
  last_save_ = now();
  save_asked_ = false;
  if (all.stop) throw run::Interrupted(fmt::format("interrupted at step {}; {}", all.step, advice()));
}

MarchState Checkpoints::state_of(const March& m) const {
  MarchState state;
  state.phase = m.phase;
  state.seconds = m.seconds;
  if (m.ended) state.ended_by = m.stop_reason;
  state.stop = m.rule->state();
  state.divergence = m.divergence->state();
  if (m.snapshots) state.snapshots = m.snapshots->recorded();
  state.engine = m.engine->save();
  state.monitors = m.monitors->save();
  return state;
}

/// The reference run's ranks send theirs to rank 0, which is one of the run's.
void Checkpoints::save_march(const March* m, RunState& state) const {
  std::vector<std::byte> sent;
  if (m) {
    MarchState own = state_of(*m);
    if (pair_ && pair_->mine() == Phase::reference && pair_->side().first())
      sent = to_bytes(own);
    else if (comm_->first())
      state.marches.push_back(std::move(own));
  }
  if (!pair_) return;
  const auto come = comm::gather(*comm_, std::span<const std::byte>(sent));
  if (!come.empty()) state.marches.insert(state.marches.begin(), march_of(come));
}

void Checkpoints::save(const March* m, Need need) const {
  RunState state;
  state.fingerprint = case_fingerprint(*given_);
  state.stop = stop_fingerprint(given_->stop);
  if (reference_) state.reference = *reference_;
  save_march(m, state);
  // the run of a pair that was saved side by side waits for its reference run
  if (resumed_) state.marches.insert(state.marches.end(), resumed_->marches.begin(), resumed_->marches.end());
  if (comm_->first()) try {
      save_checkpoint(state, checkpoint_file(folder_));
    } catch (const MachineFailure& e) {
      if (need == Need::must) throw;
      if (warn_) warn_(fmt::format("no checkpoint: {}", e.what()));
    }
  comm_->barrier();
}

void Checkpoints::ask_save(const March& m) {
  if (!on()) return;
  if (pair_)
    save_asked_ = true;
  else
    save(&m, Need::may);
}

std::string Checkpoints::advice() const {
  return fmt::format("the state is in {}, continue with `resume = '{}'`", checkpoint_file(folder_), folder_);
}

}  // namespace umov::fdtd
