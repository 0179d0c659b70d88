// Monitors of kind fourier: running Fourier transforms of fields over a region.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "fdtd/monitors/kind.hpp"

namespace umov::results {
class ImageFile;
}

namespace umov::fdtd {

struct FourierSpec {
  bool per_source_spectrum = false;  ///< divided by the spectrum of the source
};

/// Fourier transform over a region: values [frequency][z][y][x], collocated at the nodes.
struct FourierResult {
  std::string name;
  std::vector<double> frequency;
  Vec3 origin{0, 0, 0};
  Int3 size{1, 1, 1};
  std::vector<Component> components;
  std::vector<std::vector<cplx>> values;  ///< per component
  bool per_source_spectrum = false;       ///< values are per unit amplitude of the source
  /// Planes of z that `values` has, where ranks keep their own; -1: all.
  int first_plane = 0, planes = -1;
  /// Where ranks have written their values by themselves: the file, to be completed, and of the intensity
  /// what pictures show, through the middle, normal to x [frequency][z][y], y [..][z][x], z [..][y][x].
  std::shared_ptr<results::ImageFile> image = nullptr;
  std::string failure = {};  ///< why that file could not be written; its values are lost then
  std::array<std::vector<double>, 3> cuts = {};
  int planes_here() const { return planes < 0 ? size[2] : planes; }
};

Part make_fourier(const MonitorSpec&, const Simulation&, Problem&);

}  // namespace umov::fdtd
