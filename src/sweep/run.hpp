// The cases of a sweep side by side: workers, on ranks if there are several, and the list that they share.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/world.hpp"
#include "run/ledger.hpp"
#include "sweep/row.hpp"
#include "sweep/sweep.hpp"

namespace umov::sweep {

/// What the user says of workers; 0: chosen.
struct Wishes {
  int jobs = 0;                ///< cases at a time; on GPUs for each
  int threads = 0;             ///< of each
  int cores = 0;               ///< of this process
  std::vector<int> gpus = {};  ///< those of this process; empty: by the plan
  int ranks = 1;               ///< of this process: so many times `jobs` on its processors
  int sharing = 1;             ///< ranks that share this machine's memory
};

/// Seats for `cases` that are as large, and ask for as much, as the one planned. On processors as many as
/// there are cores, with a thread each: small cases do not fill several. Fewer where there are fewer cases or
/// too little memory, and then with more threads. On GPUs four on each, or one where a case takes more than a
/// GB. `cases` are those of the whole sweep, so that a continued one computes as it began.
std::vector<Machine> choose_seats(const Plan&, const Wishes&, std::size_t cases);

/// Those of this process among the ones that mpirun has started, each of which has its share of the cases.
std::vector<Machine> choose_seats(const Plan&, Wishes, std::size_t cases, const comm::World&);

/// "2 cases at a time, 1 thread each".
std::string describe_seats(const std::vector<Machine>&, const std::string& noun = "case");

/// Called by one worker at a time, but for `hold`.
struct Watch : run::Control {
  std::function<void(std::size_t k, const Row&)> finished;
  std::function<void(const run::CaseProgress&)> progress;
  std::function<void(const std::string&)> warning;
};

struct Settings {
  bool keep_going = true;  ///< after a case that failed
  std::size_t most_values = 0;
  std::string noun = "case";
};

/// Computes cases one after another, on a thread of its own.
class Worker {
 public:
  virtual ~Worker() = default;
  /// Nothing: a stop was asked for. A MachineFailure that is thrown ends the run, or where another device may
  /// do better (`replaceable`) leaves this worker out.
  virtual std::optional<Row> compute(std::size_t k, const Observer&) = 0;
  virtual bool replaceable() const { return false; }
};

/// What is to be computed, and by whom. Every rank has the same cases.
struct Work {
  std::string noun = "case";
  std::function<std::string(std::size_t k)> name;  ///< of a case, for messages: "case 3 (radius = 1)"
  std::vector<std::uint64_t> groups = {};          ///< of all cases: those of one mesh
  std::function<double()> bytes = {};              ///< that a case takes; asked of rank 0
  /// Of this rank, which has a share of the cases that are to be computed.
  std::function<std::vector<Machine>(std::size_t cases, double bytes)> seats;
  std::function<std::vector<std::unique_ptr<Worker>>(const std::vector<Machine>&)> workers;
  std::function<std::size_t()> made = {};  ///< of what workers share: meshes, say
};

/// How a run went, for its log.
struct Course {
  std::size_t workers = 0;  ///< of all ranks
  std::string backend, words, ranks;
  std::size_t made = 0;  ///< by all ranks
  bool had_enough = false;
};

/// Computes the cases of `wanted` that have no row yet, each on one of the ranks. One that fails or does not
/// converge has a row that says why, and the others go on. Rank 0's rows and watch count; of the others'
/// watches `stop` is asked. Throws run::Interrupted once a stop was asked for, MachineFailure where rows
/// cannot be kept.
Course run(comm::Communicator&, const Work&, const std::vector<std::size_t>& wanted, Rows&, const Settings&,
           const Watch&);

/// The same of the series of a family, with these seats on this rank.
Course run(comm::Communicator&, const Sweep&, const Family&, const std::vector<Machine>& seats,
           const std::vector<std::size_t>& wanted, Rows&, const Settings&, const Watch&);

}  // namespace umov::sweep
