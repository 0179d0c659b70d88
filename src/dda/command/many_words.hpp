// What a run of many cases says: its warnings, each once, and its summary.
#pragma once

#include <string>
#include <vector>

#include "dda/many_outcome.hpp"
#include "run/said_once.hpp"

namespace umov::dda {

/// Warnings of many cases: one that differs from an earlier one in its numbers alone is said once.
class CaseWarnings {
 public:
  void say(const std::string& text);
  /// Those of all cases at once: of warnings that differ in their numbers alone the one whose first number is
  /// the largest, with how many there are.
  void say_largest(const std::vector<std::string>& texts);
  /// What was said already; "" = nothing.
  void keep(const std::string& text) {
    if (!text.empty()) lines_ += "WARNING: " + text + "\n";
  }
  /// All of them for the log.
  const std::string& lines() const { return lines_; }

 private:
  run::SaidOnce is_new_;
  std::string lines_;
};

/// How many cases have not converged, and where it says which; "" where all have.
std::string missed_words(const ManyOutcome&, const std::string& folder);

/// Lines for the terminal and the log.
std::string summary(const ManyOutcome&);

}  // namespace umov::dda
