// Layers and ports of a layout, put into the case.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"
#include "fdtd/model/layout_ports.hpp"
#include "fdtd/wall_kind.hpp"
#include "layout/region.hpp"

namespace umov::fdtd {
namespace {

using layout::LayerId;

std::string label(const LayerSpec& l, std::size_t i) {
  return l.name.empty() ? fmt::format("layer {}", i + 1) : fmt::format("layer '{}'", l.name);
}

LayerId id_of(const LayerSpec& l) { return {std::uint16_t(*l.layer), std::uint16_t(l.datatype)}; }

class Applied {
 public:
  Applied(Simulation& s, const layout::Library& library)
      : s_(s), spec_(*s.layout), library_(library), hierarchy_(library), top_(hierarchy_.top(spec_.cell)) {
    scale_ = library.meters_per_unit / (s.unit_um * 1e-6);
    for (const LayerSpec& l : s.layers)
      if (l.layer) wanted_.insert(id_of(l));
  }

  void apply() {
    const auto counts = hierarchy_.counts(top_);
    set_window(counts);
    set_domain();
    tell_window();
    read_regions();
    tell_layers(counts);
    const auto ports = find_ports(s_, hierarchy_, top_, {scale_, middle_, window_}, drawn_);
    spec_.ports = ports;
    std::vector<BodySpec> bodies;
    for (std::size_t i = 0; i < s_.layers.size(); ++i) add_body(i, bodies);
    s_.bodies.insert(s_.bodies.begin(), bodies.begin(), bodies.end());
    tell_unused(counts);
    for (const auto& line : library_.warnings) tell(line);
    if (library_.properties > 0)
      tell(fmt::format("{} properties of elements (PROPATTR, PROPVALUE) are not read", library_.properties));
    spec_.applied = true;
  }

 private:
  void tell(const std::string& line) { spec_.report.push_back("layout: " + line); }

  void set_window(const std::map<LayerId, layout::LayerCount>& counts) {
    if (spec_.window.size() == 2) {
      for (const Vec3& corner : spec_.window) window_.add({corner[0] / scale_, corner[1] / scale_});
    } else if (!wanted_.empty()) {
      hierarchy_.flatten(top_, wanted_, {}, [&](const LayerId&, std::span<const layout::Place> corners) {
        for (const layout::Place& p : corners) window_.add(p);
      });
    }
    for (int a = 0; a < 2; ++a)
      if (window_.empty() || !(window_.low[a] < window_.high[a]) ||
          !std::isfinite(window_.high[a] - window_.low[a]))
        throw BadInput(
            fmt::format("{}: the layers of the case have no shapes in '{}' (it has {}); name others under "
                        "[[layer]], or give `layout.window`",
                        spec_.file, library_.structures[top_].name, listed(counts)));
    for (int a = 0; a < 2; ++a) middle_[a] = (window_.low[a] + window_.high[a]) / 2;
  }

  static std::string listed(const std::map<LayerId, layout::LayerCount>& counts) {
    std::vector<std::string> ids;
    for (const auto& [id, count] : counts) ids.push_back(layout::to_string(id));
    if (ids.size() > 30) ids.resize(30), ids.push_back("...");
    return ids.empty() ? "none" : join(ids, ", ");
  }

  void set_domain() {
    for (int a = 0; a < 3; ++a) {
      if (!std::isinf(s_.size[a])) continue;
      if (a == 2)
        throw BadInput("`domain.size` is infinite along z (a layout has no height); give its extent there");
      s_.size[a] = (window_.high[a] - window_.low[a]) * scale_ + 2 * spec_.margin;
    }
    if (s_.size[0] == 0 || s_.size[1] == 0)
      throw BadInput(
          "`domain.size` has no extent along y (a layout lies in the plane x, y); give two extents or three, "
          "`domain.size = [inf, inf, 3]` is around the layout");
    frame_ = window_;
    for (const double sign : {-1.0, 1.0}) frame_.add(beyond(sign));
    frame_ = frame_.grown(16);
  }

  /// A corner beyond the domain's, in the layout.
  layout::Place beyond(double sign) const {
    constexpr double further = 0.6;  // half the domain, and some
    return {middle_[0] + sign * further * s_.size[0] / scale_,
            middle_[1] + sign * further * s_.size[1] / scale_};
  }

