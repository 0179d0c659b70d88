// Far fields of the columns of a block, several in one pass over the dipoles.
#pragma once

#include <span>
#include <vector>

#include "dda/engine.hpp"

namespace umov::dda {

/// Waves that are seen from the same directions, as the two polarizations of one are: the first that asks has
/// the sums of all formed, the others take what is kept of them. The bits are those of one by one.
class FarFields {
 public:
  /// `columns` of the engine's last block.
  FarFields(const Engine& engine, std::vector<int> columns) : engine_(engine), columns_(std::move(columns)) {}

  /// Engine::far_field of a column.
  void sums(int column, std::span<const Vec3> n, std::span<CVec3> sums);

 private:
  struct Kept {
    std::vector<Vec3> n;
    std::vector<CVec3> sums;  ///< [column][direction]
    std::vector<bool> taken;  ///< by columns
  };

  const Engine& engine_;
  std::vector<int> columns_;
  std::vector<Kept> kept_;
};

}  // namespace umov::dda
