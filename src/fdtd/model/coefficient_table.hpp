// The list of distinct coefficients that material indices refer to.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "fdtd/model/average.hpp"
#include "fdtd/problem.hpp"

namespace umov::fdtd {

/// Equal coefficients get one entry, except that those with more behind them (poles, perfect conductors) stay
/// apart from plain ones.
class CoefficientTable {
 public:
  explicit CoefficientTable(const Grid& grid) : grid_(grid) {}

  std::uint16_t add(const Coefficients&, bool plain);
  /// Indices of two bytes whatever the dimension; half of them for averaged values.
  void widen() { wide_ = true; }
  /// Indices of averaged values, in their order. Beyond the room for indices (254 altogether in three
  /// dimensions, else 65536) the values are rounded to
  /// levels evenly spaced in log(1/eps): with L levels the error is at most ln(eps_max / eps_min) / 2L, 0.5 %
  /// of eps in interface cells for glass of eps 12 and L = 250, of either sign from cell to cell.
  void add_mixed(std::vector<Effective>&, std::vector<std::uint16_t>& indices);

  /// Lossless at once (poles may follow), not a perfect conductor: 1/eps is drive dx/dt.
  bool plain(std::uint16_t i) const { return plain_[i]; }
  const std::vector<Coefficients>& list() const { return list_; }

 private:
  /// In three dimensions an index of one byte: 255 is what passes of several steps on GPUs call frozen, and a
  /// part of several ranks adds one that stands still.
  std::size_t room() const { return wide_ ? 32768 : dimensions(grid_.mode) == 3 ? 254 : 65536; }

  Grid grid_;
  bool wide_ = false;
  std::vector<Coefficients> list_;
  std::vector<bool> plain_;
  std::map<std::array<long long, 3>, std::uint16_t> known_;
};

}  // namespace umov::fdtd
