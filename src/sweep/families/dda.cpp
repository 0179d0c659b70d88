// Particles: cases of dda. Each worker keeps its engine while cases differ in the incidence alone.
#include <memory>

#include "core/error.hpp"
#include "dda/case/case.hpp"
#include "dda/case/many.hpp"
#include "dda/output/result.hpp"
#include "dda/run/kept_engine.hpp"
#include "dda/run/run.hpp"
#include "dda/scheme/memory.hpp"
#include "sweep/families/families.hpp"
#include "sweep/families/reading.hpp"

namespace umov::sweep {

namespace {

dda::Simulation finish(const Reading<dda::Case>& r) {
  if (dda::has_lists(r.given))
    throw BadInput(
        "the case has lists of its own (a case of a sweep is one run); give them as axes, --set "
        "wavelength=0.4:0.7:31");
  dda::parameters().refuse_idle(&r.given, r.origins);
  return dda::finish_case(r.given, r.origins);
}

std::string why_not(const dda::Outcome& o) {
  return o.converged ? ""
                     : "a solve has not reached its residual; raise solver.max_iterations or its epsilon";
}

}  // namespace

Family dda_family() {
  Family f = family_by("dda", dda::parameters(), finish, [](const dda::Simulation& sim) {
    return double(dda::total_bytes(dda::plan(sim).memory));
  });
  f.worker = [](const Seat& seat) -> Worker {
    return [seat, kept = std::make_shared<dda::KeptEngine>()](const Tree& tree, const Watch& watch) {
      const auto sim = seated(finish(read(dda::parameters(), tree)), seat);
      dda::RunObserver observer;
      observer.warning = watch.warning;
      observer.iteration = [&](char, long, double) { return watch.go_on(); };
      const dda::Outcome outcome = dda::run(sim, observer, nullptr, nullptr, kept.get());
      kept->end_case();
      return found_of(dda::to_result(outcome), outcome.converged, why_not(outcome));
    };
  };
  return f;
}

}  // namespace umov::sweep
