// Runs to an accuracy in tests: cases by flags, and error bars that are counted.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "dda/command/front.hpp"
#include "dda/observables/extrapolation_fit.hpp"
#include "dda/run/grids.hpp"
#include "dda/run/many.hpp"
#include "dda/run/run.hpp"
#include "dda/run/shares.hpp"
#include "support/adda_cases.hpp"
#include "support/dda_case.hpp"

namespace umov::test {

/// A case by its flags.
inline DipoleCase flagged(const std::string& flags) {
  const auto r =
      dda::parse(words(flags + " --backend cpu --threads 1 --no-pictures --no-hdf5 --no-mueller-matrix"));
  return {r.simulation, r.given.machine};
}

inline const dda::ExtrapolatedQuantity& quantity(const dda::Extrapolation& e, const std::string& name) {
  for (const auto& q : e.quantities)
    if (q.name == name) return q;
  throw std::runtime_error("no quantity " + name);
}

/// How many error bars there are, and how many hold the truth.
struct Held {
  int bars = 0, holding = 0;
  void add(const dda::Extrapolated& x, double truth, double most = 1) {
    ++bars;
    holding += std::abs(x.value - truth) <= most * x.error;
  }
};

/// Every fit of the grids whose finest lies in the range, against the true cross sections (um^2; cabs 0:
/// no absorption); one run a grid.
inline Held bars_against(const std::string& flags, int from, int to, double cext, double cabs) {
  const auto sim = flagged(fmt::format("{} --shape-grid {} --epsilon 1e-6", flags, from));
  const dda::Outcome own = dda::plan(sim, sim.machine);
  const dda::Grids grids(sim, own.particle);
  std::map<int, dda::CaseRow> rows;
  std::map<int, std::vector<double>> surplus;
  std::vector<double> shares;
  if (!grids.cubical() && own.particle.materials > 1) shares = dda::true_shares(sim.shape, own.particle.box);
  Held held;
  for (int finest = from; finest <= to; ++finest) {
    std::vector<double> y, ext, abs;
    std::vector<std::vector<double>> deviations(shares.empty() ? 0 : shares.size() - 1);
    for (const int n : grids.fitted(finest)) {
      if (!rows.count(n)) {
        const dda::Outcome o = dda::run(grids.on(n), sim.machine);
        rows[n] = dda::row_of(o);
        if (!shares.empty()) surplus[n] = dda::share_surplus(o.particle, shares);
      }
      for (std::size_t m = 0; m < deviations.size(); ++m) deviations[m].push_back(surplus[n][m]);
      y.push_back(rows[n].spacing[0]);
      ext.push_back(rows[n].polarizations[0].cross.cext);
      abs.push_back(rows[n].polarizations[0].cross.cabs);
    }
    held.add(dda::extrapolate(y, ext, grids.cubical(), deviations), cext);
    if (cabs > 0) held.add(dda::extrapolate(y, abs, grids.cubical(), deviations), cabs);
  }
  return held;
}

}  // namespace umov::test
