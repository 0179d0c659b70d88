// Steps a real single-precision problem in passes of several steps, with patches around lists and walls.
#pragma once

#include <optional>

#include "fdtd/simple_stepper.hpp"
#include "fdtd/tuned/cuda/choice.hpp"
#include "fdtd/tuned/cuda/march.hpp"
#include "fdtd/tuned/cuda/patches.hpp"

namespace umov::fdtd::tuned {

/// Fields have a twin each: a pass reads the state's arrays and writes the twins, which then become the
/// state's. That is 24 B per cell more in 3D than the simple stepper needs, for half the traffic and less.
class MarchStepper {
  using Dev = backend::Cuda;
  using S = State<Dev, float, float>;
  using P = Passes<Dev, float, float>;
  using Array = backend::CudaArray<float>;

 public:
  /// Steps of a pass that pays for this problem; 0 where passes cannot do it or the simple steps are faster.
  static int steps_for(const Problem&, const Limits&);
  /// Whether the current device's free memory holds all fields twice; else the simple steps need half of
  /// that.
  static bool has_room(const Problem&);

  MarchStepper(S&, const Problem&, int steps, const Limits&);
  /// Takes `steps()` steps from `first` on.
  void pass(S&, P&, long first);
  /// The same of a part with its exchange. Blocks that write planes which others copy, and those that read
  /// what patches change, go first, then the patches; the rest goes while copies travel. Copied planes are
  /// not stepped.
  void pass(S&, P&, long first, const BorderCalls&);
  /// Makes ready for that; after which has_borders_first() says whether there are such passes.
  void join(S&, const Border&);
  bool has_borders_first() const { return joined_.has_value(); }
  int steps() const { return steps_; }
  std::size_t bytes() const;
  std::string variant() const;

 private:
  MarchPlane plane(const SweepView<float>& from, const SweepView<float>& to) const;
  MarchVolume volume(const SweepView<float>& from, const SweepView<float>& to, const MarchPlan&) const;
  SweepView<float> twin_view(S&);
  void exchange(S&);
  void make_layers(S&);

  int steps_;
  Limits limits_;
  Grid grid_;
  bool layers_inside_;                ///< passes step the absorbing layers themselves
  std::array<Int3, 2> high_begin_{};  ///< see MarchVolume
  Int3 low_end_{0, 0, 0};
  std::array<index_t, 3> layer_pitch_{}, layer_plane_{};
  index_t profile_length_ = 0;
  backend::CudaArray<float> profile_;  ///< [magnetic, electric][axis][b, c, stretch][place]
  std::array<Array, components> twin_;
  std::vector<Array> psi_twin_;  ///< electric slabs, then magnetic ones
  MarchExtent extent() const;

  MarchPlan plan_;
  backend::CudaArray<int> order_;
  /// Blocks of a pass that is followed by an exchange.
  struct Joined {
    MarchPlan plan;
    struct Order {
      backend::CudaArray<int> blocks;
      int early;
    };
    std::array<Order, 2> order;  ///< without, with samples within the pass
  };
  std::optional<Joined> joined_;
  backend::CudaArray<float2> medium_;
  std::array<std::uint32_t, 3> uniform_id_{};
  float magnetic_drive_;
  Patches<float> patches_;
};

}  // namespace umov::fdtd::tuned
