// The times of an electroquasistatic run.
#pragma once

#include <string>
#include <vector>

#include "eqs/model/waveform.hpp"
#include "eqs/problem.hpp"

namespace umov::eqs {

/// Times, s, that the steps of a run must hit.
struct Schedule {
  double end = 0, period = 0;     ///< period 0: nothing repeats
  std::vector<double> saved;      ///< ascending, with 0 and the end
  std::vector<double> stops;      ///< saved, ends of periods, bends of waveforms; without 0
  std::vector<StepLimit> limits;  ///< of all waveforms
  std::vector<std::string>
      warnings;  ///< steps that miss what a waveform does, tables that end early, idle intervals
};
/// The problem's electrodes have their tables read.
Schedule make_schedule(const Simulation&, const Problem&);

}  // namespace umov::eqs
