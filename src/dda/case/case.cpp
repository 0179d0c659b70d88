// From the user's case to a Simulation: derived values and the checks that span several parameters.
#include "dda/case/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cases/case_places.hpp"
#include "core/error.hpp"
#include "dda/case/result_names.hpp"
#include "dda/check_simulation.hpp"

namespace umov::dda {

Case case_of(const Simulation& simulation) {
  Case c;
  c.simulation = simulation;
  if (const auto& granules = simulation.shape.granules) {
    c.granule_fraction = granules->fraction;
    c.granule_diameter = granules->diameter;
    c.granule_domain = granules->domain;
  }
  c.vacuum_wavelength = simulation.vacuum_wavelength();
  if (simulation.given) {
    c.medium = simulation.given->medium;
    c.materials = simulation.given->materials;
  } else {
    for (const CVec3& m : simulation.m) c.materials.push_back({{m, ""}, "", ""});
  }
  if (simulation.outputs.geom_format_set) c.geometry_format = simulation.outputs.geom_format;
  return c;
}

namespace {

class CaseChecker : cases::CasePlaces {
 public:
  CaseChecker(Case& c, const Origins& origins)
      : cases::CasePlaces(origins), case_(c), sim_(c.simulation), machine_(c.machine), origins_(origins) {}

  Simulation finish() {
    refuse_contradictions();
    set_light(case_, origins_, sim_);
    derive_shape();
    derive_granules();
    derive_rest();
    check_accuracy();
    check_numbers();
    derive_machine();
    check_unread();
    check_dipoles();
    if (const auto found = find_contradiction(sim_))
      throw BadInput(place(found->parameter) + " " + found->problem);
    check_fft_grid();
    check_files();
    return sim_;
  }

 private:
  /// The default of the polarizability is for cubes; that it was chosen at all is news to who left it out.
  void check_dipoles() {
    if (has_rectangular_dipoles(sim_) && !given("method.polarizability"))
      throw BadInput(
          place("shape.rectangular") +
          " needs a polarizability that is defined for rectangular dipoles (none is given, and the default, "
          "ldr, is for cubes); give `method.polarizability` cldr, cm or igt_so");
  }

  /// What says of one grid what others have not.
  void check_accuracy() {
    if (sim_.accuracy == 0) return;
    if (case_.many)
      throw BadInput(
          place("accuracy") +
          " and lists cannot be combined (each case would have grids of its own); run one case at a "
          "time");
    if (!given("solver.epsilon"))
      sim_.solver.epsilon = std::min(sim_.solver.epsilon, 0.01 * sim_.accuracy);
    else if (sim_.solver.epsilon > 0.1 * sim_.accuracy)
      sim_.warnings.push_back(fmt::format(
          "{} is {:g}: what the solver leaves is not small beside the accuracy of {:g}; give {:g}",
          place("solver.epsilon"), sim_.solver.epsilon, sim_.accuracy, 0.01 * sim_.accuracy));
  }

  void refuse_contradictions() const {
    exclusive("shape.spacing", "shape.dpl", "each sets the distance between dipoles");
    exclusive("shape.size", "shape.eq_radius", "each sets the size of the particle");
    exclusive("--shape-file", "--shape-sphere-size", "each is a shape");
    if (given_as_flag("shape.name")) exclusive("shape.name", "--shape-sphere-size", "each is a shape");
    if (given_as_flag("shape.grid")) exclusive("shape.grid", "--shape-sphere-size", "each sets the grid");
    if (sim_.outputs.yz && sim_.outputs.scat_plane)
      exclusive("output.yz_plane", "output.scattering_plane", "one plane is computed");
    for (const char* other : {"checkpoint.folder", "output.folder"})
      if (given_as_flag(other)) exclusive("--resume", other, "a run goes on in its own folder");
    if (machine_.checkpoint.resume && sim_.orientation.average && !case_.many && sim_.accuracy == 0)
      throw BadInput(
          "`resume`: an average over orientations has no single state to go on from (its solves are many and "
          "short); run the case "
          "again, or make it a list, whose finished cases are kept");
    const bool same_place = given_as_flag("checkpoint.kind") || !given_as_flag("checkpoint.interval");
    if (given("checkpoint.kind") && same_place && machine_.checkpoint_kind == CheckpointKind::none &&
        machine_.checkpoint.interval > 0)
      throw BadInput(place("checkpoint.kind") + " is none but " + place("checkpoint.interval") +
                     " asks for checkpoints; leave one out");
    refuse_two_devices("--gpu");
    refuse_two_devices("--opencl");
    if (!machine_.checkpoint.resume) {
      refuse_escape("output.folder", machine_.output_dir);
      refuse_escape("checkpoint.folder", machine_.checkpoint_dir);
    }
    refuse_escaping_name("output.geometry_file", sim_.outputs.geom_file);
    require_own_name(sim_.outputs.geom_file, machine_.output_dir,
                     place(given("--save-shape-file") ? "--save-shape-file" : "output.geometry_file"));
    if (norm(sim_.propagation) == 0)
      throw BadInput(place("source.propagation") + " is zero (a wave needs a direction); give e.g. 0,0,1");
  }

