// Sources of kind beam: what cases and pictures say of them.
#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "fdtd/sources/beam_source.hpp"
#include "fdtd/sources/kind.hpp"
#include "fdtd/spelled.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {
namespace {

using cases::item;

class BeamKind : public SourceKind {
 public:
  BeamKind()
      : SourceKind(
            {.title = "Gaussian beam", .reads = {"center", "size", "theta", "phi", "polarization_angle"}}) {}

  void declare(ParameterTable<SourceCase>& t) const override {
    t.add(item("waist_radius", "unit", "beam: where E has fallen to 1/e at the waist."),
          number(Range::at_least(0)), UMOV_OWN(BeamSpec, waist_radius));
    t.add(item("waist_distance", "unit", "beam: of the waist from the middle of the plane, along the beam."),
          number(), UMOV_OWN(BeamSpec, waist_distance));
  }

  std::string problem(const SourceSpec& s) const override {
    return s.own<BeamSpec>().waist_radius > 0 ? "" : "is a beam without a waist; give waist_radius = ...";
  }
  std::vector<std::string> in_space(const SourceSpec& s) const override { return turned_in_space(s); }

  void require_mirror_image(const SourceSpec& s, const std::string& owner, const Simulation& sim,
                            const Grid& g) const override {
    for (int a = 0; a < dimensions(g.mode); ++a)
      for (const WallKind wall : sim.walls[a])
        if (is_mirror(wall) && std::abs(s.center[a]) < s.size[a] / 2)
          throw BadInput(fmt::format(
              "{}: the symmetry plane {} = 0 cuts it (half a beam is not computed); compute the whole domain",
              owner, "xyz"[a]));
  }

  void add(const SourceSpec& s, const Signal& signal, const std::string& owner, Problem& p) const override {
    add_beam(s, signal, owner, p);
  }

  Vec3 arrow(const SourceSpec& s, const Grid& g) const override { return travel_of(s, g); }
};

}  // namespace

const SourceKind& beam_source() {
  static const BeamKind kind;
  return kind;
}

}  // namespace umov::fdtd
