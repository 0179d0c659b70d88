// The front `umov eqs`: a TOML case and flags become a Simulation.
#include "eqs/command/front.hpp"

#include "front/command.hpp"

namespace umov::eqs {

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
  std::string file = front::only_case("eqs", words);
  if (file.empty() && flags.simulation.checkpoint.resume) file = front::saved_case(flags.resume_from);
  Origins origins;
  if (!file.empty()) table.read_toml(file, request.wishes, origins);
  const Case from_file = request.wishes;
  // A spelling on the command line replaces the other spelling of the same quantity in the file.
  auto& time = request.wishes.simulation.time;
  if (flags.simulation.time.end > 0) time.periods = 0, origins.erase("time.periods");
  if (flags.simulation.time.periods > 0) time.end = 0, origins.erase("time.end");
  if (flags.simulation.time.step > 0) time.first_step = time.max_step = 0;
  if (!flags.simulation.mesh.file.empty()) {
    request.wishes.geometry_kind.reset();
    request.wishes.geometry.parts.clear();
    request.wishes.geometry.layers.clear();
  }
  table.read_flags(args, request.wishes, origins);
  request.simulation = finish_case(request.wishes, origins);
  table.refuse_idle(&request.wishes, origins, &from_file);
  return request;
}

}  // namespace umov::eqs
