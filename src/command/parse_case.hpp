// From a command line to a case: the way that the fronts of all families go.
#pragma once

#include <span>
#include <string>

#include "parameters/parameters.hpp"

namespace umov::command {

/// What a family's command was asked for.
template <class Case, class Simulation>
struct CaseRequest {
  Case given;             ///< as written; its flags help, list_devices... concern this call only
  Simulation simulation;  ///< checked and complete; not filled when only help or devices are asked for
};

/// The flags are read twice: first to learn which file lies under them, then over that file. `Request` is
/// a CaseRequest.
/// `file(words, flags)` names the case file ("": none); `replace(flags, case, origins)` takes from the file's
/// case what another spelling on the command line replaces; `finish(case, origins, from_file)` checks it all.
template <class Request, class Table, class File, class Replace, class Finish>
Request parse_case(std::span<const std::string> args, const Table& table, const File& file,
                   const Replace& replace, const Finish& finish) {
  Request request;
  auto flags = request.given;
  Origins flag_origins;
  const auto words = table.read_flags(args, flags, flag_origins);
  if (flags.help || flags.help_markdown || flags.list_devices) {
    request.given = flags;
    return request;
  }
  Origins origins;
  const std::string under = file(words, flags);
  if (!under.empty()) table.read_toml(under, request.given, origins);
  const auto from_file = request.given;
  replace(flags, request.given, origins);
  table.read_flags(args, request.given, origins);
  request.simulation = finish(request.given, origins, from_file);
  return request;
}

}  // namespace umov::command
