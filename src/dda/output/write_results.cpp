#include "dda/output/write_results.hpp"

#include "dda/adda/results.hpp"
#include "dda/observables/mie_comparison.hpp"
#include "dda/output/pictures.hpp"
#include "dda/output/result.hpp"
#include "results/formats.hpp"

namespace umov::dda {

void write_results(const Outcome& outcome, const std::string& folder) {
  const auto& wanted = outcome.simulation.outputs;
  adda::write_adda_results(outcome, folder);
  results::write(to_result(outcome), folder, wanted);
  if (wanted.pictures) {
    const auto mie = compare_with_mie(outcome);
    draw_pictures(outcome, folder, mie ? &*mie : nullptr);
  }
}

}  // namespace umov::dda
