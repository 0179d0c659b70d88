// Painter's algorithm over voxel faces with smooth shading from the local occupancy.
#include "dda/output/voxel_picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace umov::dda {

using namespace pictures;
namespace {

constexpr int largest_box = 160;  ///< finer voxels would be smaller than the pixels of the picture

/// The particle as drawn: occupied sites only ask `at`.
struct Voxels {
  Int3 box;
  Vec3 spacing;
  std::vector<std::uint8_t> material;

  std::uint8_t at(int x, int y, int z) const {
    if (x < 0 || y < 0 || z < 0 || x >= box[0] || y >= box[1] || z >= box[2]) return 0;
    return material[(std::size_t(z) * box[1] + y) * box[0] + x];
  }
  Vec3 center(int x, int y, int z) const {
    return {(x - 0.5 * (box[0] - 1)) * spacing[0], (y - 0.5 * (box[1] - 1)) * spacing[1],
            (z - 0.5 * (box[2] - 1)) * spacing[2]};
  }
};

/// Takes the middle site of each block of `factor`^3 sites.
Voxels coarsened(const shapes::Particle& p) {
  const int factor = (std::max({p.box[0], p.box[1], p.box[2]}) + largest_box - 1) / largest_box;
  if (factor <= 1) return {p.box, p.spacing, p.material};
  Voxels v;
  for (int c = 0; c < 3; ++c) {
    v.box[c] = (p.box[c] + factor - 1) / factor;
    v.spacing[c] = p.spacing[c] * factor;
  }
  const auto middle = [&](int i, int c) { return std::min(i * factor + factor / 2, p.box[c] - 1); };
  for (int z = 0; z < v.box[2]; ++z)
    for (int y = 0; y < v.box[1]; ++y)
      for (int x = 0; x < v.box[0]; ++x)
        v.material.push_back(
            p.material[(std::size_t(middle(z, 2)) * p.box[1] + middle(y, 1)) * p.box[0] + middle(x, 0)]);
  return v;
}

/// True when a material cannot be seen from the corner (+, +, +).
bool hides_a_material(const Voxels& v) {
  bool present[256] = {}, visible[256] = {};
  for (int z = 0; z < v.box[2]; ++z)
    for (int y = 0; y < v.box[1]; ++y)
      for (int x = 0; x < v.box[0]; ++x) {
        const auto m = v.at(x, y, z);
        present[m] = true;
        visible[m] |= !v.at(x + 1, y, z) || !v.at(x, y + 1, z) || !v.at(x, y, z + 1);
      }
  for (int m = 1; m < 256; ++m)
    if (present[m] && !visible[m]) return true;
  return false;
}

void cut_octant(Voxels& v) {
  for (int z = v.box[2] / 2; z < v.box[2]; ++z)
    for (int y = v.box[1] / 2; y < v.box[1]; ++y)
      for (int x = v.box[0] / 2; x < v.box[0]; ++x)
        v.material[(std::size_t(z) * v.box[1] + y) * v.box[0] + x] = 0;
}

/// Parallel projection from direction (azimuth, elevation); z is up on the sheet.
struct View {
  Vec3 right, up;
  double scale = 1;
  Point center;

