// The cases of a list in their folder: with what they are computed on a rank, and what each leaves behind.
#pragma once

#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "dda/command/execute_many.hpp"
#include "dda/many_outcome.hpp"

namespace umov::dda {

class ListCases {
 public:
  /// `extras` outlives it.
  ListCases(const Request&, const ManyExtras& extras, std::string folder);

  const std::vector<Simulation>& all() const { return cases_; }
  std::size_t count() const { return cases_.size(); }
  /// With what its row and its folder need, on a rank of so many that computes with what `as` does. Its
  /// checkpoints are in the folder; on several ranks a case of many that is stopped begins anew.
  Simulation ready(std::size_t i, const Simulation& as, int ranks) const;
  /// What is kept of it besides its row, and its folder, where it has one. Returns the seconds of pictures.
  double leave(std::size_t i, const Outcome&, CaseRow&) const;

 private:
  double write_folder(std::size_t i, Outcome) const;

  const ManyExtras& extras_;
  std::string folder_;
  std::vector<Simulation> cases_;
};

/// On a rank that another one talks for: the cases of this rank; `as`: what it computes with; `viewed`: the
/// first rank is looked at, which matters where all ranks share a case.
ManyOutcome compute_cases(comm::Communicator&, const ListCases&, const Simulation& as, bool viewed);

/// Whether this rank has checkpoints of the cases.
inline bool has_checkpoints(const ListCases& cases, int ranks) { return ranks == 1 || cases.count() == 1; }

}  // namespace umov::dda
