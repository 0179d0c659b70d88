#include "commands/schema.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "api/family.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "sweep/axis.hpp"
#include "sweep/design.hpp"

namespace umov::commands {

namespace {

using Json = nlohmann::ordered_json;

/// What any case may have beside its family's parameters when `umov sweep` runs it.
void add_sweep(Json& properties) {
  properties["vary"] = Json::parse(sweep::axes_schema());
  if (!properties.contains("batch"))
    properties["batch"] = Json::parse(sweep::design_schema())["properties"]["batch"];
}

}  // namespace

int schema_command(std::span<const std::string> args) {
  const std::string list = join(families(), ", ");
  if (args.size() != 1)
    throw BadInput(fmt::format("umov schema takes the name of a family ({} are given); give one of {}",
                               args.empty() ? "none" : std::to_string(args.size()), list));
  const std::string& name = args[0];
  if (name == "--help" || name == "-h") {
    fmt::print(
        "umov schema FAMILY: prints the JSON Schema of the cases of FAMILY ({}), by which editors complete\n"
        "and check them: the names of all tables and keys, what each takes, its default and what it means\n",
        list);
    return 0;
  }
  const auto all = families();
  if (std::find(all.begin(), all.end(), name) == all.end()) {
    const std::string hint = did_you_mean(name, all);
    throw BadInput(fmt::format("'{}' is no family (choose from {}){}{}", shortened(name), list,
                               hint.empty() ? "" : "; ", hint));
  }
  Json out{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "A case of umov " + name}};
  out.update(Json::parse(family(name).parameters().schema()));
  if (name != "modes") add_sweep(out["properties"]);
  fmt::print("{}\n", out.dump(1));
  return 0;
}

}  // namespace umov::commands