  View() {
    const double azimuth = 33 * pi / 180, elevation = 27 * pi / 180;
    const double ca = std::cos(azimuth), sa = std::sin(azimuth);
    const double se = std::sin(elevation), ce = std::cos(elevation);
    right = {-sa, ca, 0};
    up = {-se * ca, -se * sa, ce};
  }
  Point direction(const Vec3& v) const { return {dot(v, right), -dot(v, up)}; }
  Point operator()(const Vec3& r) const {
    const Point d = direction(r);
    return {center.x + scale * d.x, center.y + scale * d.y};
  }
};

/// Calls `visit(x, y, z)` for sites with void beside them on the side of the viewer.
template <class Visit>
void for_visible_sites(const Voxels& v, Visit visit) {
  // Seen from (+, +, +), ascending order along every axis is back to front.
  for (int z = 0; z < v.box[2]; ++z)
    for (int y = 0; y < v.box[1]; ++y)
      for (int x = 0; x < v.box[0]; ++x)
        if (v.at(x, y, z) && (!v.at(x + 1, y, z) || !v.at(x, y + 1, z) || !v.at(x, y, z + 1))) visit(x, y, z);
}

/// Scales and centres the outline of the solid, not of its box: a sphere fills little of the latter.
View fitted_view(const Voxels& v, const Rect& area) {
  View view;
  constexpr double far = std::numeric_limits<double>::infinity();
  Point low{far, far}, high{-far, -far};
  for_visible_sites(v, [&](int x, int y, int z) {
    const Point d = view.direction(v.center(x, y, z));
    low = {std::min(low.x, d.x), std::min(low.y, d.y)};
    high = {std::max(high.x, d.x), std::max(high.y, d.y)};
  });
  const double edge = norm(v.spacing);  // centres lie inside the outline by up to half a diagonal
  view.scale = std::min(area.width / (high.x - low.x + edge), area.height / (high.y - low.y + edge));
  view.center = {area.x + 0.5 * area.width - 0.5 * view.scale * (low.x + high.x),
                 area.y + 0.5 * area.height - 0.5 * view.scale * (low.y + high.y)};
  return view;
}

/// Outward direction and openness (0 in a crevice, 1 on a plane or peak) from the void around a voxel.
struct Surroundings {
  Vec3 normal{0, 0, 0};
  double open = 0;
};

Surroundings look_around(const Voxels& v, int x, int y, int z) {
  constexpr int reach = 2;
  Surroundings s;
  int empty = 0, all = 0;
  for (int k = -reach; k <= reach; ++k)
    for (int j = -reach; j <= reach; ++j)
      for (int i = -reach; i <= reach; ++i) {
        ++all;
        if (v.at(x + i, y + j, z + k)) continue;
        ++empty;
        s.normal = s.normal + Vec3{double(i), double(j), double(k)};
      }
  const double length = norm(s.normal);
  if (length > 0) s.normal = (1 / length) * s.normal;
  // Beside a plane 2 of the 5 layers are void.
  s.open = std::min(1.0, empty / (0.4 * all));
  return s;
}

double brightness(const Surroundings& s, const Vec3& face) {
  static const Vec3 light = [] {
    const Vec3 l{0.50, 0.72, 1.0};
    return (1 / norm(l)) * l;
  }();
  Vec3 mixed = s.normal + 0.9 * face;
  // Edges turned away from the viewer are dimmed, not blackened.
  for (double& component : mixed)
    if (component < 0) component *= 0.5;
  const double diffuse = std::max(0.0, dot(mixed, light) / std::max(1e-9, norm(mixed)));
  return (0.50 + 0.60 * diffuse) * (0.7 + 0.3 * s.open);
}

void draw_face(Canvas& c, const View& view, const Voxels& v, const Vec3& center, int axis, Color color,
               bool outlined) {
  const int a = (axis + 1) % 3, b = (axis + 2) % 3;
  Point corners[4];
  const double signs[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  for (int i = 0; i < 4; ++i) {
    Vec3 r = center;
    r[axis] += 0.5 * v.spacing[axis];
    r[a] += signs[i][0] * v.spacing[a];
    r[b] += signs[i][1] * v.spacing[b];
    corners[i] = view(r);
  }
  c.polygon(corners, color, 0.35);
  if (!outlined) return;
  const Point loop[] = {corners[0], corners[1], corners[2], corners[3], corners[0]};
  c.polyline(loop, 0.5, scaled(color, 0.86));
}

void draw_solid(Canvas& c, const View& view, const Voxels& v) {
  const bool outlined = view.scale * *std::min_element(v.spacing.begin(), v.spacing.end()) > 4;
  for_visible_sites(v, [&](int x, int y, int z) {
    const bool visible[3] = {!v.at(x + 1, y, z), !v.at(x, y + 1, z), !v.at(x, y, z + 1)};
    const auto around = look_around(v, x, y, z);
    const Color color = material_color(v.at(x, y, z));
    for (int axis = 0; axis < 3; ++axis) {
      if (!visible[axis]) continue;
      Vec3 face{0, 0, 0};
      face[axis] = 1;
      draw_face(c, view, v, v.center(x, y, z), axis, scaled(color, brightness(around, face)), outlined);
    }
  });
}

/// The arrow of the incident wave on the line through the beam's centre, on the side the light comes from and
/// clear of the solid's outline. That of a beam which misses the picture is at its edge.
void draw_incidence(Canvas& c, const View& view, const Voxels& v, const Rect& area, const Vec3& propagation,
                    const Vec3& beam_centre) {
  const double length = norm(propagation);
  if (!(length > 0)) return;
  const Point k = view.direction((1 / length) * propagation);
  const double shown = std::hypot(k.x, k.y);
  // Seen end-on there is no direction on the sheet: a short arrow from above stands for it.
  const Point u = shown > 0.1 ? Point{k.x / shown, k.y / shown} : Point{0, 1};
  double reach = 0;
  for_visible_sites(v, [&](int x, int y, int z) {
    const Point p = view(v.center(x, y, z));
    reach = std::max(reach, -((p.x - view.center.x) * u.x + (p.y - view.center.y) * u.y));
  });
  const Point shift = view.direction(view.scale * beam_centre), across{-u.y, u.x};
  const double most = 0.5 * std::min(area.width, area.height),
               aside = std::clamp(shift.x * across.x + shift.y * across.y, -most, most);
  const double gap = 12 + 0.5 * view.scale * norm(v.spacing), size = 26 + 40 * shown;
  const auto along = [&](double d) {
    return Point{view.center.x - d * u.x + aside * across.x, view.center.y - d * u.y + aside * across.y};
  };
  const Point tip = along(reach + gap), tail = along(reach + gap + size);
  c.arrow(tail, tip, 2.6, ink::orange);
  const Point middle{0.5 * (tip.x + tail.x), 0.5 * (tip.y + tail.y)};
  c.text({middle.x - 15 * u.y, middle.y + 15 * u.x + 5}, "k", 14, ink::orange, Align::center, true);
}

}  // namespace

Color material_color(int material) {
  static constexpr Color colors[] = {rgb(0x4a9bd9), rgb(0xf0a35e), rgb(0x63b98a), rgb(0xd66b80),
                                     rgb(0x9a86d1), rgb(0xd9c45a), rgb(0x5fb8bd), rgb(0xb58863)};
  return colors[(std::max(1, material) - 1) % 8];
}

VoxelScene draw_voxels(Canvas& c, const Rect& area, const shapes::Particle& p, const Vec3& propagation,
                       const Vec3& beam_centre) {
  Voxels v = coarsened(p);
  VoxelScene scene;
  scene.cut = hides_a_material(v);
  if (scene.cut) cut_octant(v);
  const View view = fitted_view(v, area);
  draw_solid(c, view, v);
  draw_incidence(c, view, v, area, propagation, beam_centre);
  scene.x_axis = view.direction({1, 0, 0});
  scene.y_axis = view.direction({0, 1, 0});
  scene.z_axis = view.direction({0, 0, 1});
  return scene;
}

}  // namespace umov::dda
