// Coefficients of stabilised explicit Runge-Kutta methods: Chebyshev's (RKC) and Legendre's (RKL2).
#pragma once

#include <vector>

#include "eqs/simulation.hpp"

namespace umov::eqs {

/// One stage of y' = F(t, y), 1 <= j <= s, with F_j = F(t + c_j h, Y_j), Y_0 = y:
/// Y_1 = y + slope h F_0; Y_j = (1 - last - before) y + last Y_{j-1} + before Y_{j-2} + slope h F_{j-1} +
/// first_slope h F_0.
struct StabilisedStage {
  double last = 0, before = 0, slope = 0, first_slope = 0, c = 0;
};

/// A method of second order with s stages, stable for every real decay rate up to reach / h.
struct StabilisedScheme {
  std::vector<StabilisedStage> stages;
  double reach = 0;
};

/// rkc: Sommeijer, Shampine and Verwer 1998 (J. Comput. Appl. Math. 88, 315), damping 2/13, s >= 2, reach
/// 2 (s^2 - 1) (1 - 2/15 damping) / 3; rkl2: Meyer, Balsara and Aslam 2014 (J. Comput. Phys. 257, 594), s odd
/// and >= 3, reach (s^2 + s - 2) / 2. A broken contract for other schemes and numbers of stages.
StabilisedScheme stabilised_scheme(Scheme, int stages);

/// The integral over a step, in units of its length, of what is value[0] >= 0 at its start and value[j] at
/// stage j: by parabolas through three neighbours, their mean between the inner ones; never negative. Third
/// order, and unlike the stages' own weights, which for two stages are -1 and 2, without the difference of
/// large terms.
double integral_over_stages(const StabilisedScheme&, const std::vector<double>& value);

/// Fewest stages for a step over which the fastest decay takes h_rho = h * rate. rkc: 1 + floor(sqrt(1 + 1.54
/// h_rho)), the paper's. At most `largest`, however large h_rho is.
int stages_for(Scheme, double h_rho, int largest);
/// The longest h * rate of a number of stages, such that stages_for() gives no more.
double reach_of(Scheme, int stages);

/// rkc, rkl2: no Newton iteration. automatic is both.
inline bool is_stabilised(Scheme s) { return s == Scheme::rkc || s == Scheme::rkl2; }
/// Whether a run may take stabilised steps, and which ones.
inline bool may_be_stabilised(Scheme s) { return is_stabilised(s) || s == Scheme::automatic; }
inline Scheme stabilised_part(Scheme s) { return s == Scheme::automatic ? Scheme::rkc : s; }

}  // namespace umov::eqs
