#include "fdtd/model/bodies.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"
#include "shapes/mesh.hpp"

namespace umov::fdtd {
namespace {

using shapes::Body;

double or_through(double length) { return length == 0 || length == INFINITY ? shapes::unbounded : length; }

Vec3 extents(const ShapeSpec& b) {
  Vec3 size = b.size.value_or(Vec3{0, 0, 0});
  for (double& s : size) s = or_through(s);
  return size;
}

/// Semi-axes that run through would leave no ellipsoid: those of an axis the domain lacks are made long.
Vec3 ellipsoid_extents(const Simulation& s, const ShapeSpec& b) {
  if (!b.size)
    throw BadInput("it has no size (an ellipsoid is given by its three extents); set size = [x, y, z]");
  Vec3 size = *b.size;
  for (int a = 0; a < 3; ++a)
    if (std::isinf(size[a]) || (size[a] == 0 && s.size[a] == 0)) size[a] = shapes::unbounded;
  return size;
}

/// Of a layer: its sides lean about the height at which it is as drawn.
std::unique_ptr<Body> layout_prism(const ShapeSpec& b) {
  shapes::Taper taper;
  if (b.side_angle != 90) taper = {std::tan((90 - b.side_angle) * pi / 180), (b.drawn_at - 0.5) * b.height};
  return shapes::prism_over(shapes::turned(b.center, {0, 0, 1}, 0), *b.outline, or_through(b.height), taper);
}

std::unique_ptr<Body> make(const Simulation& s, const ShapeSpec& b) {
  if (b.height < 0)
    throw BadInput(fmt::format("its height is {:g} (a length); give zero for through, or more", b.height));
  if (b.shape == "box") return shapes::box(shapes::turned(b.center, b.axis, b.rotation), extents(b));
  if (b.shape == "ellipsoid")
    return shapes::ellipsoid(shapes::turned(b.center, b.axis, b.rotation), ellipsoid_extents(s, b));
  if (b.shape == "sphere") return shapes::sphere(b.center, b.radius);
  const auto frame = [&] { return shapes::along(b.center, b.axis, b.rotation); };
  if (b.shape == "cylinder") return shapes::cylinder(frame(), b.radius, or_through(b.height));
  if (b.shape == "ring") return shapes::ring(frame(), b.inner_radius, b.radius, or_through(b.height));
  if (b.outline) return layout_prism(b);
  if (b.shape == "prism") return shapes::prism(frame(), b.vertices, or_through(b.height));
  if (b.shape == "mesh")
    return shapes::mesh_body(shapes::read_mesh(b.file), shapes::turned(b.center, b.axis, b.rotation),
                             b.scale);
  const std::vector<std::string> known{"box", "sphere", "cylinder", "ellipsoid", "ring", "prism", "mesh"};
  const std::string hint = did_you_mean(b.shape, known);
  throw BadInput(fmt::format("unknown shape '{}' (shapes are {}); {}", b.shape, join(known, ", "),
                             hint.empty() ? "choose one" : hint));
}

/// What `make` makes of a shape's numbers, which are finite; the label before what it refuses.
template <class Make>
auto checked(const ShapeSpec& b, const std::string& label, const Make& make) {
  const auto finite = [](const Vec3& v) {
    return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
  };
  try {
    const Vec3 size = b.size.value_or(Vec3{0, 0, 0});
    // An infinite extent or height is one that runs through.
    if (!finite(b.center) || std::isnan(size[0] + size[1] + size[2]) || !std::isfinite(b.rotation) ||
        !std::isfinite(b.radius) || std::isnan(b.height))
      throw BadInput("a length or an angle is not a finite number (it came as nan or inf); correct it");
    return make();
  } catch (const BadInput& e) {
    throw BadInput(label + ": " + e.what());
  }
}

}  // namespace

std::string body_label(const Simulation& s, std::size_t number) {
  const BodySpec& b = s.bodies[number];
  if (b.layer > 0) return fmt::format("layer {}", b.layer);
  const auto own = std::ranges::count_if(s.bodies.begin(), s.bodies.begin() + long(number),
                                         [](const BodySpec& before) { return before.layer == 0; });
  return fmt::format("body {} ({})", own + 1, b.shape);
}

std::string absorber_label(const Simulation& s, std::size_t number) {
  return fmt::format("absorber {} ({})", number + 1, s.absorbers[number].shape);
}

std::unique_ptr<Body> make_body(const Simulation& s, std::size_t number) {
  const ShapeSpec& b = s.bodies[number];
  return checked(b, body_label(s, number), [&] { return make(s, b); });
}

std::vector<std::unique_ptr<Body>> make_pieces(const Simulation& s, const ShapeSpec& b,
                                               const std::string& label) {
  return checked(b, label, [&] {
    if (b.shape == "mesh")
      return shapes::mesh_bodies(shapes::read_mesh(b.file), shapes::turned(b.center, b.axis, b.rotation),
                                 b.scale);
    std::vector<std::unique_ptr<Body>> one;
    one.push_back(make(s, b));
    return one;
  });
}

std::string likely_scale(const ShapeSpec& spec, double extent, double domain) {
  for (const double factor : {1e-3, 1e-6, 1e3, 1e6})
    if (extent * factor < 2 * domain && extent * factor > domain / 50)
      return fmt::format(
          "; with scale = {:g} it would be {:.4g} long, as if the file were in units {:g} times as {}",
          spec.scale * factor, extent * factor, std::max(factor, 1 / factor), factor < 1 ? "small" : "large");
  return "";
}

}  // namespace umov::fdtd
