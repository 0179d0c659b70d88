// The state of a sweep on disk: what it is, and the rows of its finished cases, added as they come.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "run/block_file.hpp"
#include "sweep/row.hpp"
#include "sweep/sweep.hpp"

namespace umov::sweep {

/// What tells one sweep from another. `text`: the case with its axes, as resolved_toml writes it.
struct Identity {
  std::string family, text;
  std::vector<std::string> units;  ///< of the axes
  std::uint64_t most_values = 0;   ///< of an array that is kept
  std::string settings = {};       ///< what all rows must have in common, beside what is varied; "": nothing
  bool operator==(const Identity&) const = default;
};

Identity identity_of(const Sweep&, std::size_t most_values);
/// Whether two are of one sweep, in whichever folders its files lie.
bool is_same(const Identity&, const Identity&);
/// The sweep again; `name` is for places in the text. Throws BadInput.
Sweep sweep_of(const Identity&, const std::string& name);

struct Finished {
  std::size_t number = 0;  ///< of the case
  std::uint64_t key = 0;
  Row row;
};

/// Of the cases k those with k % of == number - 1.
struct Shard {
  std::uint64_t number = 1, of = 1;
  std::vector<std::size_t> cases(std::size_t all) const;
};

struct State {
  Identity identity;
  Shard shard;
  Files files = {};  ///< that its rows were computed with
  std::vector<Finished> rows;
};

/// The file of the state in a folder of results.
std::string state_file(const std::string& folder);

/// Reads it, up to the last row that is whole. Throws BadInput: no such file, of something else, damaged
/// before its first row.
State read_state(const std::string& folder);
/// The same of a file by its name.
State read_state_file(const std::string& path);

/// Of the rows of an earlier state those that are done and whose cases are among the `wanted` of a sweep,
/// under the numbers that they have there.
std::vector<Finished> taken_over(const std::vector<Finished>& rows, const Sweep&, Keys&,
                                 const std::vector<std::size_t>& wanted);

/// The file while rows are added.
class StateFile {
 public:
  /// Begins the file anew, with what is kept of an earlier one, in one step.
  StateFile(const std::string& path, const State&);

  /// Throws MachineFailure.
  void add(const Finished&);

 private:
  run::BlockFile file_;
};

}  // namespace umov::sweep
