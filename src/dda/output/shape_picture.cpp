// shape.png: the voxelised particle with its materials.
#include <fmt/format.h>

#include <algorithm>

#include "dda/output/picture_parts.hpp"
#include "dda/output/voxel_picture.hpp"

namespace umov::dda {

using namespace pictures;

namespace {

void draw_triad(Canvas& c, Point origin, const VoxelScene& scene) {
  const std::pair<Point, const char*> axes[] = {
      {scene.x_axis, "x"}, {scene.y_axis, "y"}, {scene.z_axis, "z"}};
  for (const auto& [d, name] : axes) {
    const double length = 46;
    c.arrow(origin, {origin.x + length * d.x, origin.y + length * d.y}, 1.5, ink::text);
    c.text({origin.x + (length + 11) * d.x, origin.y + (length + 11) * d.y + 4}, name, 12, ink::text,
           Align::center);
  }
}

void draw_materials(Canvas& c, Point at, const Outcome& o) {
  const std::size_t shown = std::min<std::size_t>(o.simulation.m.size(), 10);
  for (std::size_t i = 0; i < shown; ++i, at.y += 22) {
    c.rectangle({at.x, at.y - 11, 14, 14}, material_color(int(i + 1)));
    c.text({at.x + 22, at.y}, fmt::format("{}: {}", i + 1, show_index(o.simulation.m[i])), 12, ink::text);
  }
}

}  // namespace

bool shape_panel(Canvas& c, const Rect& area, Point triad, const Outcome& o) {
  const auto scene =
      draw_voxels(c, area, o.particle, o.propagation_particle, beam_centre(o).value_or(Vec3{0, 0, 0}));
  draw_triad(c, triad, scene);
  return scene.cut;
}

void shape_picture(const Outcome& o, const std::string& path) {
  Canvas c(760, 700);
  const auto& p = o.particle;
  const bool cut = shape_panel(c, {120, 90, 520, 470}, {80, 635}, o);
  title(c, fmt::format("{}: {} dipoles", shape_name(o), grouped(p.dipoles())),
        fmt::format("{} × {} × {} sites, {:.4g} × {:.4g} × {:.4g} µm, {:.4g} dipoles per wavelength{}",
                    p.box[0], p.box[1], p.box[2], p.box[0] * p.spacing[0], p.box[1] * p.spacing[1],
                    p.box[2] * p.spacing[2], p.dpl, cut ? "; one octant cut away" : "") +
            beam_caption(o));
  draw_materials(
      c, {c.width() - 190, c.height() - 30 - 22.0 * (std::min<std::size_t>(o.simulation.m.size(), 10) - 1)},
      o);
  c.write_png(path);
}

}  // namespace umov::dda
