// The runs behind a matrix: where they go, and the file that keeps each as it is done.
#pragma once

#include <string>
#include <vector>

#include "api/family.hpp"
#include "comm/world.hpp"
#include "run/machine.hpp"
#include "s_parameters/setup.hpp"
#include "sweep/run.hpp"
#include "sweep/state.hpp"

namespace umov::s_parameters {

/// Frequencies of a spectrum that is kept of a run.
inline constexpr std::size_t most_values = 100000;

/// Throws BadInput for a machine that has several ranks compute together; runs go side by side.
void refuse_ranks(const run::Machine&);
/// On processors as many as there are cores, on GPUs four on each; of a process of mpirun its own.
std::vector<Machine> seats_of(const Setup&, const run::Machine&, const comm::World* world = nullptr);
/// Numbers of all runs.
std::vector<std::size_t> all_runs(const Setup&);
/// "S-parameters: 2 ports and modes (west, east), 2 runs, 3 frequencies".
std::string describe(const Setup&);

/// The first run that did not converge and why; "" where all did.
std::string not_converged(const sweep::Rows&, const sweep::Sweep&);

class Runs {
 public:
  /// With checkpoint.resume those that the machine's folder has. Throws BadInput.
  Runs(const Setup&, const run::Machine&);

  /// Computes those that are missing, each on one of the ranks, and keeps each in a file of the `folder` as
  /// it is done; "": nowhere. Rank 0 has them all. Throws BadInput for the first that fails;
  /// run::Interrupted, whose text ends with `how_to_go_on`.
  sweep::Course compute(comm::Communicator&, const std::string& folder, const std::vector<Machine>& seats,
                        sweep::Watch, const std::string& how_to_go_on);
  const sweep::Rows& rows() const { return rows_; }

 private:
  void keep(sweep::StateFile&, std::size_t k, const sweep::Row&);
  const sweep::Row* failed() const;
  std::size_t done() const;

  const Setup& setup_;
  sweep::Keys keys_;
  std::vector<std::size_t> wanted_;
  sweep::State state_;
  sweep::Rows rows_;
};

}  // namespace umov::s_parameters
