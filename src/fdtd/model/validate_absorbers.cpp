// Absorbers of a case: what they do, and what lies in them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "fdtd/kind_names.hpp"
#include "fdtd/model/absorbers.hpp"
#include "fdtd/model/bodies.hpp"
#include "fdtd/model/validate_parts.hpp"
#include "fdtd/sources/total_field.hpp"

namespace umov::fdtd {
namespace {

/// Cells below which even a smooth profile reflects more than a thousandth of the amplitude.
constexpr double least_cells = 8;

/// Places in a box, of its corners and at most this many along an axis.
constexpr int most_places = 33;

std::vector<Vec3> places_in(const Grid& g, const Vec3& center, const Vec3& size) {
  std::vector<Vec3> places{center};
  for (int a = 0; a < dimensions(g.mode); ++a) {
    if (!(size[a] > 0) || !std::isfinite(size[a])) continue;
    const int steps = int(std::clamp(std::ceil(size[a] / g.finest(a)), 1.0, most_places - 1.0));
    std::vector<Vec3> more;
    for (const Vec3& p : places)
      for (int i = 0; i <= steps; ++i) {
        more.push_back(p);
        more.back()[a] += size[a] * (double(i) / steps - 0.5);
      }
    places = std::move(more);
  }
  return places;
}

/// Of a box or of cells that were drawn.
template <class Spec>
std::vector<Vec3> places_of(const Spec& spec, const Grid& g) {
  if (spec.pixels.empty()) return places_in(g, spec.center, spec.size);
  std::vector<Vec3> places;
  for (const Int3& p : spec.pixels) {
    places.push_back(g.origin);
    for (int a = 0; a < dimensions(g.mode); ++a)
      places.back()[a] =
          g.place(a, (p[a] + 0.5) * (spec.raster[a] > 0 ? double(g.cells[a]) / spec.raster[a] : 1));
  }
  return places;
}

class Check {
 public:
  Check(const Absorber& absorber, const Grid& g, Findings& found)
      : absorber_(absorber), g_(g), found_(found) {}

  void source(const SourceSpec& s, const Simulation& sim) {
    const std::string who = "source '" + s.name + "'";
    if (traits_of(s).total_field) return faces(who, s, sim);
    const auto places = traits_of(s).guided_modes ? std::vector<Vec3>{s.center} : places_of(s, g_);
    add(who, places, Severity::stop, "most of what it sends out is lost there");
  }
  void monitor(const MonitorSpec& m) {
    if (traits_of(m).keeps_inside)
      add("monitor '" + m.name + "'", places_of(m, g_), Severity::warning, "fields there are not physical");
  }

 private:
  std::size_t covered(const std::vector<Vec3>& places) const {
    // Half a cell of doubt, as beside the layers of walls.
    return std::size_t(
        std::ranges::count_if(places, [&](const Vec3& p) { return absorber_.inside(p, 0.5 * g_.dx); }));
  }
  void add(const std::string& who, const std::vector<Vec3>& places, Severity worst, const char* why) {
    const std::size_t in = covered(places);
    if (in == 0) return;
    const bool all = in == places.size();
    found_.push_back({all ? worst : Severity::warning,
                      fmt::format("{}: {} {} ({}); move it out", who, all ? "lies in" : "reaches into",
                                  absorber_.label(), why)});
  }
  /// A plane wave's faces add a wave that no absorber weakens.
  void faces(const std::string& who, const SourceSpec& s, const Simulation& sim) {
    try {
      const TotalFieldBox box = total_field_box(s, sim, g_);
      for (int a = 0; a < dimensions(g_.mode); ++a)
        for (int side = 0; side < 2; ++side)
          if (box.face[a][side]) face(who, box, a, side);
    } catch (const BadInput&) {  // said when the source is made
    }
  }
  void face(const std::string& who, const TotalFieldBox& box, int axis, int side) {
    Vec3 center{0, 0, 0}, size{0, 0, 0};
    for (int a = 0; a < dimensions(g_.mode); ++a) {
      const double low = end_of(box, g_, a, 0), high = end_of(box, g_, a, 1);
      center[a] = a == axis ? (side ? high : low) : (low + high) / 2;
      size[a] = a == axis ? 0 : high - low;
    }
    if (covered(places_in(g_, center, size)) == 0) return;
    found_.push_back(
        {Severity::stop,
         fmt::format(
             "{}: the {} {} face of its box of total field goes through {} (the wave that the face adds "
             "is that of a medium without loss); put the absorber inside the box or outside of it",
             who, side ? "high" : "low", "xyz"[axis], absorber_.label())});
  }

  const Absorber& absorber_;
  const Grid& g_;
  Findings& found_;
};

/// What absorbers reflect is in both runs of a normalised pair.
void warn_of_reference(const Simulation& s, Findings& found) {
  const auto subtracts = [](const MonitorSpec& m) { return m.kind == MonitorSpec::Kind::flux; };
  const auto flux = std::ranges::find_if(s.monitors, subtracts);
  if (!s.normalize || s.absorbers.empty() || flux == s.monitors.end()) return;
  found.push_back(
      {Severity::warning,
       fmt::format(
           "monitor '{}': its scattered flux and R lack what {} reflects (absorbers stay in the "
           "reference run of `normalize`, whose fields are subtracted); where that matters take a "
           "monitor of kind orders, or leave normalize out and put the monitor outside of a plane wave's "
           "box of total field",
           flux->name, absorber_label(s, 0))});
}

}  // namespace

void validate_absorbers(const Simulation& s, const Scene& scene, const Grid& g, Findings& found) {
  warn_of_reference(s, found);
  std::vector<Absorber> absorbers;
  try {
    absorbers = make_absorbers(s, scene, g);
  } catch (const BadInput& e) {
    found.push_back({Severity::refusal, e.what()});
  }
  for (const Absorber& a : absorbers) {
    found.push_back({Severity::note, a.text()});
    if (a.thickness() < least_cells * g.dx)
      found.push_back(
          {Severity::warning,
           fmt::format("{}: it is {:.2g} cells thick (a profile of few steps reflects by itself); "
                       "give it {:g} cells or more",
                       a.label(), a.thickness() / g.dx, least_cells)});
    if (a.thickness() > a.depth() + g.dx)  // depths are known to a cell
      found.push_back(
          {Severity::warning,
           fmt::format(
               "{}: its shape is {:.4g} deep within the domain, less than its thickness of {:.4g} (the "
               "depth at which it is strongest: of the power of a wave straight through {:.3g} is "
               "left); leave thickness out, or enlarge the shape",
               a.label(), a.depth(), a.thickness(), a.left())});
    Check check(a, g, found);
    for (const auto& source : s.sources) check.source(source, s);
    for (const auto& m : s.monitors) check.monitor(m);
  }
}

}  // namespace umov::fdtd
