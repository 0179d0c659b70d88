// From the user's case to a Simulation of the electroquasistatic family: derived values and checks that span
// parameters.
#include "eqs/case/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "cases/case_places.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/integrators/stabilised_scheme.hpp"
#include "eqs/kind_names.hpp"
#include "eqs/materials/curve_table.hpp"
#include "eqs/model/waveform.hpp"
#include "eqs/solve/start_space.hpp"

namespace umov::eqs {

namespace {

/// Names files after items; letters, digits, '-', '_' and '.' only.
bool fit_for_a_file(const std::string& name) {
  return !name.empty() && name[0] != '.' && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_' || c == '.';
  });
}

class EqsCaseChecker : cases::CasePlaces {
 public:
  EqsCaseChecker(const Case& c, const Origins& origins)
      : cases::CasePlaces(origins), origins_(origins), case_(c), sim_(c.simulation) {}

  Simulation finish() {
    refuse_two_devices("--gpu");
    refuse_idle_machine(case_.machine);
    if (!case_.machine.checkpoint.resume) refuse_escape("output.folder", case_.machine.output_dir);
    sim_.mesh = finish_mesh(case_, origins_);
    take_materials();
    take_electrodes();
    take_frequency();
    take_steady_state();
    check_time();
    check_places();
    check_starts();
    check_systems();
    return sim_;
  }

 private:
  void take_materials() {
    sim_.materials.clear();
    std::set<std::string> names;
    for (std::size_t i = 0; i < case_.materials.size(); ++i) {
      const auto& c = case_.materials[i];
      MaterialSpec spec = c.spec;
      if (spec.name.empty())
        throw BadInput(item("material", i) +
                       " has no name (results are called after it); give name = \"...\"");
      const std::string where = item("material", i, spec.name);
      if (!names.insert(spec.name).second)
        throw BadInput(where + " has the name of an earlier one; choose another");
      spec.place = where;
      spec.permittivity = take_curve(c.permittivity, 1, where, "permittivity");
      spec.conductivity = take_curve(c.conductivity, 0, where, "conductivity");
      check(spec.permittivity, i, "permittivity", spec.name);
      check(spec.conductivity, i, "conductivity", spec.name);
      if (sim_.analysis == Analysis::harmonic &&
          (spec.permittivity.nonlinear() || spec.conductivity.nonlinear()))
        throw BadInput(where +
                       " depends on the field but the analysis is harmonic (which is linear); use analysis = "
                       "\"transient\", or a constant");
      sim_.materials.push_back(std::move(spec));
    }
    if (sim_.materials.empty())
      throw BadInput("there is no material (every region needs one); add [[material]]");
  }

  static CurveSpec take_curve(const CurveCase& c, double missing, const std::string& where,
                              const std::string& what) {
    CurveSpec spec;
    if (int(c.value.has_value()) + !c.table.empty() + !c.formula.empty() > 1)
      throw BadInput(fmt::format("{}: its {} is given twice ({}, {}_table, {}_formula); keep one", where,
                                 what, what, what, what));
    if (!c.parameters.empty() && !(c.value && std::holds_alternative<std::string>(*c.value)))
      throw BadInput(fmt::format(
          "{}: {}_parameters are those of a named curve (there is none); leave them out", where, what));
    spec.value = missing;
    if (!c.table.empty()) {
      spec.kind = CurveSpec::Kind::table;
      spec.file = c.table.file;
      spec.field = c.table.field;
      spec.values = c.table.values;
      check_file(where, spec.file, what);
    } else if (!c.formula.empty()) {
      spec.kind = CurveSpec::Kind::formula;
      spec.formula = c.formula;
    } else if (c.value && std::holds_alternative<std::string>(*c.value)) {
      spec.kind = CurveSpec::Kind::named;
      spec.named = std::get<std::string>(*c.value);
      spec.parameters = c.parameters;
    } else if (c.value) {
      spec.value = std::get<double>(*c.value);
    }
    return spec;
  }

