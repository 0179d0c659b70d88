#include "fdtd/model/layout_ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "core/text.hpp"

namespace umov::fdtd {

using layout::LayerId, layout::Loops;

std::string port_layer_name(const LayerSpec& l, std::size_t number) {
  return l.name.empty() ? std::to_string(number + 1) : l.name;
}

namespace {

constexpr std::size_t most_texts = 200;  ///< listed one by one

/// A straight end of a guide.
struct End {
  layout::Place middle, outward;  ///< of unit length
  double width = 0;
};

/// The edge that a place lies on, with the area to its left.
std::optional<End> end_at(const Loops& loops, const layout::Place& at) {
  constexpr double nearby = 2;  // database units: texts and corners are on its grid
  std::optional<End> best;
  double nearest = nearby;
  for (const auto& loop : loops)
    for (std::size_t i = 0, n = loop.size(); i < n; ++i) {
      const layout::Place &a = loop[i], &b = loop[(i + 1) % n];
      const double x = b[0] - a[0], y = b[1] - a[1], length = std::hypot(x, y);
      const double along = ((at[0] - a[0]) * x + (at[1] - a[1]) * y) / length;
      const double off = std::fabs((at[0] - a[0]) * y - (at[1] - a[1]) * x) / length;
      if (off > nearest || along < 0 || along > length) continue;
      nearest = off;
      best = End{{a[0] + x / 2, a[1] + y / 2}, {y / length, -x / length}, length};
    }
  return best;
}

struct PortSearch {
  Simulation& s;
  const LayoutFrame& frame;
  const std::map<LayerId, Loops>& drawn;
  std::vector<FoundPort> ports = {};

  Vec3 in_units(const layout::Place& p) const { return {p[0] * frame.scale, p[1] * frame.scale, 0}; }
  std::string both(const layout::Place& p) const {
    return fmt::format("({:.10g}, {:.10g}) of the layout, ({:.10g}, {:.10g}) of the domain",
                       p[0] * frame.scale, p[1] * frame.scale, (p[0] - frame.middle[0]) * frame.scale,
                       (p[1] - frame.middle[1]) * frame.scale);
  }
  /// Layers whose guides a port may be of.
  std::vector<std::size_t> layers_for(const std::string& name) const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < s.layers.size(); ++i)
      if (s.layers[i].layer && (name.empty() || port_layer_name(s.layers[i], i) == name)) out.push_back(i);
    return out;
  }

  /// Why it is no port; "": it was added.
  std::string add(const std::string& name, const layout::Place& at, const End& end, std::size_t layer) {
    const int axis = std::fabs(end.outward[0]) > std::fabs(end.outward[1]) ? 0 : 1;
    constexpr double slight = 1e-6;
    if (std::fabs(end.outward[std::size_t(1 - axis)]) > slight)
      return "its guide does not leave along x or y";
    if (std::ranges::count(ports, name, &FoundPort::name))
      throw BadInput(fmt::format("{}: two ports are called '{}' (the second at {}); rename one",
                                 s.layout->file, shortened(name), both(at)));
    const LayerSpec& l = s.layers[layer];
    FoundPort p;
    p.name = name;
    p.in_layout = in_units(at);
    p.at = in_units({at[0] - frame.middle[0], at[1] - frame.middle[1]});
    p.axis = axis, p.sign = end.outward[std::size_t(axis)] > 0 ? 1 : -1;
    p.width = end.width * frame.scale;
    p.layer = port_layer_name(l, layer);
    if (l.from && l.to) p.height = *l.to - *l.from, p.at[2] = (*l.from + *l.to) / 2;
    ports.push_back(p);
    return "";
  }

  /// Whether the guide lies outward of a port, and none inward: its direction was taken for that of the wave.
  bool is_reversed(const layout::Place& at, const End& end, std::size_t layer) const {
    const LayerSpec& l = s.layers[layer];
    const auto loops = drawn.find({std::uint16_t(*l.layer), std::uint16_t(l.datatype)});
    if (loops == drawn.end()) return false;
    const auto covers = [&](double away) {
      return layout::is_inside(loops->second, {at[0] + away * end.outward[0], at[1] + away * end.outward[1]});
    };
    const double off = std::max(3.0, end.width / 10);  // database units, beyond rounding
    return covers(off) && !covers(-off);
  }

