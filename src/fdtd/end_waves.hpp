// The waves that run into the absorbing layers of a cell which repeats along all its other axes.
#pragma once

#include <vector>

#include "fdtd/pml_profile.hpp"
#include "fdtd/scene.hpp"

namespace umov::fdtd {

/// One order in one of the media behind the layers' inner faces.
struct EndWave {
  double phase = 0;   ///< w dt
  double normal = 0;  ///< (K dx)^2 across the layers, on the grid; negative where the order decays
  double cosine = 1;  ///< of its angle from the normal; 0 where it decays
  /// Share of its reflection that comes back to what monitors see. 1 of the incident order. What others carry
  /// near their cutoff vanishes with the cosine. A wave that decays has its way to the nearest body and back.
  double weight = 1;
  double nearer = 0;  ///< by exp(nearer) the weight rises with every cell that the layers are thicker
  /// Of a wave that bodies guide: the share of its frequency by which |Im reflection| makes it grow, at most.
  double growth = 0;
};

/// With walls that repeat (or mirror) along all other axes the wave vector along them is known, and with it
/// the angle of every order at every frequency. Where bodies are flat and plane waves the only sources, there
/// is the order of each wave alone.
class EndWaves {
 public:
  EndWaves(const Simulation&, const Scene&, const Grid&);

  /// The axis with layers; -1 where there is not exactly one.
  int axis() const { return axis_; }
  /// Whether nothing changes along the walls, so that the orders are those of the incident waves.
  bool flat() const { return flat_; }
  /// Those at a frequency (c / unit).
  std::vector<EndWave> at(double frequency) const;
  /// What bodies might guide along walls without layers, between the frequencies at which light has an
  /// order's wave vector in the densest body and in the densest end: towards all layers it decays. These may
  /// be along two axes.
  std::vector<EndWave> guided() const;
  /// Cells between a wall and the nearest thing that layers should not reach: another material, a monitor, a
  /// source.
  int room() const { return room_; }

 private:
  struct Medium {
    const materials::Material* material = nullptr;
    double gap = 0;  ///< cells from the layers to another material
  };
  void look_behind(const Scene&, int layers, int axis, int side);
  static void keep(Medium, std::vector<Medium>& in);
  void keep_clear(const Simulation&, int axis);
  std::vector<double> orders() const;
  std::vector<double> squares_along(int axis, double reach) const;
  void add(double frequency, double squared_index, const Medium&, double along, bool incident,
           std::vector<EndWave>& to) const;
  void add_guided(const Medium&, double index, double along, double slowest, double fastest,
                  std::vector<EndWave>& to) const;

  Grid grid_;
  std::vector<int> layered_;  ///< all axes with layers
  int axis_ = -1, room_ = 0;
  std::array<std::array<WallKind, 2>, 3> walls_;
  Vec3 bloch_{0, 0, 0};  ///< radians per unit
  const std::vector<materials::Material>* bodies_;
  bool flat_ = false;
  std::vector<double> incident_;   ///< (K dx)^2 along the walls of each plane wave
  std::vector<Medium> media_;      ///< at the layers' inner face
  std::vector<Medium> outermost_;  ///< at the walls; their gap is negative where bodies end within the layers
};

/// Largest share that comes back to what monitors see of any wave at a frequency; 0 for waves of other cases.
double reflection_of_layers(const EndWaves&, const PmlSide&, double frequency);

}  // namespace umov::fdtd
