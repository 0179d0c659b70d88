// Runs that are stopped before their first step: what they keep.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.hpp"
#include "fdtd/run/run.hpp"
#include "fdtd/run/state.hpp"
#include "support/fdtd_cases.hpp"
#include "support/machines.hpp"
#include "support/monitor_runs.hpp"
#include "support/temp_folder.hpp"

namespace umov::fdtd {
namespace {

TEST(FdtdStoppedBeforeSteps, LeavesWhatTheReferenceRunHasFound) {
  const test::TempFolder folder;
  RunState state;
  state.fingerprint = 7;
  state.reference.fourier = {{cplx(1, 2), cplx(3, 4)}};
  save_checkpoint(state, folder / "checkpoint");
  const RunState read = load_checkpoint(folder / "checkpoint", 7);
  EXPECT_TRUE(read.marches.empty());
  EXPECT_EQ(read.reference.fourier, state.reference.fourier);
}

TEST(FdtdStoppedBeforeSteps, LeavesNothingToGoOnFromWithoutAReferenceRun) {
  const test::TempFolder folder;
  RunState state;
  state.fingerprint = 7;
  save_checkpoint(state, folder / "checkpoint");
  EXPECT_THROW(load_checkpoint(folder / "checkpoint", 7), BadInput);
}

Simulation small_pair() {
  Simulation s = test::glass_case({2, 2, 0}, 10);
  s.sources = {test::pulse(Ez, {-0.5, 0, 0}, 1, 0.2)};
  s.monitors = {test::monitor(MonitorSpec::Kind::flux, {0.5, 0, 0}, {0, 1, 0}, {1})};
  s.normalize = true;
  s.stop.steps = 30;
  return s;
}

/// What a run says that is stopped when it has told so many times where it is.
std::string stopped_after(const Simulation& s, const test::TempFolder& folder, int reports) {
  RunObserver observer;
  observer.step = [&](const StepReport&) { return reports-- > 0; };
  try {
    run(s, umov::test::in(umov::test::serial, folder.path.string()), observer);
  } catch (const Error& e) {
    return e.what();
  }
  return "came to its end";
}

TEST(FdtdStoppedBeforeSteps, WritesNoCheckpointOfWhatIsToBeMadeAnew) {
  const test::TempFolder folder;
  const std::string words = stopped_after(small_pair(), folder, 0);
  EXPECT_NE(words.find("interrupted before the first step"), std::string::npos) << words;
  EXPECT_FALSE(std::filesystem::exists(folder / "checkpoint"));
}

TEST(FdtdStoppedBeforeSteps, KeepsTheReferenceRunOfThatBeforeItsFirstStep) {
  const test::TempFolder folder;
  int reports = 0;  // of the reference run, which has as many steps as a run alone
  RunObserver counting;
  Simulation alone = small_pair();
  alone.normalize = false;
  counting.step = [&](const StepReport&) { return ++reports, true; };
  run(alone, umov::test::serial, counting);
  const std::string words = stopped_after(small_pair(), folder, reports);
  EXPECT_NE(words.find("interrupted at step 0"), std::string::npos) << words;
  EXPECT_TRUE(std::filesystem::exists(folder / "checkpoint"));
}

}  // namespace
}  // namespace umov::fdtd
