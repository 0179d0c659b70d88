// Parameters of `umov fdtd` that describe a layout: its file, its layers, its ports.
#include "cases/declare.hpp"
#include "fdtd/case/case.hpp"
#include "fdtd/case/readers.hpp"

namespace umov::fdtd {

using cases::declare;
using cases::item;

namespace {

/// Layer and type, or nothing.
Codec<std::vector<int>> layer_and_type() {
  auto codec = list_of(integer<int>(Range::between(0, 65535)));
  const auto read = codec.read;
  codec.read = [read](const Value& v) {
    auto list = read(v);
    if (!list.empty() && list.size() != 2) throw ValueError("wants a layer and a type, not " + describe(v));
    return list;
  };
  return codec;
}

Codec<std::vector<Vec3>> two_corners() {
  auto codec = list_of(extents());
  const auto read = codec.read;
  codec.read = [read](const Value& v) {
    auto list = read(v);
    if (!list.empty() && list.size() != 2) throw ValueError("wants two corners [x, y], not " + describe(v));
    return list;
  };
  return codec;
}

}  // namespace

void add_layout_parameters(ParameterTable<Case>& t) {
  const char* s = "layout";
  t.add(
      declare(s, "file", {"--layout"}, "", "Layout of GDSII whose layers the [[layer]] tables name.", "none"),
      path("FILE"), UMOV_CASE(layout.file));
  t.add(declare(s, "cell", {"--cell"}, "", "Its structure that is the model.", "the only one at the top"),
        text("NAME"), UMOV_CASE(layout.cell));
  t.add(declare(s, "window", {}, "unit",
                "Two opposite corners [x, y], in the layout's coordinates, of what is read of it; their "
                "middle is the "
                "middle of the domain.",
                "around the shapes of its layers"),
        two_corners(), UMOV_CASE(layout.window));
  t.add(declare(s, "margin", {}, "unit",
                "From the window to the ends of the domain, absorbing layers included, along axes where "
                "domain.size is "
                "inf."),
        number(Range::at_least(0)), UMOV_CASE(layout.margin));
  t.add(declare(
            s, "extend", {}, "",
            "What the window cuts, and guides that end in a port, go on straight to the ends of the domain."),
        boolean(), UMOV_CASE(layout.extend));
  t.add(declare(s, "port_layer", {}, "", "Layer and type of texts that name ports, as [10, 0].",
                "no text does"),
        layer_and_type(), UMOV_CASE(layout.port_layer));
  t.add(declare(s, "port_margin", {}, "unit",
                "Of the planes of sources and monitors in a port, beside its guide; 0: twice its width."),
        number(Range::at_least(0)), UMOV_CASE(layout.port_margin));
}

ParameterTable<LayerSpec> layer_parameters() {
  ParameterTable<LayerSpec> t;
  t.add(item("name", "", "Its name in messages, for ports and in the paths of a sweep.", "its number"),
        text("NAME"), UMOV_CASE(name));
  t.add(item("layer", "", "Number of the layer in the layout.", "none: the whole domain, from end to end"),
        optional_of(integer<int>(Range::between(0, 65535))), UMOV_CASE(layer));
  t.add(item("datatype", "", "Its datatype there (of boxes the boxtype)."),
        integer<int>(Range::between(0, 65535)), UMOV_CASE(datatype));
  t.add(item("from", "unit", "Lower end along z.", "without end"), optional_number(), UMOV_CASE(from));
  t.add(item("to", "unit", "Upper end.", "without end"), optional_number(), UMOV_CASE(to));
  t.add(item("material", "", "Name of a [[material]] or of one of the library."), text("NAME"),
        UMOV_CASE(material));
  t.add(item("side_angle", "deg", "Of its sides to the plane; below 90 it is narrower at the top."),
        number(Range::between(30, 150)), UMOV_CASE(side_angle));
  t.add(
      item("drawn_at", "", "Height at which it is as wide as drawn: 0 at its lower end, 1 at its upper one."),
      number(Range::between(0, 1)), UMOV_CASE(drawn_at));
  t.add(item("bias", "unit", "Its edges are moved outward by this before."), number(), UMOV_CASE(bias));
  t.add(item("in_reference", "", "Kept in the reference run of a normalised pair."), boolean(),
        UMOV_CASE(in_reference));
  declare_layer_readers(t);
  return t;
}

ParameterTable<PortSpec> port_parameters() {
  ParameterTable<PortSpec> t;
  t.add(item("name", "", "How sources, monitors and S-parameters refer to it."), text("NAME"),
        UMOV_CASE(name));
  t.add(item("at", "unit", "Of a layout: where it is, [x, y] in the layout's coordinates."), extents(),
        UMOV_CASE(at));
  t.add(item("direction", "", "Out of the structure.", "out of the edge that it lies on"),
        word_of([] { return std::vector<std::string>{"+x", "-x", "+y", "-y", "+z", "-z"}; }),
        UMOV_CASE(direction));
  t.add(item("width", "unit", "Of its guide; with a direction."), number(Range::at_least(0)),
        UMOV_CASE(width));
  t.add(item("layer", "", "Name or number of the [[layer]] that its guide is of.",
             "the first one of the layout"),
        text("NAME"), UMOV_CASE(layer));
  t.add(item("center", "unit",
             "In place of these: middle of its plane in the domain, of bodies; with a direction.",
             "it is of the layout"),
        optional_of(extents()), UMOV_CASE(center));
  t.add(item("size", "unit", "Extents of that plane; inf is up to the absorbing layers."),
        extents(Range::at_least(0), true), UMOV_CASE(size));
  const auto placed = [](const PortSpec& p) {
    return std::string(p.center ? "its center and size say where it is" : "");
  };
  t.idle({"at", "layer"}, placed);
  t.idle({"width"}, [placed](const PortSpec& p) {
    if (p.center) return placed(p);
    return std::string(
        p.direction.empty() ? "the port has no direction, and is as wide as the edge that it lies on" : "");
  });
  t.idle({"size"}, [](const PortSpec& p) {
    return std::string(p.center ? "" : "it has no center, and the layout says how large its plane is");
  });
  return t;
}

}  // namespace umov::fdtd
