// The commands of umov.
#pragma once

#include <vector>

#include "program/program.hpp"

namespace umov::commands {

std::vector<program::Command> all();

}  // namespace umov::commands
