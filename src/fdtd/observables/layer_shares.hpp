// What absorbing layers add to the uncertainty of fluxes in cells whose orders are known.
#pragma once

#include <vector>

#include "fdtd/scene.hpp"

namespace umov::fdtd {

class LayerShares {
 public:
  LayerShares() = default;
  LayerShares(const Simulation&, const Scene&, const Problem&, const std::vector<double>& frequencies);

  /// Whether any wave of the case is known.
  bool any() const { return any_; }
  /// Largest change of a flux, in fluxes of the incident wave. With the amplitude r that layers reflect and
  /// rho that the cell does (at most 1): waves from behind come back and meet the reflected one, in the run
  /// (2 r rho (1 - rho^2)) and in the reference run that is subtracted (2 r rho), and what the cell sends
  /// back comes again (2 r rho^3): 4 r rho in all, and r^2.
  double of_flux(std::size_t frequency) const {
    return reflection_[frequency] * (4 + reflection_[frequency]);
  }

 private:
  std::vector<double> reflection_;
  bool any_ = false;
};

}  // namespace umov::fdtd
