// Checkpoints of a run in time and its continuation, as the families that step through time declare them.
#pragma once

#include <string>

#include "front/declare.hpp"

namespace umov::front {

/// checkpoint.interval and --resume.
template <class Case>
void add_checkpoint_parameters(ParameterTable<Case>& t) {
  const char* s = "checkpoint";
  t.add(declare(s, "interval", {"--checkpoint"}, "s",
                "Time between checkpoints; 0 saves one only when the run is interrupted."),
        duration(), UMOV_SIM(checkpoint.interval));
  t.add_action(declare(s, "", {"--resume"}, "",
                       "Continue the run in this folder; without a case file its resolved.toml is the case."),
               text("DIR"), [](Case& c, const std::string& folder) {
                 c.simulation.checkpoint.resume = true;
                 c.simulation.output_dir = c.resume_from = folder;
               });
}

}  // namespace umov::front
