// The grids that an extrapolation in the size of the dipoles takes.
#pragma once

#include <vector>

#include "dda/simulation.hpp"

namespace umov::dda {

/// The same particle on finer and coarser grids. A grid is a number n: sites along x; or, of a particle whose
/// sites are given (a shape from a file, `jagged`), dipoles along each edge of a site.
class Grids {
 public:
  /// `own` is the particle of the case as it stands. Throws BadInput where there are no other grids for it.
  Grids(const Simulation&, const shapes::Particle& own);

  /// That of the case itself, with which the first fit begins.
  int own() const { return own_; }
  /// The grids fill the particle's volume exactly, without shape errors.
  bool cubical() const { return divided_ || step_ > 0; }
  /// The case on this grid, its size that of the case.
  Simulation on(int n) const;
  /// Those of the fit that ends with this finest one, coarsest first: all that are `done` over a factor of 2
  /// in y, and as many more as make 5, evenly spread, of a cubical particle and 9 of others (Yurkin, Maltsev
  /// and Hoekstra 2006, J. Opt. Soc. Am. A 23, 2592), one more for each material after the first; of given
  /// sites all numbers over a factor of 4.
  std::vector<int> fitted(int finest, const std::vector<int>& done = {}) const;
  /// So many are to be in a fit whose errors are believed: fewer agree by chance.
  int fewest() const { return divided_ ? 3 : step_ > 0 ? 4 : 7; }
  /// The next finest one, where the error is `excess` times the one asked for.
  int finer(int finest, double excess) const;

 private:
  int near(double n) const;

  Simulation sim_;
  int own_ = 1, step_ = 0, materials_ = 1;
  bool divided_ = false;
};

}  // namespace umov::dda
