// Sources and monitors: whether there are any, and whether they are where they can work.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/text.hpp"
#include "fdtd/kind_names.hpp"
#include "fdtd/model/bodies.hpp"
#include "fdtd/model/validate_parts.hpp"
#include "fdtd/observables/sampling.hpp"
#include "fdtd/sources/band.hpp"
#include "fdtd/sources/plane_wave.hpp"
#include "fdtd/sources/waveform.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {
namespace {

using Where = Surroundings::Where;

std::string label(const char* what, const std::string& name, std::size_t number) {
  return name.empty() ? fmt::format("{} {}", what, number + 1) : fmt::format("{} '{}'", what, name);
}

/// Cells that are drawn, or texels of a picture.
struct Cells {
  const std::vector<Int3>& list;
  Int3 raster;
  bool drawn() const { return raster[0] > 0; }
  /// As the user counts them: texels by column, row from the top and number of the picture.
  std::string name(const Int3& c, const Grid& g) const {
    const bool deep = dimensions(g.mode) == 3;
    if (!drawn()) return fmt::format("cell ({}, {}{})", c[0], c[1], deep ? fmt::format(", {}", c[2]) : "");
    return fmt::format("pixel ({}, {}){}", c[0], raster[1] - 1 - c[1],
                       raster[2] > 1 ? fmt::format(" of picture {}", c[2] + 1) : "");
  }
  Vec3 middle(const Int3& c, const Grid& g) const {
    Vec3 m;
    for (int a = 0; a < 3; ++a) m[a] = (c[a] + 0.5) * (drawn() ? double(g.cells[a]) / raster[a] : 1);
    return m;
  }
};

struct Lost {
  std::size_t absorbed = 0, outside = 0;
  Int3 example{0, 0, 0};
};
Lost lost_cells(const Cells& cells, const Surroundings& around) {
  Lost lost;
  for (const auto& c : cells.list) {
    const Vec3 middle = cells.middle(c, around.grid());
    const bool outside = around.place_outside(middle), absorbed = !outside && around.place_absorbed(middle);
    if ((outside || absorbed) && lost.absorbed + lost.outside == 0) lost.example = c;
    lost.outside += outside;
    lost.absorbed += absorbed;
  }
  return lost;
}

void check_cells(const std::string& who, const Cells& cells, const Surroundings& around, Severity worst,
                 Findings& found) {
  const Lost lost = lost_cells(cells, around);
  const char* what = cells.drawn() ? "pixels" : "cells";
  const std::string example = cells.name(lost.example, around.grid());
  if (lost.outside > 0)
    found.push_back({Severity::refusal,
                     fmt::format("{}: {} of {} {} lie outside the domain, the first is {} (there is no "
                                 "field); move them",
                                 who, lost.outside, cells.list.size(), what, example)});
  else if (lost.absorbed > 0)
    found.push_back(
        {lost.absorbed == cells.list.size() ? worst : Severity::warning,
         fmt::format("{}: {} of {} {} lie in an absorbing layer, the first is {} (fields there are not "
                     "physical); move them further from the wall",
                     who, lost.absorbed, cells.list.size(), what, example)});
}

void check_box(const std::string& who, const Vec3& center, const Vec3& size, Where where, Severity worst,
               Findings& found) {
  const std::string at = fmt::format("centre ({:g}, {:g}, {:g}), size ({:g}, {:g}, {:g})", center[0],
                                     center[1], center[2], size[0], size[1], size[2]);
  switch (where) {
    case Where::inside:
      return;
    case Where::outside:
      found.push_back({Severity::refusal,
                       fmt::format("{}: reaches outside the domain ({}); move or shrink it", who, at)});
      return;
    case Where::absorbed:
      found.push_back(
          {worst, fmt::format("{}: lies in an absorbing layer ({}; fields there are not physical); move it "
                              "further from the wall",
                              who, at)});
      return;
    case Where::partly_absorbed:
      found.push_back(
          {Severity::warning, fmt::format("{}: reaches into an absorbing layer ({}; fields there are not "
                                          "physical); shrink it",
                                          who, at)});
  }
}

/// Of a source beside a symmetry plane the image radiates too, which may not be meant.
void check_image(const std::string& who, const Simulation& s, const SourceSpec& source, const Grid& g,
                 Findings& found) {
  if (traits_of(source).drawn) return;
  for (int a = 0; a < dimensions(g.mode); ++a)
    for (int side = 0; side < 2; ++side) {
      const double near = std::abs(source.center[a]) - source.size[a] / 2;
      if (is_mirror(s.walls[a][side]) && near > 1e-6 * g.dx)
        found.push_back({Severity::warning,
                         fmt::format("{}: lies beside the symmetry plane {} = 0, {:.4g} from it (its mirror "
                                     "image radiates too); leave the mirror out if one source is meant",
                                     who, "xyz"[a], near)});
    }
}

}  // namespace

