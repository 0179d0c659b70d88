// What bodies have of a box, exactly where their faces are flat, whatever bodies the same space is divided
// into.
#pragma once

#include <vector>

#include "fdtd/model/cut_box.hpp"

namespace umov::fdtd {

/// A body that has a surface in a box or next to it, the plane it would be there, and its fraction of the
/// box.
struct BoxPart {
  const shapes::Body* body = nullptr;
  int material = 0;
  BoxCut cut;
  double fraction = 0;
};

/// Sets the fractions of bodies, the topmost first, in a box. False where surfaces are too curved for it, or
/// too many; `anyway` takes the plane of each body then.
bool find_fractions(std::vector<BoxPart>&, const Vec3& lo, const Vec3& hi, bool anyway);

}  // namespace umov::fdtd