  void derive_shape() {
    auto& shape = sim_.shape;
    shape.wavelength = sim_.wavelength;
    shape.max_abs_m = 1;  // a bubble needs the dipoles of the wave outside
    for (const auto& m : sim_.m)
      for (const cplx& component : m) shape.max_abs_m = std::max(shape.max_abs_m, std::abs(component));
    if (case_.spacing) shape.dpl = sim_.wavelength / *case_.spacing;
    if (shape.shape == "read" && shape.file.empty())
      throw BadInput(place("shape.name") +
                     " is 'read' but no file is given (the particle comes from it); "
                     "give `shape.file`");
    const bool unsized = shape.grid == Int3{0, 0, 0} && !shape.size && !shape.eq_radius && shape.file.empty();
    if (unsized) shape.grid = {16, 0, 0};
  }

  void derive_granules() {
    if (case_.granule_fraction.has_value() != case_.granule_diameter.has_value())
      throw BadInput(
          fmt::format("{} is given alone (granules need both a fraction and a diameter); give the other, too",
                      place(case_.granule_fraction ? "shape.granule_fraction" : "shape.granule_diameter")));
    sim_.shape.granules.reset();
    if (case_.granule_fraction)
      sim_.shape.granules = {*case_.granule_fraction, *case_.granule_diameter, case_.granule_domain};
  }

  void derive_rest() {
    sim_.anisotropic = std::any_of(sim_.m.begin(), sim_.m.end(),
                                   [](const CVec3& m) { return m[0] != m[1] || m[1] != m[2]; });
    if (sim_.outputs.asym) sim_.outputs.csca = true;  // g is Csca g over Csca
    if (sim_.solver.name == "idrs") sim_.solver.name = "idr4";
    sim_.outputs.geom_format_set = case_.geometry_format.has_value();
    sim_.outputs.geom_format = case_.geometry_format.value_or(shapes::ShapeFormat::text);
    const double interval = machine_.checkpoint.interval;
    CheckpointKind& kind = machine_.checkpoint_kind;
    if (interval > 0 && kind == CheckpointKind::none && given("checkpoint.kind") &&
        given_as_flag("checkpoint.kind") == given_as_flag("checkpoint.interval"))
      throw BadInput(fmt::format("{} is none, but {} asks for checkpoints; leave one out",
                                 place("checkpoint.kind"), place("checkpoint.interval")));
    if (interval > 0 && kind == CheckpointKind::none) kind = CheckpointKind::regular;
    const bool timed = kind == CheckpointKind::normal || kind == CheckpointKind::regular;
    if (timed && interval == 0)
      throw BadInput(place("checkpoint.kind") +
                     " needs an interval (it saves at every one); "
                     "give `checkpoint.interval`, e.g. 15m");
  }

  void check_fft_grid() const {
    Int3 box = sim_.shape.grid;
    if (sim_.shape.shape == "sphere") box[1] = box[2] = box[0];
    for (int& n : box) n *= sim_.shape.jagged;
    require_fft_grid(sim_.fft_grid, box, place("method.fft_grid"));
  }

  void check_files() const {
    check_file(place(given("--shape-file") ? "--shape-file" : "shape.file"), sim_.shape.file, "the shape");
    check_file(place("source.file_y"), sim_.beam.file_y, "the incident field");
    check_file(place("source.file_x"), sim_.beam.file_x, "the incident field");
    check_file(place("orientation.average_file"), sim_.orientation.average_file, "angles of the average");
    check_file(place("solver.initial_file_y"), sim_.solver.initial_file_y, "the start field");
    check_file(place("solver.initial_file_x"), sim_.solver.initial_file_x, "the start field");
    check_file(place("output.scattering_grid_file"), sim_.outputs.scat_grid_file, "angles of the grid");
    check_file(place("output.alldir_file"), sim_.outputs.alldir_file, "steps of the integrals");
    if (sim_.solver.initial == InitialField::read && sim_.solver.initial_file_y.empty())
      throw BadInput(place("solver.initial") + " is 'read' but no file is given; set solver.initial_file_y");
    if (sim_.beam.kind == BeamKind::read && sim_.beam.file_y.empty())
      throw BadInput(place("source.kind") + " is 'read' but no file is given; set source.file_y");
  }

