// Layered cells at single wavelengths: cases of harmonic.
#include "harmonic/case/case.hpp"
#include "harmonic/output/results.hpp"
#include "harmonic/run/run.hpp"
#include "sweep/families/families.hpp"
#include "sweep/families/reading.hpp"

namespace umov::sweep {

namespace {

harmonic::Simulation finish(const Reading<harmonic::Case>& r) {
  harmonic::parameters().refuse_idle(&r.given, r.origins);
  return harmonic::finish_case(r.given, r.origins);
}

double bytes(const harmonic::Simulation& sim) {
  const auto need = harmonic::plan(sim).memory;
  return need.host > 0 ? need.host : need.device;
}

}  // namespace

Family harmonic_family() {
  Family f = family_by("harmonic", harmonic::parameters(), finish, bytes);
  f.worker = [](const Seat& seat) -> Worker {
    return [seat](const Tree& tree, const Watch& watch) {
      const auto sim = seated(finish(read(harmonic::parameters(), tree)), seat);
      harmonic::RunObserver observer;
      observer.warning = watch.warning;
      observer.iteration = [&](char, long, double) { return watch.go_on(); };
      harmonic::Sweep rows;
      rows.stop = [&] { return !watch.go_on(); };
      const harmonic::Outcome outcome = harmonic::run(sim, observer, rows);
      return found_of(harmonic::to_result(outcome), outcome.converged, outcome.why_not);
    };
  };
  return f;
}

}  // namespace umov::sweep
