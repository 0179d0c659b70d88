// Sources of kinds point, line, box and shape: currents, or prescribed fields.
#include "fdtd/sources/currents.hpp"
#include "fdtd/sources/kind.hpp"

namespace umov::fdtd {
namespace {

class CurrentKind : public SourceKind {
 public:
  using SourceKind::SourceKind;

  std::string problem(const SourceSpec& s) const override {
    return traits().drawn && s.pixels.empty() ? "is a shape without cells; give cells = [[i, j], ...]" : "";
  }

  void add(const SourceSpec& s, const Signal& signal, const std::string& owner, Problem& p) const override {
    add_current(s, signal, owner, p);
  }
};

}  // namespace

const SourceKind& point_source() {
  static const CurrentKind kind({"point", {"component", "hard", "center"}, true});
  return kind;
}

const SourceKind& line_source() {
  static const CurrentKind kind({"line", {"component", "hard", "center", "size"}, true});
  return kind;
}

const SourceKind& box_source() {
  static const CurrentKind kind({"box", {"component", "hard", "center", "size"}, true});
  return kind;
}

const SourceKind& shape_source() {
  static const CurrentKind kind({"drawn", {"component", "hard", "cells"}, true, true});
  return kind;
}

}  // namespace umov::fdtd
