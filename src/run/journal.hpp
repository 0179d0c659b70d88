// The journal of a run: stages, warnings and notes, told to its observer at once and kept for its outcome.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "run/observer.hpp"

namespace umov::run {

/// Stages, warnings and notes of one run.
class Journal {
 public:
  explicit Journal(Observer observer) : observer_(std::move(observer)) {}

  /// The run begins its next part; "" ends the stages: steps are reported from there on.
  void stage(const std::string& text) const {
    if (observer_.stage) observer_.stage(text);
  }
  /// What the user should know but need not stop for. The same text is said and kept once.
  void warn(const std::string& text) {
    if (std::find(warnings_.begin(), warnings_.end(), text) != warnings_.end()) return;
    warnings_.push_back(text);
    if (observer_.warning) observer_.warning(text);
  }
  void warn(const std::vector<std::string>& texts) {
    for (const auto& text : texts) warn(text);
  }
  /// What only the log says, once.
  void note(const std::string& text) {
    if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(text);
  }

  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  Observer observer_;
  std::vector<std::string> warnings_, notes_;
};

/// The journal of a family, whose observer hears of more.
template <class FamilyObserver>
class JournalOf : public Journal {
 public:
  explicit JournalOf(FamilyObserver observer) : Journal(observer), observer_(std::move(observer)) {}
  const FamilyObserver& observer() const { return observer_; }

 private:
  FamilyObserver observer_;
};

}  // namespace umov::run
