#include "fdtd/run/march_pair.hpp"

#include <fmt/format.h>

#include "comm/collect.hpp"

namespace umov::fdtd {

namespace {

/// The empty domain, whose fields the run itself is divided by.
March march_reference(const Prepared& p, Checkpoints& checkpoints, Journal& journal) {
  March m = start_march(p, Phase::reference, journal);
  journal.stage("reference run");
  march_to_end(m, p, checkpoints, journal);
  if (!m.converged) journal.warn(fmt::format("the reference run did not reach its end: {}", m.stop_reason));
  return m;
}

/// Of one process that is interrupted here, what a `known` reference run has left is kept.
March start_run(const Prepared& p, Checkpoints& checkpoints, Journal& journal, bool known) try {
  return start_march(p, Phase::run, journal);
} catch (const run::Interrupted&) {
  if (known && checkpoints.on() && p.comm->size() == 1) checkpoints.between_steps(nullptr, true);
  throw;
}

/// `reference`: of a normalised pair, where it is known before.
March march_run(const Prepared& p, Checkpoints& checkpoints, Journal& journal, const Pair* pair = nullptr,
                const ReferenceFields* reference = nullptr) {
  March m = start_run(p, checkpoints, journal, reference != nullptr);
  m.reference = reference;
  journal.stage(p.sim.normalize ? "run" : "");
  march_to_end(m, p, checkpoints, journal, pair);
  return m;
}

/// Until the other side has ended, too, or wants all ranks for its march.
void wait_for_other(const Pair& pair, const March* m, const StepReport& at, Checkpoints& checkpoints,
                    const Journal& journal) {
  while (!pair.over() && !pair.joining()) checkpoints.between_steps(m, asked_to_stop(at, journal), false);
}

/// The run goes on on all ranks from where its own have come to.
void join_run(Marched& marched, Prepared& p, Pair& pair, Checkpoints& checkpoints, Journal& journal) {
  std::vector<std::byte> bytes;
  long step = 0;
  if (marched.march) {
    const MarchState state = checkpoints.state_of(*marched.march);
    step = marched.march->engine->step();
    if (pair.all().first()) bytes = to_bytes(state);
    marched.march.reset();
  }
  comm::broadcast(pair.all(), bytes);
  p.comm = &pair.all();
  checkpoints.join(nullptr);
  checkpoints.resume_from(march_of(bytes));
  std::vector<std::byte>().swap(bytes);
  marched.march.emplace(march_run(p, checkpoints, journal));
  marched.joined = fmt::format("; all take the run from step {} on", step);
}

}  // namespace

Marched march_in_turn(const Prepared& p, ReferenceFields& reference, Checkpoints& checkpoints,
                      Journal& journal) {
  if (p.sim.normalize && !checkpoints.past_reference()) {
    const March m = march_reference(p, checkpoints, journal);
    reference = m.monitors->reference(*m.engine);
    if (journal.observer().to_save && p.comm->size() == 1 && checkpoints.on())
      journal.observer().to_save([&] { checkpoints.save(nullptr, Checkpoints::Need::may); });
  }
  Marched marched;
  marched.march.emplace(march_run(p, checkpoints, journal, nullptr, p.sim.normalize ? &reference : nullptr));
  marched.converged = marched.march->converged;
  return marched;
}

Marched march_side_by_side(Prepared& p, const PairUse& use, ReferenceFields& reference,
                           Checkpoints& checkpoints, Journal& journal) {
  const auto pair = std::make_shared<Pair>(*p.comm, use, p.grid, p.machine.backend == "cuda", reference);
  comm::Communicator& all = pair->all();
  checkpoints.join(pair.get());
  p.comm = &pair->side();
  Marched marched;
  marched.pair = pair;
  StepReport at;
  if (pair->mine() == Phase::run) {
    marched.march.emplace(march_run(p, checkpoints, journal, pair.get()));
    at = where(*marched.march, p);
    if (!pair->joining()) pair->end();
  } else {
    const March m = march_reference(p, checkpoints, journal);
    at = where(m, p);
    marched.device = m.engine->device();
    marched.device_bytes = m.engine->bytes();
    pair->end(m.monitors->reference(*m.engine), journal.warnings());
  }
  wait_for_other(*pair, marched.march ? &*marched.march : nullptr, at, checkpoints, journal);
  journal.warn(pair->warnings());
  if (pair->joining()) join_run(marched, p, *pair, checkpoints, journal);
  marched.converged = !comm::any(all, marched.march && !marched.march->converged);
  return marched;
}

}  // namespace umov::fdtd
