// The cases of a sweep side by side: workers, and the list that they share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "run/ledger.hpp"
#include "sweep/row.hpp"
#include "sweep/sweep.hpp"

namespace umov::sweep {

/// What the user says of workers; 0: chosen.
struct Wishes {
  int jobs = 0;     ///< cases at a time; on GPUs for each
  int threads = 0;  ///< of each
};

/// Seats for `cases` that are as large, and ask for as much, as the one planned. On processors as many as
/// there are cores, with a thread each: small cases do not fill several. Fewer where there are fewer cases or
/// too little memory, and then with more threads. On GPUs four on each, or one where a case takes more than a
/// GB. `cases` are those of the whole sweep, so that a continued one computes as it began.
std::vector<Machine> choose_seats(const Plan&, const Wishes&, std::size_t cases);

/// "2 cases at a time, 1 thread each".
std::string describe_seats(const std::vector<Machine>&);

/// Called by one worker at a time.
struct Watch {
  std::function<void(std::size_t k, const Row&)> finished;
  std::function<void(const run::CaseProgress&)> progress;
  std::function<void(const std::string&)> warning;
  std::function<bool()> stop;
};

struct Settings {
  bool keep_going = true;  ///< after a case that failed
  std::size_t most_values = 0;
};

/// Computes the cases of `wanted` that have no row yet. One that fails or does not converge has a row that
/// says why, and the others go on. Throws run::Interrupted once a stop was asked for, MachineFailure where
/// rows cannot be kept.
void run(const Sweep&, const Family&, const std::vector<Machine>& seats,
         const std::vector<std::size_t>& wanted, Rows&, const Settings&, const Watch&);

}  // namespace umov::sweep
