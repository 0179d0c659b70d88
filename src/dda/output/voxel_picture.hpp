// The particle as a solid made of its voxels, seen from a corner.
#pragma once

#include "pictures/canvas.hpp"
#include "shapes/particle.hpp"

namespace umov::dda {

/// Colours of materials 1, 2, ...; repeats after eight.
pictures::Color material_color(int material);

/// What the rendering found out about the scene, for captions drawn over it.
struct VoxelScene {
  bool cut = false;                        ///< an octant was left out because a material would be hidden
  pictures::Point x_axis, y_axis, z_axis;  ///< unit vectors of space on the sheet
};

/// Draws the visible faces back to front in parallel projection into `area`, and the incident wave's arrow.
/// Particles of more than 160 sites along an axis are drawn coarser. `propagation` and the centre of a beam
/// (um, from that of the box) are in the particle frame.
VoxelScene draw_voxels(pictures::Canvas&, const pictures::Rect& area, const shapes::Particle&,
                       const Vec3& propagation, const Vec3& beam_centre = {0, 0, 0});

}  // namespace umov::dda
