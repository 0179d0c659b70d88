// Checkpoints of a run and its continuation: the interval is the same in every family.
#pragma once

#include <string>

#include "cases/declare.hpp"

namespace umov::cases {

/// checkpoint.interval.
template <class Case>
void add_checkpoint_interval(ParameterTable<Case>& t) {
  t.add(of_machine(declare("checkpoint", "interval", {"--checkpoint"}, "s",
                           "Time between checkpoints; 0 saves one only when the run is interrupted.")),
        duration(), UMOV_MACHINE(checkpoint.interval));
}

/// --resume.
template <class Case>
void add_resume(ParameterTable<Case>& t) {
  t.add_action(declare("checkpoint", "", {"--resume"}, "",
                       "Continue the run in this folder; without a case file its resolved.toml is the case."),
               text("DIR"), [](Case& c, const std::string& folder) {
                 c.machine.checkpoint.resume = true;
                 c.machine.output_dir = c.resume_from = folder;
               });
}

/// checkpoint.interval and --resume.
template <class Case>
void add_checkpoint_parameters(ParameterTable<Case>& t) {
  add_checkpoint_interval(t);
  add_resume(t);
}

}  // namespace umov::cases
