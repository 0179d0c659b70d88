// Settings of a case that a comparison of its methods does not take.
#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "eqs/run/compare.hpp"

namespace umov::eqs {

std::vector<std::string> comparison_notes(const Simulation& s, const run::Machine& machine,
                                          std::span<const Method> methods) {
  const TimeSpec& t = s.time;
  const TimeSpec none;
  const LinearSpec plain;
  std::vector<std::string> own, fixed, idle, out;
  const auto list = [](std::vector<std::string>& to, bool set, const char* key) {
    if (set) to.push_back(key);
  };
  list(own, t.scheme != none.scheme, "time.scheme");
  list(own, t.spectral_radius != none.spectral_radius, "time.spectral_radius");
  list(idle, t.power_steps != none.power_steps, "time.power_steps");
  list(own, s.linear.start_vector != plain.start_vector, "solver.start_vector");
  list(fixed, t.step > 0, "time.step");
  const OutputSpec& o = s.outputs;
  list(idle, o.interval != 0, "output.interval");
  list(idle, !o.times.empty(), "output.times");
  list(idle, !o.points.empty(), "[[point]]");
  list(idle, !o.lines.empty(), "[[line]]");
  list(idle, !o.surfaces.empty(), "[[surface]]");
  list(idle, !o.cuts.empty(), "[[cut]]");
  list(idle, o.capacitance, "output.capacitance");
  list(idle, machine.checkpoint.interval > 0, "checkpoint.interval");
  const auto say = [&](const std::vector<std::string>& keys, const char* why) {
    if (!keys.empty())
      out.push_back(fmt::format("the comparison does not use {} ({})", join(keys, ", "), why));
  };
  say(own, "each method has its own; `compare.methods` chooses among them");
  say(fixed,
      "methods are compared with steps controlled by time.tolerance; lengths of fixed ones are "
      "compare.steps");
  say(idle, "what is compared are times, iterations and errors of the potentials; run the case for these");
  const bool explicit_ones =
      std::any_of(methods.begin(), methods.end(), [](const Method& m) { return m.scheme == Scheme::rkc; });
  const bool projected = std::any_of(methods.begin(), methods.end(), [](const Method& m) {
    return m.scheme == Scheme::rkc && m.start_vector != StartVector::last;
  });
  const auto curve = std::find_if(s.materials.begin(), s.materials.end(), [](const auto& material) {
    return material.permittivity.kind != CurveSpec::Kind::constant;
  });
  if (projected && curve != s.materials.end())
    out.push_back(
        fmt::format("E, F and G are D here: their start vectors have no part in steps of rkc where a "
                    "permittivity depends on "
                    "the field (that of material '{}')",
                    curve->name));
  if (t.max_stages != none.max_stages && !explicit_ones)
    out.push_back(
        "the comparison does not use time.max_stages (none of these methods has stages of its own number)");
  return out;
}

}  // namespace umov::eqs
