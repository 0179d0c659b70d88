// The front `umov dda`: a TOML case and flags become a Simulation.
#include "dda/command/front.hpp"

#include "front/command.hpp"

namespace umov::dda {

namespace {

/// The case file: the one named, else that of the run to be resumed.
std::string case_file(const std::vector<std::string>& words, const Case& flags) {
  const std::string named = front::only_case("dda", words);
  const auto& checkpoint = flags.simulation.checkpoint;
  return named.empty() && checkpoint.resume ? front::saved_case(checkpoint.directory) : named;
}

/// A spelling on the command line replaces the other spellings of the same quantity in the file.
void replace(const Case& flags, Case& c, Origins& origins) {
  auto& shape = c.simulation.shape;
  if (flags.spacing) shape.dpl.reset(), origins.erase("shape.dpl");
  if (flags.simulation.shape.dpl) c.spacing.reset(), origins.erase("shape.spacing");
  if (flags.simulation.shape.size) shape.eq_radius.reset(), origins.erase("shape.eq_radius");
  if (flags.simulation.shape.eq_radius) shape.size.reset(), origins.erase("shape.size");
}

}  // namespace

Request parse(std::span<const std::string> args) {
  const auto finish = [](Case& c, const Origins& origins, const Case&) { return finish_case(c, origins); };
  return front::parse_case<Request>(args, parameters(), case_file, replace, finish);
}

}  // namespace umov::dda
