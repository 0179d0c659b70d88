// Where sources and monitors lie, in which colour, and what they are called.
#include "fdtd/output/marks.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "fdtd/kind_names.hpp"
#include "fdtd/output/names.hpp"
#include "fdtd/sources/total_field.hpp"
#include "pictures/plot.hpp"

namespace umov::fdtd {

using namespace pictures;

namespace {

std::string waveform_text(const Waveform& w) {
  const std::string title = named(waveform_kinds, w.kind).title;
  return w.kind == Waveform::Kind::samples ? title : title + ", f = " + pretty_number(w.frequency);
}

const char* monitor_text(const MonitorSpec& m) {
  if (m.kind == MonitorSpec::Kind::flux && m.box) return "flux through a box";
  return named(monitor_kinds, m.kind).title;
}

/// The axis along which a plane or line has no extent, with a sign.
Vec3 normal_of(const Grid& g, const Vec3& size, int direction) {
  Vec3 n{0, 0, 0};
  for (int a = 0; a < dimensions(g.mode); ++a)
    if (size[a] == 0) {
      n[a] = direction < 0 ? -1 : 1;
      break;
    }
  return n;
}

/// A plane wave's box as the grid has it; as the case has it where it allows none.
void total_field(const Outcome& o, const SourceSpec& spec, Mark& mark) {
  try {
    const TotalFieldBox box = total_field_box(spec, o.simulation, o.grid);
    for (int a = 0; a < dimensions(o.grid.mode); ++a) {
      const double low = end_of(box, o.grid, a, 0), high = end_of(box, o.grid, a, 1);
      mark.center[a] = 0.5 * (low + high);
      mark.size[a] = high - low;
    }
  } catch (const BadInput&) {
  }
}

Mark source_mark(const Outcome& o, const SourceSpec& s, std::size_t index) {
  Mark mark{s.name.empty() ? fmt::format("source {}", index + 1) : s.name,
            fmt::format("{}, {}", named(source_kinds, s.kind).title, waveform_text(s.waveform)),
            ink::orange,
            s.center,
            s.size,
            s.pixels.empty() ? nullptr : &s.pixels,
            s.raster};
  mark.source = true;
  if (s.kind == SourceSpec::Kind::plane_wave) {
    const double phi = s.phi * pi / 180, theta = dimensions(o.grid.mode) == 3 ? s.theta * pi / 180 : pi / 2;
    mark.arrow = {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
    mark.dashed = true;
    total_field(o, s, mark);
  }
  if (s.kind == SourceSpec::Kind::mode) mark.arrow = normal_of(o.grid, s.size, s.direction);
  return mark;
}

/// A snapshot spans the domain across its plane.
void cut_plane(const Outcome& o, const MonitorSpec& m, Mark& mark) {
  for (int a = 0; a < dimensions(o.grid.mode); ++a) {
    mark.size[a] = o.grid.dx * o.grid.cells[a];
    mark.center[a] = o.grid.origin[a] + 0.5 * mark.size[a];
  }
  if (dimensions(o.grid.mode) < 3) return;
  mark.size[m.plane] = 0;
  mark.center[m.plane] = m.plane_at;
}

Mark monitor_mark(const Outcome& o, const MonitorSpec& m, std::size_t index) {
  static constexpr Color colors[] = {ink::blue,     ink::green,    ink::gold,
                                     rgb(0x8a5fb5), rgb(0x16a3a8), rgb(0xc76b29)};
  Mark mark{m.name.empty() ? fmt::format("monitor {}", index + 1) : m.name,
            monitor_text(m),
            colors[index % std::size(colors)],
            m.center,
            m.size,
            m.pixels.empty() ? nullptr : &m.pixels,
            m.raster};
  if (m.kind == MonitorSpec::Kind::mode || m.kind == MonitorSpec::Kind::orders ||
      (m.kind == MonitorSpec::Kind::flux && !m.box))
    mark.arrow = normal_of(o.grid, m.size, m.direction);
  if (m.kind == MonitorSpec::Kind::snapshot) cut_plane(o, m, mark);
  mark.dashed = m.kind == MonitorSpec::Kind::near_to_far || m.kind == MonitorSpec::Kind::fourier ||
                m.kind == MonitorSpec::Kind::snapshot;
  return mark;
}

}  // namespace

std::vector<Mark> marks_of(const Outcome& o) {
  std::vector<Mark> marks;
  const auto& s = o.simulation;
  for (std::size_t i = 0; i < s.sources.size(); ++i) marks.push_back(source_mark(o, s.sources[i], i));
  for (std::size_t i = 0; i < s.monitors.size(); ++i) marks.push_back(monitor_mark(o, s.monitors[i], i));
  return marks;
}

}  // namespace umov::fdtd
