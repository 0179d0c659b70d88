// Parameters of `umov dda`: particle, materials, light and method. Each is declared here, once.
#include <fmt/format.h>

#include <algorithm>

#include "cases/declare.hpp"
#include "core/text.hpp"
#include "dda/case/case.hpp"
#include "dda/engine.hpp"
#include "dda/scheme/interaction_names.hpp"
#include "dda/scheme/polarizability_names.hpp"
#include "dda/solver/solver_names.hpp"
#include "parameters/value_fraction.hpp"

namespace umov::dda {

using cases::declare, cases::of_course;

namespace {

using Table = ParameterTable<Case>;

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const auto& solver : solver_list()) names.push_back(solver.name);
  names.push_back("idrs");  // the method's usual name means IDR(4)
  return names;
}

/// A solver's name, and behind a comma the order of one that has it.
Codec<std::string> solver_codec() {
  Codec<std::string> codec = word_of(solver_names);
  codec.read = [](const Value& v) {
    const auto* text = std::get_if<std::string>(&v.data);
    const auto comma = text ? text->find(',') : std::string::npos;
    const auto& ordered = ordered_solvers();
    if (comma == std::string::npos ||
        std::find(ordered.begin(), ordered.end(), text->substr(0, comma)) == ordered.end())
      return read_choice(v, solver_names());
    const auto order = parse_integer(text->substr(comma + 1));
    if (!order || *order < 1 || *order > most_order)
      throw ValueError(fmt::format("wants a whole number from 1 to {} behind the comma, not '{}'", most_order,
                                   shortened(*text)));
    return *text;
  };
  for (const std::string& name : ordered_solvers()) codec.values += fmt::format(", \"{},N\"", name);
  codec.schema = schema::any_of({codec.schema, schema::text()});
  return codec;
}

std::vector<std::string> shape_names() {
  std::vector<std::string> names;
  bool read = false;
  for (const auto& shape : shapes::shape_list()) {
    names.push_back(shape.name);
    read = read || shape.name == "read";
  }
  if (!read) names.push_back("read");
  return names;
}

void add_shape_choice(Table& t) {
  const char* s = "shape";
  t.add(declare(s, "name", {"--shape"}, "", "Shape of the particle; 'read' takes it from a file."),
        word_of(shape_names), UMOV_SIM(shape.shape));
  t.add(declare(s, "arguments", {"--shape-arguments"}, "",
                "Parameters of the shape, relative to its extent along x."),
        numbers(), UMOV_SIM(shape.arguments));
  t.add(declare(s, "file", {}, "", "File of a shape that reads one: ADDA or DDSCAT format.", "none"), path(),
        UMOV_SIM(shape.file));
  t.add_action(declare(s, "", {"--shape-file"}, "", "Take the particle from this file (name = 'read')."),
               text("FILE"), [](Case& c, const std::string& file) {
                 if (c.simulation.shape.shape == "sphere") c.simulation.shape.shape = "read";
                 c.simulation.shape.file = file;
               });
  t.add_action(declare(s, "", {"--shape-sphere-size"}, "dipoles", "A sphere of this many dipoles across."),
               integer<int>(Range::between(1, 1 << 20)), [](Case& c, const int& n) {
                 c.simulation.shape.shape = "sphere";
                 c.simulation.shape.grid = {n, 0, 0};
               });
}

