// What monitors of kind snapshot alone read.
#pragma once

namespace umov::fdtd {

struct SnapshotSpec {
  double every = 0;     ///< time between pictures
  int plane = 2;        ///< in space: axis normal to the plane
  double plane_at = 0;  ///< its place on that axis
};

}  // namespace umov::fdtd
