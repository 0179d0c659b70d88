// From the user's case to a Simulation: derived values and the checks that span several parameters.
#include "run/dda_case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "run/case_places.hpp"

namespace umov::run {

using dda::Simulation;

DdaCase case_of(const Simulation& simulation) {
  DdaCase c;
  c.simulation = simulation;
  if (const auto& granules = simulation.shape.granules) {
    c.granule_fraction = granules->fraction;
    c.granule_diameter = granules->diameter;
    c.granule_domain = granules->domain;
  }
  if (simulation.outputs.geom_format_set) c.geometry_format = simulation.outputs.geom_format;
  return c;
}

namespace {

class CaseChecker : CasePlaces {
 public:
  CaseChecker(const DdaCase& c, const Origins& origins) : CasePlaces(origins), case_(c), sim_(c.simulation) {}

  Simulation finish() {
    refuse_contradictions();
    derive_shape();
    derive_granules();
    derive_rest();
    check_fft_grid();
    check_files();
    check_machine();
    return sim_;
  }

 private:
  void refuse_contradictions() const {
    exclusive("shape.spacing", "shape.dpl", "each sets the distance between dipoles");
    exclusive("shape.size", "shape.eq_radius", "each sets the size of the particle");
    exclusive("--shape-file", "--shape-sphere-size", "each is a shape");
    refuse_two_devices("--opencl");
    refuse_idle_machine(sim_.backend, sim_.device, sim_.threads);
    if (!sim_.checkpoint.resume) {
      refuse_escape("output.folder", sim_.output_dir);
      refuse_escape("checkpoint.folder", sim_.checkpoint.directory);
    }
    refuse_escaping_name("output.geometry_file", sim_.outputs.geom_file);
    exclusive("--cpu", "machine.device", "a GPU's number means nothing to the CPU");
    if (norm(sim_.propagation) == 0)
      throw BadInput(place("source.propagation") + " is zero (a wave needs a direction); give e.g. 0,0,1");
  }

  void derive_shape() {
    auto& shape = sim_.shape;
    shape.wavelength = sim_.wavelength;
    shape.max_abs_m = 0;
    for (const auto& m : sim_.m)
      for (const cplx& component : m) shape.max_abs_m = std::max(shape.max_abs_m, std::abs(component));
    if (case_.spacing) shape.dpl = sim_.wavelength / *case_.spacing;
    if (shape.shape == "read" && shape.file.empty())
      throw BadInput(place("shape.name") +
                     " is 'read' but no file is given (the particle comes from it); "
                     "set shape.file or --shape-file FILE");
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
    sim_.outputs.geom_format_set = case_.geometry_format.has_value();
    sim_.outputs.geom_format = case_.geometry_format.value_or(shapes::ShapeFormat::text);
    auto& checkpoint = sim_.checkpoint;
    if (checkpoint.interval > 0 && checkpoint.kind == dda::CheckpointKind::none && given("checkpoint.kind") &&
        given_as_flag("checkpoint.kind") == given_as_flag("checkpoint.interval"))
      throw BadInput(fmt::format("{} is none, but {} asks for checkpoints; leave one out",
                                 place("checkpoint.kind"), place("checkpoint.interval")));
    if (checkpoint.interval > 0 && checkpoint.kind == dda::CheckpointKind::none)
      checkpoint.kind = dda::CheckpointKind::regular;
    const bool timed =
        checkpoint.kind == dda::CheckpointKind::normal || checkpoint.kind == dda::CheckpointKind::regular;
    if (timed && checkpoint.interval == 0)
      throw BadInput(place("checkpoint.kind") +
                     " needs an interval (it saves at every one); "
                     "give --checkpoint TIME, e.g. 15m");
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
    if (sim_.solver.initial == dda::InitialField::read && sim_.solver.initial_file_y.empty())
      throw BadInput(place("solver.initial") + " is 'read' but no file is given; set solver.initial_file_y");
    if (sim_.beam.kind == dda::BeamKind::read && sim_.beam.file_y.empty())
      throw BadInput(place("source.kind") + " is 'read' but no file is given; set source.file_y");
  }

  void check_machine() const {
    if (sim_.precision == dda::Precision::long_double && sim_.backend == "cuda")
      throw BadInput(place("machine.precision") +
                     " is ldouble on a GPU (which has no such type); choose double, or --cpu");
  }

  const DdaCase& case_;
  Simulation sim_;
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

Simulation finish_case(const DdaCase& c, const Origins& origins) { return CaseChecker(c, origins).finish(); }

}  // namespace umov::run
