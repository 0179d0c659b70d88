// The boundary to the device: a problem goes in, time steps are taken, numbers come out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fdtd/border.hpp"
#include "fdtd/problem.hpp"

namespace umov::fdtd {

struct EngineRequest {
  std::string backend = "auto";  ///< auto, serial, cpu, cuda
  int threads = 0;               ///< cpu: 0 = all
  int device = 0;                ///< cuda
  bool tuned = true;             ///< false: only the simple kernels, the referees of the tuned ones
};

/// A block of one field. Values x fastest; for complex fields `imag` is as long as `real`.
struct FieldBlock {
  Int3 size{0, 0, 0};
  std::vector<double> real, imag;
};

/// Fields to look at, reduced: means over size[0] x size[1] x size[2] boxes of cells that cover lo <= (i, j,
/// k) < hi. Component c counts where bit c of `components` is set.
struct FieldSample {
  unsigned components = 0;
  bool squares = false;  ///< of the sum of |.|^2 over the components; else of one component's real part
  Int3 lo{0, 0, 0}, hi{1, 1, 1}, size{1, 1, 1};
  /// Where of[a] > 0: of the of[a] boxes of that axis only those from first[a] on; others may lie beyond the
  /// grid.
  Int3 first{0, 0, 0}, of{0, 0, 0};
  /// Where box i of those that are asked for begins.
  int edge(int axis, std::int64_t i) const {
    const int all = of[axis] > 0 ? of[axis] : size[axis];
    return lo[axis] + int((hi[axis] - lo[axis]) * (first[axis] + i) / all);
  }
};

/// Sizes over the whole grid after the last step.
struct FieldWatch {
  double electric_energy = 0;  ///< sum of |E|^2 dx^d / 2 over all components, permittivity left out
  double magnetic_energy = 0;
  double max_abs = 0;  ///< largest |field|; NaN or infinity where one is not finite
  /// Sums of |E|^2 and of |H|^2 of each plane across the last axis, one behind the other, which the energies
  /// are sums of in this order: so they are the same on any number of ranks. Empty on GPUs and in one
  /// dimension, where planes are too many or too small.
  std::vector<double> planes = {};
  /// The same of each row of them, of which a plane's are the sums; only of a block (Border).
  std::vector<double> rows = {};
};
/// FieldWatch::planes from the sums of all rows of so many planes, [plane][row][2].
std::vector<double> sums_of_planes(const std::vector<double>& rows, int planes);

/// One problem on one device. Not for use by several threads at once.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string device() const = 0;
  /// Steps taken so far.
  virtual long step() const = 0;
  /// Takes steps, with sources, recorders and Fourier transforms.
  virtual void advance(long steps) = 0;
  /// Samples since the last call, [sample][channel]; complex fields: [sample][channel][re, im].
  virtual std::vector<double> drain(int recorder) = 0;
  /// [frequency][point] so far.
  virtual std::vector<cplx> fourier(int accumulator) const = 0;
  virtual FieldWatch watch() const = 0;
  /// Cells lo <= (i, j, k) < hi of one component; ghosts (-1 and n) may be asked for.
  virtual FieldBlock field(Component, const Int3& lo, const Int3& hi) const = 0;
  /// Means over boxes of cells, x fastest, reduced on the device: for pictures, not for results. Each
  /// component is taken where it lies, and at edges that conductors cut as the engine holds it (see
  /// CutEdges).
  virtual std::vector<float> sample(const FieldSample&) const = 0;
  /// Sets a component over the block, as initial condition of tests and modes.
  virtual void set_field(Component, const Int3& lo, const FieldBlock&) = 0;
  /// Everything that changes with time, as bytes: restoring them continues bit for bit.
  virtual std::vector<std::byte> save() const = 0;
  /// Throws BadInput when the bytes are not of this problem, backend and precision.
  virtual void restore(const std::vector<std::byte>&) = 0;
  /// Makes this the engine of a part: from here on copied planes are exchanged as the steps go, and watch()
  /// looks at the part's own planes. Of every rank that the border joins.
  virtual void join(const Border&) = 0;
  /// Memory held on the device.
  virtual std::size_t bytes() const = 0;
};

/// Throws BadInput (unknown backend), MachineFailure (no such device, out of memory).
std::unique_ptr<Engine> make_engine(const Problem&, const EngineRequest&);

}  // namespace umov::fdtd
