// Solvers of an order that their user chooses, and their names: "mlbicgstab,8".
#pragma once

#include <charconv>
#include <string_view>

namespace umov::krylov {

/// Starting vectors n of ML(n)BiCGSTAB, degree L of BiCGSTAB(L).
inline constexpr int most_order = 50;

/// A solver with an order takes it as the last argument of its constructor, and has usual_order and
/// vectors_with(order).
template <class Solver>
concept HasOrder = requires {
  Solver::vectors_with(1);
};

/// The vectors of a solver besides x and r; order 0: its usual one.
template <class Solver>
constexpr int vectors_in(int order) {
  if constexpr (HasOrder<Solver>)
    if (order > 0) return Solver::vectors_with(order);
  return Solver::vectors;
}

/// A solver as its user names it.
struct SolverName {
  std::string_view solver;
  int order = 0;  ///< behind the comma; 0: none is given, the solver's usual one
};

/// `text` lives on. What stands behind the comma was checked where the name was read.
inline SolverName solver_name(std::string_view text) {
  const auto comma = text.find(',');
  SolverName out{text.substr(0, comma)};
  if (comma != text.npos) std::from_chars(text.data() + comma + 1, text.data() + text.size(), out.order);
  return out;
}

}  // namespace umov::krylov
