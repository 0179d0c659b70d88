// Fields too small for the tolerance of steps to hold.
#include "eqs/run/small_fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"

namespace umov::eqs {

namespace {

/// Below this share of the largest field a material is a conductor, whose field nobody asks for; the solves
/// leave as much.
constexpr double conductor = 1e-6;
/// Errors of whole runs over the largest estimate of a step: measured 0.04 to 3.7 in a layer of 1e-6 to 1e-4
/// S/m on an insulator, all schemes, tolerances of 1e-3 to 1e-5. No bound: in 44 stacks taken at random six
/// exceeded four, the largest was 9 (implicit_euler).
constexpr double run_over_step = 4;

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
        "|E| of material '{}' may be off by some {:.2g} of its largest (estimated, no bound), beyond "
        "time.tolerance {} (with {:.2g} "
        "of the model's largest field it has no part in the choice of steps); give a max_step of "
        "less than {}, "
        "and compare",
        p.problem.materials[m].name, run_over_step * error / field, shortest(time.tolerance), field / most,
        format_time(step)));
  }
}

}  // namespace umov::eqs
