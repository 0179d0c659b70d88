// Where sources and monitors lie, in which colour, and what they are called.
#include "fdtd/output/marks.hpp"

#include <fmt/format.h>

#include "fdtd/kind_names.hpp"
#include "fdtd/monitors/names.hpp"
#include "pictures/plot.hpp"

namespace umov::fdtd {

using namespace pictures;

namespace {

std::string waveform_text(const Waveform& w) {
  const std::string title = named(waveform_kinds, w.kind).title;
  return w.kind == Waveform::Kind::samples ? title : title + ", f = " + pretty_number(w.frequency);
}

Mark source_mark(const Outcome& o, const SourceSpec& s, std::size_t index) {
  Mark mark{s.name.empty() ? fmt::format("source {}", index + 1) : s.name,
            fmt::format("{}, {}", traits_of(s).title, waveform_text(s.waveform)),
            ink::orange,
            s.center,
            s.size,
            s.pixels.empty() ? nullptr : &s.pixels,
            s.raster};
  mark.source = true;
  const SourceKind& kind = kind_of(s);
  mark.arrow = kind.arrow(s, o.grid);
  mark.dashed = kind.traits().total_field;
  kind.show_at(s, o.simulation, o.grid, mark.center, mark.size);
  return mark;
}

Mark monitor_mark(const Outcome& o, const MonitorSpec& m, std::size_t index) {
  static constexpr Color colors[] = {ink::blue,     ink::green,    ink::gold,
                                     rgb(0x8a5fb5), rgb(0x16a3a8), rgb(0xc76b29)};
  Mark mark{m.name.empty() ? fmt::format("monitor {}", index + 1) : m.name,
            kind_of(m).title(m),
            colors[index % std::size(colors)],
            m.center,
            m.size,
            m.pixels.empty() ? nullptr : &m.pixels,
            m.raster};
  const MonitorKind& kind = kind_of(m);
  if (kind.reads("direction") && !m.box) mark.arrow = normal_of(o.grid, m.size, m.direction);
  kind.show_at(m, o.grid, mark.center, mark.size);
  mark.dashed = kind.traits().dashed;
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
