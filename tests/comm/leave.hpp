// The end of a process of tests under mpirun; included by one file of an executable.
#pragma once

#include <gtest/gtest.h>

#include "comm/world.hpp"

namespace umov::comm {
namespace {

/// Leaves MPI when all tests of a process have run.
class Leave : public testing::Environment {
 public:
  void TearDown() override {
    World* started = world();
    if (!started) return;
    started->end(0, false, [] {});
    started->leave();
  }
};
[[maybe_unused]] const auto* const leave = testing::AddGlobalTestEnvironment(new Leave);

}  // namespace
}  // namespace umov::comm
