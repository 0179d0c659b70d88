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
  /// With checkpoints in the folder, and with what its row and its folder need.
  Simulation ready(std::size_t i) const;
  /// The same as a rank computes it that computes with what `as` does. A case of many that is stopped begins
  /// anew.
  Simulation on_rank(std::size_t i, const Simulation& as) const;
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

}  // namespace umov::dda
