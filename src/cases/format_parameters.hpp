// Parameters that say where results go and in which formats: the same in every family.
#pragma once

#include <string>

#include "cases/declare.hpp"
#include "results/formats.hpp"

namespace umov::cases {

/// output.folder.
template <class Case>
void add_folder_parameter(ParameterTable<Case>& t) {
  t.add(of_machine(declare("output", "folder", {"--output-dir"}, "", "Folder of the results.",
                           "a numbered folder and the link 'latest' to it")),
        text("DIR"), UMOV_MACHINE(output_dir));
}

/// output.hdf5, output.csv and those of further formats, and output.pictures, with their flags. `pictures`:
/// what a family draws.
template <class Case>
void add_format_parameters(ParameterTable<Case>& t, const std::string& pictures) {
  for (const results::Format& format : results::formats) {
    const std::string key = format.key;
    t.add(
        declare("output", key, {"--" + key, "--no-" + key}, "", format.help),
        boolean(), [wanted = format.wanted](auto& c) -> auto& { return c.simulation.outputs.*wanted; });
  }
  t.add(declare("output", "pictures", {"--pictures", "--no-pictures"}, "", pictures), boolean(),
        UMOV_SIM(outputs.pictures));
}

}  // namespace umov::cases
