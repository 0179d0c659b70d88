// Fields too small for the tolerance of steps to hold, or of another size than their curves.
#include "eqs/run/small_fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "eqs/materials/curve_table.hpp"

namespace umov::eqs {

namespace {

/// Below this share of the largest field a material is a conductor, whose field nobody asks for; the solves
/// leave as much.
constexpr double conductor = 1e-6;
/// Errors of whole runs over the largest estimate of a step: measured 0.04 to 3.7 in a layer of 1e-6 to 1e-4
/// S/m on an insulator, all schemes, tolerances of 1e-3 to 1e-5. No bound: in 44 stacks taken at random six
/// exceeded four, the largest was 9 (implicit_euler). Where a material switches within a step the second
/// estimates see down to a quarter (sdirk3) or a twelfth (esdirk3) of its error (docs/theory/eqs.md).
constexpr double run_over_step = 4;

/// A field this far below the one at which a curve switches, or its square above, is of another unit.
constexpr double far = 100;

/// Largest |E| over time, V/m, and the largest estimated error of a step in it.
struct Known {
  double field = 0, error = 0, step = 0;
};
Known known(const std::vector<Record>& history, std::size_t m) {
  Known out;
  for (const Record& r : history) {
    if (m < r.seen.peaks.size()) out.field = std::max(out.field, r.seen.peaks[m].field);
    if (m < r.material_error.size() && r.material_error[m] > out.error)
      out.error = r.material_error[m], out.step = r.step;
  }
  return out;
}

/// The least |E|, V/m, at which a property is twice or half that without a field; 0: none.
double switching_field(const CurveSpec& spec) {
  CurveTable table;
  const int number = table.add(spec);
  const CurveView curve = table.view();
  const double at_zero = curve(number, 0).value;
  for (double field = 1e-3; field < 1e12; field *= 1.1) {
    const double factor = curve(number, field).value / at_zero;
    if (factor >= 2 || factor <= 0.5) return field;
  }
  return 0;
}

}  // namespace

void warn_of_small_fields(const Prepared& p, const Outcome& out, run::Journal& journal) {
  const TimeSpec& time = p.sim.time;
  if (time.step > 0) return;
  std::vector<Known> all;
  double most = 0;
  for (std::size_t m = 0; m < p.problem.materials.size(); ++m) {
    all.push_back(known(out.history, m));
    most = std::max(most, all.back().field);
  }
  for (std::size_t m = 0; m < all.size(); ++m) {
    const auto& [field, error, step] = all[m];
    if (!(field > conductor * most) || !(error > time.tolerance * field)) continue;
    journal.warn(fmt::format(
        "|E| of material '{}' may be off by some {:.2g} of its largest, beyond time.tolerance {} (with "
        "{:.2g} of "
        "the model's largest field it has no part in the choice of steps); that is {:g} times the largest "
        "estimated error of one step{}: give a max_step of less than {}, and compare",
        p.problem.materials[m].name, run_over_step * error / field, shortest(time.tolerance), field / most,
        run_over_step,
        p.sim.materials[m].conductivity.kind == CurveSpec::Kind::constant
            ? " and no bound"
            : " (no bound: where a nonlinear material switches within a step an error may be 12 times its "
              "estimate)",
        format_time(step)));
  }
}

void warn_of_switching(const Prepared& p, const Outcome& out, run::Journal& journal) {
  for (std::size_t m = 0; m < p.problem.materials.size(); ++m) {
    const auto& [name, permittivity, curve] = p.problem.materials[m];
    const double field = known(out.history, m).field;
    if (!curve.nonlinear() || !(field > 0)) continue;
    const bool microvaristor = curve.kind == CurveSpec::Kind::named && curve.parameters.size() == 4;
    const double switching = microvaristor ? curve.parameters[2] : switching_field(curve);
    const bool below = field < switching / far, beyond = microvaristor && field > switching * far * far;
    if (!below && !beyond) continue;
    journal.warn(fmt::format(
        "the {} of material '{}' switches at {:.4g} V/m{}, the largest |E| there is {:.4g} V/m: it {}; check "
        "lengths (in metres) and {} (in V/m)",
        microvaristor ? "microvaristor curve" : "conductivity curve", name, switching,
        microvaristor ? "" : " (half or twice its value without a field)", field,
        below ? "never comes near and conducts as at 0" : "is far beyond",
        microvaristor ? "p2" : "the fields of the curve"));
  }
}

}  // namespace umov::eqs