void add_shape_size(Table& t) {
  const char* s = "shape";
  t.add(declare(s, "grid", {"--shape-grid"}, "dipoles",
                "Box of the particle; one number sets the extent along x.", "by the size, else 16 along x"),
        grid3(true), UMOV_SIM(shape.grid));
  t.add_listed(declare(s, "size", {"--size"}, "um", "Extent of the particle along x.", "by grid and spacing"),
               optional_number(Range::above(0)), UMOV_CASE(lists), UMOV_SIM(shape.size));
  t.add_listed(declare(s, "eq_radius", {"--eq-radius"}, "um", "Radius of the sphere of equal volume.",
                       "by grid and spacing"),
               optional_number(Range::above(0)), UMOV_CASE(lists), UMOV_SIM(shape.eq_radius));
  t.add(declare(s, "dpl", {"--dpl"}, "", "Dipoles per wavelength.", "by size and grid, else 10 max(1, |m|)"),
        optional_number(Range::above(0)), UMOV_SIM(shape.dpl));
  t.add(declare(s, "spacing", {"--grid-unit", "--spacing"}, "um",
                "Distance between dipoles (the longest edge of a rectangular one); instead of dpl.",
                "wavelength / dpl"),
        optional_number(Range::above(0)), UMOV_CASE(spacing));
  t.add(declare(s, "jagged", {"--jagged"}, "", "Replace each site by a cube of this many dipoles on edge."),
        integer<int>(Range::between(1, 1024)), UMOV_SIM(shape.jagged));
  t.add(declare(s, "rectangular", {"--rectangular"}, "", "Relative edges of a dipole along x, y, z."),
        vector3(Range::above(0)), UMOV_SIM(shape.rectangular));
  t.add(declare(s, "volume_correction", {"--volume-correction", "--no-volume-correction"}, "",
                "Keep the analytic volume of the shape rather than its extent."),
        boolean(), UMOV_SIM(shape.volume_correction));
  t.add(declare(s, "granule_fraction", {"--granule-fraction"}, "", "Volume fraction filled with granules.",
                "no granules"),
        optional_number(Range::above_to(0, 1)), UMOV_CASE(granule_fraction));
  t.add(declare(s, "granule_diameter", {"--granule-diameter"}, "um", "Diameter of the granules.",
                "no granules"),
        optional_number(Range::above(0)), UMOV_CASE(granule_diameter));
  t.add(declare(s, "granule_domain", {"--granule-domain"}, "", "Domain that the granules fill, from 1."),
        integer<int>(Range::between(1, 255)), UMOV_CASE(granule_domain));
}

/// Written only where there is one.
Codec<std::string> if_any(Codec<std::string> codec) {
  codec.write = [write = codec.write](const std::string& t) { return t.empty() ? t : write(t); };
  return codec;
}

void add_materials(Table& t) {
  const char* s = "material";
  const auto list = UMOV_CASE(materials);
  t.add_item(
      declare(
          s, "m", {"--m"}, "",
          "Refractive index of the next material: one number, re and im, or the diagonal of a tensor; behind "
          "the flag also a name of the library or a file of n and k.",
          "1.5"),
      material_index(), list, [](auto& m) -> auto& { return m.index; });
  t.add_item(
      declare(s, "library", {}, "", "Take m from the library of named materials (`umov materials`).", "none"),
      if_any(text("NAME")), list, [](auto& m) -> auto& { return m.library; });
  t.add_item(
      declare(s, "nk_file", {}, "", "Take m from a table of wavelength in vacuum, n and k.", "none"),
      if_any(path()), list, [](auto& m) -> auto& { return m.nk_file; });
}

void add_source(Table& t) {
  const char* s = "source";
  t.add_listed(
      declare(s, "propagation", {"--propagation"}, "", "Direction of the incident wave, of any length."),
      vector3(), UMOV_CASE(lists), UMOV_SIM(propagation));
  t.add(declare(s, "kind", {"--beam"}, "", "Incident field."),
        choice<BeamKind>({{"plane", BeamKind::plane},
                          {"lminus", BeamKind::lminus},
                          {"davis3", BeamKind::davis3},
                          {"barton5", BeamKind::barton5},
                          {"dipole", BeamKind::dipole},
                          {"read", BeamKind::read}}),
        UMOV_SIM(beam.kind));
  t.add(declare(s, "width", {"--beam-width"}, "um", "Waist radius of a Gaussian beam."),
        number(Range::at_least(0)), UMOV_SIM(beam.width));
  t.add(declare(s, "center", {"--beam-center"}, "um", "Centre of the beam."), vector3(),
        UMOV_SIM(beam.center));
  t.add(declare(s, "file_y", {"--beam-file-y"}, "", "Field file of polarization Y (kind = 'read').", "none"),
        path(), UMOV_SIM(beam.file_y));
  t.add(declare(s, "file_x", {"--beam-file-x"}, "", "Field file of polarization X (kind = 'read').", "none"),
        path(), UMOV_SIM(beam.file_x));
}

void add_orientation(Table& t) {
  const char* s = "orientation";
  t.add_listed(declare(s, "alpha", {"--alpha"}, "deg", "First Euler angle of the particle (zyz)."), number(),
               UMOV_CASE(lists), UMOV_SIM(orientation.alpha));
  t.add_listed(declare(s, "beta", {"--beta"}, "deg", "Second Euler angle."), number(), UMOV_CASE(lists),
               UMOV_SIM(orientation.beta));
  t.add_listed(declare(s, "gamma", {"--gamma"}, "deg", "Third Euler angle."), number(), UMOV_CASE(lists),
               UMOV_SIM(orientation.gamma));
  t.add(declare(s, "average", {"--orientation-average"}, "", "Average over all orientations."), boolean(),
        UMOV_SIM(orientation.average));
  t.add(declare(s, "average_file", {"--orientation-average-file"}, "",
                "Angles of the average, in the format of ADDA's avg_params.dat.", "built-in angles"),
        path(), UMOV_SIM(orientation.average_file));
}

