// Parameters of `umov fdtd`: domain, walls, pictures and the end of a run. Each is declared here, once.
#include <fmt/format.h>

#include "cases/declare.hpp"
#include "fdtd/case/case.hpp"
#include "fdtd/case/readers.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {

using cases::declare, cases::of_course;

namespace {

using Table = ParameterTable<Case>;

void add_domain(Table& t) {
  const char* s = "domain";
  t.add(declare(
            s, "size", {"--size"}, "unit",
            "Extents of the domain with its absorbing layers, centred at the origin: one number is a domain "
            "in one dimension, two in the xy plane, three in space. Along x and y inf is around a layout."),
        extents(Range::at_least(0), true), UMOV_SIM(size));
  t.add(declare(s, "polarization", {"--polarization"}, "",
                "Fields in two dimensions: tm has Ez, Hx, Hy; te has Ex, Ey, Hz."),
        choice<bool>({{"tm", false}, {"te", true}}), UMOV_SIM(te));
  t.add(
      declare(
          s, "resolution", {"--resolution"}, "cells per unit",
          "Cells per unit of length, 0 means 20 per shortest wavelength of the sources; with pictures, cells "
          "per `wavelength` of the picture, 0 means 10."),
      number(Range::at_least(0)), UMOV_SIM(resolution));
  t.add(declare(s, "courant", {"--courant"}, "", "Time step as a fraction of the Courant limit."),
        number(Range::above(0)), UMOV_SIM(courant));
  t.add(declare(s, "unit_um", {"--unit"}, "um", "The unit of length, for named materials and results in SI."),
        number(Range::above(0)), UMOV_SIM(unit_um));
  t.add(declare(s, "background", {"--background"}, "", "Material where no body is."), text("NAME"),
        UMOV_SIM(background));
  t.add(declare(s, "averaging", {"--averaging", "--no-averaging"}, "",
                "Average the permittivity of cells that an edge crosses."),
        boolean(), UMOV_SIM(averaging));
}

/// One wall for both sides of an axis, or the two of them.
Codec<std::array<WallKind, 2>> wall_pair() {
  std::vector<std::pair<std::string, WallKind>> words;
  for (const WallTraits& wall : wall_kinds) words.emplace_back(wall.word, wall.kind);
  const auto one = choice<WallKind>(std::move(words));
  return {[one](const Value& v) {
            const auto list = read_list(v);
            if (list.empty() || list.size() > 2)
              throw ValueError("wants one wall, or those of the low and the high side, not " + describe(v));
            return std::array{one.read(list.front()), one.read(list.back())};
          },
          parse_nested,
          [one](const std::array<WallKind, 2>& w) {
            return w[0] == w[1] ? one.write(w[0]) : fmt::format("[{}, {}]", one.write(w[0]), one.write(w[1]));
          },
          one.values + "; two of them: the low and the high side",
          "NAME",
          false,
          false,
          schema::any_of({one.schema, schema::list(one.schema, 1, 2)})};
}

void add_boundary(Table& t) {
  const char* s = "boundary";
  // The keys of a file come in alphabetical order: `all` is read before x, y and z.
  t.add_action(
      declare(s, "all", {"--boundary"}, "", "Walls of every axis; those of single axes override it."),
      wall_pair(), [](Case& c, const std::array<WallKind, 2>& w) {
        c.simulation.walls = {w, w, w};
      });
  t.add(declare(s, "x", {"--boundary-x"}, "", "Walls at the ends of x."), wall_pair(), UMOV_SIM(walls[0]));
  t.add(declare(s, "y", {"--boundary-y"}, "", "Walls at the ends of y."), wall_pair(), UMOV_SIM(walls[1]));
  t.add(declare(s, "z", {"--boundary-z"}, "", "Walls at the ends of z."), wall_pair(), UMOV_SIM(walls[2]));
  t.add(declare(s, "bloch", {}, "2 pi / unit", "Wave vector of the bloch walls."), extents(),
        UMOV_SIM(bloch));
}

void add_pml(Table& t) {
  const char* s = "pml";
  t.add(declare(s, "layers", {"--layers"}, "cells", "Thickness of the absorbing layers.",
                "10, or more where grazing or guided waves need it"),
        optional_of(integer<int>(Range::between(0, 1000))), UMOV_SIM(pml.asked));
  t.add(declare(s, "order", {}, "", "Order of the profiles of sigma and kappa."),
        number(Range::between(0, 10)), UMOV_SIM(pml.order));
  t.add(declare(s, "sigma_scale", {}, "", "Conductivity over 0.8 (order + 1) / dx."),
        number(Range::at_least(0)), UMOV_SIM(pml.sigma_scale));
  t.add(declare(s, "kappa_max", {}, "", "Stretching at the wall."), number(Range::at_least(1)),
        UMOV_SIM(pml.kappa_max));
  t.add(declare(s, "alpha_max", {}, "", "Frequency shift at the inner face."), number(Range::at_least(0)),
        UMOV_SIM(pml.alpha_max));
  t.add(declare(s, "alpha_order", {}, "", "Order of the profile of alpha."), number(Range::between(0, 10)),
        UMOV_SIM(pml.alpha_order));
}

void add_picture(Table& t) {
  const char* s = "picture";
  t.add(declare(
            s, "files", {"--picture"}, "",
            "Pictures of the model: one, or a stack along z. Red above 128 is a source, green the "
            "permittivity, blue the id of a monitor. Or one array of permittivities (NPY), real or complex, "
            "[y][x] or [z][y][x], the lowest first.",
            "none"),
        list_of(path("FILE")), UMOV_CASE(picture.files));
  t.add(
      declare(s, "width", {"--width"}, "cells", "Grid along x, absorbing layers included; 0: one per pixel."),
      integer<int>(Range::between(0, 1 << 24)), UMOV_CASE(picture.width));
  t.add(declare(s, "height", {"--height"}, "cells", "Grid along y; 0: one per pixel."),
        integer<int>(Range::between(0, 1 << 24)), UMOV_CASE(picture.height));
  t.add(declare(s, "depth", {"--depth"}, "cells", "Grid along z, for a stack; 0: one per picture."),
        integer<int>(Range::between(0, 1 << 24)), UMOV_CASE(picture.depth));
  t.add(declare(s, "eps_max", {"--eps-max"}, "", "Permittivity of green 255."), number(Range::at_least(1)),
        UMOV_CASE(picture.eps_max));
  t.add(declare(
            s, "mapping", {"--mapping"}, "",
            "linear: 1 + (eps_max - 1) green / 255; thesis: eps_max green / 255, where 0 is vacuum and dark "
            "greens fall below 1."),
        choice<PictureSpec::Mapping>(
            {{"linear", PictureSpec::Mapping::linear}, {"thesis", PictureSpec::Mapping::thesis}}),
        UMOV_CASE(picture.mapping));
  t.add(declare(
            s, "wavelength", {"--wavelength"}, "unit",
            "Wavelength of a source pixel of red 255; red r has the wavelength times r / 255. That at which "
            "complex permittivities hold."),
        number(Range::above(0)), UMOV_CASE(picture.wavelength));
}

void add_stop(Table& t) {
  const auto stop = [](std::string key, std::string flag, std::string unit, std::string help) {
    return of_course(declare("stop", std::move(key), {std::move(flag)}, std::move(unit), std::move(help)));
  };
  t.add(stop("steps", "--steps", "steps", "Number of time steps; 0: by the other criteria."),
        integer<long>(Range::at_least(0)), UMOV_SIM(stop.steps));
  t.add(stop("time", "--time", "unit / c", "Simulated time; 0: by the other criteria."),
        number(Range::at_least(0)), UMOV_SIM(stop.time));
  t.add(stop("decay", "--decay", "",
             "Stop once the energy fell to this fraction of its maximum after the sources ended."),
        number(Range::between(0, 1)), UMOV_SIM(stop.decay));
  t.add(
      stop(
          "fourier", "--fourier", "",
          "Stop once the Fourier monitors change by less than this fraction during a passage of the domain."),
      number(Range::between(0, 1)), UMOV_SIM(stop.fourier));
  t.add(stop("steady", "--steady", "",
             "Stop once the amplitudes at the frequency of the source are within this of the steady state."),
        number(Range::between(0, 1)), UMOV_SIM(stop.steady));
  t.add(stop("max_time", "--max-time", "unit / c",
             "Limit of the criteria above (exit code 3 when it comes first); 0: a generous one."),
        number(Range::at_least(0)), UMOV_SIM(stop.max_time));
}

}  // namespace