  void tell_window() {
    tell(
        fmt::format("{}: structure '{}', database unit {:.6g} nm; window x {:.10g} to {:.10g}, y {:.10g} to "
                    "{:.10g}, whose "
                    "middle ({:.10g}, {:.10g}) is the middle of the domain",
                    spec_.file, library_.structures[top_].name, library_.meters_per_unit * 1e9,
                    window_.low[0] * scale_, window_.high[0] * scale_, window_.low[1] * scale_,
                    window_.high[1] * scale_, middle_[0] * scale_, middle_[1] * scale_));
  }

  void read_regions() {
    double most_bias = 0;
    for (const LayerSpec& l : s_.layers) most_bias = std::max(most_bias, std::fabs(l.bias) / scale_);
    const layout::Box around = window_.grown(2 * most_bias + 16);
    for (int a = 0; a < 2; ++a)
      frame_.low[a] = std::min(frame_.low[a], around.low[a]),
      frame_.high[a] = std::max(frame_.high[a], around.high[a]);
    for (const LayerId& id : wanted_) whole_.emplace(id, layout::Region(frame_));
    hierarchy_.flatten(top_, wanted_, around, [&](const LayerId& id, std::span<const layout::Place> corners) {
      whole_.at(id).add(corners);
    });
    for (const LayerId& id : wanted_) drawn_.emplace(id, whole_.at(id).within(window_).loops());
  }

  void tell_layers(const std::map<LayerId, layout::LayerCount>& counts) {
    for (std::size_t i = 0; i < s_.layers.size(); ++i) {
      const LayerSpec& l = s_.layers[i];
      if (!l.layer) continue;
      const LayerId id = id_of(l);
      const auto found = counts.find(id);
      const layout::LayerCount c = found == counts.end() ? layout::LayerCount{} : found->second;
      const layout::Region inside = whole_.at(id).within(window_);
      tell(fmt::format(
          "{} is {}: {:g} polygons, {:g} boxes and {:g} paths in the file; in the window {} polygon(s) after "
          "merging, area {:.6g}{}",
          label(l, i), layout::to_string(id), c.polygons, c.boxes, c.paths, inside.polygons(),
          inside.area() * scale_ * scale_, l.bias != 0 ? " before its bias" : ""));
      if (inside.empty())
        spec_.warnings.push_back(
            fmt::format("{} ({}) has no shapes in the window of {} (the structure has layers {}); "
                        "check layer, datatype and `layout.window`",
                        label(l, i), layout::to_string(id), spec_.file, listed(counts)));
    }
  }

  void tell_unused(const std::map<LayerId, layout::LayerCount>& counts) {
    std::vector<std::string> unused;
    for (const auto& [id, c] : counts) {
      if (wanted_.count(id)) continue;
      std::vector<std::string> what;
      const auto name = [&](double n, const char* word) {
        if (n > 0) what.push_back(fmt::format("{:g} {}", n, word));
      };
      name(c.polygons, "polygons"), name(c.boxes, "boxes"), name(c.paths, "paths"), name(c.nodes, "nodes");
      if (!what.empty()) unused.push_back(fmt::format("{} ({})", layout::to_string(id), join(what, ", ")));
    }
    if (!unused.empty()) tell("layers of the file that no [[layer]] names: " + join(unused, ", "));
  }

  /// `along` a wall that what leaves through enters at the other side.
  bool repeats(int axis) const { return wraps(s_.walls[axis][0]); }

  /// What the window cuts goes on straight to the ends of the domain.
  void extend_cuts(const layout::Region& whole, layout::Region& inside) const {
    for (int a = 0; a < 2; ++a) {
      if (repeats(a)) continue;
      for (const int side : {-1, 1}) {
        const double at = side < 0 ? window_.low[a] : window_.high[a];
        const double far = beyond(side)[a];
        if ((far - at) * side <= 0) continue;
        layout::Box strip = window_;
        strip.low[a] = side < 0 ? at - 1 : at, strip.high[a] = side < 0 ? at : at + 1;
        const auto ends = layout::stretches_on(inside.loops(), a, at, 1e-2);
        const auto goes_on = layout::stretches_on(whole.within(strip).loops(), a, at, 1e-2);
        for (const auto& [low, high] : ends)
          for (const auto& [from, to] : goes_on)
            add_strip(inside, a, at, far, std::max(low, from), std::min(high, to));
      }
    }
  }

