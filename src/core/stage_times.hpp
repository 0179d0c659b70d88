// Where the time of a run went: the seconds of its stages, as every family's log and results have them.
#pragma once

#include <string>
#include <vector>

namespace umov {

struct StageTime {
  std::string name;
  double seconds = 0;
  bool within = false;  ///< a part of the stage before it, which has it already
};

/// Seconds of a stage; 0 where it is none of these.
double seconds_of(const std::vector<StageTime>&, const std::string& name);

/// Adds seconds to a stage, which comes last where it is new.
void add_seconds(std::vector<StageTime>&, const std::string& name, double seconds);

/// The table of a log: a row per stage, parts indented below theirs, what no stage has of `all` seconds, and
/// all.
std::string times_table(std::vector<StageTime>, double all);

}  // namespace umov
