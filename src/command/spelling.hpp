// Flags in place of the parameters that texts name, as command lines offer them.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/wording.hpp"
#include "parameters/parameters.hpp"

namespace umov::command {

/// What flags have said of a case that a file says, too.
struct FlagsOverFile {
  Origins origins;
  std::string flags, none;  ///< the case of the flags alone, and that of none, as TOML
};

/// The table's flags, which lives as long as the process.
Spelling by_flags(const ParameterList&);
/// Keys where a file says the case, but for parameters that flags have given.
Spelling by_flags(const ParameterList&, FlagsOverFile);
/// Of a command without a table: of its flags ("--cpu", "--gpus") those of the same names.
Spelling by_names(std::set<std::string> flags);
/// The same of the options of a CLI::App.
template <class App>
Spelling by_options(const App& app) {
  std::set<std::string> flags;
  for (const auto* option : app.get_options())
    for (const auto& name : option->get_lnames()) flags.insert("--" + name);
  return by_names(std::move(flags));
}

/// What `work` returns. Errors that it throws name parameters in the words of this command.
template <class Work>
auto in_words(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const BadInput& e) {
    throw BadInput(worded(e.what()));
  } catch (const MachineFailure& e) {
    throw MachineFailure(worded(e.what()));
  }
}

}  // namespace umov::command
