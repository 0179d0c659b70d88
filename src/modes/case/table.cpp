// The parameters of `umov modes`. Each is declared here, once.
#include <filesystem>

#include "cases/call_parameters.hpp"
#include "cases/device_parameter.hpp"
#include "modes/case/case.hpp"
#include "parameters/tree.hpp"

namespace umov::modes {

using cases::declare;

namespace {

ParameterInfo own(const char* key, const char* flag, const char* unit, const char* help,
                  const char* when_unset = "") {
  return declare("modes", key, {flag}, unit, help, when_unset);
}

/// A parameter that says what is written of the results.
ParameterInfo toggle(const char* key, const std::string& word, const char* help) {
  ParameterInfo info = declare("modes", key, {"--" + word, "--no-" + word}, "", help);
  info.concern = Concern::output;
  return info;
}

Table table() {
  Table t;
  t.add(own("at", "--at", "", "Name of the source or monitor of the case whose plane is the cross-section.",
            "the whole domain's"),
        text("NAME"), UMOV_SIM(at));
  t.add(own("normal", "--normal", "", "Axis of travel: x, y or z.",
            "the axis along which the domain's size is 0, or of the plane of `at`; else x"),
        choice<std::string>({{"", ""}, {"x", "x"}, {"y", "y"}, {"z", "z"}}), UMOV_CASE(normal));
  t.add(own("position", "--position", "unit", "Place of the plane along that axis."), number(),
        UMOV_SIM(position));
  t.add(own("wavelengths", "--wavelengths", "unit",
            "Wavelengths in vacuum: a number, a list, or from:to:count.",
            "those of the source or monitor of `at`"),
        optional_of(number_list(Range::above(0))), UMOV_CASE(wavelengths));
  t.add(own("count", "--count", "", "How many modes, from the largest index on."),
        integer<int>(Range::between(1, 200)), UMOV_SIM(count));
  t.add(own("index_guess", "--index-guess", "", "Modes nearest to this effective index, in its place.",
            "the largest index"),
        optional_number(Range::above(0)), UMOV_SIM(index_guess));
  t.add(
      declare(
          "modes", "dispersion", {"--dispersion", "--no-dispersion"}, "",
          "The dispersion D, by wavelengths nearby where those of the case are more than a hundredth apart."),
      boolean(), UMOV_SIM(dispersion));
  t.add(own("extrapolate", "--extrapolate", "",
            "Cell sizes for indices at cells of size 0: the case's, half and a third of it; 1 for none."),
        integer<int>(Range::between(1, 3)), UMOV_SIM(levels));
  t.add(own("absorber", "--absorber", "cells",
            "Absorbing layers within the plane at its open ends, for modes that leak; 0 for conductors.",
            "0; with a bend 12"),
        integer<int>(Range::between(0, 1000)), UMOV_SIM(absorber));
  t.add(own("bend_radius", "--bend-radius", "unit",
            "Radius of the middle of the plane, curved towards the low end of the axis of the bend; 0 for "
            "none."),
        number(Range::at_least(0)), UMOV_SIM(bend_radius));
  t.add(own("bend_axis", "--bend-axis", "",
            "Transverse axis along the radius: 0 the first after the normal, or 1."),
        integer<int>(Range::between(0, 1)), UMOV_SIM(bend_axis));
  t.add(own("overlap", "--overlap", "",
            "Case of another cross-section, the power into whose modes is wanted; at the wavelengths of this "
            "one.",
            "none"),
        path(), UMOV_SIM(overlap));
  t.add(own("beam_waist", "--beam-waist", "unit",
            "1/e radius of the field of a Gaussian beam whose coupling is wanted; 0 for none."),
        number(Range::at_least(0)), UMOV_SIM(beam_waist));
  t.add(cases::of_machine(own("folder", "--output-dir", "", "Folder of the results.",
                              "a numbered folder and the link 'latest' to it")),
        text("DIR"), UMOV_MACHINE(output_dir));
  for (const results::Format& format : results::formats)
    t.add(
        toggle(format.key, format.key, format.help),
        boolean(), [wanted = format.wanted](auto& c) -> auto& { return c.simulation.outputs.*wanted; });
  t.add(toggle("pictures", "pictures", "A sheet per mode, and the index over wavelength, as PNG."), boolean(),
        UMOV_SIM(outputs.pictures));
  t.add(toggle("fields", "fields", "Fields of every mode in the HDF5 file."), boolean(),
        UMOV_SIM(outputs.fields));
  t.add(cases::of_machine(own("threads", "--threads", "", "Threads; 0 for all.")),
        integer<int>(Range::between(0, cases::most_threads)), UMOV_MACHINE(threads));
  cases::add_call_parameters(t, " and the cross-section");
  return t;
}

}  // namespace

const Table& parameters() {
  static const Table all = table();
  return all;
}

void Table::read_toml(const std::string& path, Case& target, Origins& origins) const {
  Tree tree = tree_of_toml_file(path);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  Tree own;
  if (const Tree* modes = tree.find("modes")) own.set("modes", *modes);
  std::get<Tree::Table>(tree.data).erase("modes");
  if (own.find("modes")) read(own, target, origins, folder);
  fdtd::parameters().read(tree, target.model, target.model_origins, folder);
}

}  // namespace umov::modes