  /// The same of a place alone, whose guide's end is looked for.
  std::string find(const std::string& name, const layout::Place& at, const std::string& of_layer) {
    for (const std::size_t i : layers_for(of_layer)) {
      const LayerSpec& l = s.layers[i];
      const auto loops = drawn.find({std::uint16_t(*l.layer), std::uint16_t(l.datatype)});
      if (loops == drawn.end()) continue;
      if (const auto end = end_at(loops->second, at)) return add(name, end->middle, *end, i);
    }
    return "it lies on no edge of the layers in the window";
  }
};

void add_texts(PortSearch& search, const layout::Hierarchy& hierarchy, std::uint32_t top) {
  LayoutSpec& spec = *search.s.layout;
  std::optional<LayerId> named;
  if (spec.port_layer.size() == 2)
    named = LayerId{std::uint16_t(spec.port_layer[0]), std::uint16_t(spec.port_layer[1])};
  std::vector<layout::Pin> pins;
  if (named) pins = hierarchy.pins(top, *named);
  const auto texts = hierarchy.texts(top);
  const auto pin_at = [&](const layout::Place& at) {
    return std::ranges::find_if(pins, [&](const layout::Pin& p) {
      // on the line, ends included
      const double x = p.to[0] - p.from[0], y = p.to[1] - p.from[1], length = std::hypot(x, y);
      if (!(length > 0)) return false;
      const double along = ((at[0] - p.from[0]) * x + (at[1] - p.from[1]) * y) / length;
      return std::fabs((at[0] - p.from[0]) * y - (at[1] - p.from[1]) * x) <= 2 * length && along >= -2 &&
             along <= length + 2;
    });
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const layout::PlacedText& t = texts[i];
    std::string why;
    if (named && t.on == *named) {
      const auto pin = pin_at(t.at);
      if (pin != pins.end() && !search.layers_for("").empty()) {
        const double x = pin->to[0] - pin->from[0], y = pin->to[1] - pin->from[1], length = std::hypot(x, y);
        const layout::Place middle{(pin->from[0] + pin->to[0]) / 2, (pin->from[1] + pin->to[1]) / 2};
        const End end{middle, {x / length, y / length}, pin->width};
        const std::size_t layer = search.layers_for("")[0];
        why = search.is_reversed(middle, end, layer) ? "its pin points into the guide"
                                                     : search.add(t.words, middle, end, layer);
      } else {
        why = search.find(t.words, t.at, "");
      }
      if (!why.empty())
        spec.warnings.push_back(
            fmt::format("layout: text '{}' on {} at {} is no port ({}); move it to the middle of the "
                        "guide's end, or describe the port by a [[port]]",
                        shortened(t.words), layout::to_string(t.on), search.both(t.at), why));
    }
    if (i < most_texts)
      spec.report.push_back(fmt::format("layout: text '{}' on {} at {}{}", shortened(t.words),
                                        layout::to_string(t.on), search.both(t.at),
                                        why.empty() ? "" : "; no port: " + why));
  }
  if (texts.size() > most_texts)
    spec.report.push_back(fmt::format("layout: and {} texts more", texts.size() - most_texts));
}

void add_stated(PortSearch& search) {
  for (const PortSpec& p : search.s.ports) {
    if (p.center) continue;
    const layout::Place at{p.at[0] / search.frame.scale, p.at[1] / search.frame.scale};
    const auto layers = search.layers_for(p.layer);
    if (layers.empty())
      throw BadInput(
          fmt::format("port '{}' is of layer '{}' (the case has no [[layer]] of that name with a number); "
                      "name one of them, or leave layer out",
                      p.name, p.layer));
    std::string why;
    if (p.direction.empty()) {
      why = search.find(p.name, at, p.layer);
    } else {
      const int axis = p.direction[1] == 'x' ? 0 : 1;
      layout::Place outward{0, 0};
      outward[std::size_t(axis)] = p.direction[0] == '-' ? -1 : 1;
      const End end{at, outward, p.width / search.frame.scale};
      if (search.is_reversed(at, end, layers[0]))
        throw BadInput(fmt::format(
            "port '{}' at {} has the direction {} (the guide lies there, and a direction is out of the "
            "structure); "
            "give direction = \"{}{}\"",
            p.name, search.both(at), p.direction, p.direction[0] == '-' ? '+' : '-', p.direction[1]));
      why = search.add(p.name, at, end, layers[0]);
    }
    if (!why.empty())
      throw BadInput(
          fmt::format("port '{}' at {} is at no guide ({}); correct `at`, or give direction and width",
                      p.name, search.both(at), why));
  }
}

}  // namespace

