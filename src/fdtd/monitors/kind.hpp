// What a kind of monitor is to the rest of the program: one class per kind, in a file of its own. TO ADD A
// KIND: its line in list.hpp, and monitors/NAME.cpp with a class that overrides what the kind has.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fdtd/grid.hpp"
#include "fdtd/simulation.hpp"

namespace umov {
template <class S>
class ParameterTable;
namespace results {
struct Result;
}
}  // namespace umov

namespace umov::fdtd {

class MonitorPart;
using Part = std::unique_ptr<MonitorPart>;
class Scene;
class SolvedModes;
struct Finding;
struct MonitorCase;
struct NodeMap;
struct Outcome;
struct Plot;
struct Problem;

/// What a monitor is made for. `solved`: the modes of the monitors before it.
struct MonitorSite {
  const Simulation& sim;
  const Scene& scene;
  Problem& problem;
  SolvedModes& solved;
};

/// Where a monitor takes its fields, and so how it may see both sides of a face of a plane wave's box.
enum class FieldsAt {
  surface,   ///< the faces of a plane or, with `box`, of a box
  nodes,     ///< nodes of a region
  point,     ///< a point, unless it was drawn
  elsewhere  ///< it shows the face, or finds it by itself
};

/// What checks, tables and pictures ask of a kind.
struct MonitorTraits {
  const char* title;  ///< how a legend calls it
  /// Those of the parameters common to several kinds (case/table_waves.cpp) that it reads.
  std::vector<std::string_view> reads;
  bool spectrum = false;      ///< accumulates Fourier transforms at the monitor's frequencies
  bool uncertainty = false;   ///< of a spectrum: estimates what is still missing when the run ends
  bool on_nodes = false;      ///< its planes are moved to nodes of the grid
  bool keeps_inside = true;   ///< should not reach into absorbing layers or beyond
  bool free_fields = false;   ///< records what rings after the sources, in a band from frequency to frequency
  bool guided_modes = false;  ///< solves for modes in the media of its plane
  bool dashed = false;        ///< its outline in the picture of the model
  FieldsAt fields_at = FieldsAt::elsewhere;
};

class MonitorKind {
 public:
  explicit MonitorKind(MonitorTraits traits) : traits_(std::move(traits)) {}
  virtual ~MonitorKind() = default;
  const MonitorTraits& traits() const { return traits_; }
  /// Its name in cases and messages, as in list.hpp.
  const char* name() const;
  /// Whether it reads a parameter common to several kinds.
  bool reads(std::string_view key) const;

  /// Adds the parameters that it alone reads.
  virtual void declare(ParameterTable<MonitorCase>&) const {}
  /// What is wrong with a monitor by itself, "has no ... (why); what to do"; "": nothing.
  virtual std::string problem(const MonitorSpec&) const { return ""; }
  /// Those parameters of its own that were changed and that only space has.
  virtual std::vector<std::string> in_space(const MonitorSpec&) const { return {}; }
  /// Findings about its place on the grid.
  virtual void check_place(const MonitorSpec&, const Grid&, std::vector<Finding>&) const {}

  /// Adds what it needs to the problem; nullptr where the run itself does its work. Throws BadInput naming
  /// the monitor.
  virtual Part make(const MonitorSpec&, const MonitorSite&) const = 0;
  /// Relates the results of its monitors to each other, before those are collected that want fluxes.
  virtual void finish(Outcome&) const {}

  /// Arrays and tables of its monitors.
  virtual void add_results(results::Result&, const Outcome&) const {}
  /// Curves of its monitors, a picture each.
  virtual std::vector<Plot> plots(const Outcome&) const;
  /// Lines of its monitors in the summary.
  virtual std::string lines(const Outcome&) const { return ""; }
  /// Whether a result has an error of the grid that no number stands for.
  virtual bool lacks_grid_error(const Outcome&) const { return false; }

  /// What a legend calls this one.
  virtual const char* title(const MonitorSpec&) const { return traits_.title; }
  /// Moves `center` and `size` to where the picture of the model shows it.
  virtual void show_at(const MonitorSpec&, const Grid&, Vec3& /*center*/, Vec3& /*size*/) const {}
  /// Maps of its monitors, which refer to the outcome.
  virtual std::vector<NodeMap> maps(const Outcome&) const;

 private:
  MonitorTraits traits_;
};

/// All kinds, in the order of list.hpp.
std::span<const MonitorKind* const> monitor_kinds();
/// The words of those that read a parameter common to several.
std::vector<std::string> monitors_that_read(std::string_view key);

/// Throws std::logic_error for what is no kind.
const MonitorKind& kind_of(MonitorSpec::Kind);

inline const MonitorKind& kind_of(const MonitorSpec& m) { return kind_of(m.kind); }
inline const char* word(MonitorSpec::Kind kind) { return kind_of(kind).name(); }
inline const MonitorTraits& traits_of(const MonitorSpec& m) { return kind_of(m).traits(); }

}  // namespace umov::fdtd
