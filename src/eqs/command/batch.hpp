// A batch: one case with parameters varied, each variant a case of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "eqs/case/case.hpp"
#include "sweep/state.hpp"

namespace umov::eqs {

struct Batch {
  BatchSpec spec;
  sweep::Sweep sweep;             ///< its axes; a case of it is a variant as far as the file says it
  std::vector<Simulation> cases;  ///< per variant, checked
  run::Machine machine;           ///< that computes them
  /// The variant of such a case. Throws BadInput for what cannot be.
  std::function<Simulation(const Tree&)> at;
  bool every_gpu = true;  ///< no GPU was chosen by its number

  std::size_t size() const { return cases.size(); }
  std::vector<std::size_t> numbers() const { return sweep::Shard{}.cases(size()); }
};

/// A case as its file says it, before flags.
struct FileCase {
  Tree tree;                        ///< without [[vary]]
  std::string folder;               ///< the file's
  std::vector<sweep::Axis> axes;    ///< of [[vary]]
  std::vector<Variation> in_place;  ///< lists where one number is wanted

  bool is_batch() const { return !axes.empty() || !in_place.empty(); }
};

/// Reads it; numbers in whose place lists stand have the first of them.
FileCase read_case(const std::string& path, Case&, Origins&);

/// The variants of a case; `whole` is what file and flags make of it, which flags have replaced lists.
/// Throws BadInput, naming the variant where it is one of them that cannot be.
Batch make_batch(const FileCase&, const Case& whole, const Origins&);

/// The batch as a case with every default filled in; lists in place have become [[vary]].
std::string resolved_toml(const Batch&);

/// The columns of the table of variants to which surfaces are fitted: those called `batch.response`, else the
/// largest |E| of every material.
bool is_response(const BatchSpec&, const std::string& column);

}  // namespace umov::eqs
