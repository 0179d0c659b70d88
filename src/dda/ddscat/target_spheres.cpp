// SPHERES_N: the union of spheres that a file lists.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "core/error.hpp"
#include "dda/ddscat/record.hpp"
#include "dda/ddscat/target.hpp"

namespace umov::dda::ddscat {

namespace {

constexpr double most_in_box = 1e8;

struct Sphere {
  Vec3 at;
  double r = 0;
};

/// The file: a number, the lattice's offset (or text), three lines of which PRINAX = 2 reads two as axes,
/// spheres.
struct Cluster {
  std::vector<Sphere> spheres;
  Vec3 offset{0, 0, 0}, low{0, 0, 0}, high{0, 0, 0};
};

Vec3 read_offset(Record r) {
  try {
    return {r.number("x"), r.number("y"), r.number("z")};
  } catch (const BadInput&) {
    return {0, 0, 0};  // a line of text stands there in older files
  }
}

Cluster read_cluster(const std::string& path, bool axes, Target& t) {
  Records file(path);
  Cluster c;
  const long count = file.skip_line("the number of spheres").whole("the number of spheres", 1, 10000);
  c.offset = read_offset(file.skip_line("the lattice's offset"));
  for (int line = 3; line <= 5; ++line) {
    Record r = file.skip_line("the target's axes");
    if (!axes || line == 5) continue;
    for (double& x : line == 3 ? t.a1 : t.a2) x = r.number("a target axis");
  }
  for (long i = 0; i < count; ++i) {
    Record r = file.next(fmt::format("sphere {} of {}", i + 1, count));
    Sphere s;
    for (int k = 0; k < 3; ++k) s.at[k] = r.number("a coordinate of the centre");
    s.r = r.positive("the radius");
    for (int k = 0; k < 3; ++k) {
      c.low[k] = i == 0 ? s.at[k] - s.r : std::min(c.low[k], s.at[k] - s.r);
      c.high[k] = i == 0 ? s.at[k] + s.r : std::max(c.high[k], s.at[k] + s.r);
    }
    c.spheres.push_back(s);
  }
  return c;
}

/// Sites inside one sphere, z first, as DDSCAT numbers them.
void add_sphere(const Vec3& centre, double r, const Vec3& offset, std::set<Axes3>& sites) {
  Axes3 from, to;
  for (int k = 0; k < 3; ++k) {
    from[k] = int(std::floor(centre[k] - offset[k] - r));
    to[k] = int(std::ceil(centre[k] - offset[k] + r));
  }
  for (int z = from[2]; z <= to[2]; ++z)
    for (int y = from[1]; y <= to[1]; ++y)
      for (int x = from[0]; x <= to[0]; ++x) {
        const Vec3 d = Vec3{x + offset[0], y + offset[1], z + offset[2]} - centre;
        if (dot(d, d) < r * r) sites.insert({z, y, x});
      }
}

}  // namespace

Target target_of_spheres(const Parameters& p) {
  const double extent = p.shape_parameters[0];
  const long axes = std::lround(p.shape_parameters[1]);
  const auto refuse = [&](const std::string& why) {
    throw BadInput(fmt::format("{}: SPHERES_N: {}", p.places.at("SHPAR"), why));
  };
  if (!(extent > 0 && extent < 65536)) refuse("parameter 1 is the extent along x in spacings, up to 65535");
  Target t;
  const Cluster c = read_cluster(p.shape_file, axes >= 2, t);
  const double scale = extent / (c.high[0] - c.low[0]);
  double box = 1;
  for (int k = 0; k < 3; ++k) box *= scale * (c.high[k] - c.low[k]) + 2;
  if (!(box < most_in_box)) refuse(fmt::format("more than {:g} sites; take a coarser lattice", most_in_box));
  std::set<Axes3> met;
  double volume = 0;
  for (const Sphere& s : c.spheres) {
    const double cube = s.r * s.r * s.r;
    add_sphere(scale * s.at, scale * s.r, c.offset, met);
    volume += cube;
    t.origin = t.origin - (scale * cube) * s.at;
  }
  t.origin = (1 / volume) * t.origin;
  for (const Axes3& s : met) t.sites.add({s[2], s[1], s[0]});
  if (met.empty()) refuse("no site of the lattice lies in the spheres; take a finer lattice");
  if (axes == 1) set_principal_axes(t);
  t.description = fmt::format(" Multisphere cluster containing{:7} dipoles", t.sites.size());
  return t;
}

}  // namespace umov::dda::ddscat
