#include "dda/command/front.hpp"

#include <cstdlib>

#include "command/command.hpp"
#include "dda/case/many.hpp"

namespace umov::dda {

namespace {

/// The case file: the one named, else that of the run to be resumed.
std::string case_file(const std::vector<std::string>& words, const Case& flags) {
  const std::string named = command::only_case("dda", words);
  const Machine& machine = flags.machine;
  return named.empty() && machine.checkpoint.resume ? command::saved_case(machine.checkpoint_dir) : named;
}

/// A spelling on the command line replaces the other spellings of the same quantity in the file.
void replace(const Case& flags, Case& c, Origins& origins) {
  auto& shape = c.simulation.shape;
  if (flags.spacing) shape.dpl.reset(), origins.erase("shape.dpl");
  if (flags.simulation.shape.dpl) c.spacing.reset(), origins.erase("shape.spacing");
  const auto drop = [&](std::optional<double>& size, const char* name) {
    size.reset();
    c.lists.erase(name);
    origins.erase(name);
  };
  if (flags.simulation.shape.size) drop(shape.eq_radius, "shape.eq_radius");
  if (flags.simulation.shape.eq_radius) drop(shape.size, "shape.size");
  if (flags.materials.empty()) return;
  c.materials.clear();
  for (const char* key : {"material.m", "material.library", "material.nk_file"}) origins.erase(key);
}

}  // namespace

Request parse(std::span<const std::string> args) {
  std::vector<Simulation> cases;
  const auto finish = [&](Case& c, const Origins& origins, const Case& from_file) {
    parameters().refuse_idle(&c, origins, &from_file);
    cases = finish_cases(c, origins);
    return cases.front();
  };
  Request request = command::parse_case<Request>(args, parameters(), case_file, replace, finish);
  request.cases = std::move(cases);
  // CUDA reads it when it begins; kernels of its libraries are waited for as well
  if (request.given.sync) setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
  return request;
}

}  // namespace umov::dda
