// Where two resolved cases say different things.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace umov::run {

/// A key that two cases have otherwise, or that one of them does not have.
struct CaseDifference {
  std::string section;  ///< "[time]", of an item of a list "[[material]] 2"; "" at the top
  std::string key;      ///< of a line that is no entry ("contents of disk.csv: 9a...") all of it
  std::string item;     ///< the name of an item of a list, quoted, where it has one
  std::optional<std::string> there, now;

  /// The name of its parameter: "time.end", "material.name".
  std::string parameter() const;
  /// "[time] end", "[[material]] 2 "oil" permittivity".
  std::string place() const {
    return (section.empty() ? "" : section + " ") + (item.empty() ? "" : item + " ") + key;
  }
  /// The line that says so, with its section: "[[layer]] 2: d = 3".
  std::string line(const std::string& value) const {
    return (section.empty() ? "" : section + ": ") + key + (value.empty() ? "" : " = " + value);
  }
  static std::string words(const std::optional<std::string>& value) { return value.value_or("nothing"); }
};

/// Of two cases as TOML, a line for each key; remarks do not count. A line that is no entry is a difference
/// where one of them lacks it; its value is empty.
std::vector<CaseDifference> case_differences(const std::string& there, const std::string& now);

}  // namespace umov::run
