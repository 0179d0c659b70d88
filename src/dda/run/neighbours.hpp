// Solutions of cases that were solved before, from which similar ones start.
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "dda/engine.hpp"

namespace umov::dda {

/// A start vector made of them.
struct NeighbourStart {
  std::vector<CVec3> polarization;  ///< per dipole (um^3); empty where they are of no use
  long products = 0;                ///< that it took to find
};

/// The polarizations of the last cases on the same lattice sites. Of these a start is the linear combination
/// of least residual, which is never worse than zero: over a smooth spectrum it extrapolates, where
/// resonances pass it knows which part of the old solutions still holds (Chan and Wan 1997, SIAM J. Sci.
/// Comput. 18, 1698, project on the Krylov space of the case before likewise).
class Neighbours {
 public:
  /// Bytes per dipole and polarization that are held at most.
  static constexpr std::size_t most = 3, bytes_per_dipole = 2 * (most + 1) * sizeof(CVec3);

  /// The particle of the next case; solutions on other sites are forgotten.
  void meet(const shapes::Particle&);
  void forget() { kept_.clear(); }
  /// Of an engine that knows polarizabilities and incident field of the next case.
  NeighbourStart start(Engine&, char label) const;
  /// The solution that the engine holds.
  void keep(const Engine&, char label);

 private:
  Int3 box_{0, 0, 0};
  std::vector<std::uint8_t> material_;
  std::size_t dipoles_ = 0;
  std::map<char, std::deque<std::vector<CVec3>>> kept_;  ///< the latest first
};

}  // namespace umov::dda
