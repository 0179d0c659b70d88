// Names of parameters to ADDA's options, and to those that umov adds to them.
#include "dda/adda/spelling.hpp"

#include <algorithm>
#include <map>

#include "dda/adda/options.hpp"
#include "dda/case/case.hpp"

namespace umov::dda::adda {

namespace {

/// Those of every case; dda_reads() has those that only some read.
const std::map<std::string, std::string> named{{"checkpoint.interval", "chpoint"},
                                               {"machine.device", "gpu"},
                                               {"machine.precision", "-ftype"},
                                               {"method.interaction", "int"},
                                               {"method.polarizability", "pol"},
                                               {"output.csca", "Csca"},
                                               {"output.csca_g", "vec"},
                                               {"output.asymmetry", "asym"},
                                               {"shape.grid", "grid"},
                                               {"shape.rectangular", "rect_dip"},
                                               {"solver.epsilon", "eps"},
                                               {"solver.initial", "init_field"},
                                               {"solver.max_iterations", "maxiter"},
                                               {"solver.name", "iter"},
                                               {"source.kind", "beam"}};

/// Values that ADDA has another word for.
const std::map<std::string, std::string> words{{"method.symmetry none", "no"},
                                               {"method.symmetry enforce", "enf"}};

bool has_option(const std::string& name) {
  return std::any_of(options().begin(), options().end(), [&](const Option& o) { return o.name == name; });
}

/// umov's own options have the names of keys: "-accuracy-time" for accuracy_time.
std::string own(const std::string& parameter) {
  std::string name = "-" + parameter.substr(parameter.find('.') + 1);
  std::replace(name.begin(), name.end(), '_', '-');
  return has_option(name) ? name : "";
}

std::string option_of(const std::string& parameter) {
  if (const auto there = named.find(parameter); there != named.end()) return there->second;
  for (const auto& rule : dda_reads())
    if (rule.parameter == parameter && !rule.option.empty()) return rule.option;
  return own(parameter);
}

}  // namespace

Spelling spelling() {
  return [](const std::string& parameter, const std::string& value) -> std::string {
    if (parameter == "resume") return "-chp_load -chp_dir " + value;
    const std::string option = option_of(parameter);
    if (option.empty()) return "";
    const auto other = words.find(parameter + " " + value);
    std::string arguments = other == words.end() ? value : other->second;
    std::replace(arguments.begin(), arguments.end(), ',', ' ');
    return "-" + option + (arguments.empty() ? "" : " " + arguments);
  };
}

}  // namespace umov::dda::adda
