// A signal after it has travelled: its values over time at many places, computed from its spectrum in pieces.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/types.hpp"
#include "fdtd/sources/waveform.hpp"

namespace umov::fdtd {

/// A column holds, for every frequency of the signal, factor[kind] exp(i kappa place) of its amplitude.
struct Column {
  double place = 0;  ///< distance travelled
  int kind = 0;
};

/// What travel does at one angular frequency.
struct Propagation {
  double kappa = 0;
  double rate = 0;  ///< d kappa / d w: delay per distance
  double gain = 0;  ///< 0 where nothing is launched; goes to 0 smoothly in frequency, before rate exceeds
                    ///< slowest
  std::vector<cplx> factor;
};

/// Columns of values at times n dt. The signal is cut into pieces that fade into each other; the response of
/// a piece is a Fourier sum over the band where it has a spectrum, on a window of time that moves with the
/// place. An endless wave is summed only until it is steady. Memory: a window of about `block` steps per
/// column.
class ResponseTable {
 public:
  struct Setup {
    double dt = 1;
    double slowness = 1;  ///< delay per distance before which nothing arrives
    double slowest = 5;   ///< largest `rate` that has a gain
    long lead = 0;        ///< steps by which the signal is held back
    bool real = true;     ///< imaginary parts are not wanted
    /// Steps of a piece of a long signal, and of its fading. Where it fades a piece has a spectrum far
    /// outside the signal's band, which only goes away in the sum of pieces if factors are smooth there, too.
    long block = 1024, overlap = 256;
    std::vector<Column> columns;
    std::function<Propagation(double w)> propagation;
  };

  ResponseTable(const Signal&, Setup);
  ~ResponseTable();
  /// values[s * columns + column] for steps first .. first + steps - 1.
  void fill(long first, long steps, cplx* values);

 private:
  struct Piece;
  struct Response;
  void cut_finite(const Signal&);
  void add_endless(const Signal&, double shift, double sign);
  long spread(const std::vector<cplx>& samples) const;
  long start(const Column&, const Piece&) const;
  bool past(const Piece&, long step) const;
  void respond(Piece&) const;
  void add_series(const Piece&, long first, long steps, cplx* values) const;
  void add_steady(const Piece&, long first, long steps, cplx* values) const;

  Setup setup_;
  std::vector<Piece> pieces_;
  double nearest_ = 0, farthest_ = 0;
};

}  // namespace umov::fdtd
