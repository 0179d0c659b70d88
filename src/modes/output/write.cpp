// Every file that a case of `umov modes` wants: apart, as the library draws no pictures.
#include "modes/output/results.hpp"
#include "results/formats.hpp"

namespace umov::modes {

void write_results(const Outcome& o, const Outputs& wanted, const std::string& folder,
                   const std::vector<StageTime>& times) {
  results::write(results::with_timings(to_result(o, wanted.fields), times), folder, wanted);
  if (wanted.pictures) draw_pictures(o, folder);
}

}  // namespace umov::modes
