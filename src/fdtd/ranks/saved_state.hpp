// A saved state as its arrays, to be cut into those of parts and put together from them.
#pragma once

#include <cstddef>
#include <vector>

#include "fdtd/fingerprint.hpp"
#include "fdtd/ranks/row_runs.hpp"

namespace umov::fdtd::ranks {

/// See EngineOn::save: header, step, arrays, samples that wait.
struct SavedState {
  Header header;
  long step = 0;
  std::vector<std::vector<std::byte>> arrays;  ///< those of row_arrays(), then sums of transforms
  std::vector<std::vector<double>> waiting;    ///< [recorder]
};

/// Bytes of each array of a problem's state.
std::vector<std::size_t> array_bytes(const Problem&, const std::vector<RowArray>&);
/// Bytes of a field value.
std::size_t value_bytes(const Problem&);

std::vector<std::byte> write_state(const SavedState&);
/// `expected` must have been written by the same problem (Header::check). Throws BadInput where the bytes are
/// another problem's or damaged.
SavedState read_state(const std::vector<std::byte>&, const Header& expected,
                      const std::vector<std::size_t>& sizes, std::size_t recorders);

}  // namespace umov::fdtd::ranks
