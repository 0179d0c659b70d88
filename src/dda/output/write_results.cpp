#include "dda/output/write_results.hpp"

#include "core/atomic_file.hpp"
#include "core/timer.hpp"
#include "dda/adda/results.hpp"
#include "dda/observables/mie_comparison.hpp"
#include "dda/output/pictures.hpp"
#include "dda/output/result.hpp"
#include "results/formats.hpp"
#include "results/image_file.hpp"

namespace umov::dda {

void write_results(Outcome& outcome, const std::string& folder) {
  const auto& wanted = outcome.simulation.outputs;
  WrittenTogether together;
  const Stopwatch files;
  adda::write_adda_files(outcome, folder);
  results::Formats formats = wanted;
  if (outcome.image) {
    outcome.image->complete(to_result(outcome));
    outcome.image.reset();
    formats.hdf5 = false;
  }
  results::write(to_result(outcome), folder, formats);
  const double seconds = files.seconds();
  if (wanted.pictures) {
    const Stopwatch pictures;
    const auto mie = compare_with_mie(outcome);
    draw_pictures(outcome, folder, mie ? &*mie : nullptr);
    outcome.timings.push_back({"pictures", pictures.seconds()});
  }
  const Stopwatch rest;
  together.finish();
  outcome.timings.push_back({"files", seconds + rest.seconds()});
  adda::write_adda_log(outcome, folder);  // last: it says where the time went
  together.finish();
}

}  // namespace umov::dda
