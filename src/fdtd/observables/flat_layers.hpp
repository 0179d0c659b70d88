// Cases of flat layers lit by a plane wave: their powers are known exactly, and with them the grid's error.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "fdtd/observables/incident.hpp"
#include "layers/transfer_matrix.hpp"
#include "materials/nk_table.hpp"

namespace umov::fdtd {

/// The layers that a case's one plane wave meets, in the order of its way, and what becomes of it.
class FlatLayers {
 public:
  /// Nothing unless all bodies are boxes through the whole cell, of isotropic media without magnetism or
  /// gain, between absorbing layers, and the wave enters through one face that lies across them; where it
  /// leaves through another, behind all of them. `problem` is painted.
  static std::optional<FlatLayers> find(const Simulation&, const Scene&, const Problem&);

  int axis() const { return axis_; }
  /// Exact net power along +axis through the plane at a place, over that of the incident wave: in front of
  /// the face that it enters by that of the reflected wave alone. NaN beside that face, beyond one
  /// that it leaves by, and for a wave that does not travel.
  double flux(double frequency, double place) const;
  /// The same of the waves along +axis and -axis apart; NaN between the layers.
  std::array<double, 2> waves(double frequency, double place) const;
  /// Of the incident wave, per area, as IncidentWave gives it: its magnitude.
  double incident(double frequency, double until) const;

 private:
  struct Layer {
    double until = 0;  ///< along the wave's way
    int material = 0;
  };
  FlatLayers(const Simulation&, const Problem&, int axis);
  bool add_bodies(const Simulation&, const Scene&);
  bool set_polarization();
  /// Of a layer: by the table of n and k of its material where the case gives one, else as it is marched.
  cplx permittivity(const Layer&, double frequency) const;
  void cover(double from, double to, int material);
  /// From the exact waves of both polarizations, as they share the incident power.
  template <class Of>
  double mean(double frequency, const Of&) const;
  std::optional<layers::FlatWaves> waves_of(double frequency, layers::Polarization) const;
  /// Along the wave's way; its first and last interface.
  double way(double place) const { return forward_ ? place : -place; }
  double first() const { return layers_.front().until; }
  double last() const { return layers_[layers_.size() - 2].until; }
  enum class Side { before, beside, inside };
  Side side_of_entrance(double place) const;

  IncidentWave wave_;
  int axis_ = 0;
  bool forward_ = true;
  double entrance_ = 0, near_ = 0;  ///< place of the face; how near to it nothing is known
  double exit_ = std::numeric_limits<double>::infinity();  ///< along the wave's way: where it is taken away
  double low_ = 0, high_ = 0;  ///< between the absorbing layers, along the wave's way
  double lateral_ = 0;         ///< wave vector along the layers, as the case asks for it
  double share_s_ = 1;         ///< of the incident power
  std::vector<materials::Material> media_;
  std::vector<std::optional<materials::NkTable>>
      tables_;  ///< of the media, as far as they were fitted to one
  double unit_um_ = 1;
  std::vector<Layer> layers_;  ///< the last one goes on for ever
};

}  // namespace umov::fdtd