  void check_numbers() const {
    const auto& list = sim_.interaction_arguments;
    const bool nonlocal = sim_.interaction == Interaction::nloc || sim_.interaction == Interaction::nloc_av;
    if (nonlocal && (list.size() != 1 || list[0] < 0))
      throw BadInput(
          place(list.empty() ? "method.interaction" : "method.interaction_arguments") +
          ": the interactions nloc and nloc_av have one argument, their width in um (not negative); "
          "give `method.interaction_arguments`");
    if (sim_.interaction == Interaction::igt && (list.size() > 2 || (list.size() == 2 && !(list[1] > 0))))
      throw BadInput(
          place("method.interaction_arguments") +
          ": the interaction igt has two arguments at most, a distance and a precision > 0; give these");
    const bool needs_width =
        sim_.polarizability == Polarizability::nloc || sim_.polarizability == Polarizability::nloc_av;
    if (needs_width && !given("method.pol_nloc_rp"))
      throw BadInput(place("method.polarizability") +
                     " needs a width (without one it is Clausius-Mossotti); give `method.pol_nloc_rp` in um");
    const bool gaussian = sim_.beam.kind == BeamKind::lminus || sim_.beam.kind == BeamKind::davis3 ||
                          sim_.beam.kind == BeamKind::barton5;
    if (gaussian && !(sim_.beam.width > 0))
      throw BadInput(place(given("source.width") ? "source.width" : "source.kind") +
                     ": a Gaussian beam needs the radius of its waist (> 0); give `source.width` in um");
  }

  /// A parameter that this case does not read is refused, unless a flag has overruled the case it was for.
  void check_unread() {
    Case c = case_;
    c.simulation = sim_;
    for (const auto& rule : dda_reads()) {
      if (rule.untouched(c) || rule.read(c)) continue;
      const std::string name =
          rule.parameter == "shape.file" && given("--shape-file") ? "--shape-file" : rule.parameter;
      const bool overruled =
          !given_as_flag(name) && std::any_of(rule.decides.begin(), rule.decides.end(),
                                              [&](const auto& by) { return given_as_flag(by); });
      const std::string text = place(name) + " has no effect here (" + rule.otherwise + ")";
      if (!overruled) throw BadInput(text + "; leave it out, or change the case");
      sim_.warnings.push_back(text);
      rule.reset(c);
    }
    c.simulation.warnings = sim_.warnings;
    sim_ = c.simulation;
    machine_ = c.machine;
    sim_.outputs.geom_format_set = c.geometry_format.has_value();
  }

  void derive_machine() {
    // The number of a GPU asks for a GPU: without one the run must not go on elsewhere.
    if (machine_.device >= 0 && machine_.backend == "auto") machine_.backend = "cuda";
    if (sim_.precision == Precision::long_double && machine_.backend == "cuda")
      throw BadInput(
          place("machine.precision") +
          " is ldouble on a GPU (which has no such type); choose double, or `machine.backend = 'cpu'`");
  }

  const Case& case_;
  Simulation sim_;
  Machine& machine_;
  const Origins& origins_;
};

}  // namespace

void require_fft_grid(const Int3& fft_grid, const Int3& box, const std::string& place) {
  static constexpr const char* axes[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    if (fft_grid == Int3{0, 0, 0}) return;
    if (fft_grid[i] == 0)
      throw BadInput(
          fmt::format("{} is 0 along {} (three positive numbers, or none); give all three", place, axes[i]));
    // A box one site thick needs no padding: there is nothing to convolve along that axis.
    const int least = box[i] <= 1 ? box[i] : 2 * box[i];
    if (fft_grid[i] < least)
      throw BadInput(fmt::format(
          "{} is {} along {} (smaller than twice the particle, which has {} dipoles there: the periodic "
          "images would touch); give at least {}",
          place, fft_grid[i], axes[i], box[i], least));
  }
}

void require_own_name(const std::string& geometry_file, const std::string& folder, const std::string& place) {
  namespace fs = std::filesystem;
  if (geometry_file.empty()) return;
  std::error_code failed;
  const fs::path home =
      fs::weakly_canonical(fs::absolute(folder.empty() ? "the new folder" : folder), failed);
  // weakly_canonical follows links: a link to a result would be written through.
  const fs::path file = fs::weakly_canonical(home / geometry_file, failed);
  const fs::path plain = (home / geometry_file).lexically_normal();
  for (const fs::path& path : {file, plain})
    if (path.parent_path() == home && is_dda_result(path.filename().string()))
      throw BadInput(
          fmt::format("{} is '{}', the name of a result of the run (which it would replace); choose another",
                      place, geometry_file));
}

Simulation finish_case(Case& c, const Origins& origins) { return CaseChecker(c, origins).finish(); }

std::string resolved_toml(const Simulation& simulation, const Machine& machine) {
  Case c = case_of(simulation);
  c.machine = machine;
  return "# The case as it was run: every default filled in. `umov dda resolved.toml` repeats it.\n" +
         parameters().write_toml(c);
}

}  // namespace umov::dda
