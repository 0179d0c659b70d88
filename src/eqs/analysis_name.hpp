// Names of the analyses in cases, logs and messages.
#pragma once

#include "eqs/simulation.hpp"

namespace umov::eqs {

inline const char* analysis_name(Analysis a) {
  switch (a) {
    case Analysis::transient:
      return "transient";
    case Analysis::electrostatic:
      return "electrostatic";
    case Analysis::conduction:
      return "conduction";
    case Analysis::harmonic:
      return "harmonic";
  }
  return "";
}

}  // namespace umov::eqs
