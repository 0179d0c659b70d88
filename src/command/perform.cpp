// Warnings of a command, finished runs, used folders.
#include "command/perform.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/console.hpp"

namespace umov::command {

namespace {

struct Entry {
  std::string value;
  bool chosen = false;  ///< it is known not to be the default
};

/// The parameter of a line in a resolved case; nullptr where the table has none.
const ParameterInfo* parameter_of(const ParameterList& table, const std::string& section,
                                  const std::string& key) {
  const auto first = section.find_first_not_of('[');
  return table.find(section.empty() ? key : section.substr(first, section.find(']') - first) + "." + key);
}

/// The lines "key = value" of a resolved case by section, key and place; without those that say where and
/// how a run is done rather than what.
std::map<std::string, Entry> entries_of(const std::string& resolved, const ParameterList* table) {
  std::map<std::string, Entry> entries;
  std::map<std::string, int> tables;
  std::string section, place;
  std::istringstream text(resolved);
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[') {
      section = line;
      place = line.starts_with("[[") ? fmt::format("{} {} ", line, ++tables[line]) : line + " ";
      continue;
    }
    const auto equals = line.find(" = ");
    if (equals == std::string::npos) continue;
    const std::string key = line.substr(0, equals);
    const ParameterInfo* info = table ? parameter_of(*table, section, key) : nullptr;
    if (table ? !info || info->concern == Concern::machine
              : section == "[machine]" || section == "[output]" || section == "[checkpoint]")
      continue;
    const auto comment = line.rfind("  # ");
    const std::string value =
        line.substr(equals + 3, comment == std::string::npos ? comment : comment - equals - 3);
    entries[place + key] = {value, info && value != info->default_text};
  }
  return entries;
}

}  // namespace

std::string difference_to(const std::string& folder, const std::string& resolved,
                          const ParameterList* table) {
  std::ifstream file(folder + "/resolved.toml");
  std::ostringstream text;
  text << file.rdbuf();
  const auto there = entries_of(text.str(), table);
  for (const auto& [key, now] : entries_of(resolved, table)) {
    const auto other = there.find(key);
    if (!file || (other == there.end() && !now.chosen)) continue;
    const std::string before = other == there.end() ? "nothing" : other->second.value;
    if (before != now.value) return fmt::format("{}: {} there, {} now", key, before, now.value);
  }
  return {};
}

Exit tell_finished(const std::string& folder, const std::string& resolved, const ParameterList* table) {
  if (const std::string what = difference_to(folder, resolved, table); !what.empty())
    throw BadInput(
        fmt::format("{}: the run there is finished, of another case ({}); give this case a folder "
                    "of its own",
                    folder, what));
  fmt::print("the run in {} is finished; its results are there\n", folder);
  return Exit::done;
}

void remove_quietly(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

std::string warn_if_used(const OutputFolder& folder, bool resume) {
  if (!folder.used_before() || resume) return {};
  const std::string text =
      fmt::format("folder {} is not empty; the files of its last run are replaced or removed, others stay",
                  folder.path());
  warn(text);
  return text;
}

}  // namespace umov::command
