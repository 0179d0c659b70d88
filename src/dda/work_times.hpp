// Where the time of a run went.
#pragma once

#include <string>
#include <vector>

#include "dda/outcome.hpp"

namespace umov::dda {

/// Wall times in s by what was done, of one case or added up over several.
struct WorkTimes {
  std::vector<Outcome::Timing> timings;
  double products = 0;         ///< of the solves
  double set_up = 0;           ///< making preconditioners
  double preconditioning = 0;  ///< products with them, their making included

  void add(const Outcome&);
  void add(const std::string& name, double seconds);
  void set(const std::string& name, double seconds);
  double spent(const std::string& name) const;
  /// From the start of the process to the last file.
  double all() const;
};

/// The table of a log, as every family has it (core/stage_times.hpp).
std::string times_table(const WorkTimes&);

}  // namespace umov::dda