namespace {

bool has_frequencies(const MonitorSpec& m) {
  return traits_of(m).spectrum &&
         (!m.frequencies.empty() || (m.frequency_count > 0 && m.frequency_from <= m.frequency_to));
}

/// "from 0.9 to 1.1 (source 'a')" of the band of each source, at most three.
std::string bands(const Simulation& s) {
  std::vector<std::string> texts;
  for (const auto& source : s.sources) {
    if (texts.size() == 3) break;
    const auto [low, high] = band_above(source.waveform, faint_share);
    texts.push_back(fmt::format("from {:.4g} to {:.4g} (source '{}')", low, high, source.name));
  }
  return join(texts, ", ");
}

/// Frequencies near and below the cutoff of all oblique plane waves, which a pulse has and no wave carries.
void check_cutoff(const Simulation& s, const Scene& scene, const Grid& grid, Findings& found) {
  std::vector<Launch> launches;
  double cutoff = 0;
  for (const auto& source : s.sources) {
    launches.push_back(launch_of(source, s, scene, grid));
    cutoff = std::max(cutoff, launches.back().cutoff);
  }
  if (!(cutoff > 0)) return;
  std::set<double> faded;
  std::vector<std::string> who;
  for (std::size_t i = 0; i < s.monitors.size(); ++i) {
    if (!has_frequencies(s.monitors[i])) continue;
    bool any = false;
    for (const double f : listed_frequencies(s.monitors[i])) {
      double alone = 0, launched = 0;
      for (std::size_t k = 0; k < s.sources.size(); ++k) {
        const double strength = relative_strength(s.sources[k].waveform, f);
        alone = std::max(alone, strength);
        launched = std::max(launched, strength * launches[k].share(f));
      }
      if (alone >= faint_share && launched < faint_share) any = true, faded.insert(f);
    }
    if (any) who.push_back(label("monitor", s.monitors[i].name, i));
  }
  if (faded.empty()) return;
  std::vector<std::string> listed;
  for (const double f : faded) listed.push_back(fmt::format("{:.6g}", f));
  found.push_back(
      {Severity::warning,
       fmt::format(
           "{}: frequencies {} lie near or below the cutoff {:.6g} of the oblique plane wave (with the "
           "wave number of the periods it travels along its face there, and is faded out: less than "
           "{:g} of its amplitude is left); choose higher ones, or a smaller bloch wave number",
           join(who, ", "), some(listed), cutoff, faint_share)});
}

void check_frequencies(const std::string& who, const Simulation& s, const MonitorSpec& m, Findings& found) {
  const auto frequencies = listed_frequencies(m);
  std::size_t dark = 0;
  double weakest = 1, where = 0;
  for (const double f : frequencies) {
    double strongest = 0;
    for (const auto& source : s.sources)
      strongest = std::max(strongest, relative_strength(source.waveform, f));
    dark += strongest < faint_share;
    if (strongest < weakest) weakest = strongest, where = f;
  }
  if (dark > 0)
    found.push_back(
        {Severity::warning,
         fmt::format("{}: {} of {} frequencies lie outside the spectrum of the sources (at {:.6g} there is "
                     "{:.1e} of its peak: results are rounding and leakage); choose frequencies {}, or a "
                     "wider pulse, or another frequency of the source",
                     who, dark, frequencies.size(), where, weakest, bands(s))});
}

/// A band of resonances that no source excites.
void check_band(const std::string& who, const Simulation& s, const MonitorSpec& m, Findings& found) {
  const double from = m.frequencies.size() > 1 ? m.frequencies.front() : m.frequency_from;
  const double to = m.frequencies.size() > 1 ? m.frequencies.back() : m.frequency_to;
  if (!(to > from)) return;
  for (const auto& source : s.sources) {
    const double nearest = std::clamp(peak_frequency(source.waveform), from, to);
    if (relative_strength(source.waveform, nearest) >= faint_share) return;
  }
  found.push_back(
      {Severity::warning,
       fmt::format("{}: no source excites its band, {:.4g} to {:.4g} (resonances there stay silent) look {}, "
                   "or change the source's frequency or width",
                   who, from, to, bands(s))});
}

}  // namespace

