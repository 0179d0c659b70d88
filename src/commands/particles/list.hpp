// The commands for particles: enough for a program of their own.
#pragma once

#include <vector>

#include "program/program.hpp"

namespace umov::commands {

std::vector<program::Command> particles();

}  // namespace umov::commands
