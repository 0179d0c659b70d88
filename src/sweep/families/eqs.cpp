// High voltage: cases of eqs. Cases of one geometry share its mesh.
#include <memory>

#include "eqs/case/case.hpp"
#include "eqs/observables/scalar_results.hpp"
#include "eqs/output/results.hpp"
#include "eqs/run/prepare.hpp"
#include "eqs/run/run.hpp"
#include "eqs/run/shared_models.hpp"
#include "eqs/run/solutions.hpp"
#include "sweep/families/families.hpp"
#include "sweep/families/reading.hpp"

namespace umov::sweep {

namespace {

eqs::Simulation finish(const Reading<eqs::Case>& r) {
  auto sim = eqs::finish_case(r.given, r.origins);
  eqs::parameters().refuse_idle(&r.given, r.origins);
  return sim;
}

double bytes(const eqs::Simulation& sim) {
  const auto plan = eqs::plan(sim);
  return double(plan.device_bytes + plan.host_bytes);
}

/// Largest values over the run, which its own table has over time, as columns.
results::Result with_peaks(results::Result r, const eqs::Outcome& outcome) {
  for (const auto& s : eqs::scalar_results(outcome))
    if (!r.find(s.name) && !r.find("run/" + s.name)) r.add(s.name, s.unit, s.text, s.value);
  return r;
}

}  // namespace

Family eqs_family() {
  Family f = family_by("eqs", eqs::parameters(), finish, bytes);
  f.worker = [models = std::make_shared<eqs::SharedModels>()](const Seat& seat) -> Worker {
    return [seat, held = std::make_shared<eqs::HeldModel>(models)](const Tree& tree, const Watch& watch) {
      auto sim = seated(finish(read(eqs::parameters(), tree)), seat);
      sim.outputs.pictures = sim.outputs.vtk = sim.outputs.vtu = false;
      sim.outputs.cuts.clear();
      eqs::RunObserver observer;
      observer.warning = watch.warning;
      observer.time = [&](const eqs::TimeReport&) { return watch.go_on(); };
      eqs::Journal journal(observer);
      const eqs::Outcome outcome =
          eqs::run_prepared(held->prepare(sim, eqs::mesh_key(sim), journal), journal, nullptr);
      return found_of(with_peaks(eqs::to_result(outcome), outcome), outcome.converged, outcome.why_not);
    };
  };
  return f;
}

}  // namespace umov::sweep
