// The engine of the case before, whose tables the next one uses where they are its own, too.
#pragma once

#include <memory>

#include "dda/run/prepare.hpp"

namespace umov::dda {

/// Interaction tensor and preconditioner belong to sites, wavelength and grid: cases of one list that differ
/// in the direction of incidence alone share them, and with them the engine.
class KeptEngine {
 public:
  /// The engine of the case before, where it is loaded with what this case of the same list would load it
  /// with; else a new one, as start_engine makes it.
  Engine& engine_for(Prepared&, const backend::EarlyStart&, run::Journal&, TimerTable&);
  /// How many cases had the engine of the case before.
  std::size_t shared() const { return shared_; }
  /// Called when a case has ended: an engine that takes more than a quarter of the memory that is left is not
  /// kept, so that what the next case does with little memory does not depend on it.
  void end_case();
  void forget();

 private:
  bool serves(const Prepared&) const;

  std::unique_ptr<Prepared> loaded_;  ///< what the engine refers to
  std::unique_ptr<Engine> engine_;
  Int3 asked_grid_{0, 0, 0};  ///< before the device was known
  bool asked_float_ = false;
  std::size_t shared_ = 0;
};

}  // namespace umov::dda
