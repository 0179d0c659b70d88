// What `umov sweep` is asked for on its command line.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/formats.hpp"
#include "sweep/run.hpp"
#include "sweep/state.hpp"

namespace umov::commands {

struct SweepRequest {
  std::vector<std::string> set, zip, words;
  std::string family, output, resume, shard, backend;
  int device = -1;
  sweep::Wishes wishes;
  sweep::Settings settings{true, 100000};
  results::Formats formats;
  cases::DesignSpec design;
  bool merge = false, dry_run = false, quiet = false, help = false, cpu = false, gpu = false;
  bool pictures = true;
  std::string command_line;
  std::vector<std::string> args;
};

/// Its flags, as help prints them.
const ParameterTable<SweepRequest>& sweep_flags();

/// Throws BadInput for flags that contradict each other.
SweepRequest parse_sweep(std::span<const std::string> args);

/// What the case says of a design, and the flags over it, which are added to `places`.
cases::DesignSpec design_by(const SweepRequest&, const cases::DesignSpec& of_case, Origins& places);

/// "3/64"; "" is the whole. Throws BadInput.
sweep::Shard parse_shard(const std::string&);

}  // namespace umov::commands
