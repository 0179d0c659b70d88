// Kinds of walls that bound the domain: what each is called, and what it does to fields.
#pragma once

#include <stdexcept>

#include "fdtd/simulation.hpp"

namespace umov::fdtd {

/// What is known of a kind. TO ADD ONE: its value in simulation.hpp, its line in `wall_kinds`.
struct WallTraits {
  WallKind kind;
  const char *word, *title;  ///< in cases; on pictures
  Closure closure;           ///< of the grid, behind absorbing layers too
  bool mirror = false;       ///< a symmetry plane
  bool turns = false;        ///< what comes in has another phase than what went out
};

inline constexpr WallTraits wall_kinds[] = {
    {WallKind::pml, "pml", "absorbing", Closure::pec},
    {WallKind::pec, "pec", "electric wall", Closure::pec},
    {WallKind::pmc, "pmc", "magnetic wall", Closure::pmc},
    {WallKind::periodic, "periodic", "periodic", Closure::periodic},
    {WallKind::bloch, "bloch", "Bloch", Closure::periodic, false, true},
    {WallKind::mirror_even, "mirror_even", "even mirror", Closure::pmc, true},
    {WallKind::mirror_odd, "mirror_odd", "odd mirror", Closure::pec, true},
};

/// Throws std::logic_error where the list lacks a kind.
constexpr const WallTraits& traits(WallKind kind) {
  for (const WallTraits& wall : wall_kinds)
    if (wall.kind == kind) return wall;
  throw std::logic_error("a kind of wall without traits");
}

/// Whether what leaves through the wall enters on the other side.
constexpr bool wraps(WallKind w) { return traits(w).closure == Closure::periodic; }
/// Whether the phase of Bloch walls is gained on that way.
constexpr bool turns(WallKind w) { return traits(w).turns; }
/// Whether tangential E is zero on it.
constexpr bool is_electric_wall(WallKind w) { return traits(w).closure == Closure::pec; }
/// Whether tangential H is.
constexpr bool is_magnetic_wall(WallKind w) { return traits(w).closure == Closure::pmc; }
/// Whether it is a symmetry plane, and one through which tangential E is even.
constexpr bool is_mirror(WallKind w) { return traits(w).mirror; }
constexpr bool is_even_mirror(WallKind w) { return is_mirror(w) && is_magnetic_wall(w); }

}  // namespace umov::fdtd
