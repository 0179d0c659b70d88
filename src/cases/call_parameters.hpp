// Parameters of one call of the program, which no case remembers: the same in every family.
#pragma once

#include <string>

#include "cases/declare.hpp"

namespace umov::cases {

/// --help, --help-markdown, --dry-run and --quiet. `planned`: what a dry run prints besides the case.
template <class Case>
void add_call_parameters(ParameterTable<Case>& t, const std::string& planned) {
  t.add(declare("", "", {"--help", "-h"}, "", "Print this list and stop."), boolean(), UMOV_CASE(help));
  t.add(declare("", "", {"--help-markdown"}, "", "Print the tables of the manual and stop."), boolean(),
        UMOV_CASE(help_markdown));
  t.add(declare("", "", {"--dry-run"}, "",
                "Check everything, print the resolved case" + planned + ", and stop."),
        boolean(), UMOV_MACHINE(dry_run));
  t.add(declare("", "", {"--quiet"}, "", "No progress line and no summary; errors still appear."), boolean(),
        UMOV_MACHINE(quiet));
}

}  // namespace umov::cases
