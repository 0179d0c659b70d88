#include "run/case_differences.hpp"

#include <fmt/format.h>

#include <map>
#include <sstream>
#include <tuple>
#include <utility>

namespace umov::run {

namespace {

using Entries = std::map<std::pair<std::string, std::string>, std::string>;

/// Values by section and key; items of a list are numbered. Other lines have no value.
Entries entries_of(const std::string& resolved) {
  Entries entries;
  std::map<std::string, int> items;
  std::string section;
  std::istringstream text(resolved);
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[') {
      section = line.starts_with("[[") ? fmt::format("{} {}", line, ++items[line]) : line;
      continue;
    }
    const auto equals = line.find(" = ");
    if (equals == std::string::npos) {
      entries[{"", line}];
      continue;
    }
    const auto remark = line.rfind("  # ");
    entries[{section, line.substr(0, equals)}] =
        line.substr(equals + 3, remark == std::string::npos ? remark : remark - equals - 3);
  }
  return entries;
}

}  // namespace

std::string CaseDifference::parameter() const {
  const auto first = section.find_first_not_of('[');
  return section.empty() ? key : section.substr(first, section.find(']') - first) + "." + key;
}

std::vector<CaseDifference> case_differences(const std::string& there, const std::string& now) {
  std::map<std::pair<std::string, std::string>, CaseDifference> all;
  const auto take = [&](const Entries& entries, std::optional<std::string> CaseDifference::*side) {
    for (const auto& [place, value] : entries) {
      CaseDifference& d = all[place];
      std::tie(d.section, d.key) = place;
      d.*side = value;
      for (const char* name : {"region", "name"})
        if (const auto found = entries.find({place.first, name});
            found != entries.end() && place.first.starts_with("[[") && place.second != name)
          d.item = found->second;
    }
  };
  take(entries_of(there), &CaseDifference::there);
  take(entries_of(now), &CaseDifference::now);
  std::vector<CaseDifference> out;
  for (auto& [place, d] : all)
    if (d.there != d.now) out.push_back(std::move(d));
  return out;
}

}  // namespace umov::run
