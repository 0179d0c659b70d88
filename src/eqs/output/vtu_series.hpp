// The fields of a run over time as XML files of VTK, which old readers know, too.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"
#include "eqs/frame_sink.hpp"
#include "eqs/observables/loss_density.hpp"

namespace umov::eqs {

/// STEM.pvd, a list of times, and STEM-0000.vtu and so on, an unstructured grid each (VTK's "VTK XML
/// formats": raw appended data with 64-bit lengths): the arrays of VtkhdfSeries, and the mesh again in each.
/// A frame lies aside under NAME.part until finish() puts all in place, so that a killed run can continue
/// them. Throws MachineFailure with the path of a file that cannot be written.
class VtuSeries : public FrameSink {
 public:
  /// A path without an ending.
  explicit VtuSeries(std::string stem) : stem_(std::move(stem)) {}

  void begin(const Problem&, const std::vector<double>& times, std::size_t done) override;
  void frame(std::size_t index, const double* potential, const std::vector<float>& field) override;
  void finish();
  /// Leaves the parts for a run that continues.
  void keep();

 private:
  class Frame;
  Frame laid_out(std::size_t index, const double* potential, const std::vector<float>* field) const;
  std::string path(std::size_t index) const;
  void adopt(std::size_t index);

  std::string stem_;
  const Problem* problem_ = nullptr;
  std::vector<double> times_;
  LossDensity losses_;            ///< empty: not wanted
  std::deque<AsideFile> frames_;  ///< those that were written
};

}  // namespace umov::eqs
