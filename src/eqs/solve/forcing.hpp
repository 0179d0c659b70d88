// How exactly the linear systems of Newton's method are solved.
#pragma once

#include <algorithm>

#include "eqs/simulation.hpp"

namespace umov::eqs {

/// Forcing terms (Eisenstat and Walker 1996, SIAM J. Sci. Comput. 17, 16): no linear system is solved further
/// than the nonlinear residual would follow. Newton's step from a residual F leaves c |F|^2 where its system
/// is solved exactly, and c changes little from one time step to the next: it is taken from the last step of
/// Newton's method, the first of a solve and later ones apart. Their choice 2 knows nothing in the first step
/// of a solve, and that one alone is enough where curves bend little
/// (benchmarks/ladder/eqs_start_vectors.md).
class Forcing {
 public:
  /// `finest`: what no linear system is solved beyond, of the fluxes.
  Forcing(ForcingTerm kind, double finest) : kind_(kind), finest_(finest) {}

  /// Residuals are relative to the fluxes; `wanted` ends Newton's iteration, of which this is step k = 0, 1,
  /// ... The tolerance |b - A x| / |b| of its linear system.
  double next(int k, double residual, double wanted) const {
    double eta = fixed(residual);
    if (kind_ == ForcingTerm::adaptive && known_[k > 0])
      eta = std::max(eta, share * std::max(bend_[k > 0] * residual, wanted / residual));
    return std::min(eta, largest);
  }
  /// The same whatever was seen.
  double fixed(double residual) const { return std::min(std::max(finest_, finest_ / residual), largest); }
  /// What the residual became.
  void saw(int k, double before, double after) {
    known_[k > 0] = true;
    bend_[k > 0] = after / (before * before);
  }
  /// To or from an archive (core/bytes.hpp).
  template <class Archive>
  void state(Archive& archive) {
    for (int k = 0; k < 2; ++k) archive(known_[k]), archive(bend_[k]);
  }

 private:
  /// Of what Newton's step leaves anyway, or of what ends the iteration: a tenth adds little to either.
  static constexpr double share = 0.1, largest = 0.1;
  ForcingTerm kind_;
  double finest_;
  bool known_[2] = {false, false};
  double bend_[2] = {0, 0};
};

}  // namespace umov::eqs
