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

/// solve_modes for planes that have one cross-section, in one problem or in several of a process: the runs of
/// a matrix of S-parameters, the plan before them. What was solved last is remembered, up to 128 MiB.
class SolvedModes {
 public:
  explicit SolvedModes(ModeWork work = {}) : work_(std::move(work)) {}
  std::vector<ModeProfile> get(const Problem&, const ModePlane&, const std::vector<double>& frequencies,
                               int number, const std::string& owner) const;

 private:
  ModeWork work_;
};

/// The profiles that `solve` gives, or gave before for a plane with the same cross-section at the frequencies
/// `low` and `high`. `numbers`: all else that they depend on. Safe to call from several threads.
std::vector<ModeProfile> remembered_modes(const Problem&, const ModePlane&,
                                          const std::vector<double>& numbers, double low, double high,
                                          const std::function<std::vector<ModeProfile>()>& solve);

}  // namespace umov::fdtd
