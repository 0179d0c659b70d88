// Painter's algorithm over voxel faces with smooth shading from the local occupancy.
#include "results/voxel_picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace umov::results {
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
  Vec3 right, up, toward;
  double scale = 1;
  Point center;

  View() {
    const double azimuth = 33 * pi / 180, elevation = 27 * pi / 180;
    const double ca = std::cos(azimuth), sa = std::sin(azimuth);
    const double ce = std::cos(elevation), se = std::sin(elevation);
    right = {-sa, ca, 0};
    up = {-se * ca, -se * sa, ce};
    toward = {ce * ca, ce * sa, se};
  }
  Point direction(const Vec3& v) const { return {dot(v, right), -dot(v, up)}; }
  Point operator()(const Vec3& r) const {
    const Point d = direction(r);
    return {center.x + scale * d.x, center.y + scale * d.y};
  }
};

View fitted_view(const Voxels& v, const Rect& area) {
  View view;
  double half_x = 0, half_y = 0;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 r;
    for (int c = 0; c < 3; ++c) r[c] = ((corner >> c & 1) - 0.5) * v.box[c] * v.spacing[c];
    const Point d = view.direction(r);
    half_x = std::max(half_x, std::abs(d.x));
    half_y = std::max(half_y, std::abs(d.y));
  }
  view.scale = std::min(0.5 * area.width / half_x, 0.5 * area.height / half_y);
  view.center = {area.x + 0.5 * area.width, area.y + 0.5 * area.height};
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
    const Vec3 l{0.35, 0.60, 0.95};
    return (1 / norm(l)) * l;
  }();
  const Vec3 mixed = s.normal + 0.9 * face;
  const double diffuse = std::max(0.0, dot(mixed, light) / std::max(1e-9, norm(mixed)));
  return (0.42 + 0.66 * diffuse) * (0.6 + 0.4 * s.open);
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
  c.polyline(loop, 0.5, scaled(color, 0.78));
}

void draw_solid(Canvas& c, const View& view, const Voxels& v) {
  const bool outlined = view.scale * *std::min_element(v.spacing.begin(), v.spacing.end()) > 4;
  // Seen from (+, +, +), ascending order along every axis is back to front.
  for (int z = 0; z < v.box[2]; ++z)
    for (int y = 0; y < v.box[1]; ++y)
      for (int x = 0; x < v.box[0]; ++x) {
        const int material = v.at(x, y, z);
        if (material == 0) continue;
        const bool visible[3] = {!v.at(x + 1, y, z), !v.at(x, y + 1, z), !v.at(x, y, z + 1)};
        if (!visible[0] && !visible[1] && !visible[2]) continue;
        const auto around = look_around(v, x, y, z);
        const Vec3 center{(x - 0.5 * (v.box[0] - 1)) * v.spacing[0],
                          (y - 0.5 * (v.box[1] - 1)) * v.spacing[1],
                          (z - 0.5 * (v.box[2] - 1)) * v.spacing[2]};
        for (int axis = 0; axis < 3; ++axis) {
          if (!visible[axis]) continue;
          Vec3 face{0, 0, 0};
          face[axis] = 1;
          draw_face(c, view, v, center, axis, scaled(material_color(material), brightness(around, face)),
                    outlined);
        }
      }
}

/// Wave fronts and an arrow on the side the light comes from.
void draw_incidence(Canvas& c, const View& view, const Voxels& v, const Vec3& propagation) {
  const double length = norm(propagation);
  if (!(length > 0)) return;
  const Vec3 k = (1 / length) * propagation;
  // The box seen along k: where its surface is left.
  double exit = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i)
    if (k[i] != 0) exit = std::min(exit, 0.5 * v.box[i] * v.spacing[i] / std::abs(k[i]));
  const double unit = 26 / view.scale;  // of the sheet, as a length in space
  const Point tip = view(-(exit + 0.5 * unit) * k), tail = view(-(exit + 2.9 * unit) * k);
  c.arrow(tail, tip, 2.6, ink::orange);
  const Point side = {-(tip.y - tail.y), tip.x - tail.x};
  const double s = std::hypot(side.x, side.y);
  const Point where =
      s > 1 ? Point{tail.x + 16 * side.x / s, tail.y + 16 * side.y / s} : Point{tail.x + 14, tail.y};
  c.text({where.x, where.y + 5}, "k", 14, ink::orange, Align::center, true);
}

}  // namespace

Color material_color(int material) {
  static constexpr Color colors[] = {rgb(0x4a9bd9), rgb(0xf0a35e), rgb(0x63b98a), rgb(0xd66b80),
                                     rgb(0x9a86d1), rgb(0xd9c45a), rgb(0x5fb8bd), rgb(0xb58863)};
  return colors[(std::max(1, material) - 1) % 8];
}

VoxelScene draw_voxels(Canvas& c, const Rect& area, const shapes::Particle& p, const Vec3& propagation) {
  Voxels v = coarsened(p);
  VoxelScene scene;
  scene.cut = hides_a_material(v);
  if (scene.cut) cut_octant(v);
  const View view = fitted_view(v, area);
  const bool from_behind = dot(propagation, view.toward) > 0;
  if (from_behind) draw_incidence(c, view, v, propagation);
  draw_solid(c, view, v);
  if (!from_behind) draw_incidence(c, view, v, propagation);
  scene.x_axis = view.direction({1, 0, 0});
  scene.y_axis = view.direction({0, 1, 0});
  scene.z_axis = view.direction({0, 0, 1});
  return scene;
}

}  // namespace umov::results
