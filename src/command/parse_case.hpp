// From a command line to a case: the way that the fronts of all families go.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "command/spelling.hpp"
#include "parameters/parameters.hpp"

namespace umov::command {

/// What a family's command was asked for.
template <class Case, class Simulation>
struct CaseRequest {
  Case given;             ///< as written; its flags help, list_devices... concern this call only
  Simulation simulation;  ///< checked and complete; not filled when only help or devices are asked for
};

/// The flags are read twice: first to learn which file lies under them, then over that file. `Request` is
/// a CaseRequest, `table` is or stands for a ParameterList.
/// `file(words, flags)` names the case file ("": none); `replace(flags, case, origins)` takes from the file's
/// case what another spelling on the command line replaces; `finish(case, origins, from_file)` checks it all.
/// From here on texts name parameters as they were given: by flags, or by keys where there is a file.
template <class Request, class Table, class File, class Replace, class Finish>
Request parse_case(std::span<const std::string> args, const Table& table, const File& file,
                   const Replace& replace, const Finish& finish) {
  const ParameterList& list = table;
  speak(by_flags(list));
  return in_words([&] {
    Request request;
    const auto none = request.given;
    auto flags = none;
    Origins flag_origins;
    const auto words = table.read_flags(args, flags, flag_origins);
    if (flags.help || flags.help_markdown || flags.list_devices) {
      request.given = flags;
      return request;
    }
    Origins origins;
    const std::string under = file(words, flags);
    if (std::find(words.begin(), words.end(), under) != words.end())
      speak(by_flags(list, {flag_origins, list.write_toml(&flags), list.write_toml(&none)}));
    if (!under.empty()) table.read_toml(under, request.given, origins);
    const auto from_file = request.given;
    replace(flags, request.given, origins);
    table.read_flags(args, request.given, origins);
    request.simulation = finish(request.given, origins, from_file);
    return request;
  });
}

}  // namespace umov::command
