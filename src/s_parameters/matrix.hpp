// The scattering matrix: what the runs measured, and what follows from it.
#pragma once

#include <string>
#include <vector>

#include "core/types.hpp"
#include "s_parameters/setup.hpp"
#include "sweep/row.hpp"

namespace umov::s_parameters {

/// Complex numbers of rows x columns at each frequency, phasors of exp(-i w t).
class Block {
 public:
  Block() = default;
  Block(std::size_t frequencies, std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), values_(frequencies * rows * columns) {}
  cplx& at(std::size_t f, std::size_t i, std::size_t j) { return values_[(f * rows_ + i) * columns_ + j]; }
  const cplx& at(std::size_t f, std::size_t i, std::size_t j) const {
    return values_[(f * rows_ + i) * columns_ + j];
  }
  const std::vector<cplx>& values() const { return values_; }

 private:
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<cplx> values_;  ///< [frequency][row][column]
};

struct Matrix {
  std::vector<Channel> channels;     ///< rows
  std::vector<std::size_t> excited;  ///< the channel of each column
  std::vector<double> frequency;     ///< c / unit
  double unit_um = 1;
  Block out, in;  ///< amplitudes that leave and enter at the planes of the ports; |amplitude|^2 is power
  Block s;        ///< between the reference planes
  std::vector<std::vector<cplx>> index;  ///< effective, of each channel at each frequency
  fdtd::Stop stop;                       ///< of the runs
  double time = 0;                       ///< of the longest run
  bool cut_short = false;                ///< a run came to its limit before its end
  double left = 0;                       ///< what later ends of the runs would change of amplitudes, about

  bool complete() const { return excited.size() == channels.size(); }
  std::size_t rows() const { return channels.size(); }
  std::size_t columns() const { return excited.size(); }
};

/// The matrix of rows that are all there: out = S in over the runs, solved for S with what entered at the
/// excited channels; with all of them excited that holds whatever else came back from absorbing layers or
/// was launched besides. A reference plane at d turns an entry by exp(i beta d) for its row and for its
/// column, beta being that of the grid, complex in lossy guides. Throws std::logic_error for rows of other
/// monitors.
Matrix matrix_of(const Setup&, const sweep::Rows&);

/// A number and where it is.
struct Worst {
  double value = 0;
  std::size_t frequency = 0, row = 0, column = 0;  ///< of the channels
};
/// Largest |S_ij - S_ji| over pairs of excited channels: 0 for reciprocal media (with columns i and j).
Worst reciprocity(const Matrix&);
/// Largest sum over i of |S_ij|^2 of a column j; at most 1 without gain, and 1 where all that leaves does so
/// through the modes.
Worst largest_power(const Matrix&);
/// The smallest.
Worst least_power(const Matrix&);
/// Largest amplitude that entered where nothing was sent in, by that which was.
double entered_elsewhere(const Matrix&);

/// What of reciprocity and passivity may be off without a mistake of the case: what the end of the runs has
/// cut off, and the overlap with fields besides the modes.
double allowance(const Matrix&);
/// What gives the runs of a frequency what they lack: "raise `stop.max_time` ...".
std::string remedy(const Matrix&, std::size_t frequency);
/// Of a matrix whose runs came to their limit, for the one that is told of.
std::string remedy(const Matrix&);
/// What a user should know: a device that is not reciprocal, gives more than it gets, or nothing.
std::vector<std::string> doubts(const Matrix&);

}  // namespace umov::s_parameters
