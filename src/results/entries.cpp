#include "results/entries.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace umov::results {

void add_entry(Result& r, const std::string& group, std::string name, const char* unit, const char* text,
               double value) {
  std::replace(name.begin(), name.end(), '/', '-');
  if (name.empty() || name == ".") name = "unnamed";
  std::string unique = group + name;
  for (int count = 2; r.find(unique); ++count) unique = fmt::format("{}{} ({})", group, name, count);
  r.add(unique, unit, text, value);
}

}  // namespace umov::results