Codec<Polarizability> polarizability_choice() {
  std::vector<std::pair<std::string, Polarizability>> words;
  for (const auto& name : polarizability_names) words.emplace_back(name.word, name.kind);
  return choice<Polarizability>(std::move(words));
}

void add_prescriptions(Table& t) {
  const char* s = "method";
  t.add(declare(s, "polarizability", {"--polarizability"}, "", "Polarizability prescription."),
        polarizability_choice(), UMOV_SIM(polarizability));
  t.add(declare(s, "ldr_average", {"--ldr-average"}, "", "Average LDR over the incident polarization."),
        boolean(), UMOV_SIM(ldr_average));
  t.add(declare(s, "pol_nloc_rp", {"--pol-nloc-rp"}, "um", "Width of the nonlocal polarizability."),
        number(Range::at_least(0)), UMOV_SIM(pol_nloc_rp));
  t.add(declare(s, "interaction", {"--interaction"}, "", "Interaction term between dipoles."),
        choice<Interaction>(choices<std::string>(interaction_names, &MethodName<Interaction>::word)),
        UMOV_SIM(interaction));
  t.add(declare(s, "interaction_arguments", {"--interaction-arguments"}, "",
                "igt: distance limit and precision; nloc: width in um."),
        numbers(), UMOV_SIM(interaction_arguments));
  t.add(
      of_course(declare(s, "formula", {"--scattering-formula"}, "", "Formula of the scattered quantities.")),
      choice<ScatteringFormula>(choices<std::string>(formula_names, &MethodName<ScatteringFormula>::word)),
      UMOV_SIM(formula));
}

void add_grid_and_symmetry(Table& t) {
  const char* s = "method";
  t.add(of_course(declare(s, "fft_grid", {"--grid", "--fft-grid"}, "sites",
                          "FFT grid, at least twice the particle; one number sets all three.",
                          "next product of 2, 3, 5, 7 from twice the particle")),
        grid3(false), UMOV_SIM(fft_grid));
  t.add(
      of_course(declare(s, "symmetry", {"--symmetry"}, "",
                        "Use of the particle's symmetry to save the second solve.")),
      choice<SymmetryUse>(
          {{"auto", SymmetryUse::automatic}, {"none", SymmetryUse::none}, {"enforce", SymmetryUse::enforce}}),
      UMOV_SIM(symmetry));
  t.add_action(declare(s, "", {"--no-symmetry"}, "", "Solve both polarizations (symmetry = 'none')."),
               boolean(), [](Case& c, const bool& on) {
                 if (on) c.simulation.symmetry = SymmetryUse::none;
               });
}

/// Without a section: before those of the case file's tables.
void add_accuracy(Table& t) {
  t.add(of_course(declare(
            "", "accuracy", {"--accuracy"}, "",
            "Relative error wanted of cross sections and other integral quantities: runs on grids of its own "
            "choice are extrapolated in the size of the dipoles.",
            "one grid, no extrapolation")),
        fraction(Range::above_to(0, most_accuracy)), UMOV_SIM(accuracy));
  t.add(of_course(declare("", "accuracy_time", {"--accuracy-time"}, "s",
                          "Time after which no finer grid is begun; 0 means any.")),
        duration(), UMOV_SIM(accuracy_time));
}

/// A number of right-hand sides, or "auto", which is 0.
Codec<int> block_size() {
  return {[](const Value& v) {
            const auto* word = std::get_if<std::string>(&v.data);
            if (word && *word == "auto") return 0;
            return int(read_integer(v, Range::between(1, most_block)));
          },
          parse_scalar,
          [](const int& n) { return n == 0 ? quoted("auto") : std::to_string(n); },
          "auto, or 1 to " + std::to_string(most_block),
          "N",
          false,
          false,
          schema::any_of({schema::whole_number(Range::between(1, most_block)), schema::words({"auto"})})};
}

