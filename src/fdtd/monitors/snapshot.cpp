// Monitors of kind snapshot: pictures and arrays of a field on an interval, taken by the run itself
// (run/snapshot_recorder.cpp).
#include "fdtd/monitors/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/text.hpp"
#include "fdtd/kind_names.hpp"
#include "fdtd/model/validate.hpp"
#include "fdtd/monitors/kind.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/observables/region.hpp"
#include "fdtd/spelled.hpp"
#include "results/section.hpp"

namespace umov::fdtd {
namespace {

using cases::item;
using results::Section;
using std::string;

/// Where the grid has a component next to the cut; "" where that is the cut, or behind a mirror, where it is
/// its image's.
string taken_at(const SnapshotSpec& m, const Grid& g, Component c) {
  constexpr double slight = 1e-3;  // of a cell
  const int axis = m.plane;
  const double offset = g.offset(c, axis), u = g.index(axis, m.plane_at);
  const double layer = std::clamp(std::round(u - offset), 0.0, double(g.cells[axis] - 1)) + offset;
  if (u < 0 || u > g.cells[axis] || !has_component(g.mode, c) || std::fabs(layer - u) <= slight) return "";
  return fmt::format("{} is taken at {:.6g}", word(c), g.place(axis, layer));
}

/// All snapshots of one monitor and component as one array, time first.
void add_stack(Section s, const char* component, const std::vector<const Snapshot*>& stack) {
  std::vector<double> time;
  std::vector<float> values;
  for (const auto* picture : stack) {
    time.push_back(picture->time);
    values.insert(values.end(), picture->values.begin(), picture->values.end());
  }
  const auto& n = stack[0]->size;
  s.add("time", fdtd_unit::time, "time of each snapshot", time);
  s.add("value", fdtd_unit::field, fmt::format("{}, time x z x y x x", component), values,
        {.shape = {stack.size(), std::size_t(n[2]), std::size_t(n[1]), std::size_t(n[0])}});
}

class SnapshotKind : public MonitorKind {
 public:
  SnapshotKind()
      : MonitorKind({.title = "snapshots", .reads = {"fields"}, .keeps_inside = false, .dashed = true}) {}

  void declare(ParameterTable<MonitorCase>& t) const override {
    t.add(item("every", "unit / c", "snapshot: time between pictures."), number(Range::at_least(0)),
          UMOV_OWN(SnapshotSpec, every));
    t.add(item("plane", "", "snapshot in space: axis normal to the plane."),
          choice<int>({{"x", 0}, {"y", 1}, {"z", 2}}), UMOV_OWN(SnapshotSpec, plane));
    t.add(item("plane_at", "unit", "snapshot in space: place of the plane on that axis."), number(),
          UMOV_OWN(SnapshotSpec, plane_at));
  }

  string problem(const MonitorSpec& m) const override {
    return m.own<SnapshotSpec>().every == 0 ? "has no interval (time between pictures); give every = ..."
                                            : "";
  }

  std::vector<string> in_space(const MonitorSpec& m) const override {
    const SnapshotSpec usual, &own = m.own<SnapshotSpec>();
    std::vector<string> changed;
    if (own.plane != usual.plane) changed.push_back("plane");
    if (own.plane_at != usual.plane_at) changed.push_back("plane_at");
    return changed;
  }

  /// A cut is the layer of each field that lies nearest.
  void check_place(const MonitorSpec& m, const Grid& g, std::vector<Finding>& found) const override {
    if (dimensions(g.mode) < 3) return;
    const auto& cut = m.own<SnapshotSpec>();
    std::vector<string> texts;
    for (const Component c : m.fields.empty() ? recorded_components({}, g.mode) : m.fields)
      if (auto text = taken_at(cut, g, c); !text.empty()) texts.push_back(std::move(text));
    if (!texts.empty())
      found.push_back(
          {Finding::Severity::note, fmt::format("monitor '{}': at {} = {:.6g} {} (where the grid has it)",
                                                m.name, "xyz"[cut.plane], cut.plane_at, join(texts, ", "))});
  }

  Part make(const MonitorSpec&, const MonitorSite&) const override { return nullptr; }

  void add_results(results::Result& r, const Outcome& o) const override {
    std::map<std::pair<string, Component>, std::vector<const Snapshot*>> stacks;
    for (const auto& s : o.snapshots) {
      auto& stack = stacks[{s.name, s.component}];
      if (stack.empty() || stack[0]->size == s.size) stack.push_back(&s);
    }
    UniqueNames unique;
    for (const auto& [key, stack] : stacks) {
      const char* component = word(key.second);
      add_stack({r, "snapshots/" + unique(key.first + "-" + component) + "/"}, component, stack);
    }
  }

  /// It spans the domain across its plane.
  void show_at(const MonitorSpec& m, const Grid& g, Vec3& center, Vec3& size) const override {
    for (int a = 0; a < dimensions(g.mode); ++a) {
      size[a] = g.length(a);
      center[a] = g.origin[a] + 0.5 * size[a];
    }
    if (dimensions(g.mode) < 3) return;
    const auto& cut = m.own<SnapshotSpec>();
    size[cut.plane] = 0;
    center[cut.plane] = cut.plane_at;
  }
};

}  // namespace

const MonitorKind& snapshot_monitor() {
  static const SnapshotKind kind;
  return kind;
}

}  // namespace umov::fdtd
