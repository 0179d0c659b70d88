// Sources and monitors: whether there are any, and whether they are where they can work.
#include <fmt/format.h>

#include <algorithm>

#include "fdtd/model/validate_parts.hpp"

namespace umov::fdtd {
namespace {

using Where = Surroundings::Where;

std::string label(const char* what, const std::string& name, std::size_t number) {
  return name.empty() ? fmt::format("{} {}", what, number + 1) : fmt::format("{} '{}'", what, name);
}

std::string cell_name(const Int3& c, const Grid& g) {
  return dimensions(g.mode) == 3 ? fmt::format("cell ({}, {}, {})", c[0], c[1], c[2])
                                 : fmt::format("cell ({}, {})", c[0], c[1]);
}

struct Lost {
  std::size_t absorbed = 0, outside = 0;
  Int3 example{0, 0, 0};
};
Lost lost_pixels(const std::vector<Int3>& pixels, const Surroundings& around) {
  Lost lost;
  for (const auto& c : pixels) {
    const bool outside = around.cell_outside(c), absorbed = !outside && around.cell_absorbed(c);
    if ((outside || absorbed) && lost.absorbed + lost.outside == 0) lost.example = c;
    lost.outside += outside;
    lost.absorbed += absorbed;
  }
  return lost;
}

void check_pixels(const std::string& who, const std::vector<Int3>& pixels, const Surroundings& around,
                  Severity worst, Findings& found) {
  const Lost lost = lost_pixels(pixels, around);
  if (lost.outside > 0)
    found.push_back({Severity::stop,
                     fmt::format("{}: {} of {} cells lie outside the domain, the first is {} (there is no "
                                 "field) move them",
                                 who, lost.outside, pixels.size(), cell_name(lost.example, around.grid()))});
  else if (lost.absorbed > 0)
    found.push_back(
        {lost.absorbed == pixels.size() ? worst : Severity::warning,
         fmt::format("{}: {} of {} cells lie in an absorbing layer, the first is {} (fields there are not "
                     "physical) move them further from the wall",
                     who, lost.absorbed, pixels.size(), cell_name(lost.example, around.grid()))});
}

void check_box(const std::string& who, const Vec3& center, const Vec3& size, const Surroundings& around,
               Severity worst, Findings& found) {
  const std::string at = fmt::format("centre ({:g}, {:g}, {:g}), size ({:g}, {:g}, {:g})", center[0],
                                     center[1], center[2], size[0], size[1], size[2]);
  switch (around.box(center, size)) {
    case Where::inside:
      return;
    case Where::outside:
      found.push_back(
          {Severity::stop, fmt::format("{}: reaches outside the domain ({}) move or shrink it", who, at)});
      return;
    case Where::absorbed:
      found.push_back(
          {worst, fmt::format("{}: lies in an absorbing layer ({}; fields there are not physical) move it "
                              "further from the wall",
                              who, at)});
      return;
    case Where::partly_absorbed:
      found.push_back(
          {Severity::warning, fmt::format("{}: reaches into an absorbing layer ({}; fields there are not "
                                          "physical) shrink it",
                                          who, at)});
  }
}

/// Of a source beside a symmetry plane the image radiates too, which may not be meant.
void check_image(const std::string& who, const Simulation& s, const SourceSpec& source, const Grid& g,
                 Findings& found) {
  if (source.kind == SourceSpec::Kind::shape) return;
  for (int a = 0; a < dimensions(g.mode); ++a)
    for (int side = 0; side < 2; ++side) {
      const double near = std::abs(source.center[a]) - source.size[a] / 2;
      if (is_mirror(s.walls[a][side]) && near > 1e-6 * g.dx)
        found.push_back({Severity::warning,
                         fmt::format("{}: lies beside the symmetry plane {} = 0, {:.4g} from it (its mirror "
                                     "image radiates too) leave the mirror out if one source is meant",
                                     who, "xyz"[a], near)});
    }
}

}  // namespace

void validate_sources(const Simulation& s, const Scene& scene, const Surroundings& around, Findings& found) {
  if (s.sources.empty())
    found.push_back({Severity::stop, fmt::format("no source (all fields would stay zero) {}",
                                                 s.picture ? "draw one with a red above 128, or add one"
                                                           : "add one to the case")});
  for (std::size_t i = 0; i < s.sources.size(); ++i) {
    const auto& source = s.sources[i];
    const std::string who = label("source", source.name, i);
    using Kind = SourceSpec::Kind;
    check_image(who, s, source, around.grid(), found);
    if (source.kind == Kind::shape) check_pixels(who, source.pixels, around, Severity::stop, found);
    if (source.kind == Kind::point || source.kind == Kind::line || source.kind == Kind::box) {
      check_box(who, source.center, source.size, around, Severity::stop, found);
      if (is_electric(source.component) &&
          scene.materials()[scene.material_at(source.center)].perfect_conductor)
        found.push_back(
            {Severity::stop, fmt::format("{}: its centre is in a perfect conductor (the field is zero there) "
                                         "move it",
                                         who)});
    }
    // A mode's plane may reach through the layers, where the mode has died out.
    if (source.kind == Kind::mode) check_box(who, source.center, {0, 0, 0}, around, Severity::stop, found);
  }
}

void validate_monitors(const Simulation& s, const Surroundings& around, Findings& found) {
  for (std::size_t i = 0; i < s.monitors.size(); ++i) {
    const auto& m = s.monitors[i];
    const std::string who = label("monitor", m.name, i);
    if (!m.pixels.empty())
      check_pixels(who, m.pixels, around, Severity::warning, found);
    else if (m.kind != MonitorSpec::Kind::snapshot && m.kind != MonitorSpec::Kind::mode)
      check_box(who, m.center, m.size, around, Severity::warning, found);
  }
}

}  // namespace umov::fdtd
