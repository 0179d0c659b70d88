// The report of a whole particle as the solves in its mirror sectors come in.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "dda/engine.hpp"
#include "dda/mirror/parity.hpp"

namespace umov::dda {

/// "x even, y odd, z even"
std::string sector_name(const Parity&);

struct Sector {
  Parity parity;
  double norm2;  ///< of its right-hand side
};

/// The report of the whole as its sectors come in: their residuals are orthogonal, so that squares add up;
/// a sector not yet solved for has that of x = 0.
struct SectorProgress {
  explicit SectorProgress(const std::vector<Sector>& list) : sectors(list), squares(list.size()) {
    for (std::size_t i = 0; i < sectors.size(); ++i) whole += squares[i] = sectors[i].norm2;
  }
  /// Relative residual of the whole when sector i has this one.
  double residual(std::size_t i, double of_sector) const {
    double sum = of_sector * of_sector * sectors[i].norm2;
    for (std::size_t j = 0; j < squares.size(); ++j)
      if (j != i) sum += squares[j];
    return std::sqrt(sum / whole);
  }
  /// Adds what sector i has come to.
  void take(const SolveReport& part, std::size_t i);

  std::vector<Sector> sectors;
  std::vector<double> squares;  ///< of the sectors' residuals
  double whole = 0;
  SolveReport report;
};

}  // namespace umov::dda
