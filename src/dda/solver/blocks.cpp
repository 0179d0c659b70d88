// The choice of blocks, and which right-hand sides share one.
#include "dda/solver/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/error.hpp"

namespace umov::dda {

namespace {

/// The block iteration is of their kind: for complex symmetric matrices, by short recurrences.
constexpr std::array<std::string_view, 4> solvers{"qmr", "qmr2", "bicg", "cocr"};

/// What stands in the way of blocks, and what removes it; empty where nothing does.
struct Obstacle {
  std::string why, remedy;
};

Obstacle obstacle(const Simulation& sim, const BlockFacts& facts) {
  const SolverRequest& s = sim.solver;
  if (std::find(solvers.begin(), solvers.end(), s.name) == solvers.end())
    return {fmt::format("the solver {} has no block form", s.name), "take qmr, qmr2, bicg or cocr"};
  if (s.initial != InitialField::automatic && s.initial != InitialField::zero)
    return {"blocks start from zero", "give `solver.initial = 'auto'`"};
  if (!facts.several)
    return {"there is one right-hand side only, symmetry gives the other", "give `method.symmetry = 'none'`"};
  return {};
}

/// What `auto` takes: more columns take fewer iterations, and each of these more work beside the products.
constexpr int automatic = 16;
/// Below this a block gains less than it takes.
constexpr int least = 4;
/// The largest grains in which blocks have saved time (benchmarks/dda_solvers.md): where the polarizability
/// depends on the direction blocks are small, of 4 to 8 mostly, and save less; else they are full.
constexpr std::size_t most_dipoles_in_groups = 10000, most_dipoles = 12500;

bool depends_on_direction(const Simulation& sim) {
  return sim.polarizability == Polarizability::ldr || sim.polarizability == Polarizability::cldr;
}

}  // namespace

BlockChoice choose_blocks(const Simulation& sim, const BlockFacts& facts) {
  const int asked = sim.solver.block;
  if (asked == 1) return {};
  const auto [why_not, remedy] = obstacle(sim, facts);
  if (asked > 1) {
    if (!why_not.empty())
      throw BadInput(
          fmt::format("blocks of right-hand sides cannot be used ({}); {}, or leave `solver.block` out",
                      why_not, remedy));
    return {asked, fmt::format("up to {} right-hand sides of one polarizability", asked)};
  }
  if (!sim.orientation.average) return {};
  if (!why_not.empty()) return {1, fmt::format("none (auto: {})", why_not)};
  const std::size_t most = depends_on_direction(sim) ? most_dipoles_in_groups : most_dipoles;
  if (facts.dipoles > most)
    return {1, fmt::format("none (auto: in grains of more than {} dipoles they gain nothing)", most)};
  int columns = automatic;
  while (facts.room > 0 && columns >= least && columns * facts.bytes_a_column > facts.room) columns /= 2;
  if (columns < least) return {1, "none (auto: for want of memory)"};
  return {columns, fmt::format("auto: up to {} right-hand sides of one polarizability", columns)};
}

bool same_polarizability(std::span<const CVec3> a, std::span<const CVec3> b) {
  constexpr double rounding = 1e-12;  // of directions that symmetry makes equivalent
  if (a.size() != b.size()) return false;
  for (std::size_t m = 0; m < a.size(); ++m)
    for (int c = 0; c < 3; ++c)
      if (!(std::abs(a[m][c] - b[m][c]) <= rounding * std::abs(a[m][c]))) return false;
  return true;
}

std::vector<std::vector<std::size_t>> equal_groups(std::span<const std::vector<CVec3>> alphas, int columns) {
  std::vector<std::vector<std::size_t>> equal, groups;
  for (std::size_t i = 0; i < alphas.size(); ++i) {
    const auto mine = std::find_if(equal.begin(), equal.end(), [&](const auto& g) {
      return same_polarizability(alphas[g.front()], alphas[i]);
    });
    if (mine == equal.end())
      equal.push_back({i});
    else
      mine->push_back(i);
  }
  for (const auto& g : equal) {
    const std::size_t parts = (g.size() + columns - 1) / columns;
    for (std::size_t p = 0; p < parts; ++p)
      groups.emplace_back(g.begin() + g.size() * p / parts, g.begin() + g.size() * (p + 1) / parts);
  }
  return groups;
}

}  // namespace umov::dda