  /// The checks that a run begins with, with the line of the case. What they add to the curve is made anew.
  void check(CurveSpec curve, std::size_t i, const std::string& what, const std::string& name) const {
    static const std::map<CurveSpec::Kind, std::string> keys{{CurveSpec::Kind::table, "_table"},
                                                             {CurveSpec::Kind::formula, "_formula"}};
    if (curve.kind != CurveSpec::Kind::table && item_has("material", i, what + "_table"))
      throw BadInput(item_place("material", i, what + "_table") +
                     " is empty (a table has two points or more); fill it or leave it out");
    // beside a constant or a table, as a resolved case has both, it says nothing
    if (curve.kind != CurveSpec::Kind::formula && item_has("material", i, what + "_formula") &&
        !item_has("material", i, what) && !item_has("material", i, what + "_table"))
      throw BadInput(item_place("material", i, what + "_formula") +
                     " is empty (a formula in E is wanted); write one or leave it out");
    const auto key = keys.find(curve.kind);
    const auto at =
        origins_.find(fmt::format("material[{}].{}{}", i, what, key == keys.end() ? "" : key->second));
    check_curve(
        curve,
        fmt::format("{}{} of material '{}'", at == origins_.end() ? "" : at->second + ": ", what, name),
        what == "conductivity");
  }

  void take_electrodes() {
    sim_.electrodes.clear();
    std::set<std::string> names;
    for (std::size_t i = 0; i < case_.electrodes.size(); ++i) {
      const auto& c = case_.electrodes[i];
      ElectrodeSpec spec = c.spec;
      if (spec.name.empty())
        throw BadInput(item("electrode", i) +
                       " has no name (results are called after it); give name = \"...\"");
      const std::string where = item("electrode", i, spec.name);
      if (!names.insert(spec.name).second)
        throw BadInput(where + " has the name of an earlier one; choose another");
      spec.place = where;
      take_waveform(c, spec, where, i);
      sim_.electrodes.push_back(std::move(spec));
    }
    if (sim_.electrodes.empty())
      throw BadInput("there is no electrode (nothing drives the field); add [[electrode]]");
  }

  void take_waveform(const ElectrodeCase& c, ElectrodeSpec& spec, const std::string& where, std::size_t i) {
    auto& wave = spec.waveform;
    refuse_foreign_keys(c, where);
    wave.frequency = c.frequency.value_or(sim_.time.frequency);
    if (c.amplitude && c.rms)
      throw BadInput(where + ": amplitude and rms are both given (each is the height); keep one");
    if (c.rms && wave.kind != WaveformSpec::Kind::sine)
      throw BadInput(where + ": rms is given for a waveform that is no sine; give amplitude");
    const bool driven = spec.kind == ElectrodeSpec::Kind::driven;
    if (!driven && (c.rms.value_or(0) != 0 || c.amplitude.value_or(0) != 0))
      throw BadInput(fmt::format("{} is {} but has an amplitude (only driven ones have); leave one out",
                                 where, named(electrode_kinds, spec.kind).word));
    if (spec.charge != 0 && spec.kind != ElectrodeSpec::Kind::floating)
      throw BadInput(where +
                     " has a charge but its potential is given (only floating ones keep a charge); set "
                     "kind = \"floating\"");
    wave.amplitude = c.rms ? std::sqrt(2.0) * *c.rms : c.amplitude.value_or(0);
    if (!driven) return;
    const bool table = wave.kind == WaveformSpec::Kind::table;
    if (!c.amplitude && !c.rms && !table)
      throw BadInput(where + " is driven but has no amplitude; give amplitude or rms, or kind = \"ground\"");
    if (table && wave.file.empty() && wave.time.empty())
      throw BadInput(where + " has a waveform of a table but no file; give file = \"...\"");
    if (!table && !wave.file.empty())
      throw BadInput(where + " has a file but its waveform is no table; set waveform = \"table\"");
    check_file(where, wave.file, "the waveform");
    if (wave.kind == WaveformSpec::Kind::impulse && wave.front >= wave.tail)
      throw BadInput(where + ": the front is not shorter than the tail (of an impulse); exchange them");
    const bool ramped = item_has("electrode", i, "ramp") && wave.ramp != WaveformSpec::Ramp::none;
    if (ramped && wave.kind != WaveformSpec::Kind::sine)
      throw BadInput(where + " has a ramp but no sine (which a ramp multiplies); for a step give rise");
    if (wave.ramp_time > 0 && wave.ramp == WaveformSpec::Ramp::none)
      throw BadInput(where + " has a ramp_time but no ramp; set ramp = \"linear\" or \"smooth\"");
  }

