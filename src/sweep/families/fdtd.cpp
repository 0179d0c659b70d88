// Waves in time: cases of fdtd.
#include "fdtd/case/case.hpp"
#include "fdtd/output/results.hpp"
#include "fdtd/run/run.hpp"
#include "sweep/families/families.hpp"
#include "sweep/families/reading.hpp"

namespace umov::sweep {

namespace {

fdtd::Simulation finish(const Reading<fdtd::Case>& r) {
  fdtd::parameters().refuse_idle(&r.given, r.origins);
  return fdtd::finish_case(r.given, r.origins);
}

}  // namespace

Family fdtd_family() {
  Family f = family_by("fdtd", fdtd::parameters(), finish,
                       [](const fdtd::Simulation& sim) { return double(fdtd::plan(sim).bytes); });
  f.worker = [](const Seat& seat) -> Worker {
    return [seat](const Tree& tree, const Watch& watch) {
      const auto sim = seated(finish(read(fdtd::parameters(), tree)), seat);
      fdtd::RunObserver observer;
      observer.warning = watch.warning;
      observer.step = [&](const fdtd::StepReport&) { return watch.go_on(); };
      const fdtd::Outcome outcome = fdtd::run(sim, observer);
      return found_of(fdtd::to_result(outcome), outcome.converged, outcome.stop_reason);
    };
  };
  return f;
}

}  // namespace umov::sweep
