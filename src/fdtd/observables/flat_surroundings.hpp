// Flat layers around a far-field box, and the plane waves of the grid that come in through them.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "fdtd/observables/far_field.hpp"
#include "fdtd/observables/region.hpp"

namespace umov::fdtd {

/// A plane wave that comes in from a half space and is reflected, refracted and absorbed by the layers, as
/// test fields of the reciprocity theorem: times exp(-i k.r) of the lateral coordinates they are E and -H.
struct LayeredWave {
  Vec3 k{0, 0, 0};  ///< lateral; 0 along the axis of the layers
  /// [polarization as FarWave::e][component][index along the axis, from `first`]: at the component's own
  /// place.
  std::array<std::array<std::vector<cplx>, components>, 2> field;
  int axis = 0, first = 0;
  cplx at(int polarization, int component, int index) const {
    return field[polarization][component][std::size_t(index - first)];
  }
};

/// What is outside a closed surface where that is flat layers between two half spaces.
class FlatSurroundings {
 public:
  /// Nothing where one medium is all around the box, or what is there is no flat layers. Throws BadInput
  /// where the surface cuts something within the layers, or one of them is anisotropic along itself.
  static std::optional<FlatSurroundings> find(const MonitorSpec&, const Region& box, const Surface&,
                                              const Whole&, const Scene&, const Problem&,
                                              const std::vector<double>& frequencies);

  int axis() const { return axis_; }
  /// Medium of the half space that a direction (deg) leads into; nothing where no wave travels far (it
  /// absorbs or conducts, or the direction lies along the layers).
  std::optional<FarMedium> medium(std::size_t frequency_index, double theta, double phi) const;
  /// The wave that comes in from there, with E of unit amplitude along e of far_wave(). `medium` is that of
  /// the direction.
  LayeredWave wave(const Grid&, const FarMedium&, std::size_t frequency_index, double theta,
                   double phi) const;
  /// "along z ('glass' up to z = 0.5, 'air')", for notes.
  const std::string& words() const { return words_; }

 private:
  /// Relative media of the grid at a frequency, at nodes or half a cell above them: E and H across the axis
  /// (`electric`, `magnetic`) and along it.
  struct Column {
    std::vector<cplx> electric, electric_along, magnetic, magnetic_along;
  };
  void read_column(const MonitorSpec&, const Region& box, const Whole&, const Problem&, double w, Column&);
  void require_layers_on(const MonitorSpec&, const Surface&, const Whole&, const Problem&, double w) const;

  int axis_ = 0, first_ = 0;         ///< axis of the layers; first node
  std::vector<double> edge_, dual_;  ///< of the cell above a node; between the middles of the cells beside it
  std::vector<double> node_, middle_;  ///< places of nodes, and of the middles of the cells above them
  std::vector<double> frequencies_;
  std::vector<Column> columns_;  ///< by frequencies
  std::string words_;
};

/// As radiation() of far_field.hpp, with waves that come in through layers.
std::vector<std::array<cplx, 2>> radiation(const Surface&, const Grid&, const TransformValues&,
                                           std::size_t frequency_index, const std::vector<LayeredWave>&);

}  // namespace umov::fdtd
