// Diagonally implicit Runge-Kutta methods.
#pragma once

#include <array>
#include <vector>

#include "eqs/simulation.hpp"

namespace umov::eqs {

/// Stage s at t + c_s dt: q(U_s) + dt a_ss i(U_s) = q(u) - dt sum over j < s of a_sj i(U_j). All are stiffly
/// accurate: the last stage is the new state. A first stage with a_00 = 0 is the old state.
struct Tableau {
  int stages = 0;
  std::array<double, 4> c{}, b{}, embedded{};
  /// Of a second estimate, a third difference of the currents over the step: it sees materials that switch
  /// within it, which b - embedded may hardly weigh. All 0: there is none.
  std::array<double, 4> watch{};
  double watch_start = 0;  ///< its weight of the current of the old state, where that is no stage
  std::array<std::array<double, 4>, 4> a{};
  int order = 0, embedded_order = 0;
  double gamma = 0;  ///< of the implicit stages
};

/// sdirk3: Cameron, Palmroth and Piche 2002 (Comput. Methods Appl. Mech. Engrg. 191, 4777), order 3 with an
/// embedded method of order 2 that uses all four stages; implicit_euler: with the trapezoidal rule as its
/// companion; esdirk3: ESDIRK3(2)4L[2]SA of Kennedy and Carpenter (2016, NASA/TM-2016-219173) with c3 = 3/5
/// (the implicit part of their ARK3(2)4L[2]SA of 2003). automatic: sdirk3; the stabilised explicit schemes
/// have orders and no stages here.
Tableau tableau(Scheme);

}  // namespace umov::eqs
