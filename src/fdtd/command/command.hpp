// The command `umov fdtd`.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "fdtd/command/front.hpp"

namespace umov::fdtd {

/// What is done with cases of several runs: those that ask for S-parameters.
struct SeveralRuns {
  std::function<void(const Request&)> print_plan;
  std::function<Exit(const Request&)> execute;
};

/// `umov fdtd ARGS`: the program's exit code. Errors are thrown.
int command(std::span<const std::string> args, const SeveralRuns&);

}  // namespace umov::fdtd
