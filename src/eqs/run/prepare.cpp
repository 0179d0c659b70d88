// An electroquasistatic case made ready: mesh, problem, times, places that are looked at.
#include "eqs/run/prepare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/memory.hpp"
#include "core/timer.hpp"
#include "mesh/place_order.hpp"
#include "mesh/size_estimate.hpp"
#include "run/version.hpp"

namespace umov::eqs {

namespace {

/// Sums and extremes over elements, block after block, so that they do not depend on threads.
void sum_elements(const Problem& p, ModelSummary& s) {
  constexpr double far = std::numeric_limits<double>::infinity();
  constexpr std::size_t block = 4096;
  struct Part {
    std::vector<std::size_t> elements;
    std::vector<double> volume;
    double shortest = far, longest = 0;  ///< squares
  };
  std::vector<Part> parts((p.mesh.tets.size() + block - 1) / block);
  const auto& x = p.mesh.nodes;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t b = 0; b < parts.size(); ++b) {
    Part& part = parts[b];
    part.elements.resize(s.regions.size());
    part.volume.resize(s.regions.size());
    for (std::size_t i = b * block; i < std::min(p.mesh.tets.size(), (b + 1) * block); ++i) {
      const auto& t = p.mesh.tets[i];
      ++part.elements[p.material[i]];
      part.volume[p.material[i]] += dot(x[t[1]] - x[t[0]], cross(x[t[2]] - x[t[0]], x[t[3]] - x[t[0]])) / 6;
      for (const auto& e : mesh::tet_edges) {
        const Vec3 d = x[t[e[1]]] - x[t[e[0]]];
        part.shortest = std::min(part.shortest, dot(d, d));
        part.longest = std::max(part.longest, dot(d, d));
      }
    }
  }
  double shortest = far, longest = 0;
  for (const Part& part : parts) {
    for (std::size_t m = 0; m < s.regions.size(); ++m) {
      s.regions[m].elements += part.elements[m];
      s.regions[m].volume += part.volume[m];
    }
    shortest = std::min(shortest, part.shortest);
    longest = std::max(longest, part.longest);
  }
  s.shortest_edge = std::sqrt(shortest), s.longest_edge = std::sqrt(longest);
}

ModelSummary summarise(const Problem& p) {
  ModelSummary s;
  s.source = p.mesh.source;
  s.order = p.order;
  s.mesh_nodes = p.mesh.nodes.size();
  s.space_nodes = std::size_t(p.nodes);
  s.elements = p.mesh.tets.size();
  s.unknowns = std::size_t(p.unknowns);
  s.vertex_unknowns = std::size_t(p.vertex_unknowns);
  for (const auto& m : p.materials) s.regions.push_back({m.name, 0, 0, m.nonlinear()});
  const mesh::Box box = mesh::bounding_box(p.mesh.nodes);
  s.low = box.low, s.high = box.high;
  sum_elements(p, s);
  for (const auto& region : s.regions)
    if (region.nonlinear) s.nonlinear_elements += region.elements;
  for (const auto& e : p.electrodes) s.conductors.push_back({e.name, 0});
  for (const int e : p.node_electrode)
    if (e >= 0) ++s.conductors[std::size_t(e)].nodes;
  return s;
}

}  // namespace

Prepared prepare(const Simulation& sim, const run::Machine& machine, run::Journal& journal) {
  const auto& geometry = sim.mesh.geometry;
  journal.stage(geometry && geometry->kind == "parts" ? mesh::announce_elements(*geometry) : "mesh");
  const Stopwatch watch;
  Prepared p = prepare(sim, machine, make_problem(sim), journal);
  p.seconds = watch.seconds();
  return p;
}

Prepared prepare(const Simulation& sim, const run::Machine& machine, Problem problem, run::Journal& journal) {
  const Stopwatch watch;
  Prepared p;
  p.sim = sim;
  p.machine = machine;
  p.problem = std::move(problem);
  // what is to be written must be there
  if (sim.outputs.systems.wanted() && p.problem.linear.form == OperatorForm::automatic)
    p.problem.linear.form = OperatorForm::assembled;
  p.schedule = make_schedule(sim, p.problem);
  journal.warn(p.problem.warnings);
  if (sim.analysis != Analysis::transient && machine.checkpoint.interval != 0)
    journal.warn("without effect: checkpoint.interval (no steps in time are taken); leave it out");
  journal.warn(p.schedule.warnings);
  p.summary = summarise(p.problem);
  p.probes = place_probes(sim, p.problem);
  journal.warn(p.probes.warnings);
  p.seconds = watch.seconds();
  return p;
}

Outcome unsolved(const Prepared& p) {
  Outcome out;
  out.version = run::version();
  out.simulation = p.sim;
  out.machine = p.machine;
  out.model = p.summary;
  for (const auto& m : p.problem.materials) out.material_names.push_back(m.name);
  for (const auto& e : p.problem.electrodes) out.electrode_names.push_back(e.name);
  out.end = p.schedule.end;
  out.period = p.schedule.period;
  for (const auto& line : p.probes.lines) out.lines.push_back(line.frame());
  for (const auto& surface : p.probes.surfaces) out.surfaces.push_back(surface.frame());
  out.setup_seconds.emplace_back("mesh and model", p.seconds);
  return out;
}

void require_memory(const Prepared& p, int ranks, int here) {
  const double each =
      p.machine.backend == "cuda" ? 0 : rank_bytes(p.problem, ranks, fullest_elements(p.problem, ranks));
  umov::require_memory(estimate_bytes(p.problem).host + std::size_t(here * each), "this model",
                       "refine less, take elements of first order or a coarser mesh");
}

}  // namespace umov::eqs
