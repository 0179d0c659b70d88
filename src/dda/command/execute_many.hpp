// A case with lists as a command performs it: every single case, one table, what was finished before.
#pragma once

#include <functional>

#include "core/error.hpp"
#include "dda/command/front.hpp"
#include "dda/many_outcome.hpp"

namespace umov::dda {

/// Prints what `--dry-run` promises of many cases: the case as TOML and, as comments, how many there are and
/// the memory of the largest. Throws what the run would.
void print_plan_many(const Request&);

/// What a front with files of its own adds to a run of many cases. All may be left out.
struct ManyExtras {
  std::string command = "umov dda";  ///< as an interrupted run is continued, before `--resume FOLDER`
  std::string stem;                  ///< end of the name of a numbered folder
  /// The request with its files in the folder, which are written there unless another rank has; without it
  /// the request that was given.
  std::function<Request(const std::string& folder, bool write)> place;
  std::string remark;  ///< line behind the case in resolved.toml, "# ..."
  /// The case in the folder of a finished run, with the flags of this call; without it the request that was
  /// given. Throws BadInput where that run is of other files.
  std::function<Request()> saved;
  std::function<void()> withdraw;                       ///< takes these files away when the run is refused
  std::function<void(std::size_t i, Simulation&)> ask;  ///< for what a case has to compute besides its row
  std::function<std::vector<double>(std::size_t i, const Outcome&)> keep;  ///< CaseRow::extra
  std::size_t kept = 0;                                                    ///< how many numbers that is
  std::string kept_of;  ///< what they are of besides the case, as lines: rows of others are not taken over
  std::function<void(ManyOutcome&)> tabulate;  ///< columns of the table
  std::function<void(const ManyOutcome&, const std::string& folder)> write;
  std::function<std::string(const ManyOutcome&)> say;  ///< what is printed before the summary
};

/// Runs, shows progress, writes the table of all cases. An interrupted run keeps the finished rows.
Exit execute_many(const Request&, const ManyExtras& = {});

}  // namespace umov::dda
