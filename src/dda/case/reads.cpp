// Which parameters of a dipole run are read in which cases only.
#include "cases/declare.hpp"
#include "dda/case/case.hpp"

namespace umov::dda {

namespace {

using Rule = cases::ReadWhen<Case>;
using Rules = std::vector<Rule>;

template <class Field>
void add(Rules& rules, std::string parameter, std::string option, Field field,
         std::vector<std::string> decides, std::function<bool(const Case&)> read, std::string otherwise) {
  rules.push_back(cases::read_when<Case>(std::move(parameter), std::move(option), field, std::move(decides),
                                         std::move(read), std::move(otherwise)));
}

bool averaged(const Case& c) { return c.simulation.orientation.average; }
bool single(const Case& c) { return !averaged(c); }

bool matrices(const Case& c) {
  const Outputs& o = c.simulation.outputs;
  return o.mueller || o.amplitude || o.efield;
}
bool grid(const Case& c) {
  const Outputs& o = c.simulation.outputs;
  return matrices(c) && (o.store_scat_grid || o.phi_integr);
}
bool plane(const Case& c) {
  const Outputs& o = c.simulation.outputs;
  return matrices(c) && (o.yz || o.scat_plane || !grid(c));
}
bool gaussian(const Case& c) {
  const BeamKind k = c.simulation.beam.kind;
  return k == BeamKind::lminus || k == BeamKind::davis3 || k == BeamKind::barton5;
}
bool field_files(const Case& c) { return c.simulation.beam.kind == BeamKind::read; }
bool start_files(const Case& c) { return c.simulation.solver.initial == InitialField::read; }
bool on_gpu(const Case& c) { return c.machine.backend == "cuda" || c.machine.backend == "auto"; }

bool nonlocal(Polarizability p) { return p == Polarizability::nloc || p == Polarizability::nloc_av; }

void shape(Rules& r) {
  add(
      r, "shape.file", "shape", UMOV_SIM(shape.file), {"shape.name", "--shape-sphere-size"},
      [](const Case& c) {
        return c.simulation.shape.shape == "read" || c.simulation.shape.shape == "axisymmetric";
      },
      "only the shapes 'read' and 'axisymmetric' take a file");
  add(
      r, "shape.granule_domain", "", UMOV_CASE(granule_domain), {"shape.granule_fraction"},
      [](const Case& c) { return c.granule_fraction.has_value(); }, "there are no granules");
}

void light(Rules& r) {
  add(r, "source.width", "beam", UMOV_SIM(beam.width), {"source.kind"}, gaussian,
      "only Gaussian beams have a width");
  add(
      r, "source.center", "beam_center", UMOV_SIM(beam.center), {"source.kind"},
      [](const Case& c) { return !field_files(c); }, "a field from a file lies where the file says");
  const char* no_file = "the incident field is computed, not read from a file";
  add(r, "source.file_y", "beam", UMOV_SIM(beam.file_y), {"source.kind"}, field_files, no_file);
  add(r, "source.file_x", "beam", UMOV_SIM(beam.file_x), {"source.kind"}, field_files, no_file);
  const char* all = "an average runs over all orientations";
  add(r, "orientation.alpha", "orient", UMOV_SIM(orientation.alpha), {"orientation.average"}, single, all);
  add(r, "orientation.beta", "orient", UMOV_SIM(orientation.beta), {"orientation.average"}, single, all);
  add(r, "orientation.gamma", "orient", UMOV_SIM(orientation.gamma), {"orientation.average"}, single, all);
  add(r, "orientation.average_file", "orient", UMOV_SIM(orientation.average_file), {"orientation.average"},
      averaged, "there is no average over orientations");
}

void method(Rules& r) {
  add(
      r, "method.ldr_average", "pol", UMOV_SIM(ldr_average), {"method.polarizability"},
      [](const Case& c) { return c.simulation.polarizability == Polarizability::ldr; },
      "only the polarizability ldr depends on the incident polarization");
  add(
      r, "method.pol_nloc_rp", "pol", UMOV_SIM(pol_nloc_rp), {"method.polarizability"},
      [](const Case& c) { return nonlocal(c.simulation.polarizability); },
      "only the polarizabilities nloc and nloc_av have a width");
  add(
      r, "method.interaction_arguments", "int", UMOV_SIM(interaction_arguments), {"method.interaction"},
      [](const Case& c) {
        const Interaction i = c.simulation.interaction;
        return i == Interaction::igt || i == Interaction::nloc || i == Interaction::nloc_av;
      },
      "only the interactions igt, nloc and nloc_av have arguments");
  add(r, "method.symmetry", "sym", UMOV_SIM(symmetry), {"orientation.average"}, single,
      "an average over orientations uses no symmetry");
  const char* no_file = "the solver's start is computed, not read from a file";
  add(r, "solver.initial_file_y", "init_field", UMOV_SIM(solver.initial_file_y), {"solver.initial"},
      start_files, no_file);
  add(r, "solver.initial_file_x", "init_field", UMOV_SIM(solver.initial_file_x), {"solver.initial"},
      start_files, no_file);
}

void accuracy(Rules& r) {
  const auto one_grid = [](const Case& c) { return c.simulation.accuracy == 0; };
  add(
      r, "accuracy_time", "-accuracy-time", UMOV_SIM(accuracy_time), {"accuracy"},
      [](const Case& c) { return c.simulation.accuracy > 0; }, "no accuracy is asked for");
  add(r, "method.fft_grid", "", UMOV_SIM(fft_grid), {"accuracy"}, one_grid,
      "a run to an accuracy chooses the particle's grids, and the transforms' with them");
}

void results(Rules& r) {
  const std::vector<std::string> kinds{"output.mueller", "output.amplitude", "output.efield"};
  const char* nothing = "no scattering matrix or field over the angles is asked for";
  add(r, "output.yz_plane", "yz", UMOV_SIM(outputs.yz), kinds, matrices, nothing);
  add(r, "output.scattering_plane", "scat_plane", UMOV_SIM(outputs.scat_plane), kinds, matrices, nothing);
  add(r, "output.scattering_grid", "store_scat_grid", UMOV_SIM(outputs.store_scat_grid), kinds, matrices,
      nothing);
  add(r, "output.phi_integrals", "phi_integr", UMOV_SIM(outputs.phi_integr), kinds, matrices, nothing);
  add(r, "output.theta_intervals", "ntheta", UMOV_SIM(outputs.ntheta),
      {"output.mueller", "output.amplitude", "output.efield", "output.scattering_grid",
       "output.phi_integrals"},
      plane, "no plane is computed; a grid has angles of its own");
  add(r, "output.scattering_grid_file", "scat_grid_inp", UMOV_SIM(outputs.scat_grid_file),
      {"output.scattering_grid", "output.phi_integrals", "output.mueller"}, grid,
      "no grid of angles is asked for");
  add(
      r, "output.alldir_file", "alldir_inp", UMOV_SIM(outputs.alldir_file),
      {"output.csca", "output.csca_g", "output.asymmetry"},
      [](const Case& c) {
        const Outputs& o = c.simulation.outputs;
        return o.csca || o.vec || o.asym;
      },
      "nothing is integrated over all directions");
  add(
      r, "output.granule_positions", "store_grans", UMOV_SIM(outputs.store_grans), {"shape.granule_fraction"},
      [](const Case& c) { return c.granule_fraction.has_value(); }, "there are no granules");
  const auto saved = [](const Case& c) { return c.simulation.outputs.save_geom; };
  const char* not_saved = "the shape is not saved";
  add(r, "output.geometry_file", "save_geom", UMOV_SIM(outputs.geom_file), {"output.geometry"}, saved,
      not_saved);
  add(r, "output.geometry_format", "sg_format", UMOV_CASE(geometry_format), {"output.geometry"}, saved,
      not_saved);
}

/// What only a case with lists reads, and what of it has no place in a table of cases.
void lists(Rules& r) {
  const auto many = [](const Case& c) { return c.many; };
  const char* one = "no parameter is a list";
  add(r, "solver.neighbours", "", UMOV_SIM(solver.neighbours), {"wavelength"}, many, one);
  add(r, "output.case_folders", "", UMOV_SIM(outputs.case_folders), {"wavelength"}, many, one);
  const auto kept = [](const Case& c) { return !c.many || c.simulation.outputs.case_folders; };
  const char* not_kept =
      "a case with lists leaves a table of cross sections; folders of the single cases are for the rest: "
      "`output.case_folders`";
  const std::vector<std::string> decides{"output.case_folders", "wavelength"};
  const auto in_folders = [&](const char* name, auto field) {
    add(r, name, "", field, decides, kept, not_kept);
  };
  in_folders("output.amplitude", UMOV_SIM(outputs.amplitude));
  in_folders("output.efield", UMOV_SIM(outputs.efield));
  in_folders("output.yz_plane", UMOV_SIM(outputs.yz));
  in_folders("output.scattering_plane", UMOV_SIM(outputs.scat_plane));
  in_folders("output.scattering_grid", UMOV_SIM(outputs.store_scat_grid));
  in_folders("output.phi_integrals", UMOV_SIM(outputs.phi_integr));
  in_folders("output.theta_intervals", UMOV_SIM(outputs.ntheta));
  in_folders("output.incident_field", UMOV_SIM(outputs.store_beam));
  in_folders("output.dipole_polarizations", UMOV_SIM(outputs.store_dip_pol));
  in_folders("output.internal_fields", UMOV_SIM(outputs.store_int_field));
  in_folders("output.forces", UMOV_SIM(outputs.store_force));
  in_folders("output.granule_positions", UMOV_SIM(outputs.store_grans));
  in_folders("output.geometry", UMOV_SIM(outputs.save_geom));
}

void machine(Rules& r) {
  const char* no_state = "an average over orientations has no single state to save";
  add(r, "checkpoint.interval", "chpoint", UMOV_MACHINE(checkpoint.interval), {"orientation.average"}, single,
      no_state);
  add(r, "checkpoint.kind", "chp_type", UMOV_MACHINE(checkpoint_kind), {"orientation.average"}, single,
      no_state);
  add(
      r, "checkpoint.folder", "chp_dir", UMOV_MACHINE(checkpoint_dir), {"orientation.average", "accuracy"},
      [](const Case& c) { return single(c) || c.simulation.accuracy > 0; }, no_state);
  add(
      r, "solver.inner", "", UMOV_SIM(solver.inner), {"machine.precision"},
      [](const Case& c) { return c.simulation.precision == Precision::double_; },
      "only a run in double has iterations in a precision of their own");
  const std::vector<std::string> where{"machine.backend", "--cpu", "--gpu", "--opencl", "--device"};
  add(r, "machine.device", "gpu", UMOV_MACHINE(device), where, on_gpu, "the run is not on a GPU");
  add(
      r, "machine.threads", "-threads", UMOV_MACHINE(threads), where,
      [](const Case& c) {
        const std::string& b = c.machine.backend;
        return b == "cpu" || b == "auto" || (b == "serial" && c.machine.threads == 1);
      },
      "only the cpu backend has threads");
  const char* gpu_only = "only the cuda backend reads it";
  add(r, "machine.tensor_on_host", "", UMOV_MACHINE(tensor_on_host), where, on_gpu, gpu_only);
  add(r, "machine.blocking_sync", "", UMOV_MACHINE(blocking_sync), where, on_gpu, gpu_only);
}

}  // namespace

const std::vector<cases::ReadWhen<Case>>& dda_reads() {
  static const Rules rules = [] {
    Rules r;
    shape(r);
    light(r);
    method(r);
    accuracy(r);
    results(r);
    lists(r);
    machine(r);
    return r;
  }();
  return rules;
}

}  // namespace umov::dda
