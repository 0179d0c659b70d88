// What a kind of source is to the rest of the program: one class per kind. TO ADD A KIND: its line in
// list.hpp, and sources/NAME.cpp with a class that overrides what the kind has.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fdtd/grid.hpp"
#include "fdtd/simulation.hpp"

namespace umov {
template <class S>
class ParameterTable;
}

namespace umov::fdtd {

class Signal;
struct Problem;
struct SourceCase;

/// What checks, tables and pictures ask of a kind.
struct SourceTraits {
  const char* title;  ///< how a legend calls it
  /// Those of the parameters common to several kinds (case/table_waves.cpp) that it reads.
  std::vector<std::string_view> reads;
  /// A current over cells, of one component; else a wave that a surface launches, of the components that it
  /// has, whose plane or box is moved to nodes of the grid.
  bool current = false;
  bool drawn = false;         ///< lies where it was drawn; else at a centre with a size
  bool guided_modes = false;  ///< a mode of its plane, which may reach where the mode has died out
  bool total_field = false;   ///< has a box of total field, around everything where it has no size
};

class SourceKind {
 public:
  explicit SourceKind(SourceTraits traits) : traits_(std::move(traits)) {}
  virtual ~SourceKind() = default;
  const SourceTraits& traits() const { return traits_; }
  /// Its name in cases and messages, as in list.hpp.
  const char* name() const;
  /// Whether it reads a parameter common to several kinds.
  bool reads(std::string_view key) const;

  /// Adds the parameters that it alone reads.
  virtual void declare(ParameterTable<SourceCase>&) const {}
  /// What is wrong with a source by itself, "is a ... without ...; what to do"; "": nothing.
  virtual std::string problem(const SourceSpec&) const { return ""; }
  /// Those parameters of its own that were changed and that only space has.
  virtual std::vector<std::string> in_space(const SourceSpec&) const { return {}; }
  /// Throws BadInput, naming the source, where its mirror image would be another source; the parts on both
  /// sides of a symmetry plane are alike already.
  virtual void require_mirror_image(const SourceSpec&, const std::string& /*owner*/, const Simulation&,
                                    const Grid&) const {}

  /// Adds what drives the fields to the problem. Throws BadInput naming the source.
  virtual void add(const SourceSpec&, const Signal&, const std::string& owner, Problem&) const = 0;

  /// Which way its waves travel in the picture of the model; 0: all ways.
  virtual Vec3 arrow(const SourceSpec&, const Grid&) const { return {0, 0, 0}; }
  /// Moves `center` and `size` to where that picture shows it.
  virtual void show_at(const SourceSpec&, const Simulation&, const Grid&, Vec3& /*center*/,
                       Vec3& /*size*/) const {}

 private:
  SourceTraits traits_;
};

/// All kinds, in the order of list.hpp.
std::span<const SourceKind* const> source_kinds();
/// The words of those that read a parameter common to several.
std::vector<std::string> sources_that_read(std::string_view key);

/// Throws std::logic_error for what is no kind.
const SourceKind& kind_of(SourceSpec::Kind);

inline const SourceKind& kind_of(const SourceSpec& s) { return kind_of(s.kind); }
inline const char* word(SourceSpec::Kind kind) { return kind_of(kind).name(); }
inline const SourceTraits& traits_of(const SourceSpec& s) { return kind_of(s).traits(); }

/// The axis along which a plane or line has no extent, with a sign.
Vec3 normal_of(const Grid&, const Vec3& size, int direction);

/// The direction of travel by theta and phi.
Vec3 travel_of(const SourceSpec&, const Grid&);

/// Those of theta and polarization_angle that were changed.
std::vector<std::string> turned_in_space(const SourceSpec&);

/// A current at a centre with a size.
inline bool fills_box(const SourceSpec& s) { return traits_of(s).current && !traits_of(s).drawn; }

}  // namespace umov::fdtd
