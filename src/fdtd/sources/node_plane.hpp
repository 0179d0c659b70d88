// The nodes of a plane that a source or a mode lies in.
#pragma once

#include <string>

#include "fdtd/grid.hpp"

namespace umov::fdtd {

/// Whose plane it is, for messages, and the nodes between which it may lie; its own axis needs one more on
/// each side.
struct PlaneLimits {
  const char* whose = "mode";
  Int3 first{0, 0, 0}, last{0, 0, 0};
  const char* beyond = "out of the domain";
};

struct NodePlane {
  int axis = 0;  ///< normal to it
  Int3 lo{0, 0, 0}, hi{0, 0, 0};
};

/// The nodes nearest to a box without extent along one axis. Throws BadInput, naming the owner (e.g. "source
/// 'in'"), when the box is no plane (two dimensions: line), has less than three cells across, or lies beyond
/// the limits.
NodePlane node_plane(const Grid&, const Vec3& center, const Vec3& size, const std::string& owner,
                     const PlaneLimits&);

}  // namespace umov::fdtd