void validate_frequencies(const Simulation& s, const Scene& scene, const Grid& grid, Findings& found) {
  if (s.sources.empty()) return;
  check_cutoff(s, scene, grid, found);
  std::vector<double> all;
  for (std::size_t i = 0; i < s.monitors.size(); ++i) {
    const MonitorSpec& m = s.monitors[i];
    const std::string who = label("monitor", m.name, i);
    if (traits_of(m).free_fields) check_band(who, s, m, found);
    if (!has_frequencies(m)) continue;
    check_frequencies(who, s, m, found);
    for (const double f : listed_frequencies(m)) all.push_back(f);
  }
  for (std::size_t i = 0; i < s.sources.size() && s.sources.size() > 1 && !all.empty(); ++i) {
    const auto& wave = s.sources[i].waveform;
    if (std::none_of(all.begin(), all.end(),
                     [&](double f) { return relative_strength(wave, f) >= faint_share; }))
      found.push_back(
          {Severity::warning,
           fmt::format("{}: no monitor looks at its spectrum, around the frequency {:.6g} (it may be "
                       "mistyped) change it, or give a monitor such frequencies",
                       label("source", s.sources[i].name, i), peak_frequency(wave))});
  }
}

namespace {

/// Middles of the cells of a drawn source; corners, middles of edges and faces, and the centre of another.
std::vector<Vec3> places_of(const SourceSpec& source, const Surroundings& around) {
  const Grid& g = around.grid();
  std::vector<Vec3> places;
  const Cells cells{source.pixels, source.raster};
  for (const Int3& c : source.pixels) {
    Vec3 place = around.extent().low + g.dx * cells.middle(c, g);
    for (int a = 0; a < 3; ++a) place[a] *= g.active(a);
    places.push_back(place);
  }
  if (traits_of(source).drawn) return places;
  places = {source.center};
  for (int a = 0; a < dimensions(g.mode); ++a) {
    const std::size_t all = places.size();
    for (std::size_t i = 0; i < all && source.size[a] > 0; ++i)
      for (const double side : {-0.5, 0.5}) {
        places.push_back(places[i]);
        places.back()[a] += side * source.size[a];
      }
  }
  return places;
}

/// The last body that covers a place: "body 'wire' of 'gold'".
std::string body_at(const Simulation& s, const Vec3& place, const std::string& material) {
  std::string label = "the background";
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    if (s.bodies[b].material == material && make_body(s, b)->inside(place)) label = body_label(s, b);
  return fmt::format("{} of '{}'", label, material);
}

/// A current wholly inside a metal heats the cells around it: little of it comes out, and how little is the
/// grid's. Sheets that cross metals light plasmons, and are left alone.
void check_metal(const std::string& who, const Simulation& s, const SourceSpec& source, const Scene& scene,
                 const Surroundings& around, Findings& found) {
  const double f = peak_frequency(source.waveform);
  if (!(f > 0)) return;
  const auto metal_at = [&](const Vec3& place) {
    const auto& m = scene.materials()[std::size_t(scene.material_at(place))];
    return !m.perfect_conductor && m.dispersive() && m.permittivity(2 * pi * f).real() < 0;
  };
  const auto places = places_of(source, around);
  if (places.empty() || !std::ranges::all_of(places, metal_at)) return;
  const auto& m = scene.materials()[std::size_t(scene.material_at(places.front()))];
  const double depth = 1 / (2 * pi * f * index_of(m, f).imag());
  found.push_back(
      {Severity::warning,
       fmt::format(
           "{}: lies inside {}, a metal at its frequency {:.4g} (Re eps = {:.3g}: fields fall to 1/e "
           "within {:.3g}, which is {:.2g} cells, so that most of its power is absorbed around it, and "
           "how much depends on the cells); move it out of the body",
           who, body_at(s, places.front(), m.name), f, m.permittivity(2 * pi * f).real(), depth,
           depth / around.grid().dx)});
}

/// Powers of a source are over those of a run that has all that this one has: walls stay.
void check_factors(const Simulation& s, Findings& found) {
  const auto asks = [](const MonitorSpec& m) { return m.kind == MonitorSpec::Kind::ldos; };
  if (!s.normalize || s.picture || std::ranges::none_of(s.monitors, asks) ||
      !std::ranges::all_of(s.bodies, &BodySpec::in_reference))
    return;
  found.push_back(
      {Severity::warning,
       "the reference run leaves out no body, so that Purcell factors are 1 (walls of the domain are in "
       "both runs); leave normalize out: factors are then over a homogeneous medium"});
}

bool has_ports(const Simulation& s) { return !s.ports.empty() || (s.layout && !s.layout->ports.empty()); }

}  // namespace

