// Sources of kind mode: what cases and pictures say of them.
#include "fdtd/sources/kind.hpp"
#include "fdtd/sources/mode_source.hpp"
#include "fdtd/spelled.hpp"

namespace umov::fdtd {
namespace {

using cases::item;

class ModeSourceKind : public SourceKind {
 public:
  ModeSourceKind()
      : SourceKind({.title = "mode", .reads = {"center", "size", "port"}, .guided_modes = true}) {}

  void declare(ParameterTable<SourceCase>& t) const override {
    t.add(item("mode", "", "mode: its number, from 1."), integer<int>(Range::between(1, 1000)),
          UMOV_CASE(spec.mode));
    t.add(item("direction", "", "mode: travel along (1) or against (-1) the normal of the plane."), sign(),
          UMOV_CASE(spec.direction));
    t.add(item("index_guess", "", "mode: effective index to look near.", "the highest index"),
          optional_number(Range::above(0)), UMOV_CASE(spec.index_guess));
  }

  void add(const SourceSpec& s, const Signal& signal, const std::string& owner, Problem& p) const override {
    add_mode(s, signal, owner, p);
  }

  Vec3 arrow(const SourceSpec& s, const Grid& g) const override { return normal_of(g, s.size, s.direction); }
};

}  // namespace

const SourceKind& mode_source() {
  static const ModeSourceKind kind;
  return kind;
}

}  // namespace umov::fdtd
