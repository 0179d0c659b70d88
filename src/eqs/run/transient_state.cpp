// How the state of steps in time is saved and continued from.
#include <fmt/format.h>

#include <cmath>

#include "eqs/run/run.hpp"
#include "eqs/run/transient.hpp"

namespace umov::eqs {

namespace {

/// Values into lines and surfaces that are placed already.
void take_lines(Outcome& f, Outcome& out) {
  for (std::size_t i = 0; i < f.lines.size(); ++i) {
    auto& l = out.lines[i];
    l.potential = std::move(f.lines[i].potential);
    l.tangential = std::move(f.lines[i].tangential);
    l.normal = std::move(f.lines[i].normal);
    l.magnitude = std::move(f.lines[i].magnitude);
  }
  for (std::size_t i = 0; i < f.surfaces.size(); ++i) {
    out.surfaces[i].normal = std::move(f.surfaces[i].normal);
    out.surfaces[i].tangential = std::move(f.surfaces[i].tangential);
  }
}

std::vector<CutResult> take_cuts(const std::vector<CutField>& cuts, std::vector<CutResult>& from) {
  std::vector<CutResult> to;
  for (std::size_t i = 0; i < from.size(); ++i) {
    to.push_back(cuts[i].frame());
    to.back().time = from[i].time;
    to.back().potential = std::move(from[i].potential);
    to.back().field = std::move(from[i].field);
  }
  return to;
}

void take_counts(const Outcome& f, Outcome& out) {
  out.steps = f.steps;
  out.rejected = f.rejected;
  out.newton = f.newton;
  out.linear = f.linear;
  out.setups = f.setups;
  out.refreshes = f.refreshes;
  out.stages = f.stages;
  out.unstable = f.unstable;
  out.seconds = f.seconds;
  out.renewal_seconds += f.renewal_seconds;
  out.linear_seconds += f.linear_seconds;
  out.field_seconds += f.field_seconds;
}

}  // namespace

void save_state(TransientState& t, const Engine& engine, std::uint64_t fingerprint) {
  const std::string file = checkpoint_file(t.out.machine.output_dir);
  RunState c;
  c.engine = engine.save();
  c.control = t.control.memory();
  c.search = t.search;
  c.peak = t.peak;
  // The outcome is lent for the time of writing: it can be large.
  c.found = std::move(t.out);
  const auto give_back = [&] { t.out = std::move(c.found); };
  try {
    save_checkpoint(c, fingerprint, file);
  } catch (...) {
    give_back();
    throw;
  }
  give_back();
}

void try_save_state(TransientState& t, const Engine& engine, std::uint64_t fingerprint,
                    run::Journal& journal) {
  try {
    save_state(t, engine, fingerprint);
  } catch (const MachineFailure& e) {
    journal.warn(fmt::format("no checkpoint: {}", e.what()));
  }
}

void resume_state(const Prepared& p, std::uint64_t fingerprint, TransientState& t, Engine& engine) {
  const std::string file = checkpoint_file(p.machine.output_dir);
  RunState c = load_checkpoint(file, fingerprint, what_differs(p.machine.output_dir, p.sim));
  Outcome& f = c.found;
  // pictures may be wanted only now, of what is still to come, or no longer
  const bool had_cuts = !f.cuts_at_end.empty(), wanted = !p.probes.cuts.empty();
  if (had_cuts != wanted) f.cuts_at_peak.clear(), f.cuts_at_end.clear();
  if (!had_cuts) c.peak = -1;
  if (!fits(c, t.out, p.probes.cuts, p.schedule.saved.size()))
    throw BadInput(file + ": the checkpoint has other lines, surfaces or cuts; run the case again");
  take_lines(f, t.out);
  t.out.cuts_at_peak = take_cuts(p.probes.cuts, f.cuts_at_peak);
  t.out.cuts_at_end = take_cuts(p.probes.cuts, f.cuts_at_end);
  t.out.history = std::move(f.history);
  t.out.saved_times = std::move(f.saved_times);
  take_counts(f, t.out);
  t.out.steady = f.steady;
  t.search = std::move(c.search);
  t.peak = c.peak;
  t.control.march_by(t.search.grid);
  t.control.recall(c.control);
  engine.restore(c.engine);
  if (!(c.control.step > 0) || !std::isfinite(c.control.step) || !std::isfinite(engine.time()))
    throw BadInput(file + ": the checkpoint has no time or no step (damaged?); run the case again");
}

}  // namespace umov::eqs
