// Flags of a table for the names of its parameters.
#include "command/spelling.hpp"

#include <algorithm>
#include <memory>

#include "parameters/tree.hpp"

namespace umov::command {

namespace {

/// "solver.block": the section and the key; one without a section has "".
struct Name {
  explicit Name(const std::string& whole)
      : section(whole.substr(0, whole.find('.') == whole.npos ? 0 : whole.find('.'))),
        key(section.empty() ? whole : whole.substr(section.size() + 1)) {}
  std::string section, key;
};

std::string dashed(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

std::string with_value(const ParameterInfo& info, const std::string& value) {
  const std::string& flag = info.flags.front();
  if (!info.is_switch) return value.empty() ? flag : flag + " " + value;
  if (value != "false") return flag;
  const bool clears = info.flags.size() > 1 && info.flags[1].starts_with("--no-");
  return clears ? info.flags[1] : flag + "=false";
}

const ParameterInfo* keyed(const ParameterList& table, const std::string& name) {
  for (const auto& info : table.parameters())
    if (!info.key.empty() && info.name() == name) return &info;
  return nullptr;
}

/// A flag of the section that no key belongs to.
const ParameterInfo* flag_alone(const ParameterList& table, const std::string& section,
                                const std::string& flag) {
  for (const auto& info : table.parameters()) {
    const bool there = std::find(info.flags.begin(), info.flags.end(), flag) != info.flags.end();
    if (info.key.empty() && there && (section.empty() || info.section == section)) return &info;
  }
  return nullptr;
}

/// `machine.backend = 'cpu'` is --cpu, `machine.device` --device, `shape.file` --shape-file, `resume`
/// --resume.
std::string flag_of(const ParameterList& table, const std::string& whole, const std::string& value) {
  const Name name(whole);
  if (!value.empty() && !name.section.empty())
    if (const auto* one = flag_alone(table, name.section, dashed(value)); one && one->is_switch)
      return one->flags.front();
  const ParameterInfo* info = keyed(table, whole);
  if (info && !info->flags.empty()) return with_value(*info, value);
  for (const std::string& flag : {dashed(name.key), dashed(name.section + "-" + name.key)})
    if (const auto* one = flag_alone(table, name.section, flag)) return with_value(*one, value);
  return "";
}

/// Whether a text in TOML says the same of a parameter as another.
bool alike(const std::string& a, const std::string& b, const std::string& name) {
  const auto said = [&](const std::string& text) {
    const Tree tree = tree_of_toml(text, "");
    const Tree* there = tree.find(name);
    return there ? toml_text(Tree().set("value", *there)) : "";
  };
  return said(a) == said(b);
}

}  // namespace

Spelling by_flags(const ParameterList& table) {
  return [&table](const std::string& name, const std::string& value) { return flag_of(table, name, value); };
}

Spelling by_flags(const ParameterList& table, FlagsOverFile given) {
  return [&table, g = std::make_shared<FlagsOverFile>(std::move(given))](
             const std::string& name, const std::string& value) -> std::string {
    const bool of_file = keyed(table, name) && !g->origins.count(name) && alike(g->flags, g->none, name);
    return of_file ? "" : flag_of(table, name, value);
  };
}

Spelling by_names(std::set<std::string> flags) {
  return [flags = std::move(flags)](const std::string& whole, const std::string& value) -> std::string {
    if (!value.empty() && flags.count(dashed(value))) return dashed(value);
    const std::string flag = dashed(Name(whole).key);
    if (!flags.count(flag)) return "";
    return value.empty() || value == "true" ? flag : flag + " " + value;
  };
}

}  // namespace umov::command
