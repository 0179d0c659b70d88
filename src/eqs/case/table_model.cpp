// Parameters of `umov eqs` that describe the mesh and the geometry it is made of.
#include <fmt/format.h>

#include <map>

#include "cases/declare.hpp"
#include "core/text.hpp"
#include "eqs/case/case.hpp"
#include "eqs/case/readers.hpp"

namespace umov::eqs {

using cases::declare;
using cases::item;

namespace {

using Table = ParameterTable<Case>;
using Pair = std::array<double, 2>;

/// Metres per length of a file: a number or a unit's name.
double read_length_unit(const Value& v) {
  const auto* word = std::get_if<std::string>(&v.data);
  if (!word) return read_number(v, Range::above(0));
  static const std::map<std::string, double> units{{"m", 1}, {"cm", 1e-2}, {"mm", 1e-3}, {"um", 1e-6}};
  if (const auto unit = units.find(*word); unit != units.end()) return unit->second;
  throw ValueError(fmt::format(
      "'{}' is unknown (choose from m, cm, mm, um, or give a number of metres, as 1e-9)", shortened(*word)));
}

Codec<double> length_unit() {
  return {read_length_unit,
          parse_scalar,
          [](const double& x) { return shortest(x); },
          "m, cm, mm, um, or metres",
          "UNIT",
          false,
          false,
          schema::any_of({schema::number(Range::above(0)), schema::words({"m", "cm", "mm", "um"})})};
}

Codec<Pair> pair(const std::string& metavar) {
  return {[](const Value& v) {
            const auto list = read_list(v);
            if (list.size() != 2) throw ValueError("wants two numbers, not " + describe(v));
            return Pair{read_number(list[0], {}), read_number(list[1], {})};
          },
          parse_nested,
          [](const Pair& p) { return fmt::format("[{}, {}]", shortest(p[0]), shortest(p[1])); },
          "",
          metavar,
          false,
          false,
          schema::list(schema::number({}), 2, 2)};
}

Codec<std::vector<std::string>> axes() {
  Codec<std::vector<std::string>> codec = list_of(word_of([] {
    return std::vector<std::string>{"x", "y", "z"};
  }));
  return codec;
}

void add_mesh(Table& t) {
  const char* s = "mesh";
  t.add(declare(s, "file", {"--mesh"}, "", "Mesh of tetrahedra in Gmsh's format (MSH 2.2 or 4.1).",
                "made of the geometry"),
        path(), UMOV_SIM(mesh.file));
  t.add(declare(s, "unit", {"--unit"}, "m", "Unit of length of that file."), length_unit(),
        UMOV_SIM(mesh.unit));
  t.add(declare(s, "refine", {"--refine"}, "",
                "Times that every tetrahedron is cut into eight; new nodes of round surfaces lie on them."),
        integer<int>(Range::between(0, 8)), UMOV_SIM(mesh.refine));
  t.add(declare(s, "order", {"--order"}, "",
                "Order of the elements: 1 (4 nodes) or 2 (10 nodes); 0 is the file's own, 1 for a geometry."),
        integer<int>(Range::between(0, 2)), UMOV_SIM(mesh.order));
  t.add(declare(s, "symmetry", {"--symmetry"}, "",
                "Planes at which the model was halved, by their normals: charges, currents and energies are "
                "those of the whole."),
        axes(), UMOV_SIM(symmetry));
}

void add_geometry(Table& t) {
  const char* s = "geometry";
  t.add(declare(s, "kind", {}, "",
                "parts: solids in a domain, meshed by the Gmsh library. Structured, without that library: "
                "layers (a column along z), coaxial and spherical (sectors).",
                "none, or parts where there are any"),
        optional_of(word_of([] {
          return std::vector<std::string>{"parts", "layers", "coaxial", "spherical"};
        })),
        UMOV_CASE(geometry_kind));
  t.add(declare(s, "domain_shape", {}, "", "parts: shape of the domain."), word_of([] {
          return std::vector<std::string>{"box", "cylinder"};
        }),
        UMOV_CASE(geometry.domain_shape));
  t.add(declare(s, "domain_region", {}, "", "parts: region where no part is."), text("NAME"),
        UMOV_CASE(geometry.domain_region));
  t.add(declare(s, "low", {}, "m", "parts: lower corner of the domain."), vector3(), UMOV_CASE(geometry.low));
  t.add(declare(s, "high", {}, "m", "parts: upper corner of the domain."), vector3(),
        UMOV_CASE(geometry.high));
  t.add(declare(s, "cut", {}, "", "parts: keep only what lies on the positive side of these planes."), axes(),
        UMOV_CASE(geometry.cut));
  t.add(declare(s, "mesh_size", {}, "m", "parts: largest edge of an element."), number(Range::at_least(0)),
        UMOV_CASE(geometry.mesh_size));
  t.add(declare(s, "growth", {}, "",
                "parts: growth of the edges per distance from parts with smaller ones; 0 is 0.35."),
        number(Range::at_least(0)), UMOV_CASE(geometry.growth));
  t.add(declare(s, "curvature", {}, "", "parts: elements per full turn of a curved part, at least; 0 is 12."),
        number(Range::at_least(0)), UMOV_CASE(geometry.curvature));
  t.add(declare(s, "inner_radius", {}, "m", "coaxial, spherical: radius of the inner surface."),
        number(Range::at_least(0)), UMOV_CASE(geometry.inner_radius));
  t.add(declare(s, "width", {}, "m", "layers: edge of the square column; coaxial: length along z."),
        number(Range::at_least(0)), UMOV_CASE(geometry.width));
  t.add(declare(s, "angle", {}, "deg", "coaxial, spherical: of the sector."), number(Range::between(0, 360)),
        UMOV_CASE(geometry.angle));
  t.add(declare(s, "elements_across", {}, "", "Structured: elements in the other directions."),
        integer<int>(Range::between(1, 100000)), UMOV_CASE(geometry.elements_across));
}

}  // namespace

void add_mesh_parameters(Table& t) {
  add_mesh(t);
  add_geometry(t);
}

ParameterTable<mesh::Part> part_parameters() {
  ParameterTable<mesh::Part> t;
  const auto length = [&](const char* key, const char* help, auto field) {
    t.add(item(key, "m", help), number(Range::at_least(0)), field);
  };
  t.add(item("region", "", "Name of its volume group, or of its surface group if it is a conductor."),
        text("NAME"), UMOV_CASE(region));
  t.add(item("shape", "", "Shape."), word_of([] {
          return std::vector<std::string>{"box",   "cylinder",   "cone",      "sphere",
                                          "torus", "revolution", "extrusion", "sheds"};
        }),
        UMOV_CASE(shape));
  t.add(item("conductor", "", "Cut out; its surface is a surface group of the region's name."), boolean(),
        UMOV_CASE(conductor));
  t.add(item("surface_group", "", "Name its surface, too: REGION_surface."), boolean(),
        UMOV_CASE(surface_group));
  t.add(item("center", "m",
             "Centre of a box, sphere or torus; else the middle of the axis, for a revolution the origin of "
             "its profile."),
        vector3(), UMOV_CASE(center));
  t.add(item("size", "m", "box: extents."), vector3(Range::at_least(0)), UMOV_CASE(size));
  length("radius", "cylinder, cone (bottom), sphere, torus (ring), sheds (core): radius.", UMOV_CASE(radius));
  length("top_radius", "cone: radius of the top; torus: radius of the tube.", UMOV_CASE(top_radius));
  length("height", "cylinder, cone, extrusion, sheds: extent along the axis.", UMOV_CASE(height));
  length("inner_radius", "cylinder: of a tube; sphere: of a shell.", UMOV_CASE(inner_radius));
  t.add(item("axis", "", "Direction of the axis."), vector3(), UMOV_CASE(axis));
  t.add(item("profile", "m", "revolution: corners [r, z]; extrusion: corners [x, y] of a closed polygon.",
             "none"),
        list_of(pair("A,B")), UMOV_CASE(profile));
  length("fillet", "Radius that rounds the corners.", UMOV_CASE(fillet));
  t.add(item("angle", "deg", "cylinder, cone, revolution: of a sector."), number(Range::above_to(0, 360)),
        UMOV_CASE(angle));
  t.add(item("start", "deg", "Where that sector starts."), number(), UMOV_CASE(start));
  t.add(item("shed_count", "", "sheds: how many."), integer<int>(Range::between(0, 10000)),
        UMOV_CASE(shed_count));
  length("shed_radius", "sheds: radius of the odd ones.", UMOV_CASE(shed_radius));
  length("shed_radius_small", "sheds: radius of the even ones; 0 is the same.", UMOV_CASE(shed_radius_small));
  length("shed_thickness", "sheds: thickness at the root.", UMOV_CASE(shed_thickness));
  length("shed_tip", "sheds: thickness at the rim; 0 is half the root's.", UMOV_CASE(shed_tip));
  t.add(item("shed_slope", "deg", "sheds: slant towards the bottom."), number(Range::between(-80, 80)),
        UMOV_CASE(shed_slope));
  length("shed_margin", "sheds: length without sheds at either end.", UMOV_CASE(shed_margin));
  t.add(item("copies", "", "How many times the part is there."), integer<int>(Range::between(1, 100000)),
        UMOV_CASE(copies));
  t.add(item("shift", "m", "copies: each is moved by this from the last."), vector3(), UMOV_CASE(shift));
  t.add(item("turn", "deg", "copies: each is turned by this about the z axis from the last."), number(),
        UMOV_CASE(turn));
  length("mesh_size", "Largest edge in it and on its surface; 0 is the domain's.", UMOV_CASE(mesh_size));
  t.add(item("across", "", "A thin tube in a structured grid: elements across it; 0 is none."),
        integer<int>(Range::between(0, 1000)), UMOV_CASE(across));
  t.add(item("stretch", "", "across: edges along the axis over mesh_size."), number(Range::above(0)),
        UMOV_CASE(stretch));
  declare_part_readers(t);
  return t;
}

ParameterTable<mesh::Geometry::Layer> layer_parameters() {
  ParameterTable<mesh::Geometry::Layer> t;
  t.add(item("region", "", "Name of its volume group."), text("NAME"), UMOV_CASE(region));
  t.add(item("thickness", "m", "Thickness."), number(Range::above(0)), UMOV_CASE(thickness));
  t.add(item("elements", "", "Elements across it."), integer<int>(Range::between(1, 100000)),
        UMOV_CASE(elements));
  t.add(item("grading", "", "Thickness of the last of them over that of the first."), number(Range::above(0)),
        UMOV_CASE(grading));
  return t;
}

}  // namespace umov::eqs