void add_solver(Table& t) {
  const auto solver = [](std::string key, std::vector<std::string> flags, std::string help,
                         std::string when_unset = "") {
    return of_course(
        declare("solver", std::move(key), std::move(flags), "", std::move(help), std::move(when_unset)));
  };
  t.add(solver("name", {"--iter", "--solver"}, "Iterative solver."), solver_codec(), UMOV_SIM(solver.name));
  t.add(solver("epsilon", {"--epsilon"}, "Relative residual norm to reach."), number(Range::above_to(0, 1)),
        UMOV_SIM(solver.epsilon));
  t.add(solver("max_iterations", {"--max-iterations"}, "Iterations allowed; -1 means one per unknown."),
        integer<long>(Range::at_least(-1)), UMOV_SIM(solver.max_iterations));
  t.add(solver("initial", {"--initial-field"}, "Start vector; auto takes the better of zero and incident."),
        choice<InitialField>({{"auto", InitialField::automatic},
                              {"zero", InitialField::zero},
                              {"incident", InitialField::incident},
                              {"wkb", InitialField::wkb},
                              {"read", InitialField::read}}),
        UMOV_SIM(solver.initial));
  t.add(solver("initial_file_y", {"--initial-file-y"}, "Start field of polarization Y.", "none"), path(),
        UMOV_SIM(solver.initial_file_y));
  t.add(solver("initial_file_x", {"--initial-file-x"}, "Start field of polarization X.", "none"), path(),
        UMOV_SIM(solver.initial_file_x));
  t.add(solver("preconditioner", {"--preconditioner"},
               "Approximate inverse that the solver uses: of the infinite medium, of the periodic box; auto "
               "chooses by size, contrast and fill."),
        choice<PreconditionerChoice>({{"auto", PreconditionerChoice::automatic},
                                      {"medium", PreconditionerChoice::medium},
                                      {"circulant", PreconditionerChoice::circulant},
                                      {"none", PreconditionerChoice::none}}),
        UMOV_SIM(solver.preconditioner));
  t.add(solver(
            "inner", {"--inner"},
            "Precision of the iterations of a run in double: float takes half the time, with the residual "
            "formed in double now and then, which it is stopped by; auto takes it where iterations are few."),
        choice<InnerPrecision>({{"auto", InnerPrecision::automatic},
                                {"double", InnerPrecision::double_},
                                {"float", InnerPrecision::single}}),
        UMOV_SIM(solver.inner));
  t.add(solver("recalculate_residual", {"--recalculate-residual"},
               "Compute the true residual when the solver has finished."),
        boolean(), UMOV_SIM(solver.recalculate_residual));
  t.add(
      solver("sectors", {"--sectors"},
             "Solve for the even and odd parts of a particle with mirror planes one by one, each on half, a "
             "quarter or an eighth of the dipoles; auto does where that takes less time."),
      choice<SectorUse>({{"auto", SectorUse::automatic}, {"on", SectorUse::on}, {"off", SectorUse::off}}),
      UMOV_SIM(solver.sectors));
  t.add(solver("block", {"--block"},
               "Right-hand sides of one polarizability that are solved for together, at most; auto: 16 in "
               "an average over orientations of a small grain, fewer where memory is short, else 1, one by "
               "one."),
        block_size(), UMOV_SIM(solver.block));
  t.add(cases::of_machine(declare("solver", "neighbours", {"--neighbours", "--no-neighbours"}, "",
                                  "Of a case with lists: start from the solutions of the cases before.")),
        boolean(), UMOV_SIM(solver.neighbours));
}

}  // namespace

void add_physics_parameters(Table& t) {
  t.add_listed(
      declare("", "wavelength", {"--lambda", "--wavelength"}, "um",
              "Wavelength of the incident light in vacuum (in the medium where `medium` is not given and m "
              "is relative)."),
      number(Range::above(0)), UMOV_CASE(lists), UMOV_CASE(vacuum_wavelength));
  t.add(declare("", "medium", {"--medium"}, "",
                "Refractive index of what surrounds the particle, a number or a name of the library; m and "
                "wavelength are divided by it."),
        medium_index(), UMOV_CASE(medium));
  add_accuracy(t);
  add_shape_choice(t);
  add_shape_size(t);
  add_materials(t);
  add_source(t);
  add_orientation(t);
  add_prescriptions(t);
  add_grid_and_symmetry(t);
  add_solver(t);
}

const ParameterTable<Case>& parameters() {
  static const Table table = [] {
    Table t;
    add_physics_parameters(t);
    add_run_parameters(t);
    return t;
  }();
  return table;
}

}  // namespace umov::dda
