// The front `umov dda`: a TOML case and flags become a Simulation.
#include "dda/command/front.hpp"

#include <fmt/format.h>

#include "front/command.hpp"

namespace umov::dda {

namespace {

/// The case file: the one named, else that of the run to be resumed.
std::string case_file(const std::vector<std::string>& words, const Simulation& flags) {
  const std::string named = front::only_case("dda", words);
  if (!named.empty() || !flags.checkpoint.resume) return named;
  return front::saved_case(flags.checkpoint.directory);
}

}  // namespace

Request parse(std::span<const std::string> args) {
  const auto& table = parameters();
  // The flags are read twice: first to learn which file lies under them, then over that file.
  Case flags;
  Origins flag_origins;
  const auto words = table.read_flags(args, flags, flag_origins);
  Request request;
  if (flags.help || flags.help_markdown || flags.list_devices) {
    request.wishes = flags;
    return request;
  }
  Origins origins;
  const std::string file = case_file(words, flags.simulation);
  if (!file.empty()) table.read_toml(file, request.wishes, origins);
  // A spelling on the command line replaces the other spellings of the same quantity in the file.
  if (flags.spacing) request.wishes.simulation.shape.dpl.reset(), origins.erase("shape.dpl");
  if (flags.simulation.shape.dpl) request.wishes.spacing.reset(), origins.erase("shape.spacing");
  if (flags.simulation.shape.size)
    request.wishes.simulation.shape.eq_radius.reset(), origins.erase("shape.eq_radius");
  if (flags.simulation.shape.eq_radius)
    request.wishes.simulation.shape.size.reset(), origins.erase("shape.size");
  table.read_flags(args, request.wishes, origins);
  request.simulation = finish_case(request.wishes, origins);
  return request;
}

}  // namespace umov::dda
