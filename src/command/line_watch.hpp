// The progress line of a run, as the commands of all families watch it.
#pragma once

#include <memory>
#include <string>

#include "core/console.hpp"
#include "run/observer.hpp"

namespace umov::command {

/// Owns a Line (Progress, StepProgress, TimeProgress); whatever else is said ends it first.
template <class Line>
class LineWatch {
 public:
  /// Hears of stages and warnings; the family adds what moves the line.
  void listen(run::Observer& o) {
    o.stage = [this](const std::string& name) {
      finish();
      stage_ = name;
    };
    o.warning = [this](const std::string& text) {
      finish();
      warn(text);
    };
  }
  /// The line, made with `options(stage)` if there is none.
  template <class Options>
  Line& line(const Options& options) {
    if (!line_) line_ = std::make_unique<Line>(options(stage_));
    return *line_;
  }
  void finish() { line_.reset(); }

 private:
  std::string stage_;
  std::unique_ptr<Line> line_;
};

}  // namespace umov::command