  /// A harmonic analysis is at the frequency of its electrodes.
  void take_frequency() {
    if (sim_.analysis != Analysis::harmonic) return;
    for (std::size_t i = 0; i < sim_.electrodes.size(); ++i) {
      const auto& e = sim_.electrodes[i];
      if (e.kind == ElectrodeSpec::Kind::driven && e.waveform.kind != WaveformSpec::Kind::sine)
        throw BadInput(
            item("electrode", i, e.name) +
            " is driven by no sine (a harmonic analysis is of sines of one frequency); set waveform = "
            "\"sine\", or analysis = \"transient\"");
    }
    const double frequency = common_frequency(sim_.electrodes);
    if (frequency == 0) return;
    if (given("time.frequency") && std::abs(frequency - sim_.time.frequency) > 1e-12 * frequency)
      throw BadInput(
          fmt::format("{} is {} Hz, but the electrodes have {} Hz of their own (a harmonic analysis has one "
                      "frequency); leave one out",
                      place("time.frequency"), shortest(sim_.time.frequency), shortest(frequency)));
    sim_.time.frequency = frequency;
  }

  /// A steady state is one period, of steps whose lengths may be repeated.
  void take_steady_state() {
    auto& t = sim_.time;
    if (!t.steady_state || sim_.analysis != Analysis::transient) return;
    const double period = 1 / t.frequency;
    const auto refuse = [&](const char* key, const std::string& value) {
      throw BadInput(fmt::format("{} is {} (with {} the run is one period of {}, {} s); leave it out",
                                 place(key), value, place("time.steady_state"), place("time.frequency"),
                                 shortest(period)));
    };
    if (t.end && std::abs(*t.end - period) > 1e-9 * period) refuse("time.end", shortest(*t.end) + " s");
    if (t.periods && *t.periods != 1) refuse("time.periods", shortest(*t.periods));
    if (may_be_stabilised(t.scheme))
      throw BadInput(fmt::format(
          "{} with {} (explicit steps choose lengths and stages by what came before, so that two periods are "
          "never marched alike, and their differences tell nothing); take sdirk3, esdirk3 or implicit_euler",
          place("time.steady_state"), place("time.scheme")));
    t.end.reset();
    t.periods = 1;
  }

  void check_time() {
    auto& t = sim_.time;
    const bool steps = sim_.analysis == Analysis::transient;
    // no run in time has length 0: beside the other one that is as good as not given
    if (t.end && t.periods && (!steps || (*t.end > 0 && *t.periods > 0)))
      throw BadInput(fmt::format("{} and {} are both given (each says {}); leave one out", place("time.end"),
                                 place("time.periods"),
                                 steps ? "how long the run is" : "which moment is meant"));
    if (!steps) return;
    const double end = t.moment().value_or(0);
    if (end == 0)
      throw BadInput(fmt::format(
          "the run has no end ({}); give one of them under [time], or another analysis under [run]",
          t.moment() ? fmt::format("{} is 0", place(t.end ? "time.end" : "time.periods"))
                     : "'time.end' and 'time.periods' are missing"));
    if (t.step > end)
      throw BadInput(fmt::format("{} is {} s (longer than the whole run, {} s); make it shorter",
                                 place("time.step"), shortest(t.step), shortest(end)));
    if (t.max_step > 0 && t.min_step > t.max_step)
      throw BadInput(fmt::format("{} is above {} (no step would fit); exchange them", place("time.min_step"),
                                 place("time.max_step")));
    if (t.step == 0 && t.first_step > 0 && t.first_step < t.min_step)
      throw BadInput(fmt::format("{} is {} s (shorter than {}, {} s); make it as long at least",
                                 place("time.first_step"), shortest(t.first_step), place("time.min_step"),
                                 shortest(t.min_step)));
    if (t.step > 0 && t.first_step > 0)
      exclusive("time.step", "time.first_step", "a fixed step is not controlled");
    if (t.step > 0 && t.max_step > 0)
      exclusive("time.step", "time.max_step", "a fixed step is not controlled");
    for (const double time : sim_.outputs.times)
      if (time > end)
        throw BadInput(fmt::format("{} has {} s (after the end of the run, {} s); leave it out",
                                   place("output.times"), shortest(time), shortest(end)));
  }