std::vector<FoundPort> find_ports(Simulation& s, const layout::Hierarchy& hierarchy, std::uint32_t top,
                                  const LayoutFrame& frame, const std::map<LayerId, Loops>& drawn) {
  PortSearch search{s, frame, drawn};
  add_stated(search);
  add_texts(search, hierarchy, top);
  for (const FoundPort& p : search.ports)
    s.layout->report.push_back(fmt::format(
        "port '{}' of layer '{}' at ({:.10g}, {:.10g}, {:.10g}) of the domain, out along {}{}, {:.6g} wide",
        p.name, p.layer, p.at[0], p.at[1], p.at[2], p.sign > 0 ? '+' : '-', "xy"[p.axis], p.width));
  return search.ports;
}

std::vector<FoundPort> ports_of(const Simulation& s) {
  std::vector<FoundPort> all;
  if (s.layout) all = s.layout->ports;
  for (const PortSpec& spec : s.ports) {
    if (!spec.center) continue;
    if (std::ranges::count(all, spec.name, &FoundPort::name))
      throw BadInput(fmt::format("two ports are called '{}'; rename one", shortened(spec.name)));
    FoundPort p;
    p.name = spec.name;
    p.at = *spec.center, p.plane = spec.size;
    p.axis = spec.direction[1] - 'x', p.sign = spec.direction[0] == '-' ? -1 : 1;
    p.width = spec.size[p.axis == 0 ? 1 : 0], p.height = spec.size[p.axis == 2 ? 1 : 2];
    all.push_back(std::move(p));
  }
  return all;
}

namespace {

/// What the report of the layout says of a text that is no port; "" without one.
std::string said_of_text(const Simulation& s, const std::string& words) {
  const std::string begins = "layout: text '" + words + "' ";
  for (const std::string& line : s.layout ? s.layout->report : std::vector<std::string>{})
    if (line.starts_with(begins)) return "; " + line;
  return "";
}

/// `direction`: of the travel or of the normal, outward is 1.
template <class Spec>
void place(const Simulation& s, const std::vector<FoundPort>& ports, Spec& spec, const std::string& owner,
           int outward) {
  if (spec.port.empty()) return;
  const auto port = std::ranges::find(ports, spec.port, &FoundPort::name);
  if (port == ports.end()) {
    std::vector<std::string> names;
    for (const FoundPort& p : ports) names.push_back(p.name);
    throw BadInput(fmt::format(
        "{} names the port '{}', which the {} has not (its ports: {}{}); name one of these, {}describe it "
        "by a [[port]]",
        owner, spec.port, s.layout ? "layout" : "case", names.empty() ? "none" : join(names, ", "),
        said_of_text(s, spec.port), s.layout ? "give `layout.port_layer`, or " : "or "));
  }
  spec.center = port->at;
  spec.center[port->axis] += port->sign * spec.port_offset;
  spec.direction = outward * port->sign;
  spec.size = port->plane.value_or(Vec3{0, 0, 0});
  if (port->plane) return;
  const double margin = s.layout->port_margin > 0 ? s.layout->port_margin : 2 * port->width;
  const int across = 1 - port->axis;
  const auto span = [&](int axis, double extent) {
    const double half = s.size[axis] / 2;
    const double low = std::max(spec.center[axis] - extent / 2 - margin, -half),
                 high = std::min(spec.center[axis] + extent / 2 + margin, half);
    spec.center[axis] = (low + high) / 2, spec.size[axis] = high - low;
  };
  span(across, port->width);
  if (s.size[2] > 0) span(2, port->height > 0 ? port->height : 2 * s.size[2]);
}

}  // namespace

void place_in_ports(Simulation& s) {
  const auto ports = ports_of(s);
  for (SourceSpec& source : s.sources) place(s, ports, source, "source '" + source.name + "'", -1);
  for (MonitorSpec& m : s.monitors) place(s, ports, m, "monitor '" + m.name + "'", 1);
}

}  // namespace umov::fdtd
