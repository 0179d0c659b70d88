// Parameters of `umov eqs`: results and their places, checkpoints, the machine and this call of the program.
#include <fmt/format.h>

#include "cases/call_parameters.hpp"
#include "cases/checkpoint_parameter.hpp"
#include "cases/declare.hpp"
#include "cases/device_parameter.hpp"
#include "cases/format_parameters.hpp"
#include "cases/rank_parameters.hpp"
#include "cases/view_parameters.hpp"
#include "core/text.hpp"
#include "eqs/case/case.hpp"

namespace umov::eqs {

using cases::declare;
using cases::item;

namespace {

using Table = ParameterTable<Case>;

void add_output(Table& t) {
  const char* s = "output";
  cases::add_folder_parameter(t);
  t.add(cases::of_result(declare(
            s, "interval", {"--interval"}, "s",
            "Time between saved fields, which the steps hit exactly; 0: a fortieth of the end, in whole "
            "fixed steps.")),
        number(Range::at_least(0)), UMOV_SIM(outputs.interval));
  t.add(cases::of_result(declare(s, "times", {}, "s", "Further times at which fields are saved.")),
        numbers(Range::at_least(0)), UMOV_SIM(outputs.times));
  t.add(cases::of_record(
            declare(s, "vtk", {"--vtk", "--no-vtk"}, "",
                    "The fields over time, for ParaView 5.12, VTK 9.3 and newer (fields.vtkhdf).")),
        boolean(), UMOV_SIM(outputs.vtk));
  t.add(cases::of_record(
            declare(s, "vtu", {"--vtu", "--no-vtu"}, "",
                    "The same for older ones: fields.pvd and a file per saved time, with the mesh in each.")),
        boolean(), UMOV_SIM(outputs.vtu));
  cases::add_format_parameters(t, "Pictures: cuts with equipotentials, curves along lines and over time.");
  t.add(cases::of_course(
            declare(s, "capacitance", {"--capacitance"}, "", "Capacitance matrix of the electrodes.")),
        boolean(), UMOV_SIM(outputs.capacitance));
  t.add(
      declare(s, "write_systems", {"--write-systems"}, "",
              "Folder for the linear systems of the run in Matrix Market files: matrices, right-hand sides, "
              "starts, solutions; new or empty. Second order keeps its matrix then.",
              "none are written"),
      text("DIR"), UMOV_SIM(outputs.systems.folder));
  t.add(declare(s, "systems_every", {"--systems-every"}, "",
                "write_systems: the first system, and then every so many."),
        integer<int>(Range::between(1, 1000000)), UMOV_SIM(outputs.systems.every));
  t.add(declare(s, "systems_most", {"--systems-most"}, "", "write_systems: so many systems at most."),
        integer<int>(Range::between(1, 10000)), UMOV_SIM(outputs.systems.most));
  cases::add_view_parameters(t);
}

Codec<std::optional<std::array<double, 4>>> window() {
  using Window = std::optional<std::array<double, 4>>;
  return {[](const Value& v) {
            const auto list = read_list(v);
            if (list.size() != 4)
              throw ValueError("wants four numbers, from and to along either axis, not " + describe(v));
            std::array<double, 4> w{};
            for (int i = 0; i < 4; ++i) w[i] = read_number(list[i], {});
            return Window(w);
          },
          parse_nested,
          [](const Window& w) {
            if (!w) return std::string();
            return fmt::format("[{}, {}, {}, {}]", shortest((*w)[0]), shortest((*w)[1]), shortest((*w)[2]),
                               shortest((*w)[3]));
          },
          "",
          "A,B,C,D",
          false,
          false,
          schema::list(schema::number({}), 4, 4)};
}

ParameterTable<LineSpec> line_parameters() {
  ParameterTable<LineSpec> t;
  t.add(item("name", "", "Its name in files.", "line and its number"), text("NAME"), UMOV_CASE(name));
  t.add(item("points", "m", "Corners [x, y, z] of the polyline, as of a creepage path.", "none"),
        list_of(vector3()), UMOV_CASE(points));
  t.add(item("samples", "", "Places at which the field is taken."), integer<int>(Range::between(2, 1000000)),
        UMOV_CASE(samples));
  return t;
}

ParameterTable<PointSpec> point_parameters() {
  ParameterTable<PointSpec> t;
  t.add(item("name", "", "Its name in files.", "point and its number"), text("NAME"), UMOV_CASE(name));
  t.add(item("at", "m", "Where."), vector3(), UMOV_CASE(at));
  return t;
}

ParameterTable<SurfaceSpec> surface_parameters() {
  ParameterTable<SurfaceSpec> t;
  t.add(item("name", "", "Its name in files.", "that of the group"), text("NAME"), UMOV_CASE(name));
  t.add(item("group", "", "Surface group of the mesh."), text("NAME"), UMOV_CASE(group));
  return t;
}

ParameterTable<CutSpec> cut_parameters() {
  ParameterTable<CutSpec> t;
  const auto drawn = [](const auto&... words) { return cases::of_record(item(words...)); };
  t.add(drawn("name", "", "Its name in files.", "cut and its number"), text("NAME"), UMOV_CASE(name));
  t.add(drawn("normal", "", "Axis normal to the plane."), choice<int>({{"x", 0}, {"y", 1}, {"z", 2}}),
        UMOV_CASE(normal));
  t.add(drawn("position", "m", "Place of the plane on that axis."), number(), UMOV_CASE(position));
  t.add(drawn("window", "m", "What is shown: from and to along the first and the second of the other axes.",
              "the whole model"),
        window(), UMOV_CASE(window));
  t.add(drawn("pixels", "", "Samples along the longer side."), integer<int>(Range::between(50, 8000)),
        UMOV_CASE(pixels));
  return t;
}

}  // namespace

void add_call_parameters(Table& t) {
  cases::add_call_parameters(t, ", the mesh, unknowns and a memory estimate");
  t.add(
      declare(
          "", "", {"--save-mesh"}, "",
          "Mesh the geometry, write that mesh (MSH 4.1, metres, before mesh.refine), and stop: to look at in "
          "Gmsh, or for --mesh where the Gmsh library is not."),
      path(), UMOV_CASE(save_mesh));
}

void add_run_parameters(Table& t) {
  add_output(t);
  cases::add_checkpoint_parameters(t);
  cases::add_device_parameters(t);
  cases::add_rank_parameters(t);
}

void add_places(Table& t) {
  t.add_list("line", "A path along which the field is wanted.", line_parameters(), UMOV_SIM(outputs.lines));
  t.add_list("point", "A place where potential and field are wanted at every step.", point_parameters(),
             UMOV_SIM(outputs.points));
  t.add_list("surface", "A surface on which the field is wanted, on either side.", surface_parameters(),
             UMOV_SIM(outputs.surfaces));
  t.add_list("cut", "A plane to be drawn; without any, one through the middle.", cut_parameters(),
             UMOV_SIM(outputs.cuts));
}

}  // namespace umov::eqs
