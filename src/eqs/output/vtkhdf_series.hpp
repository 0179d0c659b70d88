// The fields of a run over time on a mesh of tetrahedra, as ParaView reads them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"
#include "eqs/frame_sink.hpp"
#include "eqs/observables/loss_density.hpp"

namespace umov::eqs {

/// A VTKHDF 2.0 UnstructuredGrid with steps (VTK documentation, "VTKHDF format specification"): a mesh that
/// is there once, per point the potential (V) and, once, the electrode that it lies on (-1: none), per cell
/// the electric field (V/m), the density of the lost power (W/m^3; not of an electrostatic run) and, once,
/// the material's number. Elements of second order are quadratic tetrahedra of VTK, whose nodes have the same
/// order. The file grows frame by frame under the name PATH.part, whole between any two frames, so that a
/// killed run can continue it; finish() puts it in place. Throws MachineFailure with the path when it cannot
/// be written.
class VtkhdfSeries : public FrameSink {
 public:
  /// `period` (s): the times are phases of it; 0: they are none.
  explicit VtkhdfSeries(std::string path, double period = 0);

  void begin(const Problem&, const std::vector<double>& times, std::size_t done) override;
  void frame(std::size_t index, const double* potential, const std::vector<float>& field) override;
  void finish();
  /// Leaves the part for a run that continues.
  void keep() { place_.keep(); }

 private:
  void create(const Problem&, const std::vector<double>& times);
  void adopt(std::size_t frames, std::size_t done);

  AsideFile place_;
  double period_;
  LossDensity losses_;  ///< empty: not wanted
  std::size_t points_ = 0, cells_ = 0;
  bool begun_ = false;
};

}  // namespace umov::eqs
