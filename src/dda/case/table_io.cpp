// Parameters of `umov dda`: results, checkpoints, the machine and this call of the program.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "cases/call_parameters.hpp"
#include "cases/checkpoint_parameter.hpp"
#include "cases/device_parameter.hpp"
#include "cases/format_parameters.hpp"
#include "cases/rank_parameters.hpp"
#include "cases/view_parameters.hpp"
#include "dda/case/case.hpp"

namespace umov::dda {

using cases::declare, cases::of_course;

namespace {

using Table = ParameterTable<Case>;

void add_call(Table& t) {
  cases::add_call_parameters(t, " and a memory estimate");
  t.add(declare("", "", {"--mem-info"}, "", "Print the memory estimate before the run."), boolean(),
        UMOV_CASE(show_memory));
}

ParameterInfo output(std::string key, std::vector<std::string> flags, std::string help,
                     std::string when_unset = "") {
  return declare("output", std::move(key), std::move(flags), "", std::move(help), std::move(when_unset));
}

void add_matrices(Table& t) {
  cases::add_folder_parameter(t);
  t.add(output("mueller", {"--mueller-matrix", "--no-mueller-matrix"},
               "Mueller matrix over the scattering angle."),
        boolean(), UMOV_SIM(outputs.mueller));
  t.add(output("amplitude", {"--amplitude-matrix"}, "Amplitude matrix over the scattering angle."), boolean(),
        UMOV_SIM(outputs.amplitude));
  t.add(output("efield", {"--efield"}, "Far electric field over the scattering angle."), boolean(),
        UMOV_SIM(outputs.efield));
  t.add(output("theta_intervals", {"--theta-intervals"},
               "Intervals of the scattering angle over 0 to 180 degrees; 0 means by the size of the grid."),
        integer<int>(Range::between(0, 1000000)), UMOV_SIM(outputs.ntheta));
  t.add(output("yz_plane", {"--yz-plane"}, "Scattering in the yz plane of the incident frame."), boolean(),
        UMOV_SIM(outputs.yz));
  t.add(output("scattering_plane", {"--scattering-plane"},
               "Scattering in the plane of the incident direction and the z axis."),
        boolean(), UMOV_SIM(outputs.scat_plane));
  t.add(output("scattering_grid", {"--scattering-grid"}, "Scattering on a grid of both angles."), boolean(),
        UMOV_SIM(outputs.store_scat_grid));
  t.add(output("scattering_grid_file", {"--scattering-grid-file"},
               "Angles of the grid, in the format of ADDA's scat_params.dat.", "built-in angles"),
        path(), UMOV_SIM(outputs.scat_grid_file));
  t.add(output("phi_integrals", {"--phi-integrals"},
               "Means of the Mueller matrix over phi; the sum of 1 (plain), 2 (cos 2 phi), "
               "4 (sin 2 phi), 8 (cos 4 phi), 16 (sin 4 phi)."),
        integer<int>(Range::between(0, 31)), UMOV_SIM(outputs.phi_integr));
}

void add_integrals_and_fields(Table& t) {
  t.add(of_course(output("csca", {"--csca"}, "Csca by integration over all directions.")), boolean(),
        UMOV_SIM(outputs.csca));
  t.add(of_course(output("csca_g", {"--csca-g"}, "Asymmetry vector times Csca, by integration.")), boolean(),
        UMOV_SIM(outputs.vec));
  t.add(of_course(output("asymmetry", {"--asymmetry"}, "Asymmetry vector, by integration.")), boolean(),
        UMOV_SIM(outputs.asym));
  t.add(of_course(output("alldir_file", {"--integration-file"},
                         "Steps of these integrals, in the format of ADDA's alldir_params.dat.",
                         "built-in steps")),
        path(), UMOV_SIM(outputs.alldir_file));
  t.add(of_course(output("radiation_pressure", {"--radiation-pressure"},
                         "Radiation pressure, from the forces on the dipoles.")),
        boolean(), UMOV_SIM(outputs.cpr));
  t.add(output("incident_field", {"--incident-field"}, "File of the incident field per dipole."), boolean(),
        UMOV_SIM(outputs.store_beam));
  t.add(output("dipole_polarizations", {"--dipole-polarizations"}, "File of the dipole polarizations."),
        boolean(), UMOV_SIM(outputs.store_dip_pol));
  t.add(output("internal_fields", {"--internal-fields"}, "File of the internal fields."), boolean(),
        UMOV_SIM(outputs.store_int_field));
  t.add(output("forces", {"--forces"}, "File of the radiation force per dipole."), boolean(),
        UMOV_SIM(outputs.store_force));
  t.add(output("granule_positions", {"--granule-positions"}, "File of the positions of the granules."),
        boolean(), UMOV_SIM(outputs.store_grans));
}

void add_files(Table& t) {
  t.add(output("geometry", {"--save-shape"}, "Save the voxelised particle."), boolean(),
        UMOV_SIM(outputs.save_geom));
  t.add(output("geometry_file", {}, "Name of the saved shape, relative to the folder of the results.",
               "by the name of the shape"),
        text("FILE"), UMOV_SIM(outputs.geom_file));
  t.add_action(output("", {"--save-shape-file"},
                      "Save the voxelised particle in this file, relative to the current folder, as "
                      "--shape-file reads it."),
               text("FILE"), [](Case& c, const std::string& file) {
                 c.simulation.outputs.save_geom = true;
                 c.simulation.outputs.geom_file = std::filesystem::absolute(file).string();
               });
  using Format = std::optional<shapes::ShapeFormat>;
  t.add(output("geometry_format", {"--save-shape-format"},
               "Format of the saved shape; auto is text, or text_ext for several materials."),
        choice<Format>({{"auto", std::nullopt},
                        {"text", shapes::ShapeFormat::text},
                        {"text_ext", shapes::ShapeFormat::text_ext},
                        {"ddscat6", shapes::ShapeFormat::ddscat6},
                        {"ddscat7", shapes::ShapeFormat::ddscat7}}),
        UMOV_CASE(geometry_format));
  cases::add_format_parameters(t, "Pictures of shape, scattering and fields.");
  t.add(output("case_folders", {"--case-folders"},
               "Of a case with lists: also a folder with all results for each single case."),
        boolean(), UMOV_SIM(outputs.case_folders));
  cases::add_view_parameters(t);
}

void add_checkpoint(Table& t) {
  const char* s = "checkpoint";
  cases::add_checkpoint_interval(t);
  t.add(cases::of_machine(
            declare(s, "kind", {"--checkpoint-kind"}, "",
                    "normal: save once and stop; regular: save at every interval; always: also at the end.")),
        choice<CheckpointKind>({{"none", CheckpointKind::none},
                                {"normal", CheckpointKind::normal},
                                {"regular", CheckpointKind::regular},
                                {"always", CheckpointKind::always}}),
        UMOV_MACHINE(checkpoint_kind));
  t.add(cases::of_machine(declare(s, "folder", {"--checkpoint-dir"}, "", "Folder of the checkpoint.",
                                  "the folder of the results")),
        text("DIR"), UMOV_MACHINE(checkpoint_dir));
  t.add_action(declare(s, "", {"--resume"}, "",
                       "Continue the run in this folder; without a case file its resolved.toml is the case."),
               text("DIR"), [](Case& c, const std::string& folder) {
                 c.machine.checkpoint.resume = true;
                 c.machine.checkpoint_dir = c.machine.output_dir = folder;
               });
}

Codec<Precision> precision() {
  auto codec = choice<Precision>({{"double", Precision::double_},
                                  {"float", Precision::single},
                                  {"single", Precision::single},
                                  {"ldouble", Precision::long_double}});
  codec.read = [known = codec.read](const Value& v) {
    const auto* word = std::get_if<std::string>(&v.data);
    if (word &&
        (*word == "long" || *word == "long double" || *word == "long_double" || *word == "long-double"))
      throw ValueError(fmt::format("'{}' is unknown; long double is called 'ldouble' here", *word));
    return known(v);
  };
  return codec;
}

void add_machine(Table& t) {
  const char* s = "machine";
  cases::add_device_parameters(t, {-1, "Number of the GPU; -1 means the first."});
  cases::add_rank_parameters(t);
  t.add(
      cases::of_machine(declare(
          s, "split", {"--split"}, "",
          "What several ranks do: share the particle, or solve for waves of their own (both polarizations, "
          "orientations of an average); auto does the latter where the particle fits one of them.")),
      choice<RankSplit>(
          {{"auto", RankSplit::automatic}, {"particle", RankSplit::particle}, {"solves", RankSplit::solves}}),
      UMOV_MACHINE(split));
  cases::add_shortcut(t, "--opencl", "As --gpu, for scripts written for a program on OpenCL; umov uses CUDA.",
                      UMOV_MACHINE(backend), "cuda");
  t.add(declare(s, "precision", {"--ftype", "--precision"}, "",
                "Floating-point type; float is also called single, ldouble needs the serial or cpu backend."),
        precision(), UMOV_SIM(precision));
  t.add(cases::of_machine(declare(
            s, "tensor_on_host", {"--dmatrix-host"}, "",
            "Keep the interaction tensor in host memory and stream it, for particles larger than the card.")),
        boolean(), UMOV_MACHINE(tensor_on_host));
  t.add(cases::of_machine(declare(s, "blocking_sync", {"--blocking-sync"}, "",
                                  "Let a host thread that waits for the device sleep instead of spin.")),
        boolean(), UMOV_MACHINE(blocking_sync));
  t.add_action(declare(s, "", {"--sync"}, "",
                       "Finish the GPU after every operation, so that each time in prof is that of its own "
                       "work: for profiles, slower. On a processor it does nothing."),
               boolean(), [](Case& c, const bool& on) { c.sync = on; });
}

}  // namespace

void add_run_parameters(Table& t) {
  add_call(t);
  add_matrices(t);
  add_integrals_and_fields(t);
  add_files(t);
  add_checkpoint(t);
  add_machine(t);
}

}  // namespace umov::dda
