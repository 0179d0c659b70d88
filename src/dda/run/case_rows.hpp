// The finished rows of many cases in one file, from which an interrupted run of them goes on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/packed.hpp"
#include "dda/many_outcome.hpp"
#include "run/block_file.hpp"

namespace umov::dda {

/// What a row is made of, for files and messages: visit_row(writer or reader, row).
constexpr auto visit_row = [](auto& f, auto& row) {
  f(row.eq_radius);
  f(row.dpl);
  for (auto& edge : row.spacing) f(edge);
  f(row.dipoles);
  f(row.orientations);
  f(row.symmetry_used);
  f(row.converged);
  f(row.extra);
  f.each(row.polarizations, [&](auto& p) {
    f(p.label);
    f(p.cross);
    f(p.status);
    f(p.iterations);
    f(p.products);
    f(p.start_residual);
    f(p.residual);
    f(p.seconds);
    f(p.from_neighbours);
  });
};

/// Rows by a digest of their whole cases.
class CaseRows {
 public:
  /// `settings`: what all cases have in common, as text. With `resume` the rows of an earlier run are there.
  /// Throws BadInput: no such file, damaged before its first row, of another version, or of cases with other
  /// `settings`, which are then named.
  CaseRows(std::string path, std::string settings, bool resume);

  const CaseRow* find(std::uint64_t key) const;
  std::size_t size() const { return rows_.size(); }
  const std::string& path() const { return path_; }
  /// Makes the file, where add() and begin() have not. Throws MachineFailure, as they do.
  void open();
  /// Keeps a row.
  void add(std::uint64_t key, const CaseRow&);
  /// A case is begun, or several that are solved for together: checkpoints of a solver beside the file are of
  /// it from here on. Returns whether there is one that is of it already, of the run before.
  bool begin(std::uint64_t key);

 private:
  void append(std::uint64_t key, const CaseRow&);

  std::string path_, settings_;
  std::map<std::uint64_t, CaseRow> rows_;
  std::optional<std::uint64_t> under_way_;  ///< in the run before
  std::optional<run::BlockFile> file_;
};

}  // namespace umov::dda
