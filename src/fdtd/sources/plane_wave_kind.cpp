// Sources of kind plane_wave: what cases and pictures say of them.
#include <cmath>

#include "core/error.hpp"
#include "fdtd/model/extent.hpp"
#include "fdtd/sources/kind.hpp"
#include "fdtd/sources/plane_wave.hpp"
#include "fdtd/sources/plane_wave_source.hpp"
#include "fdtd/sources/total_field.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {
namespace {

class PlaneWaveKind : public SourceKind {
 public:
  PlaneWaveKind()
      : SourceKind({.title = "plane wave",
                    .reads = {"center", "size", "theta", "phi", "polarization_angle"},
                    .total_field = true}) {}

  std::vector<std::string> in_space(const SourceSpec& s) const override { return turned_in_space(s); }

  void require_mirror_image(const SourceSpec& s, const std::string& owner, const Simulation& sim,
                            const Grid& g) const override {
    for (int a = 0; a < dimensions(g.mode); ++a)
      for (const WallKind wall : sim.walls[a])
        if (is_mirror(wall) && (s.size[a] == 0 || std::abs(s.center[a]) < s.size[a] / 2))
          fdtd::require_mirror_image(s, g, owner, a, is_even_mirror(wall));
  }

  void add(const SourceSpec& s, const Signal& signal, const std::string& owner, Problem& p) const override {
    add_plane_wave(s, signal, owner, p);
  }

  Vec3 arrow(const SourceSpec& s, const Grid& g) const override { return travel_of(s, g); }

  /// Its box as the grid has it; as the case has it where it allows none.
  void show_at(const SourceSpec& s, const Simulation& sim, const Grid& g, Vec3& center,
               Vec3& size) const override {
    try {
      const TotalFieldBox box = total_field_box(s, sim, g);
      for (int a = 0; a < dimensions(g.mode); ++a) {
        const double low = end_of(box, g, a, 0), high = end_of(box, g, a, 1);
        center[a] = 0.5 * (low + high);
        size[a] = high - low;
      }
    } catch (const BadInput&) {
    }
  }
};

}  // namespace

const SourceKind& plane_wave_source() {
  static const PlaneWaveKind kind;
  return kind;
}

}  // namespace umov::fdtd
