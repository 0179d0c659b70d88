// The checkpoint of a normalised pair whose run was stopped while its bodies were painted.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "fdtd/run/state.hpp"
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

}  // namespace
}  // namespace umov::fdtd