void add_domain_parameters(Table& t) {
  add_domain(t);
  add_grid_parameters(t);
  add_boundary(t);
  add_pml(t);
  add_picture(t);
  add_layout_parameters(t);
  add_stop(t);
}

const ParameterTable<Case>& parameters() {
  static const Table table = [] {
    Table t;
    add_call_parameters(t);
    add_domain_parameters(t);
    add_s_parameters(t);
    add_run_parameters(t);
    t.add_list("material", "A material, by which bodies and the background refer to it.",
               material_parameters(), UMOV_SIM(materials));
    t.add_list("layer",
               "A layer of the layout, or a sheet of the whole domain, between two heights. Later layers "
               "cover earlier "
               "ones; bodies cover them all.",
               layer_parameters(), UMOV_SIM(layers));
    t.add_list(
        "port",
        "Where a guide leaves the structure: a layout, besides the ports that texts name, or a model of "
        "bodies.",
        port_parameters(), UMOV_SIM(ports));
    t.add_list("body", "A body of one material. Later bodies cover earlier ones.", body_parameters(),
               UMOV_SIM(bodies));
    t.add_list(
        "absorber",
        "A region of a shape as of a body that absorbs, whatever media it holds, in the reference run too.",
        absorber_parameters(), UMOV_SIM(absorbers));
    t.add_list("source", "A source of waves.", source_parameters(), UMOV_CASE(sources));
    t.add_list("monitor", "Something to be measured.", monitor_parameters(), UMOV_CASE(monitors));
    declare_case_readers(t);
    return t;
  }();
  return table;
}

}  // namespace umov::fdtd
