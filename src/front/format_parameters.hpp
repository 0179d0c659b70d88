// Parameters that choose the formats of results: the same in every family.
#pragma once

#include <string>

#include "front/declare.hpp"
#include "results/formats.hpp"

namespace umov::front {

/// output.hdf5, output.csv and those of further formats, with their flags.
template <class Case>
void add_format_parameters(ParameterTable<Case>& t) {
  for (const results::Format& format : results::formats) {
    const std::string key = format.key;
    t.add(
        declare("output", key, {"--" + key, "--no-" + key}, "", format.help),
        boolean(), [wanted = format.wanted](auto& c) -> auto& { return c.simulation.outputs.*wanted; });
  }
}

}  // namespace umov::front