  static void add_strip(layout::Region& r, int axis, double at, double far, double low, double high) {
    if (!(low < high)) return;
    std::array<layout::Place, 4> corners;
    const double along[4] = {at, far, far, at}, across[4] = {low, low, high, high};
    for (std::size_t i = 0; i < 4; ++i)
      corners[i][std::size_t(axis)] = along[i], corners[i][std::size_t(1 - axis)] = across[i];
    r.add(corners);
  }

  /// A guide that ends in a port goes on from there.
  void extend_ports(const std::string& name, layout::Region& inside) const {
    for (const FoundPort& p : spec_.ports) {
      if (p.layer != name || repeats(p.axis)) continue;
      const double half = p.width / 2 / scale_;
      const layout::Place at{p.in_layout[0] / scale_, p.in_layout[1] / scale_};
      const double from = at[p.axis], across = at[1 - p.axis];
      if ((beyond(p.sign)[p.axis] - from) * p.sign > 0)
        add_strip(inside, p.axis, from, beyond(p.sign)[p.axis], across - half, across + half);
    }
  }

  void add_body(std::size_t i, std::vector<BodySpec>& bodies) const {
    const LayerSpec& l = s_.layers[i];
    BodySpec b;
    b.material = l.material, b.in_reference = l.in_reference, b.layer = int(i) + 1;
    const double high = s_.size[2];  // beyond the domain
    const double from = l.from.value_or(std::min(-high, l.to.value_or(0) - high));
    const double to = l.to.value_or(std::max(high, from + high));
    if ((l.from || l.to) && s_.size[2] > 0) b.height = to - from, b.center[2] = (from + to) / 2;
    if (!l.layer) {
      b.shape = "box";
      b.size = Vec3{0, 0, b.height};
    } else {
      b.shape = "prism", b.side_angle = l.side_angle, b.drawn_at = l.drawn_at;
      b.outline = outline_of_layer(l, port_layer_name(l, i));
      if (b.outline->empty()) return;
    }
    bodies.push_back(std::move(b));
  }

  std::shared_ptr<const shapes::Outline> outline_of_layer(const LayerSpec& l, const std::string& name) const {
    const double bias = l.bias / scale_;
    const layout::Region& whole = whole_.at(id_of(l));
    // Where a cut is not continued the window cuts what the bias has made, of shapes that reach beyond it.
    layout::Box first = window_, last = frame_;
    for (int a = 0; a < 2; ++a)
      if ((!spec_.extend && !spec_.window.empty()) || repeats(a)) {
        first.low[a] -= 2 * std::fabs(bias), first.high[a] += 2 * std::fabs(bias);
        last.low[a] = window_.low[a], last.high[a] = window_.high[a];
      }
    layout::Region drawn(frame_);
    drawn.unite(whole.within(first));
    // As drawn: a bias carries the end of a shape over the window, and does not make it one that goes on.
    if (spec_.extend) {
      extend_cuts(whole, drawn);
      extend_ports(name, drawn);
    }
    drawn.grow(bias);
    const layout::Region inside = drawn.within(last);
    auto out = std::make_shared<shapes::Outline>();
    for (const auto& loop : inside.loops()) {
      out->emplace_back();
      for (const layout::Place& p : loop)
        out->back().push_back({(p[0] - middle_[0]) * scale_, (p[1] - middle_[1]) * scale_});
    }
    return out;
  }

  Simulation& s_;
  LayoutSpec& spec_;
  const layout::Library& library_;
  layout::Hierarchy hierarchy_;
  std::uint32_t top_;
  double scale_ = 1;  ///< units of the case in a database unit
  std::set<LayerId> wanted_;
  layout::Box window_, frame_;
  layout::Place middle_{0, 0};
  std::map<LayerId, layout::Region> whole_;  ///< in the window and a little around it
  std::map<LayerId, layout::Loops> drawn_;   ///< in the window
};

}  // namespace

void apply_layout(Simulation& s) {
  if (s.layout && s.layout->applied) return;
  if (s.layout) {
    const layout::Library library = layout::read_gds(s.layout->file);
    Applied(s, library).apply();
  }
  place_in_ports(s);
}

}  // namespace umov::fdtd
