// What a run says of a background with poles.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/fdtd_rank_runs.hpp"

namespace umov::fdtd::trial {
namespace {

std::string note_of(const std::string& background) {
  const Simulation s = simulation("[domain]\nsize = [2, 2]\nresolution = 30\nbackground = \"" + background +
                                  "\"\n[[source]]\nkind = \"point\"\nwaveform = \"gaussian\"\n"
                                  "wavelength = 1.55\nwidth = 0.1\n[stop]\nsteps = 4\n");
  const auto notes = plan(s).outcome.notes;
  const auto found =
      std::ranges::find_if(notes, [](const auto& n) { return n.starts_with("the background"); });
  return found == notes.end() ? "" : *found;
}

// Silica has three poles (Malitson 1965, J. Opt. Soc. Am. 55, 1205) and the index 1.444 at 1.55 um.
TEST(FdtdNotes, ADispersiveBackgroundSaysWhatItCostsAndTheRemedy) {
  const std::string note = note_of("silica");
  EXPECT_NE(note.find("'silica' has 3 pole(s)"), std::string::npos) << note;
  EXPECT_NE(note.find("[[material]] with index = 1.44"), std::string::npos) << note;
  EXPECT_EQ(note_of("vacuum"), "");
}

}  // namespace
}  // namespace umov::fdtd::trial
