// Parameters of time-harmonic cells. Each is declared here, once.
#include "cases/call_parameters.hpp"
#include "cases/checkpoint_parameter.hpp"
#include "cases/device_parameter.hpp"
#include "cases/format_parameters.hpp"
#include "cases/rank_parameters.hpp"
#include "cases/read_by.hpp"
#include "harmonic/case/case.hpp"

namespace umov::harmonic {

using cases::declare, cases::of_course;
using cases::unless;

namespace {

using Table = ParameterTable<Case>;

ParameterInfo item(const char* key, const char* unit, const char* help, const char* when_unset = "") {
  return declare("", key, {}, unit, help, when_unset);
}

ParameterTable<MaterialSpec> material_parameters() {
  ParameterTable<MaterialSpec> t;
  t.add(item("name", "", "How layers refer to it."), text("NAME"), UMOV_CASE(name));
  t.add(item("library", "", "A material of `umov materials`."), text("NAME"), UMOV_CASE(library));
  t.add(item("nk_file", "", "A file of n and k: columns, or *.yml of refractiveindex.info.", "none"), path(),
        UMOV_CASE(nk_file));
  t.add(item("index", "", "Refractive index n at every wavelength.", "none"),
        optional_number(Range::at_least(0)), UMOV_CASE(index));
  t.add(item("extinction", "", "Extinction coefficient k at every wavelength.", "none"),
        optional_number(Range::at_least(0)), UMOV_CASE(extinction));
  return t;
}

ParameterTable<LayerSpec> layer_parameters() {
  ParameterTable<LayerSpec> t;
  t.add(item("name", "", "Name in results.", "that of its material"), text("NAME"), UMOV_CASE(name));
  t.add(item("material", "", "Name of a [[material]] or of one of the library."), text("NAME"),
        UMOV_CASE(material));
  t.add(item("thickness", "um", "Mean thickness."), number(Range::above(0)), UMOV_CASE(thickness));
  return t;
}

ParameterTable<TextureSpec> texture_parameters() {
  ParameterTable<TextureSpec> t;
  t.add(item("above", "", "Whose upper side it is: the name of a layer, or substrate."), text("NAME"),
        UMOV_CASE(above));
  t.add(item("kind", "",
             "gaussian: random heights; picture: grey values; lamellar: ridges along y; conformal: the "
             "heights of "
             "the interface above."),
        choice<TextureKind>({{"gaussian", TextureKind::gaussian},
                             {"lamellar", TextureKind::lamellar},
                             {"picture", TextureKind::picture},
                             {"conformal", TextureKind::conformal}}),
        UMOV_CASE(kind));
  t.add(item("rms", "um", "gaussian: root mean square of the heights."), number(Range::at_least(0)),
        UMOV_CASE(rms));
  t.add(item("correlation_length", "um", "gaussian: where the autocorrelation has fallen to 1/e."),
        number(Range::at_least(0)), UMOV_CASE(correlation_length));
  t.add(item("seed", "", "gaussian: another number is another surface."), integer<int>(Range::at_least(0)),
        UMOV_CASE(seed));
  t.add(item("file", "", "picture: one period; PNG, BMP, JPEG, TIFF or TGA; white is nearest to the light.",
             "none"),
        path(), UMOV_CASE(file));
  t.add(item("height", "um", "picture: from black to white; lamellar: of the ridges."),
        number(Range::at_least(0)), UMOV_CASE(height));
  t.add(item("fill", "", "lamellar: share of the period along x that is ridge."),
        number(Range::between(0, 1)), UMOV_CASE(fill));
  const auto only = [](TextureKind kind, const char* why) {
    return [kind, why](const TextureSpec& x) { return unless(x.kind == kind, why); };
  };
  t.idle({"rms", "correlation_length", "seed"},
         only(TextureKind::gaussian, "only a gaussian texture reads it"));
  t.idle({"file"}, only(TextureKind::picture, "only a picture reads it"));
  t.idle({"fill"}, only(TextureKind::lamellar, "only a lamellar texture reads it"));
  t.idle({"height"}, [](const TextureSpec& x) {
    return unless(x.kind == TextureKind::picture || x.kind == TextureKind::lamellar,
                  "only a picture and a lamellar texture read it");
  });
  return t;
}

ParameterTable<CutSpec> cut_parameters() {
  ParameterTable<CutSpec> t;
  t.add(item("plane", "", "xz and yz: through all layers; xy: along them."),
        choice<CutPlane>({{"xz", CutPlane::xz}, {"yz", CutPlane::yz}, {"xy", CutPlane::xy}}),
        UMOV_CASE(plane));
  t.add(item("at", "um", "Where it lies on the third axis, at the nearest node; of xy its depth."), number(),
        UMOV_CASE(at));
  t.add(item("below", "", "xy: the layer (or substrate) from whose mean top the depth counts.",
             "the first layer"),
        text("NAME"), UMOV_CASE(below));
  t.idle({"below"}, [](const CutSpec& c) { return unless(c.plane == CutPlane::xy, "only xy reads it"); });
  return t;
}

/// Numbers, one, or a range as text; what is kept are the numbers.
Codec<std::vector<double>> number_values(Range range) {
  const auto list = number_list(range);
  Codec<std::vector<double>> out = numbers(range);
  out.read = [list, plain = out.read](const Value& v) {
    return std::holds_alternative<std::string>(v.data) ? list.read(v).values : plain(v);
  };
  out.metavar = "X,X,... | FROM:TO:COUNT";
  out.schema = schema::any_of({out.schema, schema::text()});
  return out;
}

void add_wave(Table& t) {
  const char* s = "harmonic";
  t.add(declare(s, "wavelengths", {"--wavelengths"}, "um", "Vacuum wavelengths, one after the other.",
                "a range"),
        number_values(Range::above(0)), UMOV_SIM(wavelengths));
  t.add(declare(s, "wavelength_from", {"--wavelength-from"}, "um", "A range of wavelengths: the shortest.",
                "a list"),
        optional_number(Range::above(0)), UMOV_CASE(from));
  t.add(declare(s, "wavelength_to", {"--wavelength-to"}, "um", "The longest.", "a list"),
        optional_number(Range::above(0)), UMOV_CASE(to));
  t.add(declare(s, "wavelength_count", {"--wavelength-count"}, "", "How many, evenly spaced."),
        integer<int>(Range::between(0, 100000)), UMOV_CASE(count));
  t.add(declare(s, "polarization", {"--polarization"}, "",
                "s: E across the plane of incidence; p: E in it; both: one after the other, and their mean."),
        choice<Polarizations>(
            {{"s", Polarizations::s}, {"p", Polarizations::p}, {"both", Polarizations::both}}),
        UMOV_SIM(polarization));
  t.add(declare(s, "angle", {"--angle"}, "deg",
                "Angle of incidence in the superstrate; one, a list or a range."),
        number_list(Range::between(0, 89.9)), UMOV_SIM(angle));
  t.add(declare(s, "azimuth", {"--azimuth"}, "deg",
                "Of the plane of incidence, from xz towards yz; one, a list or a range."),
        number_list(Range::between(-360, 360)), UMOV_SIM(azimuth));
  t.add(declare(s, "orders", {"--orders", "--no-orders"}, "",
                "Efficiencies of the diffraction orders, reflected and transmitted."),
        boolean(), UMOV_SIM(orders));
  t.add(declare(s, "superstrate", {"--superstrate"}, "", "Material above, where the light comes from."),
        text("NAME"), UMOV_SIM(superstrate));
  t.add(declare(s, "substrate", {"--substrate"}, "", "Material below the last layer, without an end."),
        text("NAME"), UMOV_SIM(substrate));
  t.add(declare(s, "period", {"--period"}, "um",
                "Period along x, or x and y; without one nothing changes along that axis."),
        extents(Range::at_least(0)), UMOV_SIM(period));
  t.add(declare(s, "cell", {"--cell"}, "um",
                "Cell of the grid along z; 0 means 20 per shortest wavelength in any medium but metals."),
        number(Range::at_least(0)), UMOV_SIM(cell));
  t.add(declare(s, "cell_lateral", {"--cell-lateral"}, "um",
                "Cell along x and y, rounded to a part of the period; 0 means as along z."),
        number(Range::at_least(0)), UMOV_SIM(cell_lateral));
  t.add(declare(s, "tolerance", {"--eps"}, "",
                "Residual of the equations (in pseudo-time: distance to the steady field) at which "
                "iterations end."),
        number(Range::between(1e-12, 0.1)), UMOV_SIM(tolerance));
  t.add(declare(
            s, "solver", {"--solver"}, "",
            "Iteration of layered. gmres: keeps every direction, fewest iterations; idr: IDR(8), 17 vectors; "
            "auto: gmres where metal is rough and memory holds it, else idr."),
        choice<KrylovSolver>(
            {{"auto", KrylovSolver::automatic}, {"gmres", KrylovSolver::gmres}, {"idr", KrylovSolver::idr}}),
        UMOV_SIM(solver));
  t.add(of_course(declare(s, "max_iterations", {"--maxiter"}, "", "Iterations after which it gives up.")),
        integer<long>(Range::between(1, 1e9)), UMOV_SIM(max_iterations));
  t.add(
      declare(
          s, "method", {"--method"}, "",
          "layered: exact inverse of the layers and Krylov iterations; pseudo_time: leapfrog until steady "
          "(THIIM); auto: layered, and pseudo_time where that stalls."),
      choice<Method>(
          {{"auto", Method::automatic}, {"layered", Method::layered}, {"pseudo_time", Method::pseudo_time}}),
      UMOV_SIM(method));
  t.add(
      declare(
          s, "ends", {"--ends"}, "",
          "Of the cell along z. open: the half spaces go on, exactly, for waves near grazing too; absorbing: "
          "planes that absorb, as pseudo-time has them; auto: absorbing for pseudo_time alone."),
      choice<Ends>({{"auto", Ends::automatic}, {"open", Ends::open}, {"absorbing", Ends::absorbing}}),
      UMOV_SIM(ends));
  t.add(declare(s, "max_steps", {"--max-steps"}, "", "Steps of pseudo-time after which it gives up."),
        integer<long>(Range::between(1, 1e9)), UMOV_SIM(max_steps));
  t.add(of_course(
            declare(s, "pseudo_time_limit", {"--pseudo-time-limit"}, "s",
                    "Time that auto may spend in pseudo-time per wavelength and polarization; 0: no limit.")),
        number(Range::at_least(0)), UMOV_SIM(pseudo_time_limit));
  t.add(declare(s, "spectrum", {"--spectrum"}, "",
                "Light for photons and currents: columns of wavelength (um) and irradiance (W/m^2/um).",
                "AM1.5G of ASTM G173-03"),
        path(), UMOV_SIM(spectrum));
  t.add(declare(s, "fields_at", {"--fields-at"}, "um",
                "Wavelengths of the case whose fields are kept and drawn.", "none"),
        numbers(Range::above(0)), UMOV_SIM(fields_at));
}

void add_rest(Table& t) {
  cases::add_folder_parameter(t);
  cases::add_format_parameters(
      t, "Pictures: absorption of the layers over the wavelength and over depth, fields in cuts, orders.");
  t.add(declare("output", "fields", {"--fields", "--no-fields"}, "",
                "E of the wavelengths of fields_at in the whole cell, for ParaView."),
        boolean(), UMOV_SIM(outputs.fields));
  cases::add_view_parameters(t);
  cases::add_resume(t);
  cases::add_device_parameters(
      t, {-1, "Number of the GPU that computes alone; -1: all that are usable, each a row at a time."});
  cases::add_rank_parameters(t);
  t.add(cases::of_machine(declare(
            "machine", "rows_at_once", {"--rows-at-once"}, "",
            "Rows that a GPU computes at the same time, each in memory of its own: one is set up while "
            "another iterates. 0: two where there are rows and memory for them and no metal is rough.")),
        integer<int>(Range::between(0, 8)), UMOV_SIM(rows_at_once));
  t.add(declare(
            "machine", "precision", {"--ftype", "--precision"}, "",
            "Floating-point type of the iteration: its residual is computed, and its results are, in double "
            "in any case. auto: double on serial, else float."),
        choice<Precision>({{"auto", Precision::automatic},
                           {"float", Precision::single},
                           {"single", Precision::single},
                           {"double", Precision::double_}}),
        UMOV_SIM(precision));
  t.add(declare("machine", "tile", {"--tile"}, "columns",
                "Side of the tiles on which gradients are corrected where metal is rough; 0 means 8 in two "
                "dimensions, 4 in space. Larger ones take fewer iterations and more memory."),
        integer<int>(Range::between(0, 64)), UMOV_SIM(tile));
  t.add(declare("machine", "tile_overlap", {"--tile-overlap"}, "columns",
                "How far tiles reach into their neighbours on each side."),
        integer<int>(Range::between(0, 64)), UMOV_SIM(tile_overlap));
  t.idle({"machine.rows_at_once"}, [](const Case& c) {
    const std::string& b = c.machine.backend;
    return unless(b == "auto" || b == "cuda", "the backend is no GPU");
  });
  t.idle({"machine.tile_overlap"}, [](const Case& c) {
    return unless(c.simulation.tile > 0, "it belongs to tile, which is not given");
  });
  t.add(declare("", "", {"--harmonic"}, "",
                "A time-harmonic cell; a case with the table [harmonic] says so itself."),
        boolean(), UMOV_CASE(harmonic));
  cases::add_call_parameters(t, ", grid and memory");
}

Table all() {
  Table t;
  add_wave(t);
  t.add_list("material", "A medium.", material_parameters(), UMOV_SIM(materials));
  t.add_list("layer", "A layer, the one that light meets first first.", layer_parameters(), UMOV_SIM(layers));
  t.add_list("texture", "The heights of an interface.", texture_parameters(), UMOV_SIM(textures));
  t.add_list("cut", "A plane in which the fields of fields_at are drawn; without any: xz at y = 0.",
             cut_parameters(), UMOV_SIM(cuts));
  add_rest(t);
  for (const char* key : {"output.fields"})
    t.idle({key}, [](const Case& c) {
      return unless(!c.simulation.fields_at.empty(), "fields_at names no wavelength");
    });
  t.idle({"harmonic.max_steps"}, [](const Case& c) {
    return unless(c.simulation.method != Method::layered, "the method takes no steps");
  });
  t.idle({"harmonic.pseudo_time_limit"}, [](const Case& c) {
    return unless(c.simulation.method == Method::automatic, "only auto reads it");
  });
  t.idle({"harmonic.max_iterations"}, [](const Case& c) {
    return unless(c.simulation.method != Method::pseudo_time, "the method takes steps: max_steps");
  });
  t.idle({"harmonic.solver"}, [](const Case& c) {
    return unless(c.simulation.method != Method::pseudo_time, "pseudo-time takes steps");
  });
  t.idle({"harmonic.cell_lateral"}, [](const Case& c) {
    return unless(c.simulation.period[0] > 0 || c.simulation.period[1] > 0, "there is no period");
  });
  return t;
}

}  // namespace

const ParameterTable<Case>& parameters() {
  static const Table table = all();
  return table;
}

}  // namespace umov::harmonic
