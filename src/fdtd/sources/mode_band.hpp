// A mode of a cross-section at many frequencies: solved side by side at a few, interpolated where that is as
// good.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fdtd/sources/cross_section.hpp"

namespace umov::fdtd {

struct ModeWork {
  int threads = 0;                                 ///< 0: all
  std::function<void(int done, int of)> progress;  ///< of solved frequencies; called by one thread at a time
};

/// solve_mode and take_losses at each of the frequencies, in their order and by those `threads`. From 20
/// frequencies on the mode is solved at Chebyshev's points of their range (the extrema, whose number doubles
/// and which are kept) until the polynomial through half of them foretells the others to 1e-5 of the largest
/// value: that through all is then off by about the square. It has to meet one more solved frequency, between
/// its points, to 1e-8. A mode that changes too fast for this, or changes places with another one, is solved
/// at every frequency. At the lowest frequency the largest E is positive, and at the others the sign is what
/// it is there.
std::vector<ModeProfile> solve_modes(const Problem&, const ModePlane&, const std::vector<double>& frequencies,
                                     int number, const std::string& owner, const ModeWork& = {});

/// What was solved for the monitors of a problem, so that planes with the same cross-section share it.
class SolvedModes {
 public:
  explicit SolvedModes(ModeWork work = {}) : work_(std::move(work)) {}
  const ModeWork& work() const { return work_; }
  const std::vector<ModeProfile>& get(const Problem&, const ModePlane&,
                                      const std::vector<double>& frequencies, int number,
                                      const std::string& owner);

 private:
  struct Entry {
    std::vector<double> frequencies;
    int number;
    ModePlane plane;
    std::vector<CrossSectionOf<cplx>> cuts;  ///< at the lowest and the highest frequency
    std::vector<ModeProfile> modes;
  };
  ModeWork work_;
  std::vector<Entry> entries_;
};

}  // namespace umov::fdtd
