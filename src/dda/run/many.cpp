// Loop over the cases, what of each goes into its row, and the plan of the largest.
#include "dda/run/many.hpp"

#include <algorithm>

#include "dda/memory.hpp"
#include "dda/run/neighbours.hpp"
#include "dda/run/run.hpp"
#include "front/version.hpp"

namespace umov::dda {

namespace {

/// How many of the parameters that may be lists differ.
int differences(const Simulation& a, const Simulation& b) {
  const auto &p = a.orientation, &q = b.orientation;
  return (a.vacuum_wavelength() != b.vacuum_wavelength()) + (a.shape.size != b.shape.size) +
         (a.shape.eq_radius != b.shape.eq_radius) + (p.alpha != q.alpha) + (p.beta != q.beta) +
         (p.gamma != q.gamma) + (a.propagation != b.propagation);
}

bool keeps_solutions(const std::vector<Simulation>& cases) {
  const Simulation& s = cases.front();
  return cases.size() > 1 && s.solver.neighbours && s.solver.initial == InitialField::automatic &&
         !s.orientation.average;
}

}  // namespace

CaseRow row_of(const Outcome& o) {
  CaseRow row;
  row.eq_radius = o.particle.eq_radius;
  row.dpl = o.particle.dpl;
  row.spacing = o.particle.spacing;
  row.dipoles = o.particle.dipoles();
  row.orientations = o.orientations;
  row.symmetry_used = o.symmetry_used;
  row.converged = o.converged;
  for (const PolarizationResult& p : o.polarizations) {
    const SolveReport& s = p.solve;
    row.polarizations.push_back({p.label, p.cross, s.status, s.iterations, s.products, s.initial_residual,
                                 s.residual, s.seconds, s.start.ends_with("solutions before")});
  }
  return row;
}

ManyOutcome run_many(const std::vector<Simulation>& cases, const ManyObserver& watch) {
  ManyOutcome out;
  out.cases = cases;
  out.version = front::version();
  Neighbours neighbours;
  const bool keeps = keeps_solutions(cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (i > 0 && differences(cases[i - 1], cases[i]) > 1) neighbours.forget();
    if (auto row = watch.finished(i)) {
      out.rows.push_back(std::move(*row));
      ++out.taken_over;
      continue;
    }
    const Outcome one = run(watch.ready(i), watch.observer(i), keeps ? &neighbours : nullptr);
    out.backend = one.backend;
    out.device = one.device;
    out.rows.push_back(row_of(one));
    watch.solved(i, one, out.rows.back());
  }
  return out;
}

Outcome plan_many(const std::vector<Simulation>& cases,
                  const std::function<void(const std::string&)>& warning) {
  std::optional<Outcome> largest;
  for (Simulation sim : cases) {
    sim.checkpoint.resume = false;  // a state of the solver is of one case alone
    Outcome one = plan(sim);
    for (const auto& text : one.warnings) warning(text);
    if (!largest || total_bytes(one.memory) > total_bytes(largest->memory)) largest = std::move(one);
  }
  if (keeps_solutions(cases))
    largest->memory.push_back(
        {"solutions of cases before", 2 * Neighbours::bytes_per_dipole * largest->particle.dipoles()});
  return std::move(*largest);
}

}  // namespace umov::dda