  void check_starts() const {
    const LinearSpec& l = sim_.linear;
    const int solutions = start_space(l).solutions;
    if (solutions > 0 && l.start_directions > solutions)
      throw BadInput(
          fmt::format("{} is {} (there are no more directions than solutions, {}); give {} at most",
                      place("solver.start_directions"), l.start_directions, solutions, solutions));
  }

  void check_systems() const {
    const SystemsSpec& s = sim_.outputs.systems;
    if (!s.wanted()) return;
    refuse_escape("output.write_systems", s.folder);
    if (sim_.linear.form == OperatorForm::matrix_free)
      throw BadInput(
          fmt::format("{} with {} = \"matrix-free\" (there is no matrix to be written); take "
                      "\"assembled\", or leave one out",
                      place("output.write_systems"), place("solver.operator")));
  }

  template <class Spec>
  void name(Spec& spec, const std::string& kind, std::size_t i, std::set<std::string>& taken) {
    if (spec.name.empty()) spec.name = fmt::format("{}{}", kind, i + 1);
    if (!fit_for_a_file(spec.name))
      throw BadInput(item(kind, i, spec.name) +
                     ": files are called after it (letters, digits, '-', '_' and '.'); choose another name");
    if (!taken.insert(spec.name).second)
      throw BadInput(item(kind, i, spec.name) +
                     " has the name of an earlier one (files are called after it); choose another");
  }

  void check_places() {
    auto& o = sim_.outputs;
    std::set<std::string> lines, points, surfaces, cuts;
    for (std::size_t i = 0; i < o.lines.size(); ++i) {
      name(o.lines[i], "line", i, lines);
      if (o.lines[i].points.size() < 2)
        throw BadInput(item("line", i, o.lines[i].name) +
                       " has fewer than two points (its corners); give points = [[x, y, z], [x, y, z]]");
      for (std::size_t k = 1; k < o.lines[i].points.size(); ++k)
        if (norm(o.lines[i].points[k] - o.lines[i].points[k - 1]) == 0)
          throw BadInput(fmt::format("{} has the same point twice in a row (the {}th); leave one out",
                                     item("line", i, o.lines[i].name), k + 1));
    }
    for (std::size_t i = 0; i < o.points.size(); ++i) {
      name(o.points[i], "point", i, points);
      if (!item_has("point", i, "at") && given(fmt::format("point[{}]", i)))
        throw BadInput(item("point", i, o.points[i].name) + " has no place; give at = [x, y, z]");
    }
    for (std::size_t i = 0; i < o.surfaces.size(); ++i) {
      if (o.surfaces[i].group.empty())
        throw BadInput(item("surface", i, o.surfaces[i].name) +
                       " has no group (of triangles in the mesh); give group = \"...\"");
      if (o.surfaces[i].name.empty()) o.surfaces[i].name = o.surfaces[i].group;
      name(o.surfaces[i], "surface", i, surfaces);
    }
    for (std::size_t i = 0; i < o.cuts.size(); ++i) {
      name(o.cuts[i], "cut", i, cuts);
      const auto& w = o.cuts[i].window;
      if (w && !((*w)[1] > (*w)[0] && (*w)[3] > (*w)[2]))
        throw BadInput(item("cut", i, o.cuts[i].name) +
                       " has an empty window; give [from, to, from, to], each from below its to");
    }
  }

  const Origins& origins_;
  const Case& case_;
  Simulation sim_;
};

}  // namespace

Simulation finish_case(const Case& c, const Origins& origins) { return EqsCaseChecker(c, origins).finish(); }

}  // namespace umov::eqs
