// Numbers under names that were made for people: times of stages, memory by purpose.
#pragma once

#include <string>

#include "core/stage_times.hpp"
#include "results/result.hpp"

namespace umov::results {

/// A number of a group, whose name ends with '/'. '/' in its own name becomes '-', and a second number of one
/// name is "NAME (2)".
void add_entry(Result&, const std::string& group, std::string name, const char* unit, const char* text,
               double value);

/// timings/NAME in s, of every stage of a run; `times` have a name and seconds each.
template <class Times>
void add_timings(Result& r, const Times& times) {
  for (const auto& t : times) add_entry(r, "timings/", t.name, "s", "time spent", t.seconds);
}

/// The same added to a Result.
template <class Times>
Result with_timings(Result r, const Times& times) {
  add_timings(r, times);
  return r;
}

}  // namespace umov::results
