// Every source of a case, checked and handed to the part that builds it.
#include <fmt/format.h>

#include <set>

#include "core/error.hpp"
#include "core/text.hpp"
#include "fdtd/kind_names.hpp"
#include "fdtd/model/extent.hpp"
#include "fdtd/scene.hpp"
#include "fdtd/sources/waveform.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {
namespace {

std::string owner_of(const SourceSpec& spec, std::size_t number) {
  return spec.name.empty() ? fmt::format("source {}", number + 1) : fmt::format("source '{}'", spec.name);
}

void require_component(const SourceSpec& spec, const std::string& owner, Mode mode) {
  if (!traits_of(spec).current || has_component(mode, spec.component)) return;
  std::vector<std::string> there;
  for (int c = 0; c < components; ++c)
    if (has_component(mode, c)) there.push_back(word(Component(c)));
  // Out of the plane there is one component, E in TM and H in TE: most likely that one was meant.
  throw BadInput(fmt::format("{}: component {} does not exist here (the fields are {}); did you mean {}?",
                             owner, word(spec.component), join(there, ", "), mode == Mode::te ? "Hz" : "Ez"));
}

/// Along an axis no wave travels whose sin(w dt/2) exceeds dt/dx.
void require_carried(const Signal& signal, const std::string& owner, const Grid& g) {
  const double f = signal.carrier() / (2 * pi);
  const double highest = std::asin(std::min(1.0, g.dt / g.dx)) / (pi * g.dt);
  if (f >= highest)
    throw BadInput(
        fmt::format("{}: frequency {:g} is more than the grid carries ({:g} at {:g} cells per unit); "
                    "raise the resolution or lower the frequency",
                    owner, f, highest, 1 / g.dx));
}

/// A source radiates together with its mirror image: one that a symmetry plane cuts unevenly would become
/// another source, and what lies behind the plane is not there to be driven.
void require_symmetric(const SourceSpec& spec, const std::string& owner, const Simulation& sim,
                       const Grid& g) {
  if (traits_of(spec).drawn) return;
  const double slack = 1e-6 * g.dx;
  for (int a = 0; a < dimensions(g.mode); ++a)
    for (int side = 0; side < 2; ++side) {
      if (!is_mirror(sim.walls[a][side])) continue;
      const double sign = side == 0 ? 1 : -1, near = sign * spec.center[a] - spec.size[a] / 2,
                   far = sign * spec.center[a] + spec.size[a] / 2;
      if (far < -slack)
        throw BadInput(
            fmt::format("{}: lies behind the symmetry plane {} = 0 (that half is not computed); give "
                        "its mirror image, at {:g}",
                        owner, "xyz"[a], -spec.center[a]));
      if (near < -slack && std::abs(near + far) > slack)
        throw BadInput(fmt::format(
            "{}: the symmetry plane {} = 0 cuts it unevenly ({:g} to {:g}; its mirror image would "
            "change it); centre it on the plane, keep it on one side, or do without the mirror",
            owner, "xyz"[a], spec.center[a] - spec.size[a] / 2, spec.center[a] + spec.size[a] / 2));
    }
}

/// The computed half of what is symmetric about a plane: with its image it is what was asked for in the whole
/// domain, so half of a mode has half of its power. A current on the plane itself is its own image, which the
/// points half a cell beside the plane would count twice.
SourceSpec computed_part(SourceSpec spec, const Simulation& sim, const Grid& g) {
  for (int a = 0; a < 3; ++a)
    for (int side = 0; side < 2; ++side) {
      const double half = spec.size[a] / 2;
      if (!g.active(a) || !is_mirror(sim.walls[a][side])) continue;
      if (fills_box(spec) && !spec.hard && half == 0 && std::abs(spec.center[a]) < 1e-6 * g.dx &&
          g.offset(spec.component, a) != 0)
        spec.waveform.amplitude /= 2;
      if (half <= std::abs(spec.center[a])) continue;
      if (traits_of(spec).guided_modes) spec.waveform.amplitude /= std::sqrt(2.0);
      spec.center[a] = side == 0 ? half / 2 : -half / 2;
      spec.size[a] = half;
    }
  return spec;
}

void add_source(const SourceSpec& given, const std::string& owner, const Simulation& sim, Problem& p) {
  require_symmetric(given, owner, sim, p.grid);
  kind_of(given).require_mirror_image(given, owner, sim, p.grid);
  const SourceSpec spec = computed_part(given, sim, p.grid);
  require_component(spec, owner, p.grid.mode);
  const Signal signal(spec.waveform, owner);
  require_carried(signal, owner, p.grid);
  kind_of(spec).add(spec, signal, owner, p);
}

/// E that is imposed is no unknown: its edges have no polarization to follow, which would take the field from
/// what it is set to.
void release_imposed(Problem& p) {
  for (const SourceGroup& source : p.sources) {
    if (!source.hard || !is_electric(source.component)) continue;
    const std::set<index_t> imposed(source.cells.begin(), source.cells.end());
    for (DispersiveGroup& group : p.dispersive)
      if (group.component == source.component)
        std::erase_if(group.cells, [&](index_t cell) { return imposed.contains(cell); });
    CutMedia& m = p.cut_media;
    for (index_t e = 0; e < m.edge_count(); ++e)
      if (m.edges[e].component == source.component && imposed.contains(m.edges[e].cell))
        for (index_t t = m.edges[e].first_tap; t < m.edges[e + 1].first_tap; ++t) m.taps[t].weight = 0;
  }
}

}  // namespace

void add_sources(const Simulation& sim, const Scene&, Problem& p) {
  for (std::size_t i = 0; i < sim.sources.size(); ++i)
    add_source(sim.sources[i], owner_of(sim.sources[i], i), sim, p);
  release_imposed(p);
}

}  // namespace umov::fdtd
