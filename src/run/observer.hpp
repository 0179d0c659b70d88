// The observer of a run, as its caller passes it, and the end of a run that was asked to stop.
#pragma once

#include <functional>
#include <string>

#include "core/error.hpp"

namespace umov::run {

/// What every run tells; a family adds where its own runs are (its run/observer.hpp). Each may be empty.
struct Observer {
  std::function<void(const std::string& stage)> stage;
  /// Everything was checked and found good; what takes long begins.
  std::function<void()> begun;
  /// What the user should know but need not stop for.
  std::function<void(const std::string& text)> warning;
};

/// A run that was asked to stop before its end: by the observer, or (exit code 0) by a checkpoint of a kind
/// that ends the run.
struct Interrupted : Error {
  explicit Interrupted(const std::string& message, Exit code = Exit::interrupted) : Error(code, message) {}
};

}  // namespace umov::run
