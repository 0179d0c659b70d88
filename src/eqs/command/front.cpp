#include "eqs/command/front.hpp"

#include "command/command.hpp"
#include "core/error.hpp"

namespace umov::eqs {

namespace {

using Words = std::vector<std::string>;

std::string case_file(const Words& words, const Case& flags) {
  const std::string file = command::only_case("eqs", words);
  return file.empty() && flags.machine.checkpoint.resume ? command::saved_case(flags.resume_from) : file;
}

/// A spelling on the command line replaces the other spelling of the same quantity in the file.
void replace(const Case& flags, Case& c, Origins& origins) {
  auto& time = c.simulation.time;
  if (flags.simulation.time.end) time.periods.reset(), origins.erase("time.periods");
  if (flags.simulation.time.periods) time.end.reset(), origins.erase("time.end");
  if (flags.simulation.time.step > 0) {
    time.first_step = time.max_step = 0;
    time.tolerance = TimeSpec{}.tolerance;
    for (const char* gone : {"time.first_step", "time.max_step", "time.tolerance"}) origins.erase(gone);
  }
  if (flags.simulation.mesh.file.empty()) return;
  c.geometry_kind.reset();
  c.geometry.parts.clear();
  c.geometry.layers.clear();
  for (const char* gone : {"geometry.kind", "part[0]", "layer[0]"}) origins.erase(gone);
}

/// The table of parameters, lists in place of single numbers included.
struct VariedTable {
  FileCase& file;
  operator const ParameterList&() const { return parameters(); }
  std::vector<std::string> read_flags(std::span<const std::string> args, Case& c, Origins& origins) const {
    return parameters().read_flags(args, c, origins);
  }
  void read_toml(const std::string& path, Case& c, Origins& origins) const {
    file = read_case(path, c, origins);
  }
};

}  // namespace

Request parse(std::span<const std::string> args) {
  FileCase file;
  Batch batch;
  const auto finish = [&](Case& c, const Origins& origins, const Case& from_file) {
    if (c.compare.wanted && c.machine.checkpoint.resume)
      throw BadInput("--compare cannot be resumed (it keeps no checkpoints); leave --resume out");
    if (c.compare.wanted && c.view.on)
      throw BadInput("--compare is not viewed (it runs one case by many methods); leave --view out");
    if (!file.is_batch()) {
      auto simulation = finish_case(c, origins);
      parameters().refuse_idle(&c, origins, &from_file);
      return simulation;
    }
    if (c.compare.wanted)
      throw BadInput(
          "--compare is of one case, and this one has lists or [[vary]] (variants of it); give single "
          "numbers");
    batch = make_batch(file, c, origins);
    parameters().refuse_idle(&c, origins, &from_file);
    return batch.cases.front();
  };
  auto request = command::parse_case<Request>(args, VariedTable{file}, case_file, replace, finish);
  request.batch = std::move(batch);
  return request;
}

}  // namespace umov::eqs
