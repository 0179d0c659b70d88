// What the families have in common for a sweep: their cases are read from trees by a table.
#pragma once

#include <string>
#include <utility>

#include "core/error.hpp"
#include "run/ranks.hpp"
#include "sweep/family.hpp"

namespace umov::sweep {

/// A case as its table reads it, before it is finished.
template <class Case>
struct Reading {
  Case given;
  Origins origins;
};

template <class Case>
Reading<Case> read(const ParameterTable<Case>& table, const Tree& tree) {
  Reading<Case> r;
  table.read(tree, r.given, r.origins);
  return r;
}

/// Check and need of a family; `finish(reading)` makes the simulation, `bytes(simulation)` says what it
/// takes. Its worker is the family's own.
template <class Case, class Finish, class Bytes>
Family family_by(std::string name, const ParameterTable<Case>& table, const Finish& finish,
                 const Bytes& bytes) {
  Family f;
  f.name = std::move(name);
  f.parameters = &table;
  const auto simulation = [&table, finish](const Tree& tree) {
    auto sim = finish(read(table, tree));
    run::require_one_rank(sim.ranks, "a case of a sweep");
    return sim;
  };
  f.check = [simulation](const Tree& tree) { simulation(tree); };
  f.need = [simulation, bytes](const Tree& tree) {
    const auto sim = simulation(tree);
    return Need{sim.backend, tree.contains("machine.device") ? sim.device : -1, sim.threads, bytes(sim)};
  };
  return f;
}

/// The simulation as a worker computes it: on its seat, silent, without files.
template <class Simulation>
Simulation seated(Simulation sim, const Seat& seat) {
  sim.backend = seat.backend;
  sim.threads = seat.backend == "cpu" ? seat.threads : 0;
  if (seat.backend == "cuda") sim.device = seat.device;
  sim.ranks = {};
  sim.output_dir.clear();
  sim.checkpoint = {};
  sim.quiet = true;
  return sim;
}

/// What a family found, without what refers to its outcome.
inline Found found_of(results::Result result, bool converged, std::string why_not) {
  result.voxels = {};
  return {std::move(result), converged, converged ? "" : std::move(why_not)};
}

}  // namespace umov::sweep
