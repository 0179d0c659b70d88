#include "core/stage_times.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace umov {

double seconds_of(const std::vector<StageTime>& stages, const std::string& name) {
  const auto row = std::ranges::find(stages, name, &StageTime::name);
  return row == stages.end() ? 0 : row->seconds;
}

void add_seconds(std::vector<StageTime>& stages, const std::string& name, double seconds) {
  const auto row = std::ranges::find(stages, name, &StageTime::name);
  (row == stages.end() ? stages.emplace_back(StageTime{name}) : *row).seconds += seconds;
}

std::string times_table(std::vector<StageTime> stages, double all) {
  double rest = all;
  std::size_t width = 0;
  for (StageTime& stage : stages) {
    if (!stage.within) rest -= stage.seconds;
    if (stage.within) stage.name = "  " + stage.name;
  }
  stages.push_back({"the rest", std::max(0.0, rest)});
  stages.push_back({"all", all});
  for (const StageTime& stage : stages) width = std::max(width, stage.name.size());
  std::string out = "time in s\n";
  for (const StageTime& stage : stages)
    out += fmt::format("  {:{}} {:10.3f}\n", stage.name, width, stage.seconds);
  return out;
}

}  // namespace umov
