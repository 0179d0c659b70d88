// Potentials of all electrodes at a time.
#pragma once

#include <vector>

#include "eqs/model/waveform.hpp"
#include "eqs/problem.hpp"

namespace umov::eqs {

/// V; 0 for grounded and floating ones.
inline std::vector<double> potentials_at(const Problem& p, double t) {
  std::vector<double> g;
  for (const auto& e : p.electrodes)
    g.push_back(e.kind == ElectrodeSpec::Kind::driven ? waveform(e.waveform, t) : 0);
  return g;
}
/// Their derivatives, V/s.
inline std::vector<double> slopes_at(const Problem& p, double t) {
  std::vector<double> g;
  for (const auto& e : p.electrodes)
    g.push_back(e.kind == ElectrodeSpec::Kind::driven ? waveform_slope(e.waveform, t) : 0);
  return g;
}

}  // namespace umov::eqs