void validate_sources(const Simulation& s, const Scene& scene, const Surroundings& around, Findings& found) {
  check_factors(s, found);
  if (s.sources.empty())
    found.push_back({Severity::stop,
                     fmt::format("no source (all fields would stay zero); {}",
                                 s.picture      ? "draw one with a red above 128, or add one"
                                 : has_ports(s) ? "add one to the case, or frequencies under [s_parameters]"
                                                : "add one to the case")});
  for (std::size_t i = 0; i < s.sources.size(); ++i) {
    const auto& source = s.sources[i];
    const std::string who = label("source", source.name, i);
    check_image(who, s, source, around.grid(), found);
    if (traits_of(source).drawn)
      check_cells(who, {source.pixels, source.raster}, around, Severity::stop, found);
    if (traits_of(source).current) check_metal(who, s, source, scene, around, found);
    if (fills_box(source)) {
      check_box(who, source.center, source.size, around.box(source.center, source.size), Severity::stop,
                found);
      if (is_electric(source.component) &&
          scene.materials()[scene.material_at(source.center)].perfect_conductor)
        found.push_back({source.kind == SourceSpec::Kind::point ? Severity::refusal : Severity::stop,
                         fmt::format("{}: its centre is in a perfect conductor (the field is zero there) "
                                     "move it",
                                     who)});
    }
    // A mode's plane may reach through the layers, where the mode has died out.
    if (traits_of(source).guided_modes)
      check_box(who, source.center, source.size, around.box(source.center, {0, 0, 0}), Severity::stop, found);
  }
}

void validate_monitors(const Simulation& s, const Surroundings& around, Findings& found) {
  for (std::size_t i = 0; i < s.monitors.size(); ++i) {
    const auto& m = s.monitors[i];
    const std::string who = label("monitor", m.name, i);
    if (!m.pixels.empty())
      check_cells(who, {m.pixels, m.raster}, around, Severity::warning, found);
    else if (traits_of(m).keeps_inside)
      check_box(who, m.center, m.size, around.box(m.center, m.size), Severity::warning, found);
  }
}

}  // namespace umov::fdtd
