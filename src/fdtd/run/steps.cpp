// The loop of a run in time: steps, looks at the fields, pictures, the end, checkpoints.
#include <fmt/format.h>

#include <algorithm>

#include "fdtd/run/course.hpp"

namespace umov::fdtd {

namespace {

/// Cell-steps between two reports: a fraction of a second on one core, a few milliseconds on a card. A run is
/// cut into the same pieces every time, because the bits of a result must not depend on the clock.
constexpr double report_work = 1e9;

}  // namespace

long FdtdRun::stride(const Passage& p) const {
  const long step = p.engine->step();
  const long piece = std::clamp(long(report_work / double(grid_.cell_count())), 4L, watch_interval);
  long next = (step / piece + 1) * piece;
  next = std::min(next, (step / watch_interval + 1) * watch_interval);
  if (p.film) next = std::min(next, p.film->next(step));
  next = std::min(next, p.monitors->next_record(step));
  return std::min(next, stop_.limit) - step;
}

void FdtdRun::go(Passage& p) {
  if (resumed_ && resumed_->phase == p.phase) resume(p);
  last_save_ = now();
  report(p);
  while (p.engine->step() < stop_.limit) {
    const double start = now();
    p.engine->advance(stride(p));
    p.monitors->drain(*p.engine);
    const bool ended = attend(p);
    p.seconds += now() - start;
    if (ended) return;
    report(p);
  }
  p.converged = stop_.fixed || stop_.lenient;
  p.stop_reason =
      stop_.fixed ? fmt::format("{} steps are done", stop_.limit)
      : stop_.lenient
          ? fmt::format(
                "{} steps are done, not yet steady ({}); ask for stop.steady, --time or --steps to go on",
                stop_.limit, p.rule->measure())
          : fmt::format("the limit of {} steps came before the end ({})", stop_.limit, p.rule->measure());
}

bool FdtdRun::attend(Passage& p) {
  const long step = p.engine->step();
  if (p.film)
    if (const auto text = p.film->take(*p.engine); !text.empty()) warn(text);
  const bool watched = step % watch_interval == 0 || step == stop_.limit;
  const bool recorded = step == p.monitors->next_record(step - 1);
  if (!watched && !recorded) return false;
  const FieldWatch watch = p.engine->watch();
  p.monitors->note_energy(watch.electric_energy + watch.magnetic_energy);
  if (recorded) p.monitors->record(*p.engine);
  if (!watched) return false;
  if (const auto why = p.divergence->look(step, watch); !why.empty())
    throw Diverged(fmt::format("the fields diverged within {} steps: {} ({})", step, why,
                               likely_cause(sim_, *p.scene, p.problem, step)));
  if (p.divergence->growth(step, watch) > DivergenceWatch::too_much_growth)
    warn(
        "the energy of the fields grew more than tenfold after the sources had ended (nothing passive does "
        "that; a dispersive body in an absorbing layer may) do not trust this run: keep such bodies out of "
        "the layers, or lower courant");
  const auto end = p.rule->look(step, watch, *p.monitors, *p.engine);
  if (end) p.stop_reason = *end;
  return end.has_value();
}

void FdtdRun::report(Passage& p) {
  if (observer_.step) {
    const front::StepReport r{p.engine->step(), stop_.limit, stop_.fixed, double(grid_.cell_count()),
                              p.rule->measure()};
    if (!observer_.step(r)) {
      if (!checkpoints_on()) throw front::Interrupted("interrupted; there is no checkpoint, nothing is kept");
      save(p);
      throw front::Interrupted(
          fmt::format("interrupted at step {}; the state is in {}, continue with --resume {}",
                      p.engine->step(), checkpoint_file(sim_.output_dir), sim_.output_dir));
    }
  }
  if (checkpoints_on() && sim_.checkpoint.interval > 0 && now() - last_save_ >= sim_.checkpoint.interval) {
    save(p);
    last_save_ = now();
  }
}

void FdtdRun::save(Passage& p) const {
  RunState c;
  c.fingerprint = fingerprint_;
  c.phase = p.phase;
  c.seconds = p.seconds;
  c.stop = p.rule->state();
  c.divergence = p.divergence->state();
  if (p.film) c.reel = p.film->reel();
  c.reference = reference_;
  c.engine = p.engine->save();
  c.monitors = p.monitors->save();
  save_checkpoint(c, checkpoint_file(sim_.output_dir));
}

void FdtdRun::resume(Passage& p) {
  p.seconds = resumed_->seconds;
  p.rule->restore(resumed_->stop);
  p.divergence->restore(resumed_->divergence);
  if (p.film) p.film->restore(std::move(resumed_->reel));
  p.engine->restore(resumed_->engine);
  bool fits = p.engine->step() >= 0;
  for (std::size_t a = 0; fits && a < reference_.fourier.size(); ++a)
    fits = a < p.problem.fouriers.size() && reference_.fourier[a].size() == p.engine->fourier(int(a)).size();
  if (!fits)
    throw BadInput("the checkpoint's transforms or steps are not of this case (damaged?) start anew");
  p.monitors->restore(resumed_->monitors);
  resumed_.reset();
}

}  // namespace umov::fdtd
