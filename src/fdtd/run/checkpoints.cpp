#include "fdtd/run/checkpoints.hpp"

#include <fmt/format.h>

#include <chrono>

#include "comm/collect.hpp"
#include "fdtd/run/march.hpp"
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

Checkpoints::Checkpoints(const Simulation& given, comm::Communicator& comm)
    : comm_(&comm),
      folder_(given.output_dir),
      interval_(given.checkpoint.interval),
      fingerprint_(case_fingerprint(given)) {
  if (given.checkpoint.resume) resumed_ = load_checkpoint(checkpoint_file(folder_), fingerprint_);
}

ReferenceFields Checkpoints::take_reference() {
  return resumed_ ? std::move(resumed_->reference) : ReferenceFields{};
}

void Checkpoints::resume(March& m) {
  if (!resumes(m.phase)) return;
  m.seconds = resumed_->seconds;
  m.rule->restore(resumed_->stop);
  m.divergence->restore(resumed_->divergence);
  if (m.snapshots) m.snapshots->restore(std::move(resumed_->snapshots));
  m.engine->restore(resumed_->engine);
  if (!fits(m, reference_))
    throw BadInput("the checkpoint's transforms or steps are not of this case (damaged?); start anew");
  m.monitors->restore(resumed_->monitors);
  resumed_.reset();
}

void Checkpoints::start_clock() { last_save_ = now(); }

void Checkpoints::save_when_due(const March& m) {
  if (!on() || interval_ <= 0) return;
  // rank 0's clock decides for all
  if (!comm::any(*comm_, comm_->first() && now() - last_save_ >= interval_)) return;
  save(m);
  last_save_ = now();
}

void Checkpoints::save(const March& m) const {
  RunState state;
  state.fingerprint = fingerprint_;
  state.phase = m.phase;
  state.seconds = m.seconds;
  state.stop = m.rule->state();
  state.divergence = m.divergence->state();
  if (m.snapshots) state.snapshots = m.snapshots->recorded();
  if (reference_) state.reference = *reference_;
  state.engine = m.engine->save();
  state.monitors = m.monitors->save();
  if (comm_->first()) save_checkpoint(state, checkpoint_file(folder_));
  comm_->barrier();
}

std::string Checkpoints::advice() const {
  return fmt::format("the state is in {}, continue with --resume {}", checkpoint_file(folder_), folder_);
}

}  // namespace umov::fdtd
